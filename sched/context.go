package sched

// A context is a done channel on which nobody sends, with the lock that package
// context holds while it cancels the children: the parent is done before they
// are, one after the other, but whoever cancels it again, derives from it or
// leaves it waits for the last.

// NewContext makes the done channel of a context.
func (g *G) NewContext() *Object { return g.newObject(KindContext) }

// Cancel waits until ctx is not locked, closes its done channel and reports
// whether it did: a second Cancel does nothing.
func (g *G) Cancel(ctx *Object) bool {
	return g.enter(OpCancel, ctx) && g.result == 1
}

// Join waits until ctx is not locked. It reads ctx, on behalf of a child that is
// derived from it or leaves it, or of somebody who asks for the cause.
func (g *G) Join(ctx *Object) { g.enter(OpJoin, ctx) }

// Hold locks ctx, which the goroutine has just cancelled, while it cancels the
// children. It is a part of that Cancel.
func (g *G) Hold(ctx *Object) {
	ctx.holder = g
	g.e.recheck(&ctx.waiting)
}

// Unhold unlocks ctx.
func (g *G) Unhold(ctx *Object) { g.always(OpUnhold, ctx) }

func (g *G) executeContext(ctx *Object) {
	switch g.kind {
	case OpUnhold:
		ctx.holder = nil
		g.e.recheck(&ctx.waiting)
	case OpJoin:
		ctx.waiting.remove(g.id)
	case OpCancel:
		ctx.waiting.remove(g.id)
		g.result = 0
		if !ctx.closed {
			g.result = 1
			ctx.wakes++
			ctx.shut(g)
		}
	}
}
