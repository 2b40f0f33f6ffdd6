package explore

import (
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

// classwise finds the schedule with the fewest preemptions in two steps: it runs one
// schedule of every trace class (dpor) and notes the classes that fail in the same way
// as the best schedule, then it runs the schedules of these classes, those with the
// fewest preemptions first.
type classwise struct {
	m      *minimizer
	search *dpor
	races  analysis
	names  naming
	fails  classSet
	same   map[uint64]bool // by symptoms: whether the findings are those that are looked for, but for their places
	last   *frugal         // the second step, once the first is done
}

func newClasswise(m *minimizer) *classwise {
	return &classwise{
		m: m, search: newDPOR(sched.Dependencies), races: analysis{table: sched.Dependencies},
		names: newNaming(), fails: newClassSet(), same: map[uint64]bool{},
	}
}

// maxClasses bounds the memory for failing classes.
const maxClasses = 10_000

func (c *classwise) step() proofState {
	if c.last != nil {
		return c.last.step()
	}
	s := c.search
	if !s.Begin(0) {
		if s.err != nil || s.cut > 0 || len(c.fails.list) == 0 {
			return useless
		}
		c.last = newFrugal(c.m, &c.fails)
		return undecided
	}
	careful := s.careful
	r := c.m.run(s, sched.RunOptions{Log: true})
	if r.Outcome == sched.Misuse || r.Steps >= longRun { // races of a long run take long to find
		return useless
	}
	s.End(r)
	switch {
	case s.unreduced != nil || len(c.fails.list) > maxClasses:
		return useless
	case s.careful != careful: // the search begins anew
		c.fails = newClassSet()
	case r.Failed:
		c.note(r)
	}
	return undecided
}

// note adds the class of a failing run, unless it fails in another way.
func (c *classwise) note(r *sched.Result) {
	same, known := c.same[r.Symptoms]
	if known && !same {
		return
	}
	symptoms, choices := r.Symptoms, slices.Clone(r.Choices)
	c.names.begin()
	c.names.meet(r.Log)
	c.races.order(&c.names, r.Log)
	c.fails.add(&c.races)
	if !known {
		f := c.m.w.repeat(choices)
		c.m.runs++
		c.m.steps += f.steps
		same = keyOf(unplaced(c.m.keep(f.findings))) == keyOf(unplaced(c.m.keep(c.m.best.findings)))
		c.same[symptoms] = same
	}
	if !same {
		c.fails.list = c.fails.list[:len(c.fails.list)-1]
	}
}

// unplaced returns the findings without the places in the source.
func unplaced(fs []Finding) []Finding {
	fs = slices.Clone(fs)
	for i := range fs {
		fs[i].Site = sched.Site{}
	}
	return fs
}

// classSet has trace classes, by the order of their events: each schedule of a class
// executes an event after all that precede it. It tells which choices lead to a
// schedule of one of them.
type classSet struct {
	naming
	ids  map[sched.Label]int32 // numbers of events, in order of appearance
	list []map[int32][]int32   // by class and event: its direct predecessors

	// Of the present run.
	n     int            // events of the log taken in
	ticks int32          // how often the clock moved
	done  map[int32]bool // the events
	alive []int          // classes that have them all
}

func newClassSet() classSet {
	return classSet{naming: newNaming(), ids: map[sched.Label]int32{}, done: map[int32]bool{}}
}

// add adds the class of the run that was ordered.
func (c *classSet) add(r *analysis) {
	c.naming.begin()
	c.meet(r.log)
	ids, ticks := make([]int32, r.n), int32(0)
	class := make(map[int32][]int32, r.n)
	for i := range int32(r.n) {
		ids[i] = c.id(&r.log.Events[i], &ticks)
		var before []int32
		for _, p := range r.predecessors(i) {
			if id := ids[p.event]; !slices.Contains(before, id) {
				before = append(before, id)
			}
		}
		class[ids[i]] = before
	}
	c.list = append(c.list, class)
}

// id numbers an event of a run in which the clock has moved so often before.
func (c *classSet) id(ev *sched.Executed, ticks *int32) int32 {
	l := c.stable(ev.Label)
	if ev.Kind == sched.OpNone {
		l.Op = *ticks
		*ticks++
	}
	id, ok := c.ids[l]
	if !ok {
		id = int32(len(c.ids))
		c.ids[l] = id
	}
	return id
}

// admit reports whether some schedule of a class goes on from p with c. What led to p
// was admitted.
func (c *classSet) admit(p *sched.Point, choice sched.Choice) bool {
	c.takeAll(p.Log())
	id, ok := c.ids[c.stable(p.Label(choice))]
	return ok && slices.ContainsFunc(c.alive, func(k int) bool {
		before, ok := c.list[k][id]
		return ok && !slices.ContainsFunc(before, func(id int32) bool { return !c.done[id] })
	})
}

// takeAll adds what happened since it was called last.
func (c *classSet) takeAll(log *sched.Log) {
	c.meet(log)
	for ; c.n < len(log.Events); c.n++ {
		id := c.id(&log.Events[c.n], &c.ticks)
		c.done[id] = true
		c.alive = slices.DeleteFunc(c.alive, func(k int) bool {
			_, has := c.list[k][id]
			return !has
		})
	}
}

// begin forgets the run before.
func (c *classSet) begin() {
	c.naming.begin()
	c.n, c.ticks = 0, 0
	clear(c.done)
	c.alive = c.alive[:0]
	for k := range c.list {
		c.alive = append(c.alive, k)
	}
}
