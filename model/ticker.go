package model

import (
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Ticker is [time.Ticker]: made by [NewTicker], not copied, and used in the world
// and the run that it was made in. Stop and Reset are steps of a controlled run.
// There it ticks only when no goroutine can go on, and only for somebody who
// waits: a run in which all others are blocked for ever is over. While a goroutine
// does wait for tick after tick the run goes on, up to the step bound, since any tick
// may be the one after which it wakes the others; that finding tells who was waiting.
type Ticker struct {
	// C is where the ticks arrive; it looks unbuffered. Ticks that come while
	// another one was not received yet are dropped.
	C RecvOnly[time.Time]

	alarm
	real *time.Ticker // nil under control
}

// NewTicker returns a ticker that sends the time on its channel every d. It panics
// with "non-positive interval for NewTicker" if d is zero or less.
func NewTicker(d time.Duration) *Ticker {
	g := sched.Current()
	if g == nil {
		t := time.NewTicker(d)
		return &Ticker{C: RecvOnly[time.Time]{&core[time.Time]{out: t.C}}, real: t}
	}
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	a, c := newAlarm(g, false, d)
	g.Arm(a.timer, int64(d))
	return &Ticker{C: c, alarm: a}
}

// Tick is NewTicker(d).C; the nil channel if d is zero or less.
func Tick(d time.Duration) RecvOnly[time.Time] {
	if d <= 0 {
		return RecvOnly[time.Time]{}
	}
	return NewTicker(d).C
}

// Stop turns the ticker off. Once it has returned nothing is received from C, which
// is not closed. On a Ticker not made by NewTicker it does nothing.
func (t *Ticker) Stop() {
	if t.timer == nil && t.real == nil {
		return
	}
	if g := t.enter("ticker stop"); g != nil {
		g.Disarm(t.timer)
		return
	}
	t.real.Stop()
}

// Reset turns the ticker on, with the new period d: the next tick comes after d. It
// panics with "non-positive interval for Ticker.Reset" if d is zero or less, and
// with "time: Reset called on uninitialized Ticker" if t was not made by NewTicker.
func (t *Ticker) Reset(d time.Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if t.timer == nil && t.real == nil {
		panic("time: Reset called on uninitialized Ticker")
	}
	if g := t.enter("ticker reset"); g != nil {
		g.Arm(t.timer, int64(d))
		t.timer.SetPeriod(int64(d))
		return
	}
	t.real.Reset(d)
}
