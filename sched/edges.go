package sched

// What is synchronised before what. This is the table behind the relation "happens
// before" of the Go memory model (https://go.dev/ref/mem, version of June 6, 2022) and of
// the documentation of packages sync, sync/atomic, context and time, which it refers to.
// An operation that has gone acquires what earlier ones have released, and then releases
// what its goroutine did so far. All other operations, and those that fail, are not
// synchronised with anything: the end of a goroutine, len, the default of a select, a
// TryLock or CompareAndSwap that finds nothing to do, and operations that panic.
//
// Two edges are not between operations on one object. "The go statement that starts a
// new goroutine is synchronized before the start of the goroutine's execution": see
// firstEpoch, also for what timers and contexts start. And a Map orders the operations
// on one of its keys, a Pool those on one of its items: package model does that with
// Syncs of its own.

// deed is what an executed operation turned out to be.
type deed uint8

const (
	unordered deed = iota

	// "A send on a channel is synchronized before the completion of the corresponding
	// receive from that channel." And: "The kth receive from a channel with capacity C is
	// synchronized before the completion of the k+Cth send on that channel."
	// On an unbuffered channel, C being 0, that is both ways: see meetClock.
	deedSend
	deedRecv
	// "The closing of a channel is synchronized before a receive that returns because
	// the channel is closed." So it is not before the receives of what the buffer has
	// left. The done channel of a context is one; Err, Cause and deriving a context
	// learn of it too.
	deedClose
	deedRecvClosed
	deedLearn

	// "For any sync.Mutex or sync.RWMutex variable l and n < m, call n of l.Unlock() is
	// synchronized before call m of l.Lock() returns." A TryLock that succeeds is a Lock.
	deedLock
	deedUnlock
	// "For any call to l.RLock on a sync.RWMutex variable l, there is an n such that the
	// nth call to l.Unlock is synchronized before the return from l.RLock, and the
	// matching call to l.RUnlock is synchronized before the return from call n+1 to
	// l.Lock." Readers are not ordered among themselves.
	deedWLock
	deedRLock
	deedRUnlock

	// WaitGroup: "a call to Done synchronizes before the return of any Wait call that it
	// unblocks".
	deedDone
	deedWait
	// "The completion of a single call of f() from once.Do(f) is synchronized before the
	// return of any call of once.Do(f)."
	deedOnceExit
	deedOnceEnter
	// Cond: "a call to Broadcast or Signal synchronizes before any Wait call that it
	// unblocks". Each Wait has a Sync for that; see notify.
	deedLeave

	// "If the effect of an atomic operation A is observed by atomic operation B, then A
	// is synchronized before B." A Store observes nothing, and hides the effects of
	// earlier ones.
	deedLoad
	deedStore
	deedSwap

	// Setting a timer is before what it does when it fires, on its channel or in the
	// goroutine that it starts. The runtime does that for the race detector; package
	// time says it by the word "after".
	deedArm
	deedFire

	deeds
)

// port is one of an object's Syncs.
type port uint8

const (
	nowhere port = iota
	whole        // of the object as a whole
	place        // channel: of the place in the buffer that the value takes
	readers      // RWMutex: where RUnlocks release
	ticket       // Cond: of the Wait that leaves
)

// edge is a row of the table.
type edge struct {
	acquires, alsoAcquires, releases port
	replaces                         bool // what was released there is not observed any more
}

var edges = [deeds]edge{
	deedSend:       {acquires: place, releases: place},
	deedRecv:       {acquires: place, releases: place},
	deedClose:      {releases: whole},
	deedRecvClosed: {acquires: whole},
	deedLearn:      {acquires: whole},
	deedLock:       {acquires: whole},
	deedUnlock:     {releases: whole},
	deedWLock:      {acquires: whole, alsoAcquires: readers},
	deedRLock:      {acquires: whole},
	deedRUnlock:    {releases: readers},
	deedDone:       {releases: whole},
	deedWait:       {acquires: whole},
	deedOnceExit:   {releases: whole},
	deedOnceEnter:  {acquires: whole},
	deedLeave:      {acquires: ticket},
	deedLoad:       {acquires: whole},
	deedStore:      {releases: whole, replaces: true},
	deedSwap:       {acquires: whole, releases: whole},
	deedArm:        {releases: whole},
	deedFire:       {acquires: whole},
}

