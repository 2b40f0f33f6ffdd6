package explore

import (
	"math"

	"github.com/modelcheck-go/modelcheck/sched"
)

// bits of event i's past.
func (r *analysis) pastOf(i int32) []uint64 { return r.past[int(i)*r.w : (int(i)+1)*r.w] }

// happens reports whether event a happens before event b, or is b.
func (r *analysis) happens(a, b int32) bool {
	return b >= 0 && has(r.pastOf(b), a)
}

// order computes the happens-before relation.
func (r *analysis) order(names *naming, log *sched.Log) { r.extend(names, log, 0) }

// extend does so for a run whose first same events are those of the run before.
func (r *analysis) extend(names *naming, log *sched.Log, same int) {
	r.names, r.log, r.n = names, log, len(log.Events)
	if w := (r.n + 63) / 64; w != r.w || same > len(r.starts) {
		r.w, same = w, 0
	}
	r.past = resized(r.past, r.n*r.w)
	r.prev = resized(r.prev, 2*r.n)
	r.keys = resized(r.keys, r.n)
	r.same = same
	tick := r.keep(int32(same))
	for i := int32(same); i < int32(r.n); i++ {
		ev := &r.log.Events[i]
		r.starts = append(r.starts, int32(len(r.before)))
		r.prev[2*i], r.prev[2*i+1] = -1, -1
		if ev.Kind == sched.OpNone {
			for j := range i {
				r.precede(j, -1, sched.Enables)
			}
			tick = i
		} else {
			r.precede(tick, tickObject, sched.Enables)
			r.prev[2*i] = r.arrive(ev.Label.G, i)
			if ev.Label.Partner >= 0 {
				r.prev[2*i+1] = r.arrive(ev.Label.Partner, i)
			}
			r.relate(i)
		}
		if ev.Crash {
			for j := range i {
				r.precede(j, crashObject, sched.Races)
			}
		}
		r.wake(i)
		r.close(i)
	}
	r.starts = append(r.starts, int32(len(r.before)))
}

// keep forgets what was known of events from same on, and returns the last moving of
// the clock before.
func (r *analysis) keep(same int32) (tick int32) {
	if same == 0 {
		r.before, r.starts = r.before[:0], r.starts[:0]
	} else {
		r.before, r.starts = r.before[:r.starts[same]], r.starts[:same]
	}
	for k, list := range r.touched {
		for len(list) > 0 && list[len(list)-1].event >= same {
			list = list[:len(list)-1]
		}
		r.touched[k] = list
	}
	r.last, tick = r.last[:0], -1
	for i := range same {
		switch ev := &r.log.Events[i]; {
		case ev.Kind == sched.OpNone:
			tick = i
		default:
			r.came(ev.Label.G, i)
			if ev.Label.Partner >= 0 {
				r.came(ev.Label.Partner, i)
			}
		}
		r.wake(i)
	}
	return tick
}

// wake notes whom event i let go on.
func (r *analysis) wake(i int32) {
	for _, g := range r.log.Woken(int(i)) {
		r.came(g, i)
	}
}

// came notes that event i brought goroutine g where it is.
func (r *analysis) came(g, i int32) {
	r.seen(g)
	r.last[g] = i
}

// uses returns the accesses to an object, in order.
func (r *analysis) uses(object int32) []touch {
	if k := slot(object); k < len(r.touched) {
		return r.touched[k]
	}
	return nil
}

func (r *analysis) use(object int32, t touch) {
	k := slot(object)
	for len(r.touched) <= k {
		r.touched = append(r.touched, nil)
	}
	r.touched[k] = append(r.touched[k], t)
}

// slot numbers the objects of a run: package sched counts its own from the other end.
func slot(object int32) int {
	const own = 2
	if n := math.MaxInt32 - object; n < own {
		return int(n)
	}
	return int(object) + own
}

// crashObject stands for everything that a crash prevents, tickObject for the time
// that has to pass.
const (
	crashObject = -2
	tickObject  = -3
)

// precede adds j as a direct predecessor of the event that is being ordered.
func (r *analysis) precede(j, object int32, rel sched.Relation) {
	if j >= 0 {
		r.before = append(r.before, prior{event: j, object: object, rel: rel})
	}
}

// seen makes room for goroutine g, which begins after the event that created it.
func (r *analysis) seen(g int32) {
	for int(g) >= len(r.last) {
		r.last = append(r.last, r.log.Born[len(r.last)])
	}
}

// arrive returns the event that brought g to the operation that event i executes.
func (r *analysis) arrive(g, i int32) int32 {
	r.seen(g)
	j := r.last[g]
	r.precede(j, -1, sched.Enables)
	r.came(g, i)
	return j
}

// relate adds the predecessors of event i through the objects that it accesses.
func (r *analysis) relate(i int32) {
	for _, a := range r.log.Accesses(int(i)) {
		for _, t := range r.uses(a.Object) {
			if t.event == i {
				continue
			}
			if rel := r.table.Relate(t.access, a); rel != sched.Independent {
				took := r.table.Takes(t.access, a)
				r.before = append(r.before, prior{t.event, a.Object, rel, took})
			}
		}
		r.use(a.Object, touch{i, a})
	}
}

// close computes the past of event i from its predecessors.
func (r *analysis) close(i int32) {
	past := r.pastOf(i)
	clear(past)
	past[i>>6] |= 1 << uint(i&63)
	for _, p := range r.before[r.starts[i]:] {
		union(past, r.pastOf(p.event))
	}
}

// union adds b, which may be empty, to a.
func union(a, b []uint64) {
	for k := range b {
		a[k] |= b[k]
	}
}

func (r *analysis) predecessors(i int32) []prior { return r.before[r.starts[i]:r.starts[i+1]] }

// class returns a hash of the run's trace class: of every event with its direct
// predecessors, whatever the order in which they were run.
func (r *analysis) class() uint64 {
	sum := uint64(classSeed)
	for i := range int32(r.n) {
		if i < int32(r.same) {
			sum += r.keys[i]
			continue
		}
		key := r.names.labelHash(r.log.Events[i].Label)
		var preds uint64
		for k, p := range r.predecessors(i) {
			if !contains(r.predecessors(i)[:k], p.event) {
				preds += fold(key, r.keys[p.event])
			}
		}
		r.keys[i] = fold(key, preds)
		sum += r.keys[i]
	}
	return sum
}

func contains(list []prior, event int32) bool {
	for _, p := range list {
		if p.event == event {
			return true
		}
	}
	return false
}

// resized returns s with n elements; those that it had keep their values.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return append(make([]T, 0, 2*n), s...)[:n]
	}
	return s[:n]
}
