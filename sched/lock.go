package sched

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
	case g.kind == OpUnlock && o.holder == nil:
		g.raise = raiseUnlockOfUnlocked
	case g.kind == OpUnlock:
		o.holder = nil
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

// TryWLock locks r for writing if nobody has it or waits to write. In Go the Unlock of a
// writer lets the readers in first and then the next writer. So while it may not have
// returned, though a reader has got in already, a TryWLock may fail: that is its second
// alternative.
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

// leaving reports whether a writer's Unlock has let readers in but perhaps not the next
// writer, g, yet.
func (o *Object) leaving(g *G) bool {
	return o.unlocked(g) && o.unlocker.ops == o.unlockerOps
}

// unlocked reports whether another writer than g was the last to unlock o, and a reader
// has got in since.
func (o *Object) unlocked(g *G) bool {
	return o.entered && o.unlocker != g && o.writer == nil && o.readers == 0
}

func (g *G) executeRWMutex(o *Object, alt int32) {
	switch g.kind {
	case OpAnnounce:
		o.waiting.remove(g.id)
		o.writer = g
		o.unlocker, o.entered = nil, false
		g.e.recheck(&o.waiting)
	case OpAcquire:
		o.waiting.remove(g.id)
		o.holder = g
		o.heldBy(g)
	case OpTryWLock:
		g.result = 0
		if o.writer == nil && o.readers == 0 && alt == 0 {
			g.result = 1
			o.unlocker, o.entered = nil, false
			o.writer, o.holder = g, g
			o.heldBy(g)
			g.e.recheck(&o.waiting)
		}
	case OpWUnlock:
		if o.holder == nil {
			g.raise = raiseUnlockOfUnlockedRW
			return
		}
		o.writer, o.holder = nil, nil
		o.unlocker, o.unlockerOps = g, g.ops
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
		return
	}
	g.result = 1
	o.readers++
	o.entered = o.unlocker != nil
	o.readBy(g)
	g.e.recheck(&o.waiting)
}
