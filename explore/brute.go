package explore

import "github.com/modelcheck-go/modelcheck/sched"

// brute runs every schedule: all sequences of choices, depth first, without any
// reduction. A rendezvous, which can be chosen from either side, counts once.
type brute struct {
	stack  []fork
	depth  int
	done   bool
	runs   int
	events int
	cut    int
	fair   bool // a goroutine that polled in vain had to wait
}

// fork is a decision on the path that is being explored.
type fork struct {
	taken, width int
}

func (b *brute) Begin(uint64) bool {
	b.depth = 0
	return !b.done
}

func (b *brute) Pick(p *sched.Point) sched.Choice {
	if b.depth == len(b.stack) {
		b.stack = append(b.stack, fork{0, countEvents(p)})
	}
	f := b.stack[b.depth]
	b.depth++
	return nthEvent(p, f.taken)
}

func (b *brute) End(r *sched.Result) {
	b.runs++
	b.events += r.Steps
	b.fair = b.fair || r.HeldBack
	if r.Outcome == sched.StepBound {
		b.cut++
	}
	for n := len(b.stack); n > 0; n-- {
		if f := &b.stack[n-1]; f.taken+1 < f.width {
			f.taken++
			b.stack = b.stack[:n]
			return
		}
	}
	b.done = true
}

func (b *brute) coverage() Coverage {
	c := Coverage{Complete: b.done && b.cut == 0, Bounded: b.cut, Runs: b.runs, Events: b.events, Fair: b.fair}
	share := 1.0
	for _, f := range b.stack {
		share /= float64(f.width)
		c.Progress += share * float64(f.taken)
	}
	if b.done {
		c.Progress = 1
	}
	return c
}

// countEvents counts the events that can happen at p.
func countEvents(p *sched.Point) int {
	n := 0
	eachEvent(p, func(sched.Choice) bool { n++; return true })
	return n
}

// nthEvent returns the k-th of them.
func nthEvent(p *sched.Point, k int) (c sched.Choice) {
	eachEvent(p, func(d sched.Choice) bool {
		c = d
		k--
		return k >= 0
	})
	return c
}

// eachEvent calls f with one choice for every event that can happen at p, in a
// fixed order, until f returns false.
func eachEvent(p *sched.Point, f func(sched.Choice) bool) {
	for i := range p.Len() {
		g := p.At(i)
		for a := range int32(p.Alternatives(g)) {
			c := sched.Choice{G: g, Alt: a}
			if p.IsData() || p.Label(c).G == g { // else it is the partner's
				if !f(c) {
					return
				}
			}
		}
	}
}
