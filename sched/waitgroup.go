package sched

// Add adds delta to the counter of the wait group r. It panics with Go's text
// when the counter becomes negative.
func (g *G) Add(r *Ref, delta int) {
	o := g.Object(r, KindWaitGroup)
	g.arg = delta
	g.always(OpAdd, o)
}

// Wait waits until the counter is zero.
func (g *G) Wait(r *Ref) {
	g.enter(OpWait, g.Object(r, KindWaitGroup))
}

func (g *G) executeWaitGroup(o *Object) {
	if g.kind == OpWait {
		o.waiters = drop(o.waiters, g)
		return
	}
	before := o.count
	o.count += g.arg
	if o.count < 0 {
		g.raise = raiseNegativeCounter
	}
	if (before == 0) != (o.count == 0) {
		g.e.recheck(o.waiters)
	}
}

// OnceEnter waits until no other goroutine is between OnceEnter and OnceExit
// and reports whether the caller is the first: then it must run the function
// and call OnceExit, whatever happens.
func (g *G) OnceEnter(r *Ref) bool {
	return g.enter(OpOnceEnter, g.Object(r, KindOnce)) && g.result == 1
}

// OnceExit marks the function as run.
func (g *G) OnceExit(r *Ref) {
	g.always(OpOnceExit, g.Object(r, KindOnce))
}

func (g *G) executeOnce(o *Object) {
	if g.kind == OpOnceExit {
		o.holder, o.count = nil, 1
		g.enableAll(o.waiters)
		return
	}
	o.waiters = drop(o.waiters, g)
	g.result = 0
	if o.count == 0 {
		g.result = 1
		o.holder = g
		o.heldBy(g)
		g.e.recheck(o.waiters)
	}
}
