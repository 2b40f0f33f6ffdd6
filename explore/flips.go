package explore

import "github.com/modelcheck-go/modelcheck/sched"

// flip is one thing that went one way in schedule 0 and could perhaps go another. It
// is about operation number op of a routine.
type flip struct {
	kind    flipKind
	routine int32
	op      int32
	choice  int32 // otherCase: the case, -1 for the default
	other   int32 // otherPartner: the routine to meet; otherFirst: the one to let go first,
	otherOp int32 // until it has executed this operation
}

type flipKind int

const (
	otherCase    flipKind = iota // of a select: a timeout, perhaps, or a cancelled context
	otherPartner                 // of a rendezvous
	otherFirst                   // to take a lock
	flipKinds
)

// maxFlips bounds the schedules that are spent on flips.
const maxFlips = 8

// flipsOf lists what could have gone another way in the run, at most maxFlips, of all
// kinds alike. Which ones is random if there are more.
func flipsOf(log *sched.Log, rng *stream) []flip {
	kinds := [flipKinds][]flip{otherCases(log), otherPartners(log), otherOrders(log)}
	var flips []flip
	for more := true; more; {
		more = false
		for k, list := range kinds {
			if n := len(list); n > 0 && len(flips) < maxFlips {
				i := rng.below(n)
				flips = append(flips, list[i])
				list[i] = list[n-1]
				kinds[k], more = list[:n-1], true
			}
		}
	}
	return flips
}

// otherCases has every case that a select had and did not take.
func otherCases(log *sched.Log) (flips []flip) {
	for i, at := range log.Attempts {
		if at.Event < 0 || at.Case < 0 {
			continue
		}
		taken := log.Events[at.Event].Label.Case
		if log.Events[at.Event].Label.G != at.G {
			taken = log.Events[at.Event].Label.PartnerCase
		}
		f := flip{kind: otherCase, routine: at.G, op: at.Op, choice: at.Case}
		if at.Case != taken {
			flips = append(flips, f)
		}
		first := i == 0 || log.Attempts[i-1].G != at.G || log.Attempts[i-1].Op != at.Op
		if first && at.Try && taken >= 0 {
			f.choice = -1
			flips = append(flips, f)
		}
	}
	return flips
}

// otherPartners has for every rendezvous whoever else came to the same side of the
// channel, in the whole run.
func otherPartners(log *sched.Log) (flips []flip) {
	type side struct {
		channel int32
		send    bool
	}
	came := map[side][]int32{}
	for _, at := range log.Attempts {
		if at.Access.Class != sched.AccRendezvous {
			continue
		}
		s := side{at.Access.Object, at.Send}
		if n := len(came[s]); n == 0 || came[s][n-1] != at.G {
			came[s] = append(came[s], at.G)
		}
	}
	for _, at := range log.Attempts {
		if at.Event < 0 || at.Access.Class != sched.AccRendezvous {
			continue
		}
		l := log.Events[at.Event].Label
		partner := l.Partner
		if l.G != at.G {
			partner = l.G
		}
		if partner < 0 || log.Accesses(int(at.Event))[0].Object != at.Access.Object {
			continue
		}
		tried := map[int32]bool{at.G: true, partner: true}
		for _, g := range came[side{at.Access.Object, !at.Send}] {
			if !tried[g] {
				tried[g] = true
				flips = append(flips, flip{kind: otherPartner, routine: at.G, op: at.Op, other: g})
			}
		}
	}
	return flips
}

// otherOrders has every two goroutines of which one took a lock right after the
// other, unless it was started by that one later.
func otherOrders(log *sched.Log) (flips []flip) {
	type taker struct{ g, op, event int32 }
	last := map[int32]taker{}
	for i, ev := range log.Events {
		for _, a := range log.Accesses(i) {
			if a.Class != sched.AccLock && a.Class != sched.AccTryLock && a.Class != sched.AccAnnounce {
				continue
			}
			now := taker{ev.Label.G, ev.Label.Op, int32(i)}
			if t, ok := last[a.Object]; ok && t.g != now.g && !startedLater(log, t.g, t.event, now.g) {
				flips = append(flips, flip{kind: otherFirst, routine: t.g, op: t.op, other: now.g, otherOp: now.op})
			}
			last[a.Object] = now
		}
	}
	return flips
}

// startedLater reports whether g, or an ancestor of it, was started by the given
// goroutine after the event.
func startedLater(log *sched.Log, by, event, g int32) bool {
	for ; log.Parents[g] >= 0; g = log.Parents[g] {
		if log.Parents[g] == by && log.Born[g] >= event {
			return true
		}
	}
	return false
}
