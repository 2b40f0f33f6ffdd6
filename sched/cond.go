package sched

// Condition variables wake in the order of their queue, as Go's do, and never
// spuriously. A wait is three parts of the caller's: CondEnter, an event that
// takes a place in the queue; unlocking, an event of the lock; CondPark, which is
// no event of its own: it ends with the Signal or Broadcast that names it.

// CondEnter queues the goroutine on the condition variable r.
func (g *G) CondEnter(r *Ref) {
	g.notified = false
	g.always(OpCondEnter, g.Object(r, KindCond))
}

// CondPark waits until a Signal or Broadcast has reached the place that CondEnter
// took; it returns at once when that has happened already.
func (g *G) CondPark(r *Ref) {
	e := g.e
	o := g.Object(r, KindCond)
	if e.special && !g.specialOp(OpCondWait) || g.notified {
		return
	}
	g.kind, g.obj, g.multi, g.raise = OpCondWait, o, false, raiseNothing
	if e.capture {
		g.site = callSite()
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
		o.waiters = append(o.waiters, waiter{g, 0})
	case OpSignal:
		if len(o.waiters) > 0 {
			o.waiters[0].g.notify()
			o.waiters = drop(o.waiters, o.waiters[0].g)
		}
	case OpBroadcast:
		for _, w := range o.waiters {
			w.g.notify()
		}
		o.waiters = o.waiters[:0]
	}
}

// notify lets a goroutine leave the queue of a condition variable: if it is
// parked already it has local code to run before the next decision.
func (g *G) notify() {
	g.notified = true
	if g.kind == OpCondWait {
		g.kind = OpNone
		g.lastStep = g.e.steps
		g.e.wake(g)
		g.e.ready = append(g.e.ready, g)
	}
}
