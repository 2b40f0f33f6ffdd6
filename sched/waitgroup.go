package sched

// Wait groups. A Wait is enabled while the counter is zero. In Go one that finds it
// above zero sleeps until it is woken, and then looks again. So much is left open
// when an Add comes between the Done that brought the counter to zero and the end
// of a Wait that came before, which is a misuse: the Wait was not asleep yet, and
// goes on waiting; or it was, and panics if it still finds the counter above zero;
// or the Done that wakes it has not returned, and then Add panics. These are
// alternatives of that Add.
const (
	addPlain    = iota
	addOvertake // those who slept are woken and find the counter above zero
	addCollide  // Add panics
)

// Add adds delta to the counter of the wait group r. It panics with Go's text
// when the counter becomes negative.
func (g *G) Add(r *Ref, delta int) {
	o := g.Object(r, KindWaitGroup)
	g.arg = delta
	g.always(OpAdd, o)
}

// Wait waits until the counter is zero.
func (g *G) Wait(r *Ref) {
	o := g.Object(r, KindWaitGroup)
	g.asleep, g.woken = o.count != 0, false
	g.enter(OpWait, o)
}

// addAlternatives counts the ways in which g's pending Add can happen now.
func (g *G) addAlternatives() int {
	o := g.obj
	switch {
	case g.arg <= 0 || o.count != 0 || !o.hasSleeper():
		return addPlain + 1
	case o.zeroed == g || o.zeroed.ops != o.zeroedOps:
		return addOvertake + 1
	}
	return addCollide + 1
}

// hasSleeper reports whether a pending Wait may have begun when the counter was
// above zero.
func (o *Object) hasSleeper() bool {
	for i := o.waiting.next(0); i >= 0; i = o.waiting.next(i + 1) {
		if o.e.gs[i].asleep {
			return true
		}
	}
	return false
}

func (g *G) executeWait(o *Object) {
	o.waiting.remove(g.id)
	if o.count != 0 {
		g.raise = raiseReused
	}
}

func (g *G) executeAdd(o *Object, alt int32) {
	g.index = alt
	before := o.count
	o.count += g.arg
	switch {
	case o.count < 0:
		g.raise = raiseNegativeCounter
	case alt == addCollide:
		g.raise = raiseCollision
	case o.count == 0:
		o.zeroed, o.zeroedOps = g, g.ops
	}
	if before == 0 && o.count > 0 {
		for i := o.waiting.next(0); i >= 0; i = o.waiting.next(i + 1) {
			w := o.e.gs[i]
			w.woken = w.woken || alt == addOvertake && w.asleep
			w.asleep = true
		}
	}
	if (before == 0) != (o.count == 0) {
		g.e.recheck(&o.waiting)
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
		g.e.enabled.addAll(&o.waiting)
		return
	}
	o.waiting.remove(g.id)
	g.result = 0
	if o.count == 0 {
		g.result = 1
		o.holder = g
		o.heldBy(g)
		g.e.recheck(&o.waiting)
	}
}
