package model

import (
	"github.com/modelcheck-go/modelcheck/sched"
	"github.com/sasha-s/go-deadlock"
)

// Mutex is [sync.Mutex]. The zero value is an unlocked mutex; it must not be
// copied after first use. It has no owner: any goroutine may unlock it.
//
// Under control every method is a step, a Lock that waits may get the mutex in any
// order, and a mutex that is still locked when nothing can happen any more is a
// finding.
//
// Natively it is a go-deadlock Mutex, which by default reports suspect orders of
// locking and ends the process: that package's Opts, which this one never touches, say
// otherwise. What that costs is go-deadlock's: it records a stack for every Lock. A Lock
// and Unlock that nobody competes for took 5.6 ns with [sync.Mutex], 860 ns with
// go-deadlock and 1,130 ns here, 200 times as long; with deadlock.Opts.Disable 8.6 ns with
// go-deadlock and 10.4 ns here, less than twice as long (BenchmarkNative, Go 1.26 on
// amd64). So set Disable before anything is measured.
type Mutex struct {
	ref sched.Ref
	mu  deadlock.Mutex
}

// Lock locks m, waiting until it is unlocked.
func (m *Mutex) Lock() {
	if g := sched.Current(); g != nil {
		g.Lock(&m.ref)
		return
	}
	m.native("mutex lock").Lock()
}

// TryLock locks m if it is unlocked and reports whether it did. Natively
// go-deadlock takes an attempt by the goroutine that holds m for a mistake.
func (m *Mutex) TryLock() bool {
	if g := sched.Current(); g != nil {
		return g.TryLock(&m.ref)
	}
	return m.native("mutex try lock").TryLock()
}

// Unlock unlocks m. As in Go it is a fatal error that cannot be recovered if m is
// not locked: it ends the run, or natively the program.
func (m *Mutex) Unlock() {
	if g := sched.Current(); g != nil {
		g.Unlock(&m.ref)
		return
	}
	m.native("mutex unlock").Unlock()
}

func (m *Mutex) native(op string) *deadlock.Mutex {
	sched.Foreign(&m.ref, op)
	return &m.mu
}
