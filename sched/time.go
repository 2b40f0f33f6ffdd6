package sched

import "math"

// Virtual time. The clock of a run stands still while a goroutine can go on and
// moves in two ways: when none can, to the next moment for which something is
// due; and when a timer fires that need not wait for that, because a timeout may
// win against work that is merely slow; see Pace. Whatever is due at the new time
// fires with it, in order, so time never runs backwards.
//
// A timer is a goroutine of the scheduler's own: it has a spawn path, and its
// firing is an event that strategies choose. A sleep is an event when it begins;
// that it ends is part of the event that moves the clock, or in a Hasty run an event too.

// Timer is a one-shot timer or a ticker of the current run.
type Timer struct {
	g       *G    // the pseudo goroutine whose operation is to fire
	period  int64 // ticker: nanoseconds between two firings, else 0
	when    int64 // deadline, meaningful while armed
	armed   bool
	stopped bool            // Disarm was called
	timeout bool            // TimerSpec.Eager
	eager   bool            // may fire now, though goroutines can go on; see coincide
	works   bool            // its firing is work to be done even when nobody is left to wait for it
	ch      *Object         // what it sends on, nil if it calls a function
	fire    func(due int64) // local code of the firing
}

// TimerSpec says what a timer does.
type TimerSpec struct {
	// Eager: it may fire at any moment once it is armed, unless the run is Calm. One that is not waits until no goroutine can go on, if it is not
	// due already.
	Eager bool
	// Works: it calls a function of the program, which is worth doing when no
	// goroutine is left but those that may stay. It is ignored when one of those
	// makes the timer.
	Works bool
	// Period of a ticker in nanoseconds, else 0.
	Period int64
	// Chan, made by NewTimerChan, is what Fire delivers to, if anything: a ticker
	// is no progress while nobody receives from it.
	Chan *Object
	// Fire is called when the timer fires, with the time at which it was due. It
	// must not perform operations, but may use SpawnFrom and Deliver.
	Fire func(due int64)
}

// NewTimer makes a timer that is not armed.
func (g *G) NewTimer(spec TimerSpec) *Timer {
	e := g.e
	t := &Timer{
		period: spec.Period, ch: spec.Chan, fire: spec.Fire,
		timeout: spec.Eager, works: spec.Works && !g.daemon,
	}
	t.g = e.newG(g, "", true)
	t.g.timer = t
	t.g.live = true
	t.g.obj = g.newObject(KindTimer)
	t.g.obj.timer = t
	t.g.kind = OpFire
	if e.capture {
		t.g.born = g.callSite()
		t.g.site = t.g.born
	}
	e.made++
	return t
}

// Await makes the firing of t work to be done, as TimerSpec.Works does.
func (g *G) Await(t *Timer) { t.works = t.works || !g.daemon }

// NewTimerChan makes the channel of a timer: it holds the value that was not
// received yet, but looks unbuffered.
func (g *G) NewTimerChan() *Object {
	o := g.newObject(KindTimer)
	o.capacity, o.full = 1, 1
	return o
}

// Object returns the object that reports show for t: its channel, if it has one.
func (t *Timer) Object() *Object {
	if t.ch != nil {
		return t.ch
	}
	return t.g.obj
}

// Arm is an operation that sets t to fire after d nanoseconds, and reports
// whether it was armed before. An undelivered value of its channel is dropped.
func (g *G) Arm(t *Timer, d int64) (active bool) {
	g.settle()
	if !g.always(OpArm, t.g.obj) {
		return false
	}
	active = t.disarm()
	t.arm(addTime(g.e.now, d))
	return active
}

// ArmUntil is an operation that sets t to fire at the time when, unless it was
// disarmed before.
func (g *G) ArmUntil(t *Timer, when int64) {
	g.settle()
	if g.always(OpArm, t.g.obj) && !t.stopped {
		t.arm(max(when, g.e.now))
	}
}

// Disarm is an operation that stops t and reports whether it was armed or had an
// undelivered value, which is dropped.
func (g *G) Disarm(t *Timer) (active bool) {
	if !g.always(OpDisarm, t.g.obj) {
		return false
	}
	t.stopped = true
	return t.disarm()
}

// SetPeriod changes the period of a ticker; call it directly after Arm.
func (t *Timer) SetPeriod(d int64) { t.period = d }

func (t *Timer) arm(when int64) {
	e := t.g.e
	t.armed, t.when = true, when
	t.hurry(t.hasty() || when == e.now)
	e.timers = append(e.timers, t)
	e.retime()
}

// hurry makes t eager or not.
func (t *Timer) hurry(eager bool) {
	t.eager = eager
	t.g.e.log.Eager = t.g.e.log.Eager || eager
}

func (t *Timer) disarm() (active bool) {
	active = t.armed
	t.rest()
	t.g.e.retime()
	if t.ch != nil && t.ch.n > 0 {
		t.ch.drain(t.g)
		active = true
	}
	return active
}

// rest makes t a timer that is not armed.
func (t *Timer) rest() {
	if !t.armed {
		return
	}
	e := t.g.e
	t.armed = false
	e.enabled.remove(t.g.id)
	for i, u := range e.timers {
		if u == t {
			e.timers = append(e.timers[:i], e.timers[i+1:]...)
			return
		}
	}
}

// drain drops the buffered values of a timer's channel.
func (ch *Object) drain(g *G) {
	for ch.n > 0 {
		g.Release(ch, ch.dequeue())
	}
	g.e.recheck(&ch.receiving)
}

