package sched

import (
	"strconv"
	"sync/atomic"
)

// Object is the scheduler's side of one channel, lock or other primitive: what
// decides who is enabled. Values stay with the caller. Objects belong to one run
// and are reused by the next.
type Object struct {
	e    *Engine
	ref  *Ref // the primitive bound to it, nil for channels
	kind ObjectKind
	id   int32 // creation index within the run

	watched bool // an invariant reads it

	maker   *G    // who made or first used it
	ordinal int32 // as its how manieth object, from 0

	// Locks, once, wait groups, contexts being cancelled. waiting holds exactly the
	// goroutines whose pending operation is enabled or not depending on the object.
	waiting bitset
	holder  *G    // who holds the mutex, the write lock, or runs the once
	writer  *G    // RWMutex: announced or holding; nil means readers may enter
	readers int32 // RWMutex: read locks held
	count   int   // WaitGroup: counter; Once: 1 after the first Do
	queued  []*G  // Cond: who waits for a Signal, in order of arrival

	zeroed    *G    // WaitGroup: who brought the counter to zero
	zeroedOps int32 // and how many operations it had executed then
	tokens    int   // WaitGroup: how many sleeping Waits will look though the counter is not zero

	leavers []leaver // RWMutex: who gave the writers' mutex back since it was taken for good, each at its latest
	claimed *G       // RWMutex: who keeps other writers out, though readers may get in; nil if nobody is known to

	// Channels. Those with a pending blocking send or receive (a select's cases
	// too) are exactly sending and receiving, or on an unbuffered channel, where
	// each is an alternative, senders and receivers, in order of arrival.
	capacity           int
	closed             bool
	sending, receiving bitset
	senders, receivers []waiter
	// Without a partner's consent a send can go unless n is full, a receive unless
	// n is drained. A closed channel is neither.
	full, drained int
	queue         []int32 // ring of the slots of buffered values, oldest at head; only grows, by doubling
	head, n       int
	free          []int32 // released value slots
	slots         int32   // value slots ever handed out

	sent, received int64  // buffered values so far
	wakes          int64  // Cond: signals and broadcasts so far; variables and contexts: changes
	timer          *Timer // KindTimer: whose object it is; nil for its channel

	// Where operations on it synchronise; see edges.go. They, and what is known about
	// the accesses to a variable, count in the run that they belong to.
	whole, read Sync
	places      []Sync
	history     history

	info objectInfo
}

// waiter is one pending alternative: case number i of g's operation, 0 for an
// operation that is not a select.
type waiter struct {
	g *G
	i int32
}

// Ref ties a zero-value primitive to its object in the current run. The zero
// value is unbound; a Ref that was bound in an earlier run binds anew. It must
// not be copied after use.
type Ref struct {
	run atomic.Uint64 // serial number of the run that bound it, 0 when unbound
	obj *Object       // valid while run is the serial of the engine's current run
}

func (g *G) newObject(kind ObjectKind) *Object {
	e := g.e
	n := len(e.objects)
	if n < cap(e.objects) {
		e.objects = e.objects[:n+1]
	} else {
		e.objects = append(e.objects, nil)
	}
	o := e.objects[n]
	if o == nil {
		o = &Object{e: e}
		e.objects[n] = o
	}
	o.kind, o.id, o.ref = kind, int32(n), nil
	o.maker, o.ordinal = g, g.made
	g.made++
	o.watched, o.closed = false, false
	o.waiting.reset()
	o.sending.reset()
	o.receiving.reset()
	o.senders, o.receivers, o.queued = o.senders[:0], o.receivers[:0], o.queued[:0]
	o.holder, o.writer, o.readers, o.count, o.zeroed = nil, nil, 0, 0, nil
	o.tokens, o.leavers, o.claimed = 0, o.leavers[:0], nil
	o.capacity, o.full, o.drained, o.head, o.n, o.slots = 0, 0, 0, 0, 0, 0
	o.sent, o.received, o.wakes, o.timer = 0, 0, 0, nil
	o.free = o.free[:0]
	if kind == KindVariable {
		e.track()
	}
	if e.capture {
		o.info = objectInfo{set: true, site: g.callSite()}
	} else if o.info.set {
		o.info = objectInfo{}
	}
	return o
}

// Object returns the object that r stands for in the current run, binding it on
// first use.
func (g *G) Object(r *Ref, kind ObjectKind) *Object {
	if r.run.Load() == g.e.serial {
		if r.obj.ref == r {
			return r.obj
		}
		g.Misuse("a " + kind.String() + " was copied after its first use: pass a pointer to it instead")
	}
	if g.e.looking != nil && !g.e.ownLook {
		return &g.e.unmade
	}
	o := g.newObject(kind)
	o.ref = r
	r.obj = o
	r.run.Store(g.e.serial)
	return o
}

// Copied reports whether r is a copy of a Ref that was bound in this run.
func (g *G) Copied(r *Ref) bool {
	return r.run.Load() == g.e.serial && r.obj.ref != r
}

// Before orders objects that were made by calls, not by first use: by the spawn
// path of their maker, then in the order in which it made them. That does not
// depend on the schedule.
func (o *Object) Before(p *Object) bool {
	if o.maker != p.maker {
		return comparePaths(o.maker, p.maker) < 0
	}
	return o.ordinal < p.ordinal
}

// Name sets the name that reports use for o.
func (g *G) Name(o *Object, name string) {
	if g.e.capture && o != nil {
		o.info.name = name
	}
}

// Cap returns the channel's capacity; 0 for the nil channel.
func (o *Object) Cap() int {
	if o == nil || o.kind == KindTimer {
		return 0
	}
	return o.capacity
}

// visible returns the number of values that len shows.
func (o *Object) visible() int {
	if o.kind == KindTimer {
		return 0
	}
	return o.n
}

// objectInfo is what only reports need; it is filled in capturing runs.
type objectInfo struct {
	set      bool
	name     string
	site     Site // where it was created or first used
	heldSite Site // where the current holder acquired it
	heldStep int
	readers  []hold
}

// hold is one read lock held.
type hold struct {
	g    *G
	site Site
	step int
}

// describe names o in reports: kind, the user's name or the place of creation,
// and the capacity of a channel.
func (o *Object) describe() string {
	if o == nil {
		return "nil channel"
	}
	if o.timer != nil && o.timer.ch != nil {
		o = o.timer.ch
	}
	name := o.info.name
	if name == "" {
		name = "at " + o.info.site.short()
	}
	s := o.kind.String() + " " + name
	if o.kind == KindChan {
		s += " (cap " + strconv.Itoa(o.capacity) + ")"
	}
	return s
}

func (o *Object) enqueue(slot int32) {
	if o.n == len(o.queue) {
		o.grow()
	}
	o.queue[(o.head+o.n)&(len(o.queue)-1)] = slot
	o.n++
	o.sent++
}

// grow doubles the ring, which starts small however large the channel is.
func (o *Object) grow() {
	queue := make([]int32, max(4, 2*len(o.queue)))
	k := copy(queue, o.queue[o.head:])
	copy(queue[k:], o.queue[:o.head])
	o.queue, o.head = queue, 0
}

func (o *Object) dequeue() int32 {
	slot := o.queue[o.head]
	o.head = (o.head + 1) & (len(o.queue) - 1)
	o.n--
	o.received++
	return slot
}

// drop removes the first waiter of g from list, keeping the order of the rest.
func drop(list []waiter, g *G) []waiter {
	for i := range list {
		if list[i].g == g {
			copy(list[i:], list[i+1:])
			return list[:len(list)-1]
		}
	}
	return list
}
