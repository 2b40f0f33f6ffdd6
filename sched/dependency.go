package sched

// The dependency relation. Two events that do not depend on each other may be
// swapped when they stand side by side, and nothing else changes: that is what
// exhaustive search relies on. An event depends on another if one goroutine takes
// part in both, if the first created or woke a goroutine of the second, if the
// run ended in a crash at one of them, or if they access the same object in ways
// for which the table below says so.

// Access is what an event does to one object.
type Access struct {
	Object int32 // creation index within the run
	Class  Class
	// Index numbers the sends and the receives of a buffered channel from 0, and
	// the signals and broadcasts of a condition variable; for the firing of timers
	// it is the deadline, for an Add the counter before it. Need is the index of
	// the event on the other side that has to come first: a receive needs the send
	// with its own number, a send the receive that made room, whoever leaves a
	// condition variable the signal that let it; -1 for none. For an Add it is
	// Reused or -1.
	Index, Need int64
}

// Reused is the Need of an Add that raises the counter of a wait group from zero
// again. What that means to a Wait that is not in order with it depends on when the
// Wait began, which is no event: the relation does not cover it.
const Reused = 0

// Class says how an event accesses an object.
type Class uint8

// The classes of accesses.
const (
	// Channels. A rendezvous is one event of both goroutines. A select also
	// watches every case that it did not take, and with a default the one that it
	// took: what it did depended on whether they could go.
	AccSend Class = iota
	AccRecv
	AccSendClosed // panics
	AccRecvClosed // gets the zero value
	AccRendezvous
	AccClose
	AccCloseAgain // panics on a channel, does nothing on a context
	AccLen
	AccWatch
	// Contexts: closing the done channel is AccClose.
	AccJoin
	AccUnhold
	// Mutex.
	AccLock
	AccUnlock
	AccTryLock // succeeded
	AccTryFail
	// RWMutex.
	AccAnnounce
	AccAcquire
	AccWUnlock
	AccRLock
	AccRUnlock
	AccRUnlockOther // by a goroutine that holds no read lock
	AccTryWLock
	AccTryRLock
	AccTryWFail
	AccTryRFail
	// WaitGroup.
	AccAdd // delta zero or more
	AccDone
	AccDonePanic
	AccWait
	// Once.
	AccOnceFirst
	AccOnceLater
	AccOnceExit
	// Cond.
	AccEnter
	AccLeave
	AccSignal
	AccBroadcast
	// Variables, atomics, contexts' errors, the clock.
	AccRead
	AccWrite
	AccFire
	classes
)

// Relation says how a later event is related to an earlier one.
type Relation uint8

const (
	// Independent: they may be swapped.
	Independent Relation = iota
	// Enables: the earlier one made the later one possible as it happened. The
	// order is fixed.
	Enables
	// Races: the later one could have come first, with another result.
	Races
)

