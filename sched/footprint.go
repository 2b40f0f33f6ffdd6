package sched

import "math"

// Objects that are not the program's: the run's clock, and the state that the
// invariants watch.
const (
	clockObject = math.MaxInt32 - iota
	watchedObject
)

// footprint appends to buf what g's pending operation accesses when it happens
// now in alternative alt. It is the row of an operation in the dependency
// relation; the table in dependency.go says what follows from it.
func (g *G) footprint(buf []Access, alt int32) []Access {
	from := len(buf)
	switch g.kind {
	case OpSend, OpRecv, OpSelect, OpTrySelect:
		ev := g.alternative(alt)
		buf = g.chanFootprint(buf, ev.Case)
		if ev.Partner >= 0 {
			buf = g.e.gs[ev.Partner].watches(buf, ev.PartnerCase)
		}
	case OpFire:
		buf = g.e.fireFootprint(buf, g.timer)
	case OpArm, OpDisarm:
		buf = append(buf, g.obj.access(AccWrite), Access{Object: clockObject, Class: AccRead, Index: -1, Need: -1})
		if ch := g.obj.timer.ch; ch != nil { // a value in it is dropped
			buf = append(buf, ch.access(either(ch.n > 0, AccWrite, AccWatch)))
		}
	case OpNow, OpSleep:
		buf = append(buf, Access{Object: clockObject, Class: AccRead, Index: -1, Need: -1})
	case OpSignal, OpBroadcast:
		a := g.obj.access(g.class())
		a.Index = g.obj.wakes
		buf = append(buf, a)
	case OpAwait:
		buf = g.lookFootprint(buf)
	case OpYield:
		buf = g.pollFootprint(buf)
	case OpCondWait:
		a := g.obj.access(AccLeave)
		a.Need = g.notifiedBy
		buf = append(buf, a)
	case OpAdd:
		a := g.obj.access(g.class())
		a.Index = int64(g.obj.count)
		if a.Class == AccDone && g.obj.count+g.arg == 0 {
			a.Need = LastDone
		}
		if g.arg != 0 && g.obj.count == 0 && g.obj.zeroed != nil {
			a.Need = Uncovered
		}
		buf = append(buf, a)
	case OpTryWLock:
		a := g.obj.access(g.class())
		if alt > 0 || g.obj.unlocked(g) {
			a.Need = Uncovered
		}
		buf = append(buf, a)
	default:
		if g.obj != nil {
			buf = append(buf, g.obj.access(g.class()))
		}
	}
	for _, a := range buf[from:] {
		if a.Object >= 0 && a.Object < watchedObject && g.e.objects[a.Object].watched {
			return append(buf, Access{Object: watchedObject, Class: AccWrite, Index: -1, Need: -1})
		}
	}
	return buf
}

// wideFootprint appends what g's operation and that of its partner in alternative
// alt could access in all their alternatives; nothing if there is just one.
func (g *G) wideFootprint(buf []Access, alt int32) []Access {
	if !g.multi {
		return buf
	}
	h := g
	if p := g.alternative(alt).Partner; p >= 0 {
		h = g.e.gs[p]
	}
	if g.alternatives() == 1 && (h == g || h.alternatives() == 1) {
		return buf
	}
	for a := range int32(g.alternatives()) {
		buf = g.footprint(buf, a)
	}
	if h != g {
		for a := range int32(h.alternatives()) {
			buf = h.footprint(buf, a)
		}
	}
	return buf
}

// elsewhere appends what g's pending operation might access in another state than
// the present one.
func (g *G) elsewhere(buf []Access) []Access {
	switch g.kind {
	case OpSelect, OpTrySelect:
		for _, c := range g.cases {
			if c.Chan != nil {
				buf = append(buf, attempted(c.Chan, c.Send), c.Chan.access(AccWatch))
			}
		}
	case OpRecv:
		buf = append(buf, attempted(g.obj, false))
	case OpAwait:
		buf = append(buf, anyRead...)
	case OpArm, OpDisarm:
		if ch := g.obj.timer.ch; ch != nil {
			buf = append(buf, ch.access(AccWrite), ch.access(AccWatch))
		}
	default:
		for _, c := range elsewhere[g.kind] {
			if g.obj != nil { // close of nil
				buf = append(buf, g.obj.access(c))
			}
		}
	}
	return buf
}

// elsewhere has the accesses of the operations that look at their object's state
// and do not wait.
var elsewhere = map[OpKind][]Class{
	OpClose:     {AccClose, AccCloseAgain},
	OpCancel:    {AccClose, AccCloseAgain},
	OpTryLock:   {AccTryLock, AccTryFail},
	OpTryWLock:  {AccTryWLock, AccTryWFail},
	OpTryRLock:  {AccTryRLock, AccTryRFail},
	OpTryWrite:  {AccWrite, AccRead},
	OpOnceEnter: {AccOnceFirst, AccOnceLater},
}

func (o *Object) access(c Class) Access {
	return Access{Object: o.id, Class: c, Index: -1, Need: -1}
}