// deed says what g's operation on o, just executed, turned out to be.
func (g *G) deed(o *Object) deed {
	if g.raise != raiseNothing || o == nil {
		return unordered
	}
	switch g.kind {
	case OpSend, OpRecv, OpSelect, OpTrySelect:
		return g.chanDeed(o)
	case OpClose:
		return deedClose
	case OpCancel:
		return g.ifDone(deedClose)
	case OpJoin:
		return deedLearn
	case OpLock:
		return deedLock
	case OpTryLock:
		return g.ifDone(deedLock)
	case OpUnlock, OpWUnlock:
		return deedUnlock
	case OpAcquire:
		return deedWLock
	case OpTryWLock:
		return g.ifDone(deedWLock)
	case OpRLock:
		return deedRLock
	case OpTryRLock:
		return g.ifDone(deedRLock)
	case OpRUnlock:
		return deedRUnlock
	case OpAdd:
		if g.arg < 0 {
			return deedDone
		}
	case OpWait:
		return deedWait
	case OpOnceEnter:
		return deedOnceEnter
	case OpOnceExit:
		return deedOnceExit
	case OpCondWait:
		return deedLeave
	case OpRead, OpWrite, OpTryWrite:
		return g.variableDeed(o)
	case OpArm:
		return deedArm
	}
	return unordered
}

// ifDone is d if the operation did what it tries to.
func (g *G) ifDone(d deed) deed {
	if g.result != 1 {
		return unordered
	}
	return d
}

func (g *G) chanDeed(ch *Object) deed {
	switch {
	case g.did() == OpSend:
		return deedSend
	case g.result < 0:
		return deedRecvClosed
	}
	return deedRecv
}

func (g *G) variableDeed(o *Object) deed {
	switch {
	case o.kind == KindContext:
		return deedLearn
	case o.kind != KindAtomic:
		return unordered
	case g.kind == OpRead || g.kind == OpTryWrite && g.result == 0:
		return deedLoad
	case g.kind == OpWrite && g.arg == blind:
		return deedStore
	}
	return deedSwap
}

// order draws the edges of the operation that g has just executed, with the receiver h
// of a rendezvous whose sender it was.
func (e *Engine) order(g, h *G) {
	if h != nil {
		g.meetClock(h)
		return
	}
	o := g.target()
	g.synchronise(g.deed(o), o)
	if o != nil && o.kind == KindVariable && (g.kind == OpRead || g.kind == OpWrite) {
		e.checkAccess(g, o, g.kind == OpWrite)
	}
}

// synchronise draws the edges of a deed of g.
func (g *G) synchronise(d deed, o *Object) {
	row := &edges[d]
	if row.acquires != nowhere {
		g.acquire(g.sync(o, d, row.acquires))
	}
	if row.alsoAcquires != nowhere {
		g.acquire(g.sync(o, d, row.alsoAcquires))
	}
	if row.releases != nowhere {
		g.release(g.sync(o, d, row.releases), row.replaces)
	}
}

// sync returns the Sync of o that p stands for after d.
func (g *G) sync(o *Object, d deed, p port) *Sync {
	switch p {
	case readers:
		return &o.read
	case ticket:
		return &g.ticket
	case place:
		number := o.received
		if d == deedSend {
			number = o.sent
		}
		return o.place(number - 1) // it has been counted
	}
	return &o.whole
}

// place is where value number k of a channel synchronises.
func (ch *Object) place(k int64) *Sync {
	i := int(k % int64(ch.capacity))
	for len(ch.places) <= i {
		ch.places = append(ch.places, Sync{})
	}
	return &ch.places[i]
}
