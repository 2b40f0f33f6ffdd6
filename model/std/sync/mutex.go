package sync

import (
	"sync"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Mutex is [sync.Mutex]. It is not model.Mutex, whose native side is another than
// that of package sync.
type Mutex struct {
	ref sched.Ref
	mu  sync.Mutex
}

// Lock is [sync.Mutex.Lock].
func (m *Mutex) Lock() {
	if g := sched.Current(); g != nil {
		g.Lock(&m.ref)
		return
	}
	m.native("mutex lock").Lock()
}

// TryLock is [sync.Mutex.TryLock].
func (m *Mutex) TryLock() bool {
	if g := sched.Current(); g != nil {
		return g.TryLock(&m.ref)
	}
	return m.native("mutex try lock").TryLock()
}

// Unlock is [sync.Mutex.Unlock].
func (m *Mutex) Unlock() {
	if g := sched.Current(); g != nil {
		g.Unlock(&m.ref)
		return
	}
	m.native("mutex unlock").Unlock()
}

func (m *Mutex) native(op string) *sync.Mutex {
	sched.Foreign(&m.ref, op)
	return &m.mu
}

// RWMutex is [sync.RWMutex]; see Mutex.
type RWMutex struct {
	ref sched.Ref
	mu  sync.RWMutex
}

// Lock is [sync.RWMutex.Lock].
func (rw *RWMutex) Lock() {
	if g := sched.Current(); g != nil {
		g.WLock(&rw.ref)
		return
	}
	rw.native("rwmutex lock").Lock()
}

// TryLock is [sync.RWMutex.TryLock].
func (rw *RWMutex) TryLock() bool {
	if g := sched.Current(); g != nil {
		return g.TryWLock(&rw.ref)
	}
	return rw.native("rwmutex try lock").TryLock()
}

// Unlock is [sync.RWMutex.Unlock].
func (rw *RWMutex) Unlock() {
	if g := sched.Current(); g != nil {
		g.WUnlock(&rw.ref)
		return
	}
	rw.native("rwmutex unlock").Unlock()
}

// RLock is [sync.RWMutex.RLock].
func (rw *RWMutex) RLock() {
	if g := sched.Current(); g != nil {
		g.RLock(&rw.ref)
		return
	}
	rw.native("rwmutex rlock").RLock()
}

// TryRLock is [sync.RWMutex.TryRLock].
func (rw *RWMutex) TryRLock() bool {
	if g := sched.Current(); g != nil {
		return g.TryRLock(&rw.ref)
	}
	return rw.native("rwmutex try rlock").TryRLock()
}

// RUnlock is [sync.RWMutex.RUnlock].
func (rw *RWMutex) RUnlock() {
	if g := sched.Current(); g != nil {
		g.RUnlock(&rw.ref)
		return
	}
	rw.native("rwmutex runlock").RUnlock()
}

// RLocker returns a Locker whose Lock and Unlock are rw.RLock and rw.RUnlock.
func (rw *RWMutex) RLocker() Locker { return (*readLocker)(rw) }

type readLocker RWMutex

func (r *readLocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *readLocker) Unlock() { (*RWMutex)(r).RUnlock() }

func (rw *RWMutex) native(op string) *sync.RWMutex {
	sched.Foreign(&rw.ref, op)
	return &rw.mu
}
