package model

import (
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Timer is [time.Timer]: made by [NewTimer] or [AfterFunc], not copied, and used in
// the world and the run that it was made in. Stop and Reset are steps of a
// controlled run; see [Now] for when it fires there.
type Timer struct {
	// C is where the time arrives when the timer fires; it looks unbuffered. It is
	// the nil channel for a timer made by AfterFunc.
	C RecvOnly[time.Time]

	alarm
	real *time.Timer // nil under control
}

// NewTimer returns a timer that sends the time on its channel after at least d.
func NewTimer(d time.Duration) *Timer {
	if g := sched.Current(); g != nil {
		a, c := newAlarm(g, true, 0)
		g.Arm(a.timer, int64(d))
		return &Timer{C: c, alarm: a}
	}
	t := time.NewTimer(d)
	return &Timer{C: RecvOnly[time.Time]{&core[time.Time]{out: t.C}}, real: t}
}

// After is NewTimer(d).C.
func After(d time.Duration) RecvOnly[time.Time] { return NewTimer(d).C }

// AfterFunc calls f in a goroutine of its own after at least d, unless the timer
// that it returns is stopped before.
func AfterFunc(d time.Duration, f func()) *Timer {
	g := sched.Current()
	if g == nil {
		return &Timer{real: time.AfterFunc(d, f)}
	}
	t := &Timer{alarm: alarm{run: g.Run()}}
	t.timer = g.NewTimer(sched.TimerSpec{Eager: true, Works: true, Fire: func(int64) {
		t.timer.G().SpawnFrom(f, "")
	}})
	g.Arm(t.timer, int64(d))
	return t
}

// Stop keeps the timer from firing and reports whether it did: false means that it
// has fired or was stopped before. Once it has returned nothing is received from C.
// It does not wait for the function of an AfterFunc timer.
func (t *Timer) Stop() bool {
	if g := t.enter("time: Stop called on uninitialized Timer", "timer stop"); g != nil {
		return g.Disarm(t.timer)
	}
	return t.real.Stop()
}

// Reset makes the timer fire after at least d, and reports whether it would have
// fired without. What it would have sent before is not received afterwards.
func (t *Timer) Reset(d time.Duration) bool {
	if g := t.enter("time: Reset called on uninitialized Timer", "timer reset"); g != nil {
		return g.Arm(t.timer, int64(d))
	}
	return t.real.Reset(d)
}

// enter returns the modelled goroutine that calls. It panics if t was not made by a
// function of this package.
func (t *Timer) enter(zero, op string) *sched.G {
	if t.timer == nil && t.real == nil {
		panic(zero)
	}
	return t.alarm.enter(op)
}

// alarm is what a Timer or Ticker is under control; natively it is zero.
type alarm struct {
	timer *sched.Timer // valid in the run only
	run   uint64       // serial number of the run
}

// newAlarm returns a timer that is not armed and its channel; see sched.TimerSpec.
func newAlarm(g *sched.G, eager bool, period time.Duration) (alarm, RecvOnly[time.Time]) {
	c := &core[time.Time]{run: g.Run(), obj: g.NewTimerChan()}
	c.reserve(1)
	a := alarm{run: g.Run()}
	var t *sched.Timer
	t = g.NewTimer(sched.TimerSpec{Eager: eager, Period: int64(period), Chan: c.obj, Fire: func(due int64) {
		slot := c.put(t.G(), c.obj, clock(due))
		if !t.G().Deliver(c.obj, slot) {
			t.G().Release(c.obj, slot)
		}
	}})
	a.timer = t
	return a, RecvOnly[time.Time]{c}
}

// enter returns the modelled goroutine that calls, and ends the run, or the
// goroutine, if the timer is not at home there.
func (a alarm) enter(op string) *sched.G {
	g := sched.Current()
	switch {
	case g == nil && a.timer != nil:
		sched.ForeignUse(a.timer.Object(), op)
	case g != nil && a.run != g.Run():
		a.misused(g)
	}
	return g
}

func (a alarm) object(g *sched.G) *sched.Object {
	if a.run != g.Run() {
		a.misused(g)
	}
	return a.timer.Object()
}

func (a alarm) misused(g *sched.G) {
	if a.timer == nil {
		g.Misuse("a timer that was made outside the controlled run is used in it: make it inside the body")
	}
	g.Misuse("a timer that was made in another controlled run is used: make it inside the body")
}
