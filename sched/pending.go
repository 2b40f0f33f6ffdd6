package sched

// What goroutines are about to do, for strategies that want to know more than Op
// says. Nothing here costs a strategy that does not ask.

// Forced returns the only event that can happen, if there is just one. A picker is
// asked about those only in a run that logs.
func (p *Point) Forced() (Choice, bool) {
	if p.data != nil {
		return Choice{}, false
	}
	return p.e.forced()
}

// Conflict reports whether the pending operations of goroutines g and h depend on
// each other, in any of the ways in which they could go: whether it matters which
// happens first. Two operations that wait for each other do not conflict.
func (p *Point) Conflict(g, h int32) bool {
	if p.data != nil {
		return false
	}
	a, b := p.e.gs[g], p.e.gs[h]
	if a.obj != b.obj && !a.selects() && !b.selects() {
		return false
	}
	var bufA, bufB [8]Access
	for _, x := range a.attempts(bufA[:0]) {
		for _, y := range b.attempts(bufB[:0]) {
			if Dependencies.Relate(x, y) == Races || Dependencies.Relate(y, x) == Races {
				return true
			}
		}
	}
	return false
}

// Touches reports whether g's pending operation concerns the object with the given
// creation index: as one of its cases, if it is a select.
func (p *Point) Touches(g, object int32) bool {
	if p.data != nil {
		return false
	}
	h := p.e.gs[g]
	if !h.selects() {
		return h.obj != nil && h.obj.id == object
	}
	for _, c := range h.cases {
		if c.Chan != nil && c.Chan.id == object {
			return true
		}
	}
	return false
}

func (g *G) selects() bool { return g.kind == OpSelect || g.kind == OpTrySelect }

// attempts appends what g's pending operation would access: of a select all cases,
// each taken or not. It tells the two sides of a channel apart whether they meet or
// not, and unlike footprint it needs no logging run.
func (g *G) attempts(buf []Access) []Access {
	switch {
	case g.selects():
		for _, c := range g.cases {
			if c.Chan != nil {
				buf = append(buf, c.Chan.side(c.Send), c.Chan.access(AccWatch))
			}
		}
	case g.obj == nil || g.kind == OpFire || g.kind == OpSleeping:
	case g.kind == OpSend || g.kind == OpRecv:
		buf = append(buf, g.obj.side(g.kind == OpSend))
	case g.kind == OpRUnlock:
		buf = append(buf, g.obj.access(AccRUnlock))
	case g.kind == OpArm || g.kind == OpDisarm:
		buf = append(buf, g.obj.access(AccWrite))
	case g.kind == OpCondWait:
		buf = append(buf, g.obj.access(AccLeave))
	default:
		buf = append(buf, g.obj.access(g.class()))
	}
	return buf
}

func (o *Object) side(send bool) Access {
	return o.access(either(send, AccSend, AccRecv))
}
