package sched

import "fmt"

// record appends the operation that g just executed to the trace.
func (e *Engine) record(g, partner *G) {
	o := g.target()
	ev := TraceEvent{
		Step: e.steps, Goroutine: g.Path(), Name: g.name,
		Op: g.kind.String(), Object: o.describeIf(o != nil), Note: g.note(o), Site: g.site,
		Preemption: e.preempted, Switch: e.switched,
		Kind: g.did(), ObjectID: o.number(), object: o, g: g, second: partner,
	}
	g.lastStep = e.steps
	if partner != nil {
		ev.Partner, ev.PartnerName, ev.PartnerSite = partner.Path(), partner.name, partner.site
		ev.PartnerOp, ev.PartnerNote = partner.kind.String(), partner.note(partner.target())
		partner.lastStep = e.steps
	}
	e.trace = append(e.trace, ev)
}

// did is the kind of the operation that g just executed, for a select that of its
// case.
func (g *G) did() OpKind {
	switch {
	case g.kind != OpSelect && g.kind != OpTrySelect:
		return g.kind
	case g.index < 0:
		return OpNone
	}
	return g.cases[g.index].op()
}

// target is the object that g's operation, just executed, was about.
func (g *G) target() *Object {
	if g.kind != OpSelect && g.kind != OpTrySelect {
		return g.obj
	}
	if g.index < 0 {
		return nil
	}
	return g.cases[g.index].Chan
}

// note says what came of g's operation where that is not plain.
func (g *G) note(o *Object) string {
	switch g.kind {
	case OpSelect, OpTrySelect:
		if g.index < 0 {
			return "default"
		}
		c := g.cases[g.index]
		s := fmt.Sprintf("case %d: %s", g.index, c.op())
		if !c.Send && g.result < 0 && o.closed {
			s += ", closed"
		}
		return s
	case OpGo:
		return g.Path() + "." + itoa(int(g.children)+1)
	case OpRecv:
		if g.result < 0 {
			return "closed"
		}
	case OpTryLock, OpTryWLock, OpTryRLock, OpTryWrite:
		if g.result == 0 {
			return "failed"
		}
	case OpAdd:
		s := fmt.Sprintf("%+d, counter %d", g.arg, o.count)
		if g.index > 0 && g.raise != raiseCollision {
			s += ", before a Wait that was woken has looked"
		}
		return s
	case OpSleeping:
		return "over"
	case OpOnceEnter:
		if g.result == 0 {
			return "done before"
		}
	}
	if g.raise != raiseNothing {
		return "panics"
	}
	return ""
}

func (c Case) op() OpKind {
	if c.Send {
		return OpSend
	}
	return OpRecv
}

// recordChoice appends the value of a Choose to the trace.
func (e *Engine) recordChoice(g *G, v, n int) {
	e.trace = append(e.trace, TraceEvent{
		Step: e.steps, Goroutine: g.Path(), Name: g.name, Op: OpChoose.String(),
		Note: fmt.Sprintf("%d of %d", v, n), Site: g.site, Kind: OpChoose, ObjectID: -1, g: g,
	})
	g.lastStep = e.steps
}

// Log adds its arguments, formatted as fmt.Sprintln does, to the trace of a
// capturing run. It is no operation.
func (g *G) Log(args ...any) {
	e := g.e
	if !e.capture || e.special {
		return
	}
	text := fmt.Sprintln(args...)
	e.trace = append(e.trace, TraceEvent{
		Step: e.steps, Goroutine: g.Path(), Name: g.name, Op: "log", Note: text[:len(text)-1], Site: g.callSite(), ObjectID: -1, g: g,
	})
}

func (o *Object) describeIf(capture bool) string {
	if !capture {
		return ""
	}
	return o.describe()
}

// heldBy notes where g acquired the lock o.
func (o *Object) heldBy(g *G) {
	if g.e.capture {
		o.info.heldSite, o.info.heldStep = g.site, g.e.steps
	}
}

// readBy and readDone keep the list of read locks held. Go does not say which
// reader a RUnlock belongs to; the caller's own lock goes first, then the oldest.
func (o *Object) readBy(g *G) {
	if g.e.capture || g.e.logging {
		o.info.set = true
		o.info.readers = append(o.info.readers, hold{g, g.site, g.e.steps})
	}
}

func (o *Object) readDone(g *G) {
	if len(o.info.readers) == 0 {
		return
	}
	k := 0
	for i, h := range o.info.readers {
		if h.g == g {
			k = i
		}
	}
	o.info.readers = append(o.info.readers[:k], o.info.readers[k+1:]...)
}
