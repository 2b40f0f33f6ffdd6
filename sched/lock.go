package sched

import "slices"

// Mutexes and reader/writer locks. Whoever waits may get a free lock: Go's
// mutex lets newcomers barge in, so its queue is one of these orders. A lock has
// no owner in Go, any goroutine may unlock it; holder is who acquired it.

// Lock locks the mutex r.
func (g *G) Lock(r *Ref) {
	g.enter(OpLock, g.Object(r, KindMutex))
}

// TryLock locks the mutex r if it is free and reports whether it did.
func (g *G) TryLock(r *Ref) bool {
	return g.always(OpTryLock, g.Object(r, KindMutex)) && g.result == 1
}

// Unlock unlocks the mutex r. When it is not locked the run ends, as a Go
// program would, with an error that cannot be recovered.
func (g *G) Unlock(r *Ref) {
	g.always(OpUnlock, g.Object(r, KindMutex))
}

func (g *G) executeMutex(o *Object) {
	switch {
	case g.kind == OpTryLock && o.holder != nil:
		g.result = 0
		g.glance(o, AccRead)
	case g.kind == OpUnlock && o.holder == nil:
		g.raise = raiseUnlockOfUnlocked
	case g.kind == OpUnlock:
		o.holder = nil
		o.wakes++
		g.e.enabled.addAll(&o.waiting)
	default:
		if g.kind == OpLock {
			o.waiting.remove(g.id)
		}
		o.holder, g.result = g, 1
		g.e.enabled.removeAll(&o.waiting)
		o.heldBy(g)
	}
}

// WLock locks r for writing in two steps, as sync.RWMutex does: from the first
// one on no new reader gets in, the second waits until the readers are out.
func (g *G) WLock(r *Ref) {
	o := g.Object(r, KindRWMutex)
	if g.enter(OpAnnounce, o) {
		g.enter(OpAcquire, o)
	}
}

// TryWLock locks r for writing if nobody has it or waits to write. In Go writers first
// claim a mutex of their own, which readers do not look at, and whoever tries to lock
// fails if that is taken: by a Lock that has not announced itself yet, by another try,
// or by the Unlock of a writer that has let readers in and is about to give it back. So
// a TryWLock may fail though nobody has r; these are its further alternatives.
func (g *G) TryWLock(r *Ref) bool {
	return g.always(OpTryWLock, g.Object(r, KindRWMutex)) && g.result == 1
}

// WUnlock undoes WLock; see Unlock.
func (g *G) WUnlock(r *Ref) {
	g.always(OpWUnlock, g.Object(r, KindRWMutex))
}

// RLock locks r for reading; it waits while a writer has the lock or has
// announced itself.
func (g *G) RLock(r *Ref) {
	g.enter(OpRLock, g.Object(r, KindRWMutex))
}

// TryRLock locks r for reading if RLock would not wait.
func (g *G) TryRLock(r *Ref) bool {
	return g.always(OpTryRLock, g.Object(r, KindRWMutex)) && g.result == 1
}

// RUnlock undoes one RLock; see Unlock.
func (g *G) RUnlock(r *Ref) {
	g.always(OpRUnlock, g.Object(r, KindRWMutex))
}

// leaver is a writer that has unlocked, or a try that has failed because of readers. Until
// it returns, which is no event, it may still have the mutex of the writers.
type leaver struct {
	g       *G
	ops     int32 // how many operations g had executed then: it has returned before the next
	entered bool  // a reader has been in since, or then
}

// leaves notes that g gives the mutex of the writers back.
func (o *Object) leaves(g *G, entered bool) {
	l := leaver{g, g.ops, entered}
	for i := range o.leavers {
		if o.leavers[i].g == g {
			o.leavers[i] = l
			return
		}
	}
	o.leavers = append(o.leavers, l)
}

// taken notes that somebody has the mutex of the writers for good: nobody else has it.
func (o *Object) taken() { o.leavers = o.leavers[:0] }

