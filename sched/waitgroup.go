package sched

// Wait groups. A Wait is enabled while the counter is zero. In Go one that finds it
// not at zero sleeps until it gets a token, of which the Done that brings the counter to
// zero leaves one for each that sleeps, and then looks again. So much is left open when
// an Add comes between that Done and the end of Waits that came before, which is a
// misuse: a Wait was not asleep yet, and goes on waiting; or it was, and panics if it
// still does not find the counter at zero, unless a later Wait takes its token and panics
// instead; or the Done has not returned, and then Add panics. These are alternatives of
// that Add: its number is how many tokens are left more than before, and the number after
// all these says that Add panics. A Done too many, which always panics, is such an Add too.

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
	g.asleep = o.count != 0
	g.enter(OpWait, o)
}

// addAlternatives counts the ways in which g's pending Add can happen now.
func (g *G) addAlternatives() int {
	o := g.obj
	if g.arg == 0 || o.count != 0 {
		return 1
	}
	n := 1 + max(0, o.sleepers()-o.tokens)
	if n > 1 && g.arg > 0 && o.zeroed != g && o.zeroed.ops == o.zeroedOps {
		n++
	}
	return n
}

// sleepers counts the pending Waits that may be asleep.
func (o *Object) sleepers() (n int) {
	for i := o.waiting.next(0); i >= 0; i = o.waiting.next(i + 1) {
		if o.e.gs[i].asleep {
			n++
		}
	}
	return n
}

func (g *G) executeWait(o *Object) {
	o.waiting.remove(g.id)
	if o.count == 0 {
		o.tokens = min(o.tokens, o.sleepers())
		return
	}
	g.raise = raiseReused
	o.tokens--
	g.e.recheck(&o.waiting)
}

func (g *G) executeAdd(o *Object, alt int32) {
	g.index = alt
	before := o.count
	collides := before == 0 && alt > 0 && int(alt) > o.sleepers()-o.tokens
	o.count += g.arg
	switch {
	case o.count < 0:
		g.raise = raiseNegativeCounter
	case collides:
		g.raise = raiseCollision
	case o.count == 0:
		o.zeroed, o.zeroedOps = g, g.ops
	}
	if before == 0 && o.count != 0 {
		if !collides {
			o.tokens += int(alt)
		}
		for i := o.waiting.next(0); i >= 0; i = o.waiting.next(i + 1) {
			o.e.gs[i].asleep = true
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
