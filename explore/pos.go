package explore

import "github.com/modelcheck-go/modelcheck/sched"

// POS is partial order sampling of Yuan, Yang and Gu, "Partial order aware
// concurrency sampling" (CAV 2018). Every pending operation has a random priority
// and the highest enabled one happens; then those that raced with it draw new ones.
// So the orders of racing operations are nearly independent coins, however many
// operations lie between them, while those that do not race cost nothing. It needs
// to know neither how long the program is nor how deep a bug.
//
// Where this differs from the paper:
//   - Operations race as package sched's dependency relation has it: two senders
//     on a channel, two Locks of a mutex, but not the two sides of a rendezvous. A
//     select races with whatever any of its cases would.
//   - Partners of a rendezvous, ready select cases and model.Choose are drawn
//     uniformly.
//   - When a goroutine yields all priorities are drawn anew, else a loop that waits
//     for somebody of low priority would take long to end; after many steps the
//     schedule goes on as a random walk, as in PCT.
type POS struct {
	setup   Setup
	length  int // decisions of schedule 0
	rng     stream
	choices stream // alternatives, and the fair rest of a long schedule
	ranks   []rank // by goroutine
	unfair  int    // steps after which the walk is uniform
}

// rank is the priority of a goroutine's pending operation.
type rank struct {
	op    int // which operation, counted from 1; 0: to be drawn anew
	value uint64
}

var _ learner = (*POS)(nil)

// NewPOS returns partial order sampling.
func NewPOS(s Setup) *POS { return &POS{setup: s, length: 1} }

func (s *POS) learn(p *profile) { s.length = max(p.decisions, 1) }

// Begin starts schedule run.
func (s *POS) Begin(run uint64) bool {
	s.rng = streamOf(s.setup.Seed, run, purposePriorities)
	s.choices = streamOf(s.setup.Seed, run, purposeAlternatives)
	s.ranks = s.ranks[:0]
	s.unfair = patience(s.setup, s.length)
	return true
}

// Pick chooses the pending operation of highest priority.
func (s *POS) Pick(p *sched.Point) sched.Choice {
	if p.Len() == 1 {
		g := p.At(0)
		return sched.Choice{G: g, Alt: alternative(&s.choices, p, g)}
	}
	if p.Step() >= s.unfair {
		return uniform(&s.choices, p)
	}
	g := s.highest(p)
	c := sched.Choice{G: g, Alt: alternative(&s.choices, p, g)}
	s.forget(p, c)
	return c
}

// End does nothing.
func (s *POS) End(*sched.Result) {}

func (s *POS) highest(p *sched.Point) int32 {
	for len(s.ranks) < p.Goroutines() {
		s.ranks = append(s.ranks, rank{})
	}
	best := p.At(0)
	for i := range p.Len() {
		g := p.At(i)
		if op := p.OpIndex(g) + 1; s.ranks[g].op != op {
			s.ranks[g] = rank{op, s.rng.next()}
		}
		if s.ranks[g].value > s.ranks[best].value {
			best = g
		}
	}
	return best
}

// forget lets the operations that race with c, which happens now, draw again.
func (s *POS) forget(p *sched.Point, c sched.Choice) {
	partner := p.Event(c).Partner
	yields := p.Op(c.G).Kind == sched.OpYield
	for i := range p.Len() {
		g := p.At(i)
		if g != c.G && (yields || p.Conflict(c.G, g) || partner >= 0 && p.Conflict(partner, g)) {
			s.ranks[g].op = 0
		}
	}
}