// use is the access of a send or receive that happens now.
func (ch *Object) use(send bool) Access {
	a := ch.access(AccRecvClosed)
	switch {
	case ch.closed && send:
		a.Class = AccSendClosed
		a.Need = ch.sent - int64(ch.capacity)
	case ch.meets() && !ch.closed:
		a.Class = AccRendezvous
	case send:
		a.Class, a.Index, a.Need = AccSend, ch.sent, ch.sent-int64(ch.capacity)
	case ch.n > 0:
		a.Class, a.Index, a.Need = AccRecv, ch.received, ch.received
	}
	return a
}

// chanFootprint is the send or receive that happens, in the given case of a select,
// and what the select watches.
func (g *G) chanFootprint(buf []Access, taken int32) []Access {
	switch {
	case g.kind == OpSend || g.kind == OpRecv:
		return append(buf, g.obj.use(g.kind == OpSend))
	case taken >= 0:
		c := g.cases[taken]
		buf = append(buf, c.Chan.use(c.Send))
	}
	return g.watches(buf, taken)
}

// watches is a watch on the cases that a select does not take; with a default on
// all, since the default was not taken because one of them could go.
func (g *G) watches(buf []Access, taken int32) []Access {
	if g.kind != OpSelect && g.kind != OpTrySelect {
		return buf
	}
	for i, c := range g.cases {
		if c.Chan != nil && (int32(i) != taken || g.kind == OpTrySelect && !g.poll.waits) {
			buf = append(buf, c.Chan.access(AccWatch))
		}
	}
	return buf
}

// fireFootprint is the clock, the timer, and all timers that are due with it.
func (e *Engine) fireFootprint(buf []Access, t *Timer) []Access {
	buf = append(buf, Access{Object: clockObject, Class: AccFire, Index: t.when, Need: -1})
	for _, u := range e.timers {
		if u != t && !(u.armed && !u.eager && u.when <= t.when) {
			continue
		}
		buf = append(buf, u.g.obj.access(AccWrite))
		if u.ch != nil {
			buf = u.ch.delivery(buf)
		}
	}
	return buf
}

// delivery is a send that is dropped when the channel is full.
func (ch *Object) delivery(buf []Access) []Access {
	if ch.n < ch.capacity {
		buf = append(buf, ch.use(true))
	}
	return append(buf, ch.access(AccWatch))
}

// class is the access of an operation with a single outcome on one object, in the
// object's present state.
func (g *G) class() Class {
	o := g.obj
	switch g.kind {
	case OpClose, OpCancel:
		return either(o.closed, AccCloseAgain, AccClose)
	case OpLen:
		return AccLen
	case OpAwait: // of the first object that it reads
		return either(o.kind == KindChan, AccLen, AccRead)
	case OpJoin:
		return AccJoin
	case OpUnhold:
		return AccUnhold
	case OpLock:
		return AccLock
	case OpTryLock:
		return either(o.holder == nil, AccTryLock, AccTryFail)
	case OpUnlock:
		return AccUnlock
	case OpRead:
		return AccRead
	case OpWrite:
		return AccWrite
	case OpTryWrite:
		return either(g.compared.Holds(g.old), AccWrite, AccRead)
	case OpCondEnter:
		return AccEnter
	case OpSignal:
		return AccSignal
	case OpBroadcast:
		return AccBroadcast
	case OpWait:
		return AccWait
	case OpAdd:
		if g.arg >= 0 {
			return AccAdd
		}
		return either(o.count+g.arg >= 0, AccDone, AccDonePanic)
	case OpOnceEnter:
		return either(o.count == 0, AccOnceFirst, AccOnceLater)
	case OpOnceExit:
		return AccOnceExit
	}
	return g.rwClass()
}

func (g *G) rwClass() Class {
	o := g.obj
	switch g.kind {
	case OpAnnounce:
		return AccAnnounce
	case OpAcquire:
		return AccAcquire
	case OpWUnlock:
		return AccWUnlock
	case OpRLock:
		return AccRLock
	case OpTryRLock:
		return either(o.writer == nil, AccTryRLock, AccTryRFail)
	case OpTryWLock:
		return either(o.unclaimed(g), AccTryWLock, AccTryWFail)
	case OpRUnlock:
		if !g.e.crossUnlocks && !o.readLockedBy(g) {
			g.e.crossUnlocks = true
		}
		return either(g.e.crossUnlocks, AccRUnlockOther, AccRUnlock)
	}
	panic("modelcheck: internal error: " + g.kind.String() + " has no row in the dependency relation")
}

func (o *Object) readLockedBy(g *G) bool {
	for _, h := range o.info.readers {
		if h.g == g {
			return true
		}
	}
	return false
}

// CrossUnlocks reports whether a run that logs met a goroutine about to RUnlock a
// lock that it had not read-locked itself. From then on whose lock an RUnlock
// gives back is anybody's guess, and the engine logs every RUnlock as dependent on
// every RLock; a search that began before must begin anew.
func (e *Engine) CrossUnlocks() bool { return e.crossUnlocks }

// ExpectCrossUnlocks makes CrossUnlocks true without such a run, for a search that goes
// on where another engine has met one.
func (e *Engine) ExpectCrossUnlocks() { e.crossUnlocks = true }

func either(ok bool, a, b Class) Class {
	if ok {
		return a
	}
	return b
}