// relations has the pairs of classes that are not independent, the earlier event
// first. Rules that depend on an index are in Relate.
var relations = func() (t [classes][classes]Relation) {
	race := func(a Class, bs ...Class) { // whichever comes first
		for _, b := range bs {
			t[a][b], t[b][a] = Races, Races
		}
	}
	then := func(r Relation, a Class, bs ...Class) { // a first
		for _, b := range bs {
			t[a][b] = r
		}
	}
	// Channels. Sends take their places in the buffer in order, and so do
	// receives; a send and a receive commute whenever both are possible.
	race(AccSend, AccSend, AccClose, AccLen, AccWatch)
	race(AccRecv, AccRecv, AccLen, AccWatch)
	race(AccRendezvous, AccClose)
	race(AccClose, AccClose, AccCloseAgain, AccWatch)
	then(Races, AccRecv, AccRecvClosed) // who gets the last value
	then(Enables, AccClose, AccRecvClosed)
	then(Races, AccClose, AccSendClosed)
	// Contexts are locked while the children are cancelled.
	race(AccClose, AccJoin, AccRead)
	then(Enables, AccUnhold, AccJoin, AccClose, AccCloseAgain)
	// Mutex. That a Lock waits for the Unlock before it is no race; the race is
	// with the Lock before that.
	race(AccLock, AccLock, AccTryLock, AccTryFail)
	race(AccTryLock, AccTryLock, AccTryFail)
	race(AccUnlock, AccTryLock, AccTryFail)
	then(Enables, AccUnlock, AccLock)
	then(Races, AccLock, AccUnlock) // by a goroutine that did not lock it
	then(Races, AccUnlock, AccUnlock)
	// RWMutex.
	race(AccAnnounce, AccAnnounce, AccRLock, AccTryRLock, AccTryRFail, AccTryWLock, AccTryWFail)
	race(AccRLock, AccTryWLock, AccTryWFail)
	race(AccTryRLock, AccTryWLock, AccTryWFail, AccWUnlock)
	race(AccTryWLock, AccTryWLock, AccTryWFail, AccTryRFail, AccWUnlock, AccRUnlock)
	race(AccTryWFail, AccWUnlock, AccRUnlock)
	race(AccTryRFail, AccWUnlock)
	then(Enables, AccWUnlock, AccAnnounce, AccRLock)
	then(Enables, AccRUnlock, AccAcquire)
	then(Enables, AccRUnlockOther, AccAcquire)
	then(Races, AccAcquire, AccWUnlock) // as for Mutex
	then(Races, AccWUnlock, AccWUnlock)
	race(AccRUnlockOther, AccRLock, AccTryRLock, AccRUnlock, AccRUnlockOther, AccTryWLock, AccTryWFail)
	// WaitGroup. Dones commute; a counter that would become negative in another
	// order is found through the Add that it needs.
	race(AccAdd, AccDone, AccDonePanic, AccWait)
	race(AccDone, AccDonePanic)
	race(AccDonePanic, AccDonePanic)
	then(Enables, AccDone, AccWait)
	then(Races, AccWait, AccDone, AccDonePanic)
	// Once.
	race(AccOnceFirst, AccOnceFirst, AccOnceLater)
	then(Enables, AccOnceFirst, AccOnceExit)
	then(Enables, AccOnceExit, AccOnceLater)
	// Cond. The queue is first in, first out.
	race(AccEnter, AccEnter, AccSignal, AccBroadcast)
	race(AccSignal, AccSignal, AccBroadcast)
	race(AccBroadcast, AccBroadcast)
	// Variables; stopping a timer writes its channel.
	race(AccWrite, AccRead, AccWrite, AccFire, AccSend, AccRecv, AccWatch)
	race(AccRead, AccFire)
	race(AccFire, AccFire)
	return t
}()

// takes has, for an operation that can wait, the accesses that took what it
// waits for: the lock, the value, the room in the buffer. Where such an access
// happened the operation could have gone instead, even if what enables it now
// came of that access.
var takes = map[Class][]Class{
	AccSend:       {AccSend},
	AccRecv:       {AccRecv, AccWrite}, // stopping a timer drops its value
	AccRecvClosed: {AccRecv},
	AccLock:       {AccLock, AccTryLock},
	AccAnnounce:   {AccAnnounce, AccTryWLock},
	AccRLock:      {AccAnnounce, AccTryWLock},
	AccWait:       {AccAdd},
	AccOnceLater:  {AccOnceFirst},
	AccClose:      {AccClose}, // of a context
	AccCloseAgain: {AccClose},
	AccJoin:       {AccClose},
}

// Takes reports whether a took what b, an access to the same object, waits for.
func Takes(a, b Access) bool {
	return Rivals(a.Class, b.Class) && !(a.Class == AccAdd && a.Index > 0)
}

// Rivals reports whether accesses of class a can take what those of class b wait
// for.
func Rivals(a, b Class) bool {
	for _, c := range takes[b] {
		if c == a {
			return true
		}
	}
	return false
}

// Relate returns the relation of a later access b to an earlier access a of
// another goroutine; accesses to different objects are independent.
func Relate(a, b Access) Relation {
	if a.Object != b.Object {
		return Independent
	}
	switch {
	case a.Class == AccSend && b.Class == AccRecv, a.Class == AccRecv && b.Class == AccSend:
		if b.Need >= 0 && b.Need == a.Index {
			return Enables
		}
		return Independent
	case a.Class == AccAdd && b.Class == AccWait && a.Index > 0:
		return Enables // the wait could not have come between two Adds
	case b.Class == AccLeave && (a.Class == AccSignal || a.Class == AccBroadcast):
		if b.Need == a.Index {
			return Enables
		}
		return Independent
	case a.Class == AccFire && b.Class == AccFire && a.Index != b.Index:
		return Enables // the earlier deadline fires first
	}
	return relations[a.Class][b.Class]
}
