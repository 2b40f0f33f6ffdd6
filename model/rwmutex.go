package model

import (
	"github.com/modelcheck-go/modelcheck/sched"
	"github.com/sasha-s/go-deadlock"
)

// RWMutex is [sync.RWMutex]. The zero value is unlocked; it must not be copied
// after first use.
//
// Under control every method is a step, except Lock, which is two: it announces
// the writer, from when on no new reader gets in, and waits for the readers that
// are inside. So a goroutine that reads, and reads again while a writer waits,
// deadlocks as it does in Go. Natively it is a go-deadlock RWMutex; see [Mutex].
type RWMutex struct {
	ref sched.Ref
	mu  deadlock.RWMutex
}

// Lock locks rw for writing.
func (rw *RWMutex) Lock() {
	if g := sched.Current(); g != nil {
		g.WLock(&rw.ref)
		return
	}
	rw.native("rwmutex lock").Lock()
}

// TryLock locks rw for writing if nobody holds it, and reports whether it did; see
// [Mutex.TryLock]. As in Go it may fail though nobody does: because another Lock is about
// to announce itself, which does not keep a reader out yet; because another TryLock has not
// returned; or because an Unlock has not, though it has let readers in. All that is
// explored, if by exhaustive search then without reduction.
func (rw *RWMutex) TryLock() bool {
	if g := sched.Current(); g != nil {
		return g.TryWLock(&rw.ref)
	}
	return rw.native("rwmutex try lock").TryLock()
}

// Unlock undoes a Lock; without one it is a fatal error, as for [Mutex.Unlock].
func (rw *RWMutex) Unlock() {
	if g := sched.Current(); g != nil {
		g.WUnlock(&rw.ref)
		return
	}
	rw.native("rwmutex unlock").Unlock()
}

// RLock locks rw for reading: together with other readers, never with a writer,
// and not while a writer waits.
func (rw *RWMutex) RLock() {
	if g := sched.Current(); g != nil {
		g.RLock(&rw.ref)
		return
	}
	rw.native("rwmutex rlock").RLock()
}

// TryRLock locks rw for reading if RLock would not wait, and reports whether it
// did; see [Mutex.TryLock].
func (rw *RWMutex) TryRLock() bool {
	if g := sched.Current(); g != nil {
		return g.TryRLock(&rw.ref)
	}
	return rw.native("rwmutex try rlock").TryRLock()
}

// RUnlock undoes one RLock; without one it is a fatal error, as for
// [Mutex.Unlock].
func (rw *RWMutex) RUnlock() {
	if g := sched.Current(); g != nil {
		g.RUnlock(&rw.ref)
		return
	}
	rw.native("rwmutex runlock").RUnlock()
}

func (rw *RWMutex) native(op string) *deadlock.RWMutex {
	sched.Foreign(&rw.ref, op)
	return &rw.mu
}
