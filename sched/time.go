package sched

import "math"

// Virtual time. The clock of a run stands still while anything can happen and
// moves in two ways: at quiescence, to the next moment for which something is
// due; and when a timer fires that need not wait for quiescence, because a
// timeout may win against work that is merely slow. Whatever is due at the new
// time fires with it, in order, so time never runs backwards.
//
// A timer is a goroutine of the scheduler's own: it has a spawn path, and its
// firing is an event that strategies choose. A sleep is an event when it begins;
// that it ends is part of the event that moves the clock.

// Timer is a one-shot timer or a ticker of the current run.
type Timer struct {
	g      *G    // the pseudo goroutine whose operation is to fire
	period int64 // ticker: nanoseconds between two firings, else 0
	when   int64 // deadline, meaningful while armed
	armed  bool
	eager  bool            // may fire before quiescence
	ch     *Object         // what it sends on, nil if it calls a function
	fire   func(now int64) // local code of the firing
}

// NewTimer makes a timer that is not armed. Fire is called when it fires, with
// the time of the run in nanoseconds; it must not perform operations, but may
// use SpawnFrom and Deliver. An eager timer may fire at any moment
// once it is armed unless the run has Timers at quiescence; one that is not
// waits for quiescence. Ch is the channel that Fire delivers to, if any: a ticker
// is no progress while nobody receives from it.
func (g *G) NewTimer(eager bool, period int64, ch *Object, fire func(now int64)) *Timer {
	e := g.e
	t := &Timer{period: period, ch: ch, fire: fire, eager: eager && !e.atQuiescence}
	t.g = e.newG(g, "", true)
	t.g.timer = t
	t.g.live = true
	t.g.obj = e.newObject(KindTimer)
	t.g.obj.timer = t
	t.g.kind = OpFire
	e.timers = append(e.timers, t)
	return t
}

// TimerObject is the object that operations on t are about.
func (t *Timer) Object() *Object { return t.g.obj }

// Arm is an operation that sets t to fire after d nanoseconds, and reports
// whether it was armed before. An undelivered value of its channel is dropped.
func (g *G) Arm(t *Timer, d int64) (active bool) {
	if !g.always(OpArm, t.g.obj) {
		return false
	}
	active = t.disarm()
	t.armed, t.when = true, addTime(g.e.now, d)
	g.e.retime()
	return active
}

// Disarm is an operation that stops t and reports whether it was armed or had an
// undelivered value, which is dropped.
func (g *G) Disarm(t *Timer) (active bool) {
	if !g.always(OpDisarm, t.g.obj) {
		return false
	}
	active = t.disarm()
	g.e.retime()
	return active
}

// SetPeriod changes the period of a ticker; call it directly after Arm.
func (t *Timer) SetPeriod(d int64) { t.period = d }

func (t *Timer) disarm() (active bool) {
	active = t.armed
	t.armed = false
	if t.ch != nil && t.ch.n > 0 {
		t.ch.drain(t.g)
		active = true
	}
	return active
}

// drain drops the buffered values of a timer's channel.
func (ch *Object) drain(g *G) {
	for ch.n > 0 {
		g.Release(ch, ch.dequeue())
	}
	g.e.recheck(ch.receivers)
}

// Deliver puts the value in slot into ch, the channel of a timer that fires, or
// reports false when the channel is full.
func (g *G) Deliver(ch *Object, slot int32) bool {
	if ch.n == ch.capacity {
		return false
	}
	ch.enqueue(slot)
	g.enableAll(ch.receivers)
	if ch.watched {
		g.e.dirty = true
	}
	return true
}

// G returns the timer's own goroutine, for Slot, Deliver and SpawnFrom while it
// fires.
func (t *Timer) G() *G { return t.g }

// SpawnFrom starts a goroutine as g's child outside an operation of its own: for
// timers and contexts that start one.
func (g *G) SpawnFrom(fn func(), name string) {
	if !g.e.unwinding {
		g.e.spawn(g, fn, name, false)
	}
}