// Deliver puts the value in slot into ch, the channel of a timer that fires, or
// reports false when the channel is full.
func (g *G) Deliver(ch *Object, slot int32) bool {
	if ch.n == ch.capacity {
		return false
	}
	ch.enqueue(slot)
	if g.e.tracking {
		g.synchronise(deedSend, ch)
	}
	g.e.enabled.addAll(&ch.receiving)
	if ch.watched {
		g.e.soil()
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
	if e.special && !g.specialOp(OpSleep, nil) {
		return
	}
	g.settle()
	g.arg = int(d)
	g.always(OpSleep, nil)
	g.kind = OpSleeping
	if e.wakesEarly() {
		e.log.Eager = true
		e.retime()
	}
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

// never is later than every deadline.
const never = int64(math.MaxInt64)

// retime recomputes which eager timers may fire, and which sleeps may end early: those
// with the earliest deadline among them.
func (e *Engine) retime() {
	first := e.firstEager()
	e.firing, e.dozing, e.pulse = 0, 0, 0
	for _, t := range e.timers {
		dozes := t.dozes()
		if dozes {
			e.dozing++
		}
		e.mayFire(t.g, t.eager && !dozes && t.when == first)
	}
	if e.wakesEarly() {
		for _, g := range e.sleepers {
			e.mayFire(g, g.wakeAt == first)
		}
	}
}

func (e *Engine) mayFire(g *G, may bool) {
	if may {
		e.enabled.add(g.id)
		e.firing++
	} else {
		e.enabled.remove(g.id)
	}
}

// firstEager returns the earliest deadline of an eager timer or a sleep that may end
// early.
func (e *Engine) firstEager() int64 {
	first := never
	for _, t := range e.timers {
		if t.eager && !t.dozes() {
			first = min(first, t.when)
		}
	}
	if e.wakesEarly() {
		for _, g := range e.sleepers {
			first = min(first, g.wakeAt)
		}
	}
	return first
}

// idle reports whether no goroutine can go on: timers alone may, and sleepers.
func (e *Engine) idle() bool { return e.enabled.len() == e.firing }

// advance moves the clock of an idle run to the next moment for which a sleep or
// a timer that waits for quiescence is due, and reports whether there is one. A
// timer that could fire anyway is not overtaken: its firing is an event.
func (e *Engine) advance() bool {
	next := e.nextDue()
	if next == never || next > e.firstEager() {
		return false
	}
	e.logTick(next)
	e.moveClock(next)
	e.logShut()
	return true
}

func (e *Engine) nextDue() int64 {
	next, alive := never, e.awaited()
	if alive && !e.wakesEarly() {
		for _, g := range e.sleepers {
			next = min(next, g.wakeAt)
		}
	}
	for _, t := range e.timers {
		if !t.eager && t.progresses(alive) {
			next = min(next, t.when)
		}
	}
	return next
}

// exhausted reports whether an idle run that cannot advance is over. Daemons that sleep
// and wait for timeouts for ever do not keep it going.
func (e *Engine) exhausted() bool {
	if e.nextDue() != never { // after an eager timer that comes first
		return false
	}
	alive := e.awaited()
	if alive && e.wakesEarly() && len(e.sleepers) > 0 {
		return false
	}
	for _, t := range e.timers {
		if t.eager && t.progresses(alive) {
			return false
		}
	}
	return true
}

// awaited reports whether a goroutine that counts is left.
func (e *Engine) awaited() bool {
	for _, g := range e.gs[:e.n] {
		if g.live && !g.daemon {
			return true
		}
	}
	return false
}

// progresses reports whether letting time pass until t fires may lead to
// anything: somebody has to be left, and a ticker to have one who receives from
// it, unless it is due now.
func (t *Timer) progresses(alive bool) bool {
	return t.works || alive && (t.period == 0 || t.eager && !t.dozes() || !t.ch.receiving.empty() || t.g.e.polled(t.ch))
}

// moveClock sets the clock and makes everything due happen or become possible:
// timers fire in the order of their deadlines; sleepers go on.
func (e *Engine) moveClock(to int64) {
	e.now = max(e.now, to)
	e.coincide()
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
			e.enabled.remove(g.id)
			e.enqueue(g)
			e.wake(g)
		} else {
			rest = append(rest, g)
		}
	}
	e.sleepers = rest
	e.retime()
}

// coincide makes the timers that are due exactly now eager if that is more than one,
// or if a sleep ends now too: then goroutines may go on before all of them have fired.
func (e *Engine) coincide() {
	n := 0
	for _, t := range e.timers {
		if t.when == e.now {
			n++
		}
	}
	for _, g := range e.sleepers {
		if g.wakeAt == e.now {
			n++
		}
	}
	for _, t := range e.timers {
		if n > 1 && t.when == e.now {
			t.hurry(true)
		}
	}
}

// earliest returns the armed timer that is due first at time now. Eager timers
// with equal deadlines fire in an order that the strategy chooses, so one that
// is due exactly now is left to it.
func (e *Engine) earliest(now int64) *Timer {
	var first *Timer
	for _, t := range e.timers {
		if t.when > now || t.eager && t.when == now {
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
	due := t.when
	if t.period > 0 {
		missed := (e.now - due) / t.period
		t.when = addTime(due, (missed+1)*t.period)
	} else {
		t.rest()
	}
	if e.logging && !t.eager {
		e.wake(t.g)
	}
	t.eager = t.eager && t.hasty()
	t.g.ops++
	if e.tracking {
		t.g.synchronise(deedFire, t.g.obj)
	}
	t.fire(due)
}

// executeFire is the event of an eager timer.
func (g *G) executeFire() {
	t := g.timer
	g.ops-- // fire counts it
	g.e.moveClock(t.when)
	g.e.fire(t)
	g.e.retime()
}