// leaving reports whether somebody else may have the mutex of the writers still, though a
// TryWLock of g would succeed otherwise.
func (o *Object) leaving(g *G) bool {
	return slices.ContainsFunc(o.leavers, func(l leaver) bool { return o.behind(g, l) && l.g.ops == l.ops })
}

// unlocked reports whether leaving could be true had others been slower.
func (o *Object) unlocked(g *G) bool {
	return slices.ContainsFunc(o.leavers, func(l leaver) bool { return o.behind(g, l) })
}

func (o *Object) behind(g *G, l leaver) bool {
	return l.entered && l.g != g && o.writer == nil && o.readers == 0
}

// tryAlternatives counts the ways in which g's pending TryWLock can happen now: as it
// looks; behind an Unlock; and behind each of those who may have claimed o.
func (g *G) tryAlternatives() int {
	o := g.obj
	if !o.unclaimed(g) {
		return 1
	}
	n := 1 + len(o.e.claimants(g))
	if o.claimed == nil && o.leaving(g) {
		n++
	}
	return n
}

// unclaimed reports whether a TryWLock of g would succeed.
func (o *Object) unclaimed(g *G) bool {
	return o.writer == nil && o.readers == 0 && (o.claimed == nil || o.claimed == g)
}

// claimants returns the others who are about to lock the object of g's pending TryWLock
// for writing: each may have claimed it already, if nobody is known to have. The list is
// valid until the next call.
func (e *Engine) claimants(g *G) []*G {
	list := e.claiming[:0]
	for _, h := range e.gs[:e.n] {
		if h != g && h.obj == g.obj && g.obj.claimed == nil && h.pendingWriter() {
			list = append(list, h)
		}
	}
	e.claiming = list
	return list
}

func (g *G) pendingWriter() bool {
	return g.live && (g.kind == OpAnnounce || g.kind == OpTryWLock)
}

func (g *G) executeTryWLock(o *Object, alt int32) {
	succeeds := alt == 0 && o.unclaimed(g)
	var claimed *G
	if list := o.e.claimants(g); alt > 0 && int(alt) <= len(list) {
		claimed = list[alt-1]
	}
	g.result = 0
	if o.claimed == nil || o.claimed == g {
		o.claimed = claimed
	}
	switch {
	case claimed != nil:
		o.taken()
	case succeeds:
		o.taken()
		g.result = 1
		o.writer, o.holder = g, g
		o.heldBy(g)
	case o.writer == nil && o.readers > 0 && o.claimed == nil:
		o.leaves(g, true)
	}
	g.e.recheck(&o.waiting)
}

func (g *G) executeRWMutex(o *Object, alt int32) {
	switch g.kind {
	case OpAnnounce:
		o.waiting.remove(g.id)
		o.writer, o.claimed = g, nil
		o.taken()
		g.e.recheck(&o.waiting)
	case OpAcquire:
		o.waiting.remove(g.id)
		o.holder = g
		o.heldBy(g)
	case OpTryWLock:
		g.executeTryWLock(o, alt)
	case OpWUnlock:
		if o.holder == nil {
			g.raise = raiseUnlockOfUnlockedRW
			return
		}
		o.writer, o.holder = nil, nil
		o.wakes++
		o.leaves(g, false)
		g.e.recheck(&o.waiting)
	case OpRLock, OpTryRLock:
		g.executeRLock(o)
	case OpRUnlock:
		if o.readers == 0 {
			g.raise = raiseRUnlockOfUnlocked
			return
		}
		o.readers--
		o.readDone(g)
		g.e.recheck(&o.waiting)
	}
}

func (g *G) executeRLock(o *Object) {
	if g.kind == OpRLock {
		o.waiting.remove(g.id)
	} else if o.writer != nil {
		g.result = 0
		g.glance(o, AccRead)
		return
	}
	g.result = 1
	o.readers++
	for i := range o.leavers {
		o.leavers[i].entered = true
	}
	o.readBy(g)
	g.e.recheck(&o.waiting)
}
