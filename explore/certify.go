package explore

import (
	"math"

	"github.com/modelcheck-go/modelcheck/sched"
)

// certify runs every schedule with fewer preemptions than the best one, those with
// the fewest first, until one fails in the same way. Then, or if it comes to the end,
// no schedule has fewer than the best. It reports whether it found a better one.
//
// A state that was reached before is passed over, unless it can be left with more
// preemptions than then (Musuvathi, Qadeer, "Partial-order reduction for
// context-bounded state exploration", MSR-TR-2007-12).
func (m *minimizer) certify() (found bool) {
	if m.size.preemptions == 0 {
		m.certified = true
		return false
	}
	defer func(before int) { m.certifying = m.runs - before }(m.runs)
	known := newStates()
	s := &bounded{measure: measures[0], limit: m.size.preemptions - 1, visit: known.visit}
	for i := uint64(0); s.Begin(i); i++ {
		if m.spent() {
			return false
		}
		known.begin()
		r := m.run(s, sched.RunOptions{Log: true})
		s.End(r)
		if known.unsound {
			known = newStates()
			known.off = true
			s = &bounded{measure: s.measure, limit: s.limit, visit: known.visit}
			continue
		}
		if m.consider(r) {
			m.certified = true
			return true
		}
	}
	m.certified = !s.diverged && !m.unreliable
	return false
}

// states remembers the states that a bounded search has come to. A state is known by
// what happened, up to the order of events that have no object and no goroutine in
// common: that settles it.
type states struct {
	left    map[uint64]int // the most that was left to spend at a state
	off     bool           // nothing is remembered
	unsound bool           // states are not known by what happened

	// Of the present run.
	n          int // events taken in
	sum        uint64
	era        uint64   // what happened until the clock moved last
	goroutines []uint64 // by creation index: hash of the last event that concerns it
	objects    []usage  // by creation index
	special    [2]usage // of those that package sched numbers from the other end
}

// usage is what happened to an object: what is settled, and below it the latest
// accesses if their order does not matter.
type usage struct {
	settled, latest uint64
	class           sched.Class
}

func newStates() *states { return &states{left: map[uint64]int{}} }

func (s *states) begin() {
	s.n, s.sum, s.era = 0, classSeed, 0
	s.goroutines, s.objects, s.special = s.goroutines[:0], s.objects[:0], [2]usage{}
}

// visit reports whether the state at p is new, or can be left with more.
func (s *states) visit(p *sched.Point, left int) bool {
	if s.off {
		return true
	}
	log := p.Log()
	for ; s.n < len(log.Events); s.n++ {
		s.take(log, s.n)
	}
	key := s.sum
	if r, enabled := p.Running(); enabled || p.IsData() { // else it does not matter who ran last
		key = fold(key, p.PathHash(r))
	}
	if most, ok := s.left[key]; ok && most >= left {
		return false
	}
	s.left[key] = left
	return true
}

// take adds event i of the run.
func (s *states) take(log *sched.Log, i int) {
	ev := &log.Events[i]
	if ev.Kind == sched.OpNone {
		s.era = fold(s.sum, uint64(i))
		s.sum += s.era
		return
	}
	for g := len(s.goroutines); g < len(log.Paths); g++ {
		s.goroutines = append(s.goroutines, log.Paths[g])
	}
	l := ev.Label
	key := fold(s.era, s.goroutines[l.G])
	if l.Partner >= 0 {
		key = fold(key, s.goroutines[l.Partner])
	}
	key = fold(key, uint64(uint32(l.Op))<<32|uint64(uint32(l.Case)))
	key = fold(key, uint64(uint32(l.PartnerOp))<<32|uint64(uint32(l.PartnerCase)))
	key = fold(key, uint64(uint32(l.Value)))
	accesses := log.Accesses(i)
	for _, a := range accesses {
		key = fold(key, s.usage(a.Object).before(a.Class))
		s.unsound = s.unsound || a.Class == sched.AccAdd && a.Need == sched.Reused
	}
	for _, a := range accesses {
		s.usage(a.Object).add(a.Class, key)
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
