package sched

import "slices"

// Pace says whether time passes while goroutines can go on. When none can it always
// does.
type Pace uint8

// The paces.
const (
	// Timeouts: timers that are Eager fire at any moment. Sleeps and tickers wait until no
	// goroutine can go on.
	Timeouts Pace = iota
	// Calm: nothing fires that is not due, as if computing took no time.
	Calm
	// Hasty: sleeps end and tickers tick at any moment too.
	Hasty
	// Either: Calm or Hasty, by a choice that the run makes where it first sets a timer
	// or sleeps. A Calm run becomes Hasty when half of its steps are spent: one goroutine
	// may be spinning until another's sleep ends.
	Either
)

// settle makes the choice of Either, on behalf of g, which is about to need it.
func (g *G) settle() {
	e := g.e
	if e.pace != Either || e.special {
		return
	}
	e.pace, e.chosen = Calm, true
	if g.Choose(2) == 1 {
		e.pace = Hasty
		g.Log("time passes at any moment from now on")
	}
}

// impatience is the number of steps at which a run that chose to be Calm is not any
// more.
func (e *Engine) impatience() int { return e.maxSteps / 2 }

// loseHeart makes a Calm run Hasty.
func (e *Engine) loseHeart() {
	if !e.chosen || e.pace != Calm {
		return
	}
	e.pace = Hasty
	for _, t := range e.timers {
		t.hurry(true)
	}
	e.retime()
}

// hasty reports whether t may fire before it is due.
func (t *Timer) hasty() bool {
	switch t.g.e.pace {
	case Hasty:
		return true
	case Calm:
		return false
	}
	return t.timeout
}

// dozes reports whether t is a ticker whose last tick nobody has received: the next one
// would only be dropped, again and again.
func (t *Timer) dozes() bool {
	return t.g.e.pace == Hasty && t.period > 0 && t.ch.n == t.ch.capacity
}

// wakesEarly reports whether sleeps end by events of their own.
func (e *Engine) wakesEarly() bool { return e.pace == Hasty }

// executeWake is the event in which g's sleep ends.
func (g *G) executeWake() {
	e := g.e
	e.sleepers = slices.DeleteFunc(e.sleepers, func(h *G) bool { return h == g })
	e.moveClock(g.wakeAt)
}

// movesClock reports whether g's pending operation lets time pass: the default policy
// does that last.
func (g *G) movesClock() bool { return g.kind.MovesClock() }

// MovesClock reports whether the operation lets time pass, and is no step of a
// goroutine that could go on.
func (k OpKind) MovesClock() bool { return k == OpFire || k == OpSleeping }

// Chosen reports whether the run passes time at any moment because it chose to: see
// Either. A program that relies on a sleep or timeout to be long enough is not to be
// blamed for what happens then.
func (g *G) Chosen() bool { return g.e.chosen && g.e.pace == Hasty && !g.e.unwinding }

// Abandon ends the run without a verdict.
func (g *G) Abandon() {
	if g.e.unwinding {
		g.unwind()
	}
	g.e.end(Abandoned)
	g.park()
}
