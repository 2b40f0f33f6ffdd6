package sched

// Access is what an event does to one object.
type Access struct {
	Object int32 // creation index within the run
	Class  Class
	// Index numbers the sends and the receives of a buffered channel from 0, and
	// the signals and broadcasts of a condition variable; for the firing of timers
	// it is the deadline, for an Add the counter before it. Need is the index of
	// the event on the other side that has to come first: a receive needs the send
	// with its own number, a send the receive that made room, whoever leaves a
	// condition variable the signal that let it; -1 for none. For an Add, a Done
	// or a TryLock it is Uncovered or -1.
	Index, Need int64
}

// Uncovered is the Need of an Add or Done that moves the counter of a wait group away from
// zero again, and of a TryLock for writing that fails, or could have, behind a mutex of
// the writers that somebody seems not to have; see G.TryWLock. What that means to a Wait
// that is not in order with it, or to the TryLock, depends on when the Wait or the Lock
// began or the Unlock returned, which are no events: the relation does not cover it.
const Uncovered = 0

// Uncovered reports whether the relation does not cover the access.
func (a Access) Uncovered() bool {
	switch a.Class {
	case AccAdd, AccDonePanic, AccTryWLock, AccTryWFail:
		return a.Need == Uncovered
	}
	return false
}

// LastDone is the Need of a Done that brings the counter to zero: another one that has
// not happened panics from then on.
const LastDone = 0

// OnlyChange is the Need of a look of Await that a single change made possible.
const OnlyChange = 0

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

var classNames = [classes]string{
	AccSend:         "send",
	AccRecv:         "receive",
	AccSendClosed:   "send on closed",
	AccRecvClosed:   "receive of closed",
	AccRendezvous:   "rendezvous",
	AccClose:        "close",
	AccCloseAgain:   "close again",
	AccLen:          "len",
	AccWatch:        "watch",
	AccJoin:         "join",
	AccUnhold:       "unhold",
	AccLock:         "lock",
	AccUnlock:       "unlock",
	AccTryLock:      "try lock",
	AccTryFail:      "failed try lock",
	AccAnnounce:     "announce",
	AccAcquire:      "acquire",
	AccWUnlock:      "write unlock",
	AccRLock:        "rlock",
	AccRUnlock:      "runlock",
	AccRUnlockOther: "runlock of another's",
	AccTryWLock:     "try write lock",
	AccTryRLock:     "try rlock",
	AccTryWFail:     "failed try write lock",
	AccTryRFail:     "failed try rlock",
	AccAdd:          "add",
	AccDone:         "done",
	AccDonePanic:    "done too often",
	AccWait:         "wait",
	AccOnceFirst:    "first do",
	AccOnceLater:    "later do",
	AccOnceExit:     "do returns",
	AccEnter:        "enter",
	AccLeave:        "leave",
	AccSignal:       "signal",
	AccBroadcast:    "broadcast",
	AccRead:         "read",
	AccWrite:        "write",
	AccFire:         "fire",
}

func (c Class) String() string { return classNames[c] }
