package model_test

import (
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

// timeClauses hold whether or not timers may fire early.
var timeClauses = []clause{
	{"Now: the clock starts in the year 2000", []string{"2000-01-01 00:00:00 true"}, func(note func(...any)) {
		now := model.Now()
		note(now.UTC().Format(time.DateTime), model.Until(now) == 0)
	}},
	{"Now: time does not go backwards", []string{"true true"}, func(note func(...any)) {
		a := model.Now()
		b := model.Now()
		model.Sleep(time.Second)
		note(!b.Before(a), model.Now().After(b))
	}},
	{"Sleep: for at least d", []string{"5s"}, func(note func(...any)) {
		start := model.Now()
		model.Sleep(5 * time.Second)
		note(model.Since(start))
	}},
	{"Sleep: zero or less returns at once", []string{"0s"}, func(note func(...any)) {
		start := model.Now()
		model.Sleep(0)
		model.Sleep(-time.Second)
		note(model.Since(start))
	}},
	{"Sleep: the shorter ends first", []string{"1s; 2s; 3s"}, func(note func(...any)) {
		for _, d := range []time.Duration{2, 3, 1} {
			model.Go(func() { model.Sleep(d * time.Second); note(d * time.Second) })
		}
		model.Sleep(time.Minute)
	}},
	{"NewTimer: sends the time after d, once", []string{"5s -1"}, func(note func(...any)) {
		start := model.Now()
		timer := model.NewTimer(5 * time.Second)
		at := timer.C.Recv()
		model.Sleep(time.Minute)
		note(at.Sub(start), model.TrySelect(timer.C.RecvCase(nil)))
	}},
	{"NewTimer: zero or less fires at once", []string{"0s 0s"}, func(note func(...any)) {
		start := model.Now()
		a := model.NewTimer(0).C.Recv()
		note(a.Sub(start), model.NewTimer(-time.Second).C.Recv().Sub(start))
	}},
	{"NewTimer: the channel looks unbuffered", []string{"0 0"}, func(note func(...any)) {
		timer := model.NewTimer(time.Second)
		model.Sleep(2 * time.Second)
		note(timer.C.Len(), timer.C.Cap())
	}},
	{"NewTimer: a value that is received late is the time at which it was due", []string{"1s"}, func(note func(...any)) {
		start := model.Now()
		timer := model.NewTimer(time.Second)
		model.Sleep(5 * time.Second)
		note(timer.C.Recv().Sub(start))
	}},
	{"After: a timer's channel", []string{"5s"}, func(note func(...any)) {
		start := model.Now()
		note(model.After(5 * time.Second).Recv().Sub(start))
	}},
	{"Timer.Stop: false after the value was received, and the second time", []string{"false false"}, func(note func(...any)) {
		timer := model.NewTimer(time.Second)
		timer.C.Recv()
		first := timer.Stop()
		note(first, timer.Stop())
	}},
	{"Timer.Stop: true though it has fired, if the value was not received", []string{"true -1"}, func(note func(...any)) {
		timer := model.NewTimer(time.Second)
		model.Sleep(2 * time.Second)
		note(timer.Stop(), model.TrySelect(timer.C.RecvCase(nil)))
	}},
	{"Timer.Stop: nothing is received afterwards", []string{"true -1"}, func(note func(...any)) {
		timer := model.NewTimer(time.Second)
		active := timer.Stop()
		model.Sleep(2 * time.Second)
		note(active, model.TrySelect(timer.C.RecvCase(nil)))
	}},
	{"Timer.Reset: false when it has fired or was stopped, and it runs again", []string{"false 2s; false 3s"}, func(note func(...any)) {
		start := model.Now()
		timer := model.NewTimer(time.Second)
		timer.C.Recv()
		a := timer.Reset(time.Second)
		note(a, timer.C.Recv().Sub(start))
		timer.Stop()
		b := timer.Reset(time.Second)
		note(b, timer.C.Recv().Sub(start))
	}},
	{"AfterFunc: calls f after d in a goroutine of its own", []string{"f 5s"}, func(note func(...any)) {
		start := model.Now()
		done := model.NewChan[int](0)
		model.AfterFunc(5*time.Second, func() { note("f", model.Since(start)); done.Send(1) })
		done.Recv()
	}},
	{"AfterFunc: C is nil", []string{"true"}, func(note func(...any)) {
		timer := model.AfterFunc(time.Second, func() {})
		note(timer.C == model.RecvOnly[time.Time]{})
		model.Sleep(2 * time.Second)
	}},
	{"AfterFunc: Stop returns false when f was started, and does not wait for it", []string{"false; f"}, func(note func(...any)) {
		started, goOn := model.NewChan[int](0), model.NewChan[int](0)
		timer := model.AfterFunc(time.Second, func() { started.Send(1); goOn.Recv(); note("f") })
		started.Recv()
		note(timer.Stop())
		goOn.Send(1)
		settle()
	}},
	{"AfterFunc: Reset calls f again", []string{"f; false; f"}, func(note func(...any)) {
		called := model.NewChan[int](0)
		timer := model.AfterFunc(time.Second, func() { note("f"); called.Send(1) })
		called.Recv()
		note(timer.Reset(time.Second))
		called.Recv()
	}},
	{"NewTicker: the time every d", []string{"1s 2s 3s"}, func(note func(...any)) {
		start := model.Now()
		ticker := model.NewTicker(time.Second)
		defer ticker.Stop()
		a, b := ticker.C.Recv(), ticker.C.Recv()
		note(a.Sub(start), b.Sub(start), ticker.C.Recv().Sub(start))
	}},
	{"NewTicker: drops ticks for slow receivers", []string{"1s 4s"}, func(note func(...any)) {
		start := model.Now()
		ticker := model.NewTicker(time.Second)
		defer ticker.Stop()
		model.Sleep(3500 * time.Millisecond)
		first := ticker.C.Recv()
		note(first.Sub(start), ticker.C.Recv().Sub(start))
	}},
	{"NewTicker: the channel looks unbuffered", []string{"0 0"}, func(note func(...any)) {
		ticker := model.NewTicker(time.Second)
		defer ticker.Stop()
		model.Sleep(2 * time.Second)
		note(ticker.C.Len(), ticker.C.Cap())
	}},
	{"NewTicker: zero or less panics", []string{"non-positive interval for NewTicker"}, func(note func(...any)) {
		note(text(func() { model.NewTicker(0) }))
	}},
	{"Ticker.Stop: no more ticks, not even one that came before; the channel is not closed", []string{"-1"}, func(note func(...any)) {
		ticker := model.NewTicker(time.Second)
		model.Sleep(1500 * time.Millisecond)
		ticker.Stop()
		model.Sleep(time.Minute)
		note(model.TrySelect(ticker.C.RecvCase(nil)))
	}},
	{"Ticker.Reset: the next tick comes after the new period", []string{"1s 4s 7s"}, func(note func(...any)) {
		start := model.Now()
		ticker := model.NewTicker(time.Second)
		defer ticker.Stop()
		a := ticker.C.Recv()
		ticker.Reset(3 * time.Second)
		b := ticker.C.Recv()
		note(a.Sub(start), b.Sub(start), ticker.C.Recv().Sub(start))
	}},
	{"Ticker.Reset: turns a stopped one on", []string{"2s"}, func(note func(...any)) {
		start := model.Now()
		ticker := model.NewTicker(time.Second)
		defer ticker.Stop()
		ticker.Stop()
		ticker.Reset(2 * time.Second)
		note(ticker.C.Recv().Sub(start))
	}},
	{"Ticker.Reset: zero or less panics", []string{"non-positive interval for Ticker.Reset"}, func(note func(...any)) {
		ticker := model.NewTicker(time.Second)
		defer ticker.Stop()
		note(text(func() { ticker.Reset(0) }))
	}},
	{"Tick: a ticker's channel, nil if d is zero or less", []string{"1s true"}, func(note func(...any)) {
		start := model.Now()
		at := model.Tick(time.Second).Recv()
		note(at.Sub(start), model.Tick(0) == model.RecvOnly[time.Time]{})
	}},
	{"zero values: Timer panics, Ticker only when it is reset", []string{
		"time: Stop called on uninitialized Timer; time: Reset called on uninitialized Timer; no panic; time: Reset called on uninitialized Ticker",
	}, func(note func(...any)) {
		note(text(func() { new(model.Timer).Stop() }))
		note(text(func() { new(model.Timer).Reset(1) }))
		note(panicOf(new(model.Ticker).Stop))
		note(text(func() { new(model.Ticker).Reset(1) }))
	}},
}

func TestSyncTime(t *testing.T) {
	checkClauses(t, capturing, timeClauses)
	t.Run("at rest", func(t *testing.T) { checkClauses(t, atRest, timeClauses) })
}

// TestTimeouts: here it matters whether timers may fire early.
func TestTimeouts(t *testing.T) {
	stop := func(note func(...any)) {
		timer := model.AfterFunc(time.Second, func() { note("f") })
		note(timer.Stop())
		settle()
	}
	work := func(note func(...any)) {
		done := model.NewChan[int](1)
		model.Go(func() { done.Send(1) })
		note(model.Select(model.After(time.Second).RecvCase(nil), done.RecvCase(nil)))
	}
	slow := func(note func(...any)) {
		done := model.NewChan[int](1)
		model.Go(func() { model.Sleep(time.Minute); done.Send(1) })
		note(model.Select(model.After(time.Second).RecvCase(nil), done.RecvCase(nil)))
		model.Sleep(time.Hour)
	}
	order := func(note func(...any)) {
		late, early := model.After(2*time.Second), model.After(time.Second)
		early.Recv()
		note(model.TrySelect(late.RecvCase(nil)))
	}
	drop := func(note func(...any)) {
		timer := model.NewTimer(time.Second)
		active := timer.Stop()
		note(active, model.TrySelect(timer.C.RecvCase(nil)))
	}
	reset := func(note func(...any)) {
		start := model.Now()
		timer := model.NewTimer(time.Second)
		active := timer.Reset(3 * time.Second)
		at := timer.C.Recv()
		model.Sleep(time.Minute)
		note(active, at.Sub(start), model.TrySelect(timer.C.RecvCase(nil)))
	}
	resetLate := func(note func(...any)) {
		start := model.Now()
		timer := model.NewTimer(time.Second)
		model.Sleep(2 * time.Second)
		active := timer.Reset(3 * time.Second)
		note(active, timer.C.Recv().Sub(start))
	}
	checkClauses(t, atRest, []clause{
		{"Stop keeps f from being called", []string{"true"}, stop},
		{"work is done before the timeout", []string{"1"}, work},
		{"a sleep that is longer than the timeout is not", []string{"0"}, slow},
		{"a later timer fires later", []string{"-1"}, order},
		{"Stop drops the value", []string{"true -1"}, drop},
		{"Reset of a running timer: it fires at the new time only", []string{"true 3s -1"}, reset},
		{"Reset drops a value that was not received", []string{"true 5s"}, resetLate},
	})
	checkClauses(t, capturing, []clause{
		{"early/Stop keeps f from being called, or comes too late", []string{"f; false", "true"}, stop},
		{"early/work is done before the timeout or not", []string{"0", "1"}, work},
		{"early/a sleep that is longer than the timeout is not", []string{"0"}, slow},
		{"early/a later timer fires later, perhaps directly", []string{"-1", "0"}, order},
		{"early/Stop drops the value", []string{"true -1"}, drop},
		{"early/Reset: it fires at the new time only, counted from when it had fired", []string{"true 3s -1", "true 4s -1"}, reset},
		{"early/Reset drops a value that was not received", []string{"true 5s", "true 6s"}, resetLate},
	})
}
