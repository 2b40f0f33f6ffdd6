package sched

// Read is an operation that reads o. The caller reads the state that o stands
// for directly after the return, before any other operation can happen.
func (g *G) Read(o *Object) { g.always(OpRead, o) }

// Write is an operation that changes o; see Read. It reports false when the
// change is not to be made, because the goroutine is being unwound.
func (g *G) Write(o *Object) bool {
	g.arg = 0
	return g.always(OpWrite, o)
}

// blind is the argument of a Write that does not look at what was there before.
const blind = 1

// Overwrite is Write for an atomic variable when the caller does not see the value that it
// had: then it is not ordered after whoever wrote that.
func (g *G) Overwrite(o *Object) bool {
	g.arg = blind
	return g.always(OpWrite, o)
}

// Holder is a variable that can be compared with a value.
type Holder interface{ Holds(value any) bool }

// TryWrite is an operation that changes o, as Write does, if v, the variable that o
// stands for, holds old when it happens, and is a Read otherwise; it reports which.
func (g *G) TryWrite(o *Object, v Holder, old any) bool {
	g.compared, g.old = v, old
	return g.always(OpTryWrite, o) && g.result == 1
}

// Choose returns a number from 0 to n-1, each explored. It is no scheduling
// point: nothing else happens meanwhile. It panics when n is below 1.
func (g *G) Choose(n int) int {
	if n < 1 {
		panic("modelcheck: Choose(" + itoa(n) + "): want at least 1 alternative")
	}
	e := g.e
	if e.special && !g.specialOp(OpChoose, nil) {
		return 0
	}
	if e.capture {
		g.site = g.callSite()
	}
	v := e.data(g, n)
	if e.logging && !e.over && n > 1 { // else nobody was asked
		e.log.open(Label{G: g.id, Op: g.ops, Case: -1, Partner: -1, PartnerOp: -1, PartnerCase: -1, Value: int32(v)}, OpChoose)
		e.log.shut()
	}
	g.ops++
	if e.steps++; e.steps >= e.beat {
		e.bounded()
	}
	e.hash = mix(e.hash, uint64(g.id)<<40|uint64(OpChoose)<<32|uint64(v))
	if e.capture {
		e.recordChoice(g, v, n)
	}
	if e.over {
		g.park()
	}
	return v
}
