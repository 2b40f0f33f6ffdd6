package sched

// Case is one case of a select.
type Case struct {
	Chan *Object // nil: the case never goes
	Send bool
	Slot int32 // Send: the value's slot
}

// Cases returns an empty slice that the goroutine may fill for its next Select.
func (g *G) Cases() []Case { return g.cases[:0] }

// Select waits until one of the cases can go, or takes the default when there is
// one. It returns the index of the case, -1 for the default, and for a receive
// the slot as Recv does.
//
// All cases that can go are alternatives of the one event. With a default, a
// partner that is merely about to communicate may not be waiting yet: then both
// the rendezvous and the default are alternatives. Two selects with default
// never meet.
func (g *G) Select(cases []Case, hasDefault bool) (index int, slot int32) {
	e := g.e
	g.cases = cases
	k := OpSelect
	if hasDefault {
		k = OpTrySelect
	}
	if e.special && !g.specialOp(k, nil) {
		return -1, -1
	}
	g.kind, g.obj, g.multi, g.self = k, nil, true, false
	if e.capture {
		g.site = g.callSite()
	}
	switch {
	case !hasDefault:
		g.enterCases()
	case !g.insists():
		e.enabled.add(g.id)
	}
	g.step()
	return int(g.index), g.result
}

func (g *G) enterCases() {
	can := false
	for i, c := range g.cases {
		switch {
		case c.Chan == nil:
		case c.Send:
			can = g.offer(c.Chan, int32(i)) || can
		default:
			can = g.seek(c.Chan, int32(i)) || can
		}
	}
	if can {
		g.e.enabled.add(g.id)
	}
}

// definite reports whether some case can go without a partner's consent: then
// the default cannot be taken.
func (g *G) definite() bool {
	for _, c := range g.cases {
		if c.Chan != nil && c.Chan.can(c.Send) {
			return true
		}
	}
	return false
}

// pickCase finds the alternative alt of a select: the case and the way it goes.
// It returns -1 when alt is the default.
func (g *G) pickCase(alt int32) (i, k int) {
	rest := int(alt)
	for i, c := range g.cases {
		n := g.ways(c.Chan, c.Send)
		if rest < n {
			return i, rest
		}
		rest -= n
	}
	return -1, 0
}
