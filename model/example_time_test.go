package model_test

import (
	"errors"
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

func ExampleTick() {
	never := model.Tick(0)
	fmt.Println(model.TrySelect(never.RecvCase(nil)))
	// Output: -1
}

func ExampleWithTimeout() {
	ctx, cancel := model.WithTimeout(model.Background(), time.Millisecond)
	defer cancel()
	ctx.Done().Recv()
	fmt.Println(ctx.Err())
	// Output: context deadline exceeded
}

func ExampleWithDeadlineCause() {
	errSlow := errors.New("the server is slow")
	ctx, cancel := model.WithDeadlineCause(model.Background(), model.Now(), errSlow)
	defer cancel()
	fmt.Println(ctx.Err(), model.Cause(ctx))
	// Output: context deadline exceeded the server is slow
}

func ExampleWithValue() {
	type key struct{}
	ctx := model.WithValue(model.Background(), key{}, "request 7")
	fmt.Println(ctx.Value(key{}))
	// Output: request 7
}

func ExampleWithoutCancel() {
	ctx, cancel := model.WithCancel(model.Background())
	cleanup := model.WithoutCancel(ctx) // goes on when the request is over
	cancel()
	fmt.Println(ctx.Err(), cleanup.Err())
	// Output: context canceled <nil>
}

func ExampleContextAfterFunc() {
	ctx, cancel := model.WithCancel(model.Background())
	done := model.NewChan[struct{}](0)
	stop := model.ContextAfterFunc(ctx, func() {
		fmt.Println("cleaning up")
		done.Close()
	})
	cancel()
	done.Recv()
	fmt.Println(stop())
	// Output:
	// cleaning up
	// false
}

func ExampleGroup() {
	g, ctx := model.NewGroup(model.Background())
	g.SetLimit(2)
	for i := range 3 {
		g.Go(func() error {
			if i == 1 {
				return fmt.Errorf("part %d failed", i)
			}
			return nil
		})
	}
	fmt.Println(g.Wait())
	fmt.Println(ctx.Err(), "-", model.Cause(ctx))
	// Output:
	// part 1 failed
	// context canceled - part 1 failed
}

func ExampleSemaphore() {
	slots := model.NewSemaphore(2)
	ctx, cancel := model.WithCancel(model.Background())
	fmt.Println(slots.Acquire(ctx, 2))
	fmt.Println(slots.TryAcquire(1))
	cancel()
	fmt.Println(slots.Acquire(ctx, 1))
	slots.Release(2)
	fmt.Println(slots.TryAcquire(1))
	// Output:
	// <nil>
	// false
	// context canceled
	// true
}
