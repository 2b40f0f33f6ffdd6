package model

import (
	"sync"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Cond is [sync.Cond]. It must not be copied after first use: a call on a copy
// panics with "sync.Cond is copied".
//
// Goroutines are woken in the order in which they began to wait, and never without
// a Signal or Broadcast, as in Go. Under control Signal and Broadcast are steps,
// and Wait is three: it takes its place in the queue, unlocks L, and once it is
// woken locks L again, for which it competes with others.
type Cond struct {
	// L is held while the condition is looked at or changed. Natively it must not
	// be changed after the first Wait.
	L Locker

	ref   sched.Ref
	cond  sync.Cond
	setup sync.Once // gives L to cond
}

// NewCond returns a Cond with Locker l.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

// Wait unlocks c.L, waits for a Signal or Broadcast and locks c.L again. Others may
// come in between, so what the caller waits for need not hold when Wait returns:
// it belongs in a loop. When c.L is not locked that is a fatal error, as for
// [Mutex.Unlock].
func (c *Cond) Wait() {
	g := c.enter("cond wait")
	if g == nil {
		c.setup.Do(func() { c.cond.L = c.L })
		c.cond.Wait()
		return
	}
	g.CondEnter(&c.ref)
	c.L.Unlock()
	g.CondPark(&c.ref)
	c.L.Lock()
}

// Signal wakes the goroutine that has waited longest, if any. The caller may hold
// c.L, but need not.
func (c *Cond) Signal() {
	if g := c.enter("cond signal"); g != nil {
		g.Signal(&c.ref)
		return
	}
	c.cond.Signal()
}

// Broadcast wakes all goroutines that wait. The caller may hold c.L, but need not.
func (c *Cond) Broadcast() {
	if g := c.enter("cond broadcast"); g != nil {
		g.Broadcast(&c.ref)
		return
	}
	c.cond.Broadcast()
}

// enter returns the modelled goroutine that calls.
func (c *Cond) enter(op string) *sched.G {
	g := sched.Current()
	switch {
	case g == nil:
		sched.Foreign(&c.ref, op)
	case g.Copied(&c.ref):
		panic("sync.Cond is copied")
	}
	return g
}

func (c *Cond) object(g *sched.G) *sched.Object {
	return g.Object(&c.ref, sched.KindCond)
}
