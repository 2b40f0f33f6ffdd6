package sched

// execute makes g's pending operation happen in its alternative alt and returns
// the partner of a rendezvous, which has finished its operation too. The caller
// sees to it that the operation is enabled.
func (g *G) execute(alt int32) (partner *G) {
	g.index = 0
	g.ops++
	o := g.obj
	switch g.kind {
	case OpSend:
		g.withdraw()
		partner = g.deliver(o, true, int32(g.arg), int(alt))
	case OpRecv:
		g.withdraw()
		partner = g.deliver(o, false, 0, int(alt))
	case OpSelect, OpTrySelect:
		i, k := g.pickCase(alt)
		g.withdraw()
		g.index, g.result = int32(i), -1
		if i >= 0 {
			c := g.cases[i]
			o = c.Chan
			partner = g.deliver(o, c.Send, c.Slot, k)
		}
		if g.kind == OpTrySelect {
			g.tried()
		}
	default:
		g.e.enabled.remove(g.id)
		g.executePlain(o, alt)
	}
	if o != nil && o.watched {
		g.e.soil()
	}
	return partner
}

// own executes the pending operation of g, which was chosen, has a single outcome
// and no partner.
func (g *G) own() {
	if g.noted() {
		g.e.perform(g, 0)
		g.due = false
		if g.e.capture {
			g.e.record(g, nil)
		}
		return
	}
	g.account()
	g.e.enabled.remove(g.id)
	switch g.kind {
	case OpSend:
		g.put(g.obj, int32(g.arg))
	case OpRecv:
		g.get(g.obj)
	default:
		g.executePlain(g.obj, 0)
	}
}

// noted reports whether the run keeps an account of every event beyond its hash.
func (g *G) noted() bool { return g.e.noted }

// account is what executing an operation of one's own means besides its effect.
func (g *G) account() {
	g.due = false
	g.ops++
	g.e.hash = mix(g.e.hash, uint64(g.id)<<40|uint64(g.kind)<<32)
	if g.obj != nil && g.obj.watched {
		g.e.soil()
	}
}

// executePlain makes an operation with a single outcome happen.
func (g *G) executePlain(o *Object, alt int32) {
	switch g.kind {
	case OpClose:
		switch {
		case o == nil:
			g.raise = raiseCloseOfNil
		case o.closed:
			g.raise = raiseCloseOfClosed
		default:
			o.shut(g)
		}
	case OpCancel, OpJoin, OpUnhold:
		g.executeContext(o)
	case OpRead:
		g.glance(o, AccRead)
	case OpLen:
		g.result = int32(o.visible())
		g.glance(o, AccLen)
	case OpLock, OpTryLock, OpUnlock:
		g.executeMutex(o)
	case OpAnnounce, OpAcquire, OpTryWLock, OpWUnlock, OpRLock, OpTryRLock, OpRUnlock:
		g.executeRWMutex(o, alt)
	case OpAdd:
		g.executeAdd(o, alt)
	case OpWait:
		g.executeWait(o)
	case OpOnceEnter, OpOnceExit:
		g.executeOnce(o)
	case OpCondEnter, OpSignal, OpBroadcast:
		g.executeCond(o)
	case OpTryWrite:
		g.result = 0
		if g.compared.Holds(g.old) {
			g.result = 1
			o.wakes++
		} else {
			g.glance(o, AccRead)
		}
	case OpWrite:
		o.wakes++
	case OpFire:
		g.executeFire()
	case OpSleep:
		g.e.sleepers = append(g.e.sleepers, g)
		g.wakeAt = addTime(g.e.now, int64(g.arg))
	case OpSleeping:
		g.executeWake()
	}
}

// enter announces an operation that may have to wait for o, and lets it happen.
// It reports false when the operation is to be skipped, as always does.
func (g *G) enter(k OpKind, o *Object) bool {
	e := g.e
	if e.special {
		return g.specialOp(k, o)
	}
	g.kind, g.obj, g.multi, g.self = k, o, false, true
	if e.alone(g) && g.ready() {
		g.goAlone()
		g.own()
		g.goOn()
		return true
	}
	if e.capture {
		g.site = g.callSite()
	}
	o.waiting.add(g.id)
	if g.ready() {
		e.enabled.add(g.id)
	}
	g.decide()
	g.ViaNext()
	g.ViaYield()
	if g.due {
		g.own()
	}
	g.goOn()
	return true
}

// ready reports whether g's pending operation, one that can wait, could finish
// now.
func (g *G) ready() bool {
	switch g.kind {
	case OpLock, OpOnceEnter, OpCancel, OpJoin:
		return g.obj.holder == nil
	case OpAnnounce:
		return g.obj.writer == nil && (g.obj.claimed == nil || g.obj.claimed == g)
	case OpRLock:
		return g.obj.writer == nil
	case OpAcquire:
		return g.obj.readers == 0
	case OpWait:
		return g.obj.count == 0 || g.asleep && g.obj.tokens > 0
	case OpSend:
		return g.ways(g.obj, true) > 0
	case OpRecv:
		return g.ways(g.obj, false) > 0
	case OpSelect:
		return g.canGo()
	}
	return true
}

// canGo reports whether a case of g's select can go.
func (g *G) canGo() bool {
	for _, c := range g.cases {
		if g.ways(c.Chan, c.Send) > 0 {
			return true
		}
	}
	return false
}

// recheck recomputes which members of set are enabled.
func (e *Engine) recheck(set *bitset) {
	for i := set.next(0); i >= 0; i = set.next(i + 1) {
		e.gs[i].recheck()
	}
}

func (g *G) recheck() {
	if g.ready() {
		g.e.enabled.add(g.id)
	} else {
		g.e.enabled.remove(g.id)
	}
}

// alternatives counts the ways in which g's pending operation can happen now.
func (g *G) alternatives() int {
	if g.self {
		return 1
	}
	switch g.kind {
	case OpAdd:
		return g.addAlternatives()
	case OpTryWLock:
		return g.tryAlternatives()
	case OpFire:
		return 1
	case OpChoose:
		return g.arg
	case OpSend:
		return g.ways(g.obj, true)
	case OpRecv:
		return g.ways(g.obj, false)
	}
	n := 0
	for _, c := range g.cases {
		n += g.ways(c.Chan, c.Send)
	}
	if g.kind == OpTrySelect && !g.poll.waits && !g.definite() {
		n++
	}
	return n
}

// alternative describes the alternative alt of g's pending operation.
func (g *G) alternative(alt int32) Event {
	ev := Event{G: g.id, Case: -1, Partner: -1, PartnerCase: -1}
	ch, send, k := g.obj, g.kind == OpSend, int(alt)
	switch g.kind {
	case OpSend, OpRecv:
	case OpAdd, OpTryWLock:
		ev.Value = alt
		return ev
	case OpSelect, OpTrySelect:
		i, rest := g.pickCase(alt)
		if i < 0 {
			ev.Default = true
			return ev
		}
		ev.Case = int32(i)
		ch, send, k = g.cases[i].Chan, g.cases[i].Send, rest
	default:
		return ev
	}
	if ch.capacity > 0 || ch.closed {
		return ev
	}
	list := ch.senders
	if send {
		list = ch.receivers
	}
	w := g.partner(list, k)
	ev.Partner = w.g.id
	if w.g.kind == OpSelect {
		ev.PartnerCase = w.i
	}
	return ev
}
