package sched

// exitLimit is how many Goexits a pooled goroutine serves before the pool is
// renewed: each leaves its dead frames on the stack.
const exitLimit = 32

// unwindAll ends every modelled goroutine that the run has left, in order of
// creation. Their deferred functions run; a goroutine that never started has
// none.
func (e *Engine) unwindAll() {
	e.unwinding, e.special = true, true
	renew := false
	for _, g := range e.gs[:e.n] {
		if g.live && g.started {
			g.raise = raiseUnwinding
			e.transfer(&e.root, g)
		}
		g.live, g.fn = false, nil
		renew = renew || g.exits > exitLimit
	}
	e.unwinding, e.special = false, false
	if renew {
		e.closePool()
	}
}

// Close ends the engine's goroutines. The engine must not be used afterwards.
func (e *Engine) Close() {
	e.closed.Store(true)
	e.closePool()
}

// closePool ends all pooled goroutines. With the pull backend a coroutine that
// ends resumes whoever is parked in the slot that it was born with, so the ends
// run along the cycles of the permutation of slots and come back to the driver
// on their own. One that served a Goexit passes it on to a driver that waits in
// its slot; so a goroutine to spare plays the driver, and another one after it
// if it is struck.
func (e *Engine) closePool() {
	e.closing = true
	for e.hasPooled() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, g := range e.gs {
				if g.pooled && !g.gone {
					e.transfer(&e.root, g)
				}
			}
		}()
		<-done
	}
	e.gs = e.gs[:0]
	e.closing = false
}

func (e *Engine) hasPooled() bool {
	for _, g := range e.gs {
		if g.pooled && !g.gone {
			return true
		}
	}
	return false
}
