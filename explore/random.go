package explore

import "github.com/modelcheck-go/modelcheck/sched"

// Random is the uniform random walk: at each decision every enabled goroutine is
// equally likely, then every way in which it can go on. It needs to know nothing
// about the program and is fair, so loops that wait for others end. A schedule
// that needs many decisions to go one way is exponentially unlikely.
//
// A go statement is a decision like any other: main may be overtaken by goroutines
// that it has started before it starts the next, and one that is started late has had
// fewer chances to run. That changes probabilities a lot. n-1 goroutines that each
// change two variables, and one started last that must see both changes or none, fail
// with these probabilities per schedule (exact; see TestHitProbabilities):
//
//	n                                   3        4        5       10
//	Random, all started before any run  1/4.0    1/4.5    1/5.0   1/7.9
//	Random, as it is here               1/11.9   1/36.7   1/137   1/524,242
//	URW, all started before any run     1/3.2    1/3.7    1/4.2   1/7.0
//	URW, as it is here                  1/5.1    1/8.5    1/14    1/131
//
// SURW does not mind: it needs 13 schedules on average for n = 10.
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
