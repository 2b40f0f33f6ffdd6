package explore

import "github.com/modelcheck-go/modelcheck/sched"

// Random is the uniform random walk: at each decision every enabled goroutine is
// equally likely, then every way in which it can go on. It needs to know nothing
// about the program and is fair, so loops that wait for others end. A schedule
// that needs many decisions to go one way is exponentially unlikely.
//
// A go statement is a decision like any other: a goroutine started late has had
// fewer chances to run, which changes probabilities a lot (for the same bug, all
// goroutines started before any runs may be 10^5 times as likely).
type Random struct {
	seed uint64
	rng  stream
}

var _ Strategy = (*Random)(nil)

// NewRandom returns the random walk with the given seed.
func NewRandom(seed uint64) *Random { return &Random{seed: seed} }

// Begin starts schedule run.
func (r *Random) Begin(run uint64) bool {
	r.rng = streamOf(r.seed, run, purposeWalk)
	return true
}

// Pick chooses uniformly.
func (r *Random) Pick(p *sched.Point) sched.Choice { return uniform(&r.rng, p) }

// End does nothing.
func (r *Random) End(*sched.Result) {}

// Purposes of a schedule's streams.
const (
	purposeWalk = iota
	purposeAlternatives
	purposePriorities
)

func uniform(rng *stream, p *sched.Point) sched.Choice {
	g := p.At(rng.below(p.Len()))
	return sched.Choice{G: g, Alt: alternative(rng, p, g)}
}

// alternative chooses among the ways in which g can go on; it draws nothing when
// there is only one.
func alternative(rng *stream, p *sched.Point, g int32) int32 {
	n := p.Alternatives(g)
	if n == 1 {
		return 0
	}
	return int32(rng.below(n))
}

// patience is the number of steps after which a schedule of a strategy that is not
// fair goes on as a random walk, which ends every loop that can end. It is far
// beyond the decisions that schedule 0 had.
func patience(s Setup, decisions int) int { return min(s.Steps/2, 1000+20*decisions) }
