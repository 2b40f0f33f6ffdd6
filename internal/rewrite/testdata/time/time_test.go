package hurried

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// The sleep is long enough, and the timeout is not hit: a test may rely on that.
func TestPatience(t *testing.T) {
	done := make(chan bool, 1)
	var n atomic.Int32
	go func() { n.Add(1); done <- true }()
	time.Sleep(time.Millisecond)
	if n.Load() != 1 {
		t.Fatal("not started yet")
	}
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("timeout")
	}
}

// That another goroutine is left behind when the deadline comes early is news.
func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answer := make(chan int)
	go func() { answer <- 1 }()
	select {
	case <-answer:
	case <-ctx.Done():
	}
}

// So is one that is left behind when a sleep is short, and when a tick comes early.
func TestSleep(t *testing.T) {
	var closed atomic.Bool
	c := make(chan int)
	go func() {
		runtime.Gosched()
		if closed.Load() {
			c <- 1
		}
	}()
	time.Sleep(time.Minute)
	closed.Store(true)
}

func TestTick(t *testing.T) {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	answer := make(chan int)
	go func() { answer <- 1 }()
	select {
	case <-answer:
	case <-ticker.C:
	}
}

// A goroutine may spin until a sleep ends.
func TestSpin(t *testing.T) {
	var slept atomic.Bool
	go func() { time.Sleep(time.Minute); slept.Store(true) }()
	for !slept.Load() {
		runtime.Gosched()
	}
}

// A failure is one where time waits, too.
func TestWrong(t *testing.T) {
	go time.Sleep(time.Second)
	time.Sleep(time.Minute)
	t.Error("always")
}

// Like a failure, a panic of the test itself is one where time waits; that of another
// goroutine is one everywhere.
func TestPanic(t *testing.T) {
	var done atomic.Bool
	go func() { runtime.Gosched(); done.Store(true) }()
	time.Sleep(time.Minute)
	if !done.Load() {
		panic("not done yet")
	}
}

func TestPanicElsewhere(t *testing.T) {
	var done atomic.Bool
	go func() { runtime.Gosched(); done.Store(true) }()
	go func() {
		time.Sleep(time.Minute)
		if !done.Load() {
			panic("not done yet")
		}
	}()
}
