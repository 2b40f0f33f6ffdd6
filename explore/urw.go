package explore

import "github.com/modelcheck-go/modelcheck/sched"

// URW is the uniform random walk over interleavings of Zhao, Wolff, Mathur and
// Roychoudhury, "Selectively uniform concurrency testing" (ASPLOS 2025): where a
// random walk chooses uniformly at every decision, so that a goroutine with few
// operations is done long before one with many, this one chooses each goroutine in
// proportion to the operations that it has left, those of goroutines that it has
// yet to start included. If the counts are right and nothing waits, all
// interleavings are equally likely.
//
// Where this differs from the paper:
//   - Counts are those of schedule 0 and found by number: a goroutine that has
//     executed i operations has left what it had left there after i. One that goes
//     beyond that, or was not there, counts as one operation.
//   - Operations that wait for others have weight only while they could go; a
//     rendezvous has that of both sides.
//   - Partners of a rendezvous, ready select cases and model.Choose are drawn
//     uniformly.
//
// A go statement is an operation like any other; since the weight of the children
// is their parent's until then, it does not make late goroutines less likely to be
// early than uniform interleavings allow.
type URW struct {
	seed    uint64
	rng     stream
	cast    cast
	left    countdown
	weights []int // scratch, by enabled goroutine
}

var _ learner = (*URW)(nil)

// NewURW returns the uniform random walk over interleavings.
func NewURW(s Setup) *URW { return &URW{seed: s.Seed, cast: cast{profile: &profile{}}} }

func (s *URW) learn(p *profile) {
	s.cast.profile = p
	s.left = p.countDown(s.left, everything)
}

// Begin starts schedule run.
func (s *URW) Begin(run uint64) bool {
	s.rng = streamOf(s.seed, run, purposeWalk)
	s.cast.begin()
	return true
}

// Pick chooses in proportion to what is left.
func (s *URW) Pick(p *sched.Point) sched.Choice {
	g := p.At(0)
	if p.Len() > 1 {
		s.weights = s.weights[:0]
		for i := range p.Len() {
			s.weights = append(s.weights, s.weight(p, p.At(i)))
		}
		g = p.At(weighted(&s.rng, s.weights))
	}
	return sched.Choice{G: g, Alt: alternative(&s.rng, p, g)}
}

// End does nothing.
func (s *URW) End(*sched.Result) {}

// weight is what g has left, at least the operation that it is about to execute.
func (s *URW) weight(p *sched.Point, g int32) int { return max(1, s.cast.left(p, s.left, g)) }

// weighted draws an index in proportion to the weights, which have a sum above 0.
func weighted(rng *stream, weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	rest := rng.below(sum)
	for i, w := range weights {
		if rest < w {
			return i
		}
		rest -= w
	}
	panic("modelcheck: internal error: weights changed while drawing")
}
