package explore

import (
	"github.com/modelcheck-go/modelcheck/sched"
)

// reorder tries other orders of the events of the best schedule, such that events
// that depend on each other stay as they are: the same happens, with fewer switches.
// (Jalbert, Sen, "A trace simplification technique for effective debugging of
// concurrent programs", FSE 2010, and dejafu's simplification do it one swap at a
// time.)
func (m *minimizer) reorder() {
	if m.spent() || m.size.preemptions == 0 || m.reordered == m.best {
		return
	}
	names := newNaming()
	r := m.run(newFollower(m.best.deviations), sched.RunOptions{Log: true})
	names.meet(r.Log)
	a := analysis{table: sched.Dependencies}
	a.order(&names, r.Log)
	old := orderOf(&names, r.Log)
	var orders []order
	for _, next := range []func(*linear) int32{(*linear).needed, (*linear).lowest, (*linear).earliest} {
		o := old
		o.events = newLinear(&a).order(next)
		orders = append(orders, o)
	}
	for _, o := range orders {
		names.begin()
		m.try(&o, sched.RunOptions{Log: true})
	}
	m.reordered = m.best
}

// linear puts the events of a run into another order.
type linear struct {
	*analysis
	missing []int     // by event: its direct predecessors that are not placed yet
	after   [][]int32 // by event: those of which it is a direct predecessor
	ready   []int32   // events that could come next, in the old order
	placed  []bool
	running int32
}

func newLinear(a *analysis) *linear {
	l := &linear{analysis: a, missing: make([]int, a.n), after: make([][]int32, a.n), placed: make([]bool, a.n)}
	for i := range int32(a.n) {
		for _, p := range a.predecessors(i) { // some of them more than once
			l.missing[i]++
			l.after[p.event] = append(l.after[p.event], i)
		}
		if l.missing[i] == 0 {
			l.ready = append(l.ready, i)
		}
	}
	return l
}

// order stays with a goroutine as long as its next event may come, and then goes on
// with the event that next returns.
func (l *linear) order(next func(*linear) int32) []sched.Label {
	var out []sched.Label
	for len(l.ready) > 0 {
		i := l.own()
		if i < 0 {
			i = next(l)
		}
		l.place(i)
		ev := &l.log.Events[i]
		if ev.Kind == sched.OpNone { // the clock moves by itself
			continue
		}
		if ev.Label.G != l.running && ev.Label.Partner != l.running {
			l.running = ev.Label.G
		}
		out = append(out, l.names.stable(ev.Label))
	}
	return out
}

// place puts event i next, and a Choose that follows with it: it happens at once.
func (l *linear) place(i int32) {
	l.placed[i] = true
	kept := l.ready[:0]
	for _, j := range l.ready {
		if j != i {
			kept = append(kept, j)
		}
	}
	l.ready = kept
	for _, j := range l.after[i] {
		if l.missing[j]--; l.missing[j] > 0 {
			continue
		}
		l.ready = append(l.ready, j)
		if l.log.Events[j].Kind == sched.OpChoose {
			l.place(j)
		}
	}
}

// own returns a ready event of the running goroutine, -1 if there is none.
func (l *linear) own() int32 {
	for _, i := range l.ready {
		if l.takesPart(l.running, i) {
			return i
		}
	}
	return -1
}

func (l *linear) takesPart(g, i int32) bool {
	label := l.log.Events[i].Label
	return label.G == g || label.Partner == g
}

// lowest is a ready event of the goroutine that was created first.
func (l *linear) lowest() int32 {
	best := l.ready[0]
	for _, i := range l.ready {
		if l.log.Events[i].Label.G < l.log.Events[best].Label.G {
			best = i
		}
	}
	return best
}

// earliest is the ready event that came first in the old order.
func (l *linear) earliest() int32 {
	best := l.ready[0]
	for _, i := range l.ready {
		best = min(best, i)
	}
	return best
}

// needed is an event that the running goroutine waits for.
func (l *linear) needed() int32 {
	for i := range int32(l.n) {
		if l.placed[i] || !l.takesPart(l.running, i) {
			continue
		}
		for _, j := range l.ready {
			if l.happens(j, i) {
				return j
			}
		}
		break
	}
	return l.lowest()
}

// order is the events of a run, those left out that are no choice, and the values
// that every Choose gave. It is a picker that makes them happen.
type order struct {
	*naming
	events []sched.Label
	values map[operation]int32
	at     []int32 // where in the log each event is
	next   int
	lost   bool // the next event cannot happen
}

// orderOf returns the order of the run that log is of.
func orderOf(names *naming, log *sched.Log) order {
	o := order{naming: names, values: map[operation]int32{}}
	for i, ev := range log.Events {
		l := names.stable(ev.Label)
		switch ev.Kind {
		case sched.OpNone:
		case sched.OpChoose:
			o.values[operation{l.G, l.Op}] = l.Value
		default:
			o.events = append(o.events, l)
			o.at = append(o.at, int32(i))
		}
	}
	return o
}

func (o *order) Pick(p *sched.Point) sched.Choice {
	o.meet(p.Log())
	if p.IsData() {
		l := o.stable(p.Label(sched.Choice{G: p.At(0)}))
		return sched.Choice{G: p.At(0), Alt: o.values[operation{l.G, l.Op}]}
	}
	if o.next < len(o.events) {
		if c, ok := o.find(p, o.events[o.next]); ok {
			o.next++
			return c
		}
	}
	o.lost = true
	return sched.Abandon
}
