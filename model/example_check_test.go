package model_test

import (
	"errors"
	"fmt"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
)

// found prints what a check of body finds.
func found(body func()) {
	for _, f := range explore.Run(body, explore.Seed(1)).Findings {
		fmt.Println(f.Goroutine, f.Kind, f.Op, f.Object, f.Message)
	}
}

func ExampleGo() {
	found(func() {
		results := model.Named(model.NewChan[int](0), "results")
		model.GoNamed("worker", func() { results.Send(1) })
		// Nobody receives: the worker is blocked for ever.
	})
	// Output: main.1 blocked forever send chan results (cap 0)
}

func ExampleDaemon() {
	found(func() {
		requests := model.NewChan[int](0)
		model.Daemon("server", func() {
			for range requests.All() {
			}
		})
		requests.Send(1)
		// The server may go on waiting: nothing is found.
	})
	// Output:
}

func ExampleAssert() {
	found(func() {
		var n model.Int32
		var wg model.WaitGroup
		for range 2 {
			wg.Go(func() { n.Store(n.Load() + 1) })
		}
		wg.Wait()
		model.Assert(n.Load() == 2, "no update is lost")
	})
	// Output: main broken assertion assert  no update is lost
}

func ExampleAtEnd() {
	found(func() {
		var stopped model.Bool
		model.AtEnd("the server was stopped", func() error {
			if !stopped.Load() {
				return errors.New("it still runs")
			}
			return nil
		})
		ctx, cancel := model.WithCancel(model.Background())
		model.Go(func() {
			if ctx.Err() != nil {
				stopped.Store(true)
			}
		})
		cancel()
	})
	// Output:  broken invariant at end the server was stopped it still runs
}

func ExampleInvariant() {
	found(func() {
		var leaders model.Int32
		model.Invariant("one leader at most", []model.Object{&leaders}, func() error {
			if n := leaders.Load(); n > 1 {
				return fmt.Errorf("there are %d", n)
			}
			return nil
		})
		for range 2 {
			model.Go(func() {
				if leaders.Load() == 0 { // and another one may do the same
					leaders.Add(1)
				}
			})
		}
	})
	// Output: main.1 broken invariant invariant one leader at most there are 2
}

func ExampleSometimes() {
	// A check that never gets where it should be is found out.
	report := explore.Run(func() {
		done := model.NewChan[int](1)
		model.Go(func() { done.Send(1) })
		got := model.TrySelect(done.RecvCase(nil))
		model.Sometimes(got == 0, "it was there in time")
		model.Sometimes(got == 1, "there was a second case")
	})
	for _, f := range report.Findings {
		fmt.Println(f.Kind, "-", f.Object)
	}
	// Output: never reached - there was a second case
}

func ExampleLog() {
	report := explore.Run(func() {
		model.Log("starting", 1)
		model.Assert(false, "shows the log")
	})
	for _, ev := range report.Trace {
		fmt.Println(ev.Goroutine, ev.Op, ev.Note)
	}
	// Output: main log starting 1
}

func ExampleGosched() {
	// A step that does nothing lets others come in between two parts of plain code.
	found(func() {
		n := 0
		var wg model.WaitGroup
		for range 2 {
			wg.Go(func() {
				read := n
				model.Gosched()
				n = read + 1
			})
		}
		wg.Wait()
		model.Assert(n == 2, "no update is lost")
	})
	// Output: main broken assertion assert  no update is lost
}