// Now is an operation that reads the clock: nanoseconds since the run began.
func (g *G) Now() int64 {
	g.always(OpNow, nil)
	return g.e.now
}

// Sleep waits until d nanoseconds of the run's time have passed. When d is not
// positive it is a Yield.
func (g *G) Sleep(d int64) {
	e := g.e
	if d <= 0 {
		g.Yield()
		return
	}
	if e.special && !g.specialOp(OpSleep) {
		return
	}
	g.arg = int(d)
	g.always(OpSleep, nil)
	g.kind = OpSleeping
	g.step()
}

func addTime(now, d int64) int64 {
	if d < 0 {
		d = 0
	}
	if now > math.MaxInt64-d {
		return math.MaxInt64
	}
	return now + d
}

// retime recomputes which eager timers may fire: those with the earliest deadline
// among them.
func (e *Engine) retime() {
	first := int64(math.MaxInt64)
	for _, t := range e.timers {
		if t.armed && t.eager {
			first = min(first, t.when)
		}
	}
	for _, t := range e.timers {
		if t.armed && t.eager && t.when == first {
			e.enabled.add(t.g.id)
		} else {
			e.enabled.remove(t.g.id)
		}
	}
}

// advance moves the clock, at quiescence, to the next moment at which something
// is due, and reports whether there is one.
func (e *Engine) advance() bool {
	if !e.awaited() {
		return false
	}
	next := int64(math.MaxInt64)
	found := false
	for _, g := range e.sleepers {
		next, found = min(next, g.wakeAt), true
	}
	for _, t := range e.timers {
		if t.armed && t.awaited() {
			next, found = min(next, t.when), true
		}
	}
	if found {
		e.logTick(next)
		e.moveClock(next)
		e.logShut()
	}
	return found
}

// awaited reports whether a goroutine that counts is left: daemons that sleep
// and tick for ever do not keep a run going.
func (e *Engine) awaited() bool {
	for _, g := range e.gs[:e.n] {
		if g.live && !g.daemon {
			return true
		}
	}
	return false
}

// awaited reports whether the timer's firing is progress: a ticker's is if
// somebody receives from it.
func (t *Timer) awaited() bool {
	return t.period == 0 || len(t.ch.receivers) > 0
}

// moveClock sets the clock and makes everything due happen or become possible:
// timers fire in the order of their deadlines, then of their creation; sleepers go
// on.
func (e *Engine) moveClock(to int64) {
	e.now = max(e.now, to)
	for {
		t := e.earliest(e.now)
		if t == nil {
			break
		}
		e.fire(t)
	}
	rest := e.sleepers[:0]
	for _, g := range e.sleepers {
		if g.wakeAt <= e.now {
			g.lastStep = e.steps
			e.ready = append(e.ready, g)
			e.wake(g)
		} else {
			rest = append(rest, g)
		}
	}
	e.sleepers = rest
	e.retime()
}

// earliest returns the armed timer that is due first at time now. Eager timers
// with equal deadlines fire in an order that the strategy chooses, so one that
// is due exactly now is left to it.
func (e *Engine) earliest(now int64) *Timer {
	var first *Timer
	for _, t := range e.timers {
		if !t.armed || t.when > now || t.eager && t.when == now {
			continue
		}
		if first == nil || t.when < first.when {
			first = t
		}
	}
	return first
}

// fire lets t fire; a ticker is armed for its first tick after now: ticks that
// nobody could have received are dropped.
func (e *Engine) fire(t *Timer) {
	t.armed = false
	if t.period > 0 {
		missed := (e.now - t.when) / t.period
		t.when = addTime(t.when, (missed+1)*t.period)
		t.armed = true
	}
	if e.logging && !t.eager {
		e.wake(t.g)
	}
	t.g.ops++
	t.fire(e.now)
}

// executeFire is the event of an eager timer.
func (g *G) executeFire() {
	t := g.timer
	g.ops-- // fire counts it
	g.e.moveClock(t.when)
	g.e.fire(t)
	g.e.retime()
}
