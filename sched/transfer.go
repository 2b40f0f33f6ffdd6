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
// parked inside. So whoever calls the one whose turn it is parks here and the
// former resident runs; slots wander from goroutine to goroutine.
type slot struct {
	turn  way // byNext or byYield: how the next swap goes
	next  func() (struct{}, bool)
	yield func(struct{}) bool
}

// way is how a goroutine leaves in a switch.
type way uint8

const (
	stay way = iota
	byNext
	byYield
)

// newSlot makes a slot whose resident is a new goroutine about to call body.
func newSlot(body func()) *slot {
	s := &slot{turn: byNext}
	s.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		s.yield = yield
		body()
	})
	return s
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
	from.aim(to)
	from.ViaNext()
	from.ViaYield()
}

// A switch to h is three calls in a row: g.aim(h), g.ViaNext(), g.ViaYield().
// After a switch of stacks the processor mispredicts every return up to the
// program, at about an eighth of a round trip each; so a goroutine has to park as
// few calls deep as possible. The last two calls are inlined, which the compiler
// would not do with both in one function.

// aim gets g, which runs, ready to be swapped with h.
func (g *G) aim(h *G) {
	e := g.e
	e.switches++
	if e.backend == BackendPull {
		s := h.slot
		g.slot, g.way = s, s.turn
		s.turn ^= byNext ^ byYield
		return
	}
	h.wake <- struct{}{}
	<-g.wake
	g.way = stay
}

// ViaNext and ViaYield, in this order between the first and the last part of an
// operation, let another goroutine run if it is that one's turn.
func (g *G) ViaNext() {
	if g.way == byNext {
		g.slot.next()
	}
}

// ViaYield: see ViaNext.
func (g *G) ViaYield() {
	if g.way == byYield {
		g.slot.yield(struct{}{})
	}
}
