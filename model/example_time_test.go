package model_test

import (
	"fmt"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

func ExampleAfter() {
	// In a controlled run both outcomes are explored, because work may always be
	// slower than a timeout.
	result := model.NewChan[string](1)
	model.Go(func() { result.Send("done") })
	var s string
	switch model.Select(result.RecvCase(&s), model.After(time.Minute).RecvCase(nil)) {
	case 0:
		fmt.Println(s)
	case 1:
		fmt.Println("timeout")
	}
	// Output: done
}

func ExampleSleep() {
	start := model.Now()
	model.Sleep(time.Millisecond) // no time at all in a controlled run
	fmt.Println(model.Since(start) >= time.Millisecond)
	// Output: true
}

func ExampleNow() {
	deadline := model.Now().Add(time.Hour)
	fmt.Println(model.Until(deadline) <= time.Hour)
	// Output: true
}

func ExampleNewTimer() {
	timer := model.NewTimer(time.Hour)
	fmt.Println(timer.Stop(), timer.Reset(time.Millisecond))
	timer.C.Recv()
	fmt.Println("fired")
	fmt.Println(timer.Stop())
	// Output:
	// true false
	// fired
	// false
}

func ExampleTimer_Reset() {
	idle := model.NewTimer(time.Hour)
	// Something has come: the hour begins again. What the timer might have sent before
	// is not received afterwards, so nothing has to be drained first.
	fmt.Println(idle.Reset(time.Millisecond))
	idle.C.Recv()
	fmt.Println(idle.Reset(time.Hour)) // it had fired
	fmt.Println(idle.Stop())
	// Output:
	// true
	// false
	// true
}

func ExampleTimer_Stop() {
	timer := model.AfterFunc(time.Hour, func() { fmt.Println("too late") })
	fmt.Println(timer.Stop()) // the function will not be called
	fmt.Println(timer.Stop()) // there is nothing to stop any more
	// Output:
	// true
	// false
}

func ExampleAfterFunc() {
	var wg model.WaitGroup
	wg.Add(1)
	model.AfterFunc(time.Millisecond, func() {
		fmt.Println("called")
		wg.Done()
	})
	wg.Wait()
	// Output: called
}

func ExampleNewTicker() {
	ticker := model.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for i := range 3 {
		ticker.C.Recv()
		fmt.Println("tick", i)
	}
	// Output:
	// tick 0
	// tick 1
	// tick 2
}

func ExampleTicker_Reset() {
	ticker := model.NewTicker(time.Hour)
	defer ticker.Stop()
	ticker.Reset(time.Millisecond) // also turns on a ticker that was stopped
	ticker.C.Recv()
	fmt.Println("tick")
	// Output: tick
}

func ExampleTicker_Stop() {
	ticker := model.NewTicker(time.Millisecond)
	ticker.C.Recv()
	ticker.Stop() // C is not closed, it just stays empty
	fmt.Println(model.TrySelect(ticker.C.RecvCase(nil)))
	// Output: -1
}

func ExampleSince() {
	start := model.Now()
	model.Sleep(2 * time.Millisecond)
	fmt.Println(model.Since(start) > time.Millisecond)
	// Output: true
}

func ExampleUntil() {
	deadline := model.Now().Add(-time.Second)
	fmt.Println(model.Until(deadline) < 0)
	// Output: true
}

func ExampleTick() {
	never := model.Tick(0)
	fmt.Println(model.TrySelect(never.RecvCase(nil)))
	// Output: -1
}
