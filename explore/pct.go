package explore

import (
	"math/bits"
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

// PCT is the randomised scheduler of Burckhardt, Kothari, Musuvathi and
// Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding
// bugs" (ASPLOS 2010). Goroutines get random priorities and the highest enabled
// one runs; at depth-1 random decisions the running one drops below all others.
// A bug that needs depth ordering constraints is hit with probability at least
// 1/(n·k^(depth-1)) per schedule of n goroutines and k decisions.
//
// Where this differs from the paper:
//   - Only decisions among two or more enabled goroutines count as steps: k is
//     smaller and the probability greater.
//   - k is measured on schedule 0, a random walk. Because other schedules may be
//     longer, half of them spread their change points over k decisions, a quarter
//     over 2k, and so on; a length within the true one is thus never ruled out.
//   - A goroutine that yields drops below all others, else a loop that waits for
//     somebody of low priority would never end; after many steps the schedule
//     goes on as a random walk, which ends every loop that can end.
//   - Change points are drawn independently; two may fall on the same decision.
//   - Partners of a rendezvous, ready select cases and model.Choose are drawn
//     uniformly from a stream of their own; the paper has no such choices.
type PCT struct {
	setup  Setup
	depth  int
	length int // decisions of schedule 0

	priorities stream   // base of the goroutines' priorities
	choices    stream   // alternatives, and the fair rest of a long schedule
	rank       []uint64 // by goroutine; 0: not seen yet in this schedule
	seen       int      // goroutines of this schedule: rank[:seen] is up to date
	changes    []change // still to come, the next one last
	decisions  int      // so far
	unfair     int      // steps after which the walk is uniform
	yields     uint64   // so far
}

// change lowers the priority of the goroutine that would take the given decision.
type change struct {
	at   int
	rank uint64
}

// maxDepth bounds the depth that names can ask for: far beyond what any budget
// could cover.
const maxDepth = 99

// Ranks: a goroutine starts in the top half, a change point puts it at
// changeRank+i, a yield below all that.
const (
	startRank  = 1 << 63
	changeRank = 1 << 62
)

// NewPCT returns PCT for bugs of the given depth, at least 1.
func NewPCT(s Setup, depth int) *PCT {
	return &PCT{setup: s, depth: depth, length: 1}
}

func (s *PCT) learn(p *profile) { s.length = max(p.decisions, 1) }

// pctDoublings bounds how often the length is doubled.
const pctDoublings = 6

// Begin draws the change points of schedule run.
func (s *PCT) Begin(run uint64) bool {
	s.priorities = streamOf(s.setup.Seed, run, purposePriorities)
	s.choices = streamOf(s.setup.Seed, run, purposeAlternatives)
	s.seen, s.decisions, s.yields = 0, 0, 0

	points := streamOf(s.setup.Seed, run, purposeWalk)
	k := s.length << bits.TrailingZeros64(points.next()|1<<pctDoublings)
	s.changes = s.changes[:0]
	for i := range s.depth - 1 {
		s.changes = append(s.changes, change{at: 1 + points.below(k), rank: changeRank + uint64(i)})
	}
	slices.SortFunc(s.changes, func(a, b change) int { return b.at - a.at })
	s.unfair = patience(s.setup, k)
	return true
}

// Pick chooses the enabled goroutine of highest priority.
func (s *PCT) Pick(p *sched.Point) sched.Choice {
	if p.Len() == 1 {
		g := p.At(0)
		return sched.Choice{G: g, Alt: alternative(&s.choices, p, g)}
	}
	if p.Step() >= s.unfair {
		return uniform(&s.choices, p)
	}
	s.decisions++
	g := s.highest(p)
	for n := len(s.changes); n > 0 && s.changes[n-1].at == s.decisions; n-- {
		s.rank[g] = s.changes[n-1].rank
		s.changes = s.changes[:n-1]
		g = s.highest(p)
	}
	if p.Op(g).Kind == sched.OpYield {
		s.yields++
		s.rank[g] = changeRank - s.yields
	}
	return sched.Choice{G: g, Alt: alternative(&s.choices, p, g)}
}

// End does nothing.
func (s *PCT) End(*sched.Result) {}

func (s *PCT) highest(p *sched.Point) int32 {
	best, bestRank := int32(-1), uint64(0)
	for i := range p.Len() {
		g := p.At(i)
		if r := s.rankOf(p, g); r > bestRank {
			best, bestRank = g, r
		}
	}
	return best
}

// rankOf returns the priority of g, at first random by spawn path: it does not
// depend on when the goroutine was first seen.
func (s *PCT) rankOf(p *sched.Point, g int32) uint64 {
	for int(g) >= s.seen {
		if s.seen == len(s.rank) {
			s.rank = append(s.rank, 0)
		}
		s.rank[s.seen] = 0
		s.seen++
	}
	if s.rank[g] == 0 {
		s.rank[g] = startRank | scramble(uint64(s.priorities)^p.PathHash(g))
	}
	return s.rank[g]
}
