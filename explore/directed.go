package explore

import "github.com/modelcheck-go/modelcheck/sched"

// directed tries at once what went one way in schedule 0 and could go another: each
// case that a select did not take (a timeout, a cancelled context), each partner that
// a rendezvous did not have, each lock that somebody else was about to take. One
// schedule is spent on each of these, at most maxFlips, in which the goroutine is held
// at that operation until the other thing can happen, or nothing else can; apart from
// that, and when the flips are used up, it is URW. Reordering one message or select at a
// time is what finds most bugs of Go programs that are about channels (Liu and others,
// "Who goes first? Detecting Go concurrency bugs via message reordering", ASPLOS
// 2022).
type directed struct {
	setup   Setup
	walk    *URW
	flips   []flip
	flip    *flip // not made yet in this schedule; nil: no more to do
	waited  int   // decisions since somebody is held
	choices []sched.Choice
	weights []int
}

var _ learner = (*directed)(nil)

func newDirected(s Setup) *directed { return &directed{setup: s, walk: NewURW(s)} }

func (s *directed) learn(p *profile) {
	s.walk.learn(p)
	s.flips = p.flips
}

// Begin starts schedule run, which makes flip number run-1.
func (s *directed) Begin(run uint64) bool { return s.begin(run, run-1) }

// begin starts schedule run with the given flip.
func (s *directed) begin(run, flip uint64) bool {
	s.flip, s.waited = nil, 0
	if flip < uint64(len(s.flips)) {
		s.flip = &s.flips[flip]
	}
	return s.walk.Begin(run)
}

// Pick makes the flip if it can, and keeps it possible if not.
func (s *directed) Pick(p *sched.Point) sched.Choice {
	g, here := s.here(p)
	if !here {
		return s.walk.Pick(p)
	}
	if c, ok := s.made(p, g); ok {
		s.flip = nil
		return c
	}
	s.waited++
	if c, ok := s.around(p, g); ok && !s.overtaken(p) && s.waited <= patience(s.setup, 1) {
		return c
	}
	s.flip = nil
	return s.walk.Pick(p)
}

// End does nothing.
func (s *directed) End(*sched.Result) {}

// here returns the goroutine that the flip is about if it could now go on with the
// operation.
func (s *directed) here(p *sched.Point) (g int32, ok bool) {
	if s.flip == nil || p.IsData() {
		return 0, false
	}
	for i := range p.Len() {
		g := p.At(i)
		if p.OpIndex(g) == int(s.flip.op) && s.walk.cast.role(p, g) == s.flip.routine {
			return g, true
		}
	}
	return 0, false
}

// made returns the choice that makes the flip, at the operation of g.
func (s *directed) made(p *sched.Point, g int32) (sched.Choice, bool) {
	f := s.flip
	for alt := range int32(p.Alternatives(g)) {
		c := sched.Choice{G: g, Alt: alt}
		ev := p.Event(c)
		switch f.kind {
		case otherCase:
			if ev.Case == f.choice && ev.Default == (f.choice < 0) {
				return c, true
			}
		case otherPartner:
			if ev.Partner >= 0 && s.walk.cast.role(p, ev.Partner) == f.other {
				return c, true
			}
		}
	}
	return sched.Choice{}, false
}

// overtaken reports whether the other goroutine has gone first, if the flip is that.
func (s *directed) overtaken(p *sched.Point) bool {
	for h := range int32(p.Goroutines()) {
		if s.flip.kind == otherFirst && s.walk.cast.role(p, h) == s.flip.other && p.OpIndex(h) > int(s.flip.otherOp) {
			return true
		}
	}
	return false
}

// around chooses something else than the operation of g, as URW would.
func (s *directed) around(p *sched.Point, g int32) (sched.Choice, bool) {
	s.choices, s.weights = s.choices[:0], s.weights[:0]
	for i := range p.Len() {
		h := p.At(i)
		if h == g {
			continue
		}
		for alt := range int32(p.Alternatives(h)) {
			if c := (sched.Choice{G: h, Alt: alt}); p.Event(c).Partner != g {
				s.choices = append(s.choices, c)
				s.weights = append(s.weights, s.walk.weight(p, h))
			}
		}
	}
	if len(s.choices) == 0 {
		return sched.Choice{}, false
	}
	return s.choices[weighted(&s.walk.rng, s.weights)], true
}
