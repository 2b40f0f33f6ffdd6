package explore

import (
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

// certify looks for the schedules with fewer preemptions than the best one that fail in
// the same way, those with the fewest first. If it finds one, or comes to the end, no
// schedule has fewer than the best. It reports whether it found a better one.
//
// Two searches take turns, because either may come to its end long before the other: one
// follows the schedules with few preemptions (frugal), the other looks at every trace
// class before that (classwise). The first is alone at the beginning, which is all that
// small programs need.
func (m *minimizer) certify() (found bool) {
	if m.size.preemptions == 0 {
		m.certified = true
		return false
	}
	defer func(before int) { m.certifying = m.runs - before }(m.runs)
	return m.decide(headStart, newFrugal(m, nil), newClasswise(m))
}

// headStart is how many runs the first of several proofs makes before the others begin.
const headStart = 1000

// proof is a search for a schedule with fewer preemptions than the best one.
type proof interface {
	// step makes at most one run of the search, and perhaps another to look at what it shows.
	step() proofState
}

type proofState int

const (
	undecided proofState = iota
	improved             // there was a better schedule, and none is better still
	exhausted            // there is none
	useless              // the search cannot tell
)

// decide lets proofs take turns until one has settled the matter or the budget is used up.
func (m *minimizer) decide(headStart int, proofs ...proof) (found bool) {
	for i := 0; len(proofs) > 0 && !m.spent(); i++ {
		turn := 0
		if i >= headStart {
			turn = i % len(proofs)
		}
		switch proofs[turn].step() {
		case improved:
			m.certified = true
			return true
		case exhausted:
			m.certified = !m.unreliable
			return false
		case useless:
			proofs = slices.Delete(proofs, turn, turn+1)
		}
	}
	return false
}

// frugal runs every schedule with fewer preemptions than the best one, those with the
// fewest first, until one fails in the same way. Of schedules that come to the same
// state it goes on with one: see states.
type frugal struct {
	m      *minimizer
	search *bounded
	// ends are failing runs that were looked at, by what happened and by the symptoms:
	// of two operations whose order does not matter the later one may be what crashes.
	ends    map[uint64]bool
	only    *classSet // nil, or the classes that the schedules have to belong to
	careful bool      // see sched.Engine.CrossUnlocks
}

func newFrugal(m *minimizer, only *classSet) *frugal {
	f := &frugal{m: m, only: only, careful: m.w.engine.CrossUnlocks()}
	f.begin(newStates())
	return f
}

// begin begins anew, with states to remember or none.
func (f *frugal) begin(known *states) {
	f.search = &bounded{measure: measures[0], limit: f.m.size.preemptions - 1, states: known}
	if f.only != nil {
		f.search.within = f.only.admit
	}
	f.ends = map[uint64]bool{}
}

func (f *frugal) step() proofState {
	s := f.search
	if !s.Begin(0) {
		if s.diverged {
			return useless
		}
		return exhausted
	}
	if s.states != nil {
		s.states.begin()
	}
	if f.only != nil {
		f.only.begin()
	}
	r := f.m.run(s, sched.RunOptions{Log: true})
	s.End(r)
	if s.states != nil {
		s.states.takeAll(r.Log)
		if s.states.unsound {
			f.begin(nil)
			return undecided
		}
	}
	if r.Log.CrossUnlocks && !f.careful { // the engine sees more dependencies from now on
		f.careful = true
		f.begin(newStates())
		return undecided
	}
	if s.states != nil && r.Failed {
		end := fold(s.states.sum, r.Symptoms)
		if f.ends[end] {
			return undecided
		}
		f.ends[end] = true
	}
	if f.m.consider(r) {
		return improved
	}
	return undecided
}
