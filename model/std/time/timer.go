package time

import (
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/model/std/lang"
	"github.com/modelcheck-go/modelcheck/sched"
)

// Timer is [time.Timer].
type Timer struct {
	C <-chan Time

	timer *model.Timer // under control
	real  *time.Timer  // elsewhere
}

// NewTimer is [time.NewTimer].
func NewTimer(d Duration) *Timer {
	if sched.Current() == nil {
		t := time.NewTimer(d)
		return &Timer{C: t.C, real: t}
	}
	t := model.NewTimer(d)
	return &Timer{C: lang.Bind(t.C), timer: t}
}

// After is [time.After].
func After(d Duration) <-chan Time { return NewTimer(d).C }

// AfterFunc is [time.AfterFunc].
func AfterFunc(d Duration, f func()) *Timer {
	if sched.Current() == nil {
		return &Timer{real: time.AfterFunc(d, f)}
	}
	return &Timer{timer: model.AfterFunc(d, f)}
}

// Stop is [time.Timer.Stop].
func (t *Timer) Stop() bool {
	switch {
	case t.timer != nil:
		return t.timer.Stop()
	case t.real != nil:
		refuse("timer")
		return t.real.Stop()
	}
	panic("time: Stop called on uninitialized Timer")
}

// Reset is [time.Timer.Reset].
func (t *Timer) Reset(d Duration) bool {
	switch {
	case t.timer != nil:
		return t.timer.Reset(d)
	case t.real != nil:
		refuse("timer")
		return t.real.Reset(d)
	}
	panic("time: Reset called on uninitialized Timer")
}

// Ticker is [time.Ticker].
type Ticker struct {
	C <-chan Time

	ticker *model.Ticker // under control
	real   *time.Ticker  // elsewhere
}

// NewTicker is [time.NewTicker].
func NewTicker(d Duration) *Ticker {
	if sched.Current() == nil {
		t := time.NewTicker(d)
		return &Ticker{C: t.C, real: t}
	}
	t := model.NewTicker(d)
	return &Ticker{C: lang.Bind(t.C), ticker: t}
}

// Tick is [time.Tick].
func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}

// Stop is [time.Ticker.Stop].
func (t *Ticker) Stop() {
	switch {
	case t.ticker != nil:
		t.ticker.Stop()
	case t.real != nil:
		refuse("ticker")
		t.real.Stop()
	}
}

// Reset is [time.Ticker.Reset].
func (t *Ticker) Reset(d Duration) {
	switch {
	case t.ticker != nil:
		t.ticker.Reset(d)
	case t.real != nil:
		refuse("ticker")
		t.real.Reset(d)
	case d <= 0:
		panic("non-positive interval for Ticker.Reset")
	default:
		panic("time: Reset called on uninitialized Ticker")
	}
}

// refuse ends the run when a modelled goroutine uses something that belongs to the
// real clock.
func refuse(what string) {
	if g := sched.Current(); g != nil {
		g.Misuse("a " + what + " that was made outside the controlled run is used in it: make it in the test")
	}
}
