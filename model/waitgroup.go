package model

import (
	"sync"

	"github.com/modelcheck-go/modelcheck/sched"
)

// WaitGroup is [sync.WaitGroup]. The zero value has counter 0; it must not be
// copied after first use. Under control Add, Done and Wait are steps.
type WaitGroup struct {
	ref sched.Ref
	wg  sync.WaitGroup
}

// Add adds delta, which may be negative, to the counter. It panics with "sync:
// negative WaitGroup counter" when the counter becomes negative.
//
// An Add that raises the counter from 0 has to come before Wait, or after all Waits
// have returned. Otherwise it may panic with "sync: WaitGroup misuse: Add called
// concurrently with Wait", or a Wait with "sync: WaitGroup is reused before previous
// Wait has returned", or that Wait may go on waiting; all that is explored.
func (wg *WaitGroup) Add(delta int) {
	if g := sched.Current(); g != nil {
		g.Add(&wg.ref, delta)
		return
	}
	wg.native("waitgroup add").Add(delta)
}

// Done is Add(-1).
func (wg *WaitGroup) Done() { wg.Add(-1) }

// Wait blocks until the counter is 0.
func (wg *WaitGroup) Wait() {
	if g := sched.Current(); g != nil {
		g.Wait(&wg.ref)
		return
	}
	wg.native("waitgroup wait").Wait()
}

// Go adds 1 to the counter and calls f in a new goroutine; when f returns, or ends
// its goroutine with runtime.Goexit, the counter is decremented. When f panics it
// is not, as in Go.
func (wg *WaitGroup) Go(f func()) {
	wg.Add(1)
	Go(func() {
		defer func() {
			if v := recover(); v != nil {
				panic(v)
			}
			wg.Done()
		}()
		f()
	})
}

func (wg *WaitGroup) native(op string) *sync.WaitGroup {
	sched.Foreign(&wg.ref, op)
	return &wg.wg
}
