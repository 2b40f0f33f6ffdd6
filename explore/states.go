package explore

import (
	"math"
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

// states remembers the states that a bounded search has come to, so that it explores
// each once for all ways that lead there, unless a later way leaves it more to spend
// (Musuvathi, Qadeer, "Partial-order reduction for context-bounded state exploration",
// MSR-TR-2007-12). A state is known by what happened, up to the order of events that
// have no object and no goroutine in common, since that settles it, and by who runs.
type states struct {
	left    map[state]int       // the most that was left to spend
	enabled map[uint64][]uint64 // by what happened: who could go on, by hash of the spawn path
	unsound bool                // a program that can be in different states after the same

	// Of the present run.
	n          int      // events taken in
	sum        uint64   // of their hashes
	era        uint64   // what happened until the clock moved last
	goroutines []uint64 // by creation index: hash of the last event that concerns it
	objects    []usage  // by creation index
	special    [2]usage // of those that package sched numbers from the other end
	foot       []sched.Access
}

// state is what happened and the hash of the spawn path of the goroutine that runs, 0
// if it cannot go on: then it does not matter who it is.
type state struct{ happened, running uint64 }

// usage is what happened to an object: what is settled, and after that the latest
// accesses if their order does not matter.
type usage struct {
	settled, latest uint64
	class           sched.Class
}

func newStates() *states { return &states{left: map[state]int{}, enabled: map[uint64][]uint64{}} }

func (s *states) begin() {
	s.n, s.sum, s.era = 0, classSeed, 0
	s.goroutines, s.objects, s.special = s.goroutines[:0], s.objects[:0], [2]usage{}
}

// visit reports whether the state at p is to be explored with so much left.
func (s *states) visit(p *sched.Point, left int) bool {
	s.takeAll(p.Log())
	if p.IsData() { // p does not show who runs after that
		return true
	}
	if s.enabled[s.sum] == nil {
		for i := range p.Len() {
			s.enabled[s.sum] = append(s.enabled[s.sum], p.PathHash(p.At(i)))
		}
	}
	r, _ := p.Running()
	at := state{s.sum, p.PathHash(r)}
	if s.known(at, left) {
		return false
	}
	s.left[s.merged(at)] = left
	return true
}

// known reports whether a state was explored with at least so much left.
func (s *states) known(at state, left int) bool {
	most, ok := s.left[s.merged(at)]
	return ok && most >= left
}

// merged forgets who runs where it does not matter.
func (s *states) merged(at state) state {
	if enabled, ok := s.enabled[at.happened]; ok && !slices.Contains(enabled, at.running) {
		at.running = 0
	}
	return at
}

// after returns the state that c leads to from p, the zero state if p does not tell.
func (s *states) after(p *sched.Point, c sched.Choice) state {
	l := p.Label(c)
	r, _ := p.Running()
	switch {
	case p.IsData():
		return state{}
	case l.G == r || l.Partner == r:
	case l.Partner >= 0 && p.Op(l.G).Kind == sched.OpTrySelect: // either may be the sender
		return state{}
	default:
		r = l.G
	}
	s.foot = p.Footprint(s.foot[:0], c)
	if slices.ContainsFunc(s.foot, isUnknown) {
		return state{}
	}
	return state{s.sum + s.key(l, s.foot), p.PathHash(r)}
}

// takeAll adds what happened since it was called last.
func (s *states) takeAll(log *sched.Log) {
	for g := len(s.goroutines); g < len(log.Paths); g++ {
		s.goroutines = append(s.goroutines, log.Paths[g])
	}
	for ; s.n < len(log.Events); s.n++ {
		s.take(log, s.n)
	}
}

// take adds event i of the run.
func (s *states) take(log *sched.Log, i int) {
	ev := &log.Events[i]
	if ev.Kind == sched.OpNone {
		s.era = fold(s.sum, uint64(i))
		s.sum += s.era
		return
	}
	l, foot := ev.Label, log.Accesses(i)
	if slices.ContainsFunc(foot, isUnknown) {
		s.unsound = true
		return
	}
	key := s.key(l, foot)
	for _, a := range foot {
		s.usage(a.Object).add(a.Class, key)
		s.unsound = s.unsound || a.Uncovered()
	}
	s.goroutines[l.G] = key
	if l.Partner >= 0 {
		s.goroutines[l.Partner] = key
	}
	for _, g := range log.Woken(i) {
		s.goroutines[g] = fold(s.goroutines[g], key)
	}
	s.sum += key
}

// key hashes an event with everything that it depends on.
func (s *states) key(l sched.Label, foot []sched.Access) uint64 {
	h := fold(s.era, s.goroutines[l.G])
	if l.Partner >= 0 {
		h = fold(h, s.goroutines[l.Partner])
	}
	h = fold(h, uint64(uint32(l.Op))<<32|uint64(uint32(l.Case)))
	h = fold(h, uint64(uint32(l.PartnerOp))<<32|uint64(uint32(l.PartnerCase)))
	h = fold(h, uint64(uint32(l.Value)))
	for _, a := range foot {
		h = fold(h, s.usage(a.Object).before(a.Class))
	}
	return h
}

func isUnknown(a sched.Access) bool { return a.Object == sched.AnyObject }

func (s *states) usage(object int32) *usage {
	if n := math.MaxInt32 - object; int(n) < len(s.special) {
		return &s.special[n]
	}
	for int(object) >= len(s.objects) {
		s.objects = append(s.objects, usage{})
	}
	return &s.objects[object]
}

// before is what an access of the class depends on.
func (u *usage) before(c sched.Class) uint64 {
	if c == u.class && commutes(c) {
		return u.settled
	}
	return fold(u.settled, u.latest)
}

func (u *usage) add(c sched.Class, key uint64) {
	if c == u.class && commutes(c) {
		u.latest += key
		return
	}
	u.settled, u.latest, u.class = fold(u.settled, u.latest), key, c
}

// commutes reports whether the order of two accesses of the class never matters.
func commutes(c sched.Class) bool {
	a := sched.Access{Class: c, Index: -1, Need: -1}
	return sched.Dependencies.Relate(a, a) == sched.Independent
}
