package explore

import (
	"slices"
	"strconv"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
)

// bounded runs every schedule that leaves a simple scheduler at most so many times.
// There are far fewer of those than schedules, and most bugs need to leave it once
// or twice. It makes rounds with the bounds 0, 1, 2, ...: the first failing schedule
// is one with the fewest, and a round that had to pass nothing over has run all
// schedules there are. Nothing is reduced but by the bound.
//
// There are two kinds:
//
//   - Preemption bounding (Musuvathi, Qadeer, "Iterative context bounding for
//     systematic testing of multithreaded programs", PLDI 2007): what counts is to
//     go on with another goroutine while the running one could; who goes on when it
//     cannot is free. So are the partner of a rendezvous, if the running goroutine is
//     one of the two, the case of a select and the value of a model.Choose.
//   - Delay bounding (Emmi, Qadeer, Rakamarić, "Delay-bounded scheduling", POPL
//     2011): the scheduler goes round the goroutines in order of creation and stays
//     at each as long as that can go on; what counts is how many enabled goroutines
//     are passed over to reach the one that is taken. Timers come last. Partners,
//     cases and values are free.
type bounded struct {
	measure
	limit int // the last round's bound

	bound    int        // the present round's
	path     []junction // the decisions of the run, those before the last to be repeated
	depth    int        // decisions of the run so far
	spent    int        // their cost
	excluded bool       // something was passed over in this round
	done     bool
	diverged bool // a decision did not come again
	boundedStats

	states *states                               // nil, or those that need not be explored again
	within func(*sched.Point, sched.Choice) bool // nil, or which choices the search is about
}

type boundedStats struct {
	runs, repeated, events, cut int
	fair                        bool // a goroutine that polled in vain had to wait
}

// junction is a decision on the path that is being explored.
type junction struct {
	ways  []way
	taken int
}

type way struct {
	choice sched.Choice
	cost   int
	left   int   // what is left to spend
	to     state // if states are remembered
}

// maxBound bounds the bound that names can ask for.
const maxBound = 99

// measure is what a bound counts.
type measure struct {
	prefix, noun string
	cost         func(*sched.Point, sched.Choice) int
}

var measures = []measure{{"preempt", "preemption", preemptions}, {"delay", "delay", delays}}

// namedBounded returns the maker of the bounded search called name, such as
// preempt2 or delay1.
func namedBounded(name string) (func() *bounded, bool) {
	for _, m := range measures {
		if digits, ok := strings.CutPrefix(name, m.prefix); ok {
			n, err := strconv.Atoi(digits)
			ok = err == nil && n >= 0 && n <= maxBound && strconv.Itoa(n) == digits
			return func() *bounded { return &bounded{measure: m, limit: n} }, ok
		}
	}
	return nil, false
}

// preemptions is 1 if c is a preemption.
func preemptions(p *sched.Point, c sched.Choice) int {
	r, enabled := p.Running()
	ev := p.Event(c)
	if !enabled || ev.G == r || ev.Partner == r {
		return 0
	}
	return 1
}

// delays is how many enabled goroutines are passed over for c. A rendezvous is
// taken by the one of its two that comes first, and by whoever is enabled.
func delays(p *sched.Point, c sched.Choice) int {
	ev := p.Event(c)
	n := delaysOf(p, ev.G)
	if ev.Partner >= 0 && p.Enabled(ev.Partner) {
		n = min(n, delaysOf(p, ev.Partner))
	}
	return n
}

func delaysOf(p *sched.Point, g int32) int {
	n := 0
	for i := range p.Len() {
		if h := p.At(i); turnOf(p, h) < turnOf(p, g) {
			n++
		}
	}
	return n
}

// turnOf says when it is the turn of g: the running goroutine is first.
func turnOf(p *sched.Point, g int32) int {
	r, _ := p.Running()
	n := p.Goroutines()
	t := (int(g-r) + n) % n
	if p.Op(g).Kind.MovesClock() {
		t += n
	}
	return t
}

func (b *bounded) Begin(uint64) bool {
	b.depth, b.spent = 0, 0
	return !b.done
}

func (b *bounded) Pick(p *sched.Point) sched.Choice {
	if b.depth == len(b.path) {
		ways := b.survey(p)
		if len(ways) == 0 {
			return sched.Abandon
		}
		b.path = append(b.path, junction{ways: ways})
	}
	j := &b.path[b.depth]
	b.depth++
	w := j.ways[j.taken]
	b.spent += w.cost
	if !p.Enabled(w.choice.G) || int(w.choice.Alt) >= p.Alternatives(w.choice.G) {
		b.diverged = true
		return p.Default()
	}
	return w.choice
}

// survey lists the ways to go on that are within the bound, the default policy's
// first if it is. Those that lead to known states are left out.
func (b *bounded) survey(p *sched.Point) []way {
	if b.states != nil && !b.states.visit(p, b.bound-b.spent) {
		return nil
	}
	var ways []way
	def := p.Default()
	eachEvent(p, func(c sched.Choice) bool {
		if b.within != nil && !b.within(p, c) {
			return true
		}
		w := way{choice: c, cost: b.cost(p, c)}
		w.left = b.bound - b.spent - w.cost
		if b.states != nil {
			w.to = b.states.after(p, c)
		}
		switch {
		case w.left < 0:
			b.excluded = true
		case b.known(&w):
		case p.Same(c, def):
			ways = slices.Insert(ways, 0, w)
		default:
			ways = append(ways, w)
		}
		return true
	})
	return ways
}

// known reports whether a way leads where the search has been.
func (b *bounded) known(w *way) bool { return b.states != nil && b.states.known(w.to, w.left) }

func (b *bounded) End(r *sched.Result) {
	if r.Outcome != sched.Abandoned {
		b.runs++
		b.events += r.Steps
		b.fair = b.fair || r.HeldBack
		if b.spent < b.bound {
			b.repeated++ // from the round before
		}
		if r.Outcome == sched.StepBound {
			b.cut++
		}
	}
	for n := len(b.path); n > 0; n-- {
		j := &b.path[n-1]
		for j.taken++; j.taken < len(j.ways); j.taken++ {
			if !b.known(&j.ways[j.taken]) {
				b.path = b.path[:n]
				return
			}
		}
	}
	b.path = b.path[:0]
	if !b.excluded || b.bound == b.limit {
		b.done = true
		return
	}
	b.bound++
	b.excluded = false
}

// coverage says that everything was explored only if the bound excluded nothing.
func (b *bounded) coverage() Coverage {
	c := Coverage{
		Complete: b.done && !b.excluded && b.cut == 0 && !b.diverged, Bounded: b.cut,
		Runs: b.runs - b.repeated, Repeated: b.repeated, Events: b.events, Fair: b.fair,
	}
	if c.Complete {
		c.Progress = 1
		return c
	}
	c.Bound = atMost(b.limit, b.noun)
	switch {
	case b.cut > 0 || b.diverged:
	case b.done:
		c.Covered = c.Bound
	case b.bound > 0:
		c.Covered = atMost(b.bound-1, b.noun)
	}
	return c
}

func atMost(n int, noun string) string { return "at most " + plural(n, noun) }
