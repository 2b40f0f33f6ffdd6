package sched

// The dependency relation. Two events that do not depend on each other may be
// swapped when they stand side by side, and nothing else changes: that is what
// exhaustive search relies on. An event depends on another if one goroutine takes
// part in both, if the first created or woke a goroutine of the second, if the
// run ended in a crash at one of them, or if they access the same object in ways
// for which the table below says so.

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

	// needs stands in the table for Enables if the later access needs just the
	// earlier one, by its index, and for Independent otherwise.
	needs
)

// Table is a dependency relation.
type Table struct {
	// relations has the pairs of classes that are not independent, the earlier event
	// first.
	relations [classes][classes]Relation
	// takes has, for an operation that can wait, the accesses that took what it
	// waits for: the lock, the value, the room in the buffer. Where such an access
	// happened the operation could have gone instead, even if what enables it now
	// came of that access.
	takes [classes][classes]bool
}

// Dependencies is the dependency relation of the operations that package model has.
var Dependencies = func() *Table {
	t := &Table{}
	race := func(a Class, bs ...Class) { // whichever comes first
		for _, b := range bs {
			t.relations[a][b], t.relations[b][a] = Races, Races
		}
	}
	then := func(r Relation, a Class, bs ...Class) { // a first
		for _, b := range bs {
			t.relations[a][b] = r
		}
	}
	takes := func(b Class, as ...Class) { // what b waits for
		for _, a := range as {
			t.takes[b][a] = true
		}
	}
	// Channels. Sends take their places in the buffer in order, and so do
	// receives; a send and a receive commute whenever both are possible.
	race(AccSend, AccSend, AccClose, AccLen, AccWatch)
	race(AccRecv, AccRecv, AccLen, AccWatch)
	then(needs, AccSend, AccRecv)
	then(needs, AccRecv, AccSend)
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
	race(AccRUnlockOther, AccRLock, AccTryRLock, AccTryWLock, AccTryWFail)
	// WaitGroup. Dones commute; a counter that would become negative in another
	// order is found through the Add that it needs.
	race(AccAdd, AccDone, AccDonePanic, AccWait)
	race(AccDone, AccDonePanic)
	race(AccDonePanic, AccDonePanic)
	then(Enables, AccDone, AccWait)
	then(Races, AccWait, AccDone, AccDonePanic)
	// Once.
	race(AccOnceFirst, AccOnceFirst, AccOnceLater)
	then(Enables, AccOnceExit, AccOnceLater)
	// Cond. The queue is first in, first out.
	race(AccEnter, AccEnter, AccSignal, AccBroadcast)
	race(AccSignal, AccSignal, AccBroadcast)
	race(AccBroadcast, AccBroadcast)
	then(needs, AccSignal, AccLeave)
	then(needs, AccBroadcast, AccLeave)
	// Variables; stopping a timer writes its channel.
	race(AccWrite, AccRead, AccWrite, AccRecv, AccWatch)
	race(AccRead, AccFire)
	// Who polls a lock in vain waits for an Unlock.
	race(AccRead, AccUnlock, AccWUnlock)
	race(AccFire, AccFire)

	takes(AccSend, AccSend)
	takes(AccRecv, AccRecv, AccWrite) // stopping a timer drops its value
	takes(AccRecvClosed, AccRecv)
	takes(AccLock, AccLock, AccTryLock)
	takes(AccAnnounce, AccAnnounce) // a TryWLock that others lock beside is not covered
	takes(AccRLock, AccAnnounce, AccTryWLock)
	takes(AccWait, AccAdd, AccDonePanic) // that the counter is zero
	takes(AccOnceLater, AccOnceFirst)
	takes(AccClose, AccClose) // of a context
	takes(AccCloseAgain, AccClose)
	takes(AccJoin, AccClose)
	return t
}()

// Takes reports whether a took what b, an access to the same object, waits for.
func (t *Table) Takes(a, b Access) bool {
	return t.takes[b.Class][a.Class] && !(b.Class == AccWait && a.Index != 0)
}

// Rivals reports whether accesses of class a can take what those of class b wait
// for.
func (t *Table) Rivals(a, b Class) bool { return t.takes[b][a] }

// Relate returns the relation of a later access b to an earlier access a of
// another goroutine; accesses to different objects are independent.
func (t *Table) Relate(a, b Access) Relation {
	if a.Object != b.Object && a.Object != AnyObject && b.Object != AnyObject {
		return Independent
	}
	r := t.relations[a.Class][b.Class]
	switch {
	case r == needs:
		if b.Need >= 0 && b.Need == a.Index {
			return Enables
		}
		return Independent
	case r != Races:
	case a.Class == AccAdd && b.Class == AccWait && a.Index != 0:
		return Enables // the wait could not have come between two Adds
	case (b.Class == AccRead || b.Class == AccLen) && b.Need == OnlyChange:
		return Enables
	case a.Class == AccFire && b.Class == AccFire && a.Index != b.Index:
		return Enables // the earlier deadline fires first
	}
	return r
}
