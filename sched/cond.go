package sched

import "slices"

// Condition variables wake in the order of their queue, as Go's do, and never
// spuriously. A wait is three events: CondEnter takes a place in the queue; then
// the caller unlocks; then CondPark is enabled once a Signal or Broadcast has
// reached that place, which may be before the goroutine gets there.

// CondEnter queues the goroutine on the condition variable r.
func (g *G) CondEnter(r *Ref) {
	g.notified = false
	g.always(OpCondEnter, g.Object(r, KindCond))
}

// CondPark waits until a Signal or Broadcast has reached the place that CondEnter
// took.
func (g *G) CondPark(r *Ref) {
	e := g.e
	o := g.Object(r, KindCond)
	if e.special && !g.specialOp(OpCondWait, nil) {
		return
	}
	g.kind, g.obj, g.multi, g.self = OpCondWait, o, false, true
	if e.capture {
		g.site = g.callSite()
	}
	if g.notified {
		e.enabled.add(g.id)
	}
	g.step()
}

// Signal wakes the goroutine that has waited longest on r, if any.
func (g *G) Signal(r *Ref) { g.always(OpSignal, g.Object(r, KindCond)) }

// Broadcast wakes all goroutines that wait on r.
func (g *G) Broadcast(r *Ref) { g.always(OpBroadcast, g.Object(r, KindCond)) }

func (g *G) executeCond(o *Object) {
	switch g.kind {
	case OpCondEnter:
		o.queued = append(o.queued, g)
	case OpSignal:
		if len(o.queued) > 0 {
			g.notify(o.queued[0], o)
			o.queued = slices.Delete(o.queued, 0, 1)
		}
		o.wakes++
	case OpBroadcast:
		for _, w := range o.queued {
			g.notify(w, o)
		}
		o.queued = o.queued[:0]
		o.wakes++
	}
}

// notify lets w leave the queue of the condition variable o.
func (g *G) notify(w *G, o *Object) {
	w.notified, w.notifiedBy = true, o.wakes
	if g.e.tracking {
		g.release(&w.ticket, true)
	}
	if w.kind == OpCondWait {
		g.e.enabled.add(w.id)
	}
}
