package sched

import "iter"

// Backend says how control passes from one modelled goroutine to another.
type Backend uint8

const (
	// BackendAuto is BackendPull, except in a binary built with -race, where it
	// is BackendChannel.
	BackendAuto Backend = iota
	// BackendPull parks goroutines in iter.Pull coroutines: a direct switch from
	// one goroutine to another, about four times as fast as a channel.
	BackendPull
	// BackendChannel parks every goroutine on a channel of its own.
	BackendChannel
)

// slot is a place where exactly one goroutine is parked. It is an iter.Pull
// coroutine used symmetrically: neither next nor yield looks at who calls it,
// they only have to alternate, and each swaps its caller with the goroutine
// parked inside. So whoever calls swap parks here and the former resident runs;
// slots wander from goroutine to goroutine.
type slot struct {
	armed bool // the next swap goes through yield
	next  func() (struct{}, bool)
	yield func(struct{}) bool
}

// newSlot makes a slot whose resident is a new goroutine about to call body.
func newSlot(body func()) *slot {
	s := &slot{}
	s.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		s.yield = yield
		body()
	})
	return s
}

func (s *slot) swap() {
	if s.armed {
		s.armed = false
		s.yield(struct{}{})
	} else {
		s.armed = true
		s.next()
	}
}

// start gives g a goroutine of its own, parked before its first instruction.
func (e *Engine) start(g *G) {
	if e.backend == BackendPull {
		g.slot = newSlot(g.serve)
		return
	}
	g.wake = make(chan struct{})
	go func() {
		defer func() { e.root.wake <- struct{}{} }() // deferred for the sake of Goexit
		<-g.wake
		g.serve()
	}()
}

// transfer parks the calling goroutine, from, and runs to. It returns when
// another transfer names from.
func (e *Engine) transfer(from, to *G) {
	e.switches++
	if e.backend == BackendPull {
		s := to.slot
		from.slot = s
		s.swap()
		return
	}
	to.wake <- struct{}{}
	<-from.wake
}
