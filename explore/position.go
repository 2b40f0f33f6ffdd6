package explore

import (
	"maps"
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

// The positions of searches in a form that package encoding/gob writes: what is the
// same in every run, or made anew in each, is not there. TestPositionsAreWhole knows
// which fields that are.

type dporPosition struct {
	Nodes            []nodePosition
	Fixed            int
	Goroutines       []uint64 // hashes of spawn paths, by number
	Volatile         []operationPosition
	Done, Careful    bool
	Classes          []uint64
	Runs, Blocked    int
	Misfits, Events  int
	Cut              int
	Fair             bool
	Trace            uint64
	Unreduced        *brutePosition
	UnreducedBecause string
}

type nodePosition struct {
	Tick          bool
	Sleep         []transitionPosition
	Tree          []branchPosition
	Others        []transitionPosition
	Objects, Done int
}

type branchPosition struct {
	Event transitionPosition
	Base  int
	Begun bool
	Wake  bool
	Kids  []branchPosition
}

type transitionPosition struct {
	Label      sched.Label
	Foot, Wide []sched.Access
	Any, Loose bool
	Ran, Crash bool
}

type operationPosition struct{ G, Op int32 }

type brutePosition struct {
	Stack             []forkPosition
	Done              bool
	Runs, Events, Cut int
	Fair              bool
}

type forkPosition struct{ Taken, Width int }

func (b *brute) save() position { return position{Brute: b.position()} }

func (b *brute) load(p position) { *b = *p.Brute.search() }

func (b *brute) position() *brutePosition {
	p := &brutePosition{Done: b.done, Runs: b.runs, Events: b.events, Cut: b.cut, Fair: b.fair}
	for _, f := range b.stack {
		p.Stack = append(p.Stack, forkPosition{f.taken, f.width})
	}
	return p
}

func (p *brutePosition) search() *brute {
	b := &brute{done: p.Done, runs: p.Runs, events: p.Events, cut: p.Cut, fair: p.Fair}
	for _, f := range p.Stack {
		b.stack = append(b.stack, fork{f.Taken, f.Width})
	}
	return b
}

func (s *dpor) save() position {
	p := &dporPosition{
		Fixed: s.fixed, Goroutines: s.hashes, Done: s.done, Careful: s.careful, UnreducedBecause: s.reason,
		Runs: s.runs, Blocked: s.blocked, Misfits: s.misfits, Events: s.events, Cut: s.cut, Fair: s.fair, Trace: s.trace,
		Classes: slices.Collect(maps.Keys(s.classes)),
	}
	if s.unreduced != nil {
		p.Unreduced = s.unreduced.position()
	}
	for op := range s.volatile {
		p.Volatile = append(p.Volatile, operationPosition{op.g, op.op})
	}
	for _, n := range s.nodes {
		p.Nodes = append(p.Nodes, nodePosition{n.tick, each(n.sleep, saveTransition), each(n.tree, saveBranch), each(n.others, saveTransition), n.objects, n.done})
	}
	return position{DPOR: p}
}

func (s *dpor) load(all position) {
	p := all.DPOR
	s.fixed, s.done, s.careful, s.reason = p.Fixed, p.Done, p.Careful, p.UnreducedBecause
	s.dporStats = dporStats{p.Runs, p.Blocked, p.Misfits, p.Events, p.Cut, p.Fair, p.Trace}
	for i, h := range p.Goroutines {
		s.ids[h] = int32(i)
		s.back = append(s.back, -1)
	}
	s.hashes = p.Goroutines
	for _, op := range p.Volatile {
		s.volatile[operation{op.G, op.Op}] = true
	}
	for _, c := range p.Classes {
		s.classes[c] = struct{}{}
	}
	if p.Unreduced != nil {
		s.unreduced = p.Unreduced.search()
	}
	for _, n := range p.Nodes {
		s.nodes = append(s.nodes, &node{n.Tick, each(n.Sleep, loadTransition), each(n.Tree, loadBranch), each(n.Others, loadTransition), n.Objects, n.Done})
	}
}

func saveTransition(t transition) transitionPosition {
	return transitionPosition{t.label, t.foot, t.wide, t.any, t.loose, t.ran, t.crash}
}

func loadTransition(p transitionPosition) transition {
	return transition{p.Label, p.Foot, p.Wide, p.Any, p.Loose, p.Ran, p.Crash}
}

func saveBranch(b *branch) branchPosition {
	return branchPosition{saveTransition(b.transition), b.base, b.begun, b.wake, each(b.kids, saveBranch)}
}

func loadBranch(p branchPosition) *branch {
	return &branch{loadTransition(p.Event), p.Base, p.Begun, p.Wake, each(p.Kids, loadBranch)}
}

// each applies f to all elements.
func each[A, B any](list []A, f func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}
