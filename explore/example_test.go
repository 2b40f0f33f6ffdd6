package explore_test

import (
	"fmt"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
)

// Two goroutines take the same two locks in opposite order: in some schedules
// each waits for the other's.
func ExampleRun() {
	r := explore.Run(func() {
		a := model.Named(new(model.Mutex), "a")
		b := model.Named(new(model.Mutex), "b")
		model.GoNamed("other", func() {
			b.Lock()
			a.Lock()
			a.Unlock()
			b.Unlock()
		})
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
	})
	fmt.Print(r)
	// Output:
	// fail: 2 findings in 2 schedules (portfolio, seed 0), 12 steps
	// main blocked: lock mutex b at example_test.go:23 (deadlock)
	// other (main.1) blocked: lock mutex a at example_test.go:18 (deadlock)
	//
	// 3 steps, minimal: 1 preemption (marked >: the goroutine that ran before could have gone on):
	//   step     main            other (main.1)  at
	//      1     go other                        example_test.go:16
	//      2   ┌ lock a                          example_test.go:22
	//      3 > │               ┌ lock b          example_test.go:17
	//    end   │ ✗ lock b      │                 example_test.go:23
	//    end   │               │ ✗ lock a        example_test.go:18
	//
	// who waits for whom:
	//   deadlock: main -> mutex b -> other (main.1) -> mutex a -> main
	//
	// at the end:
	//   main blocked: lock mutex b at example_test.go:23 (deadlock)
	//       waiting since step 2
	//       mutex b was made at example_test.go:15
	//       holding mutex a (locked at example_test.go:22)
	//       it is held by other (main.1) since step 3, example_test.go:17, which is blocked at lock mutex a, example_test.go:18
	//   other (main.1) blocked: lock mutex a at example_test.go:18 (deadlock)
	//       waiting since step 3
	//       mutex a was made at example_test.go:14
	//       holding mutex b (locked at example_test.go:17)
	//       it is held by main since step 2, example_test.go:22, which is blocked at lock mutex b, example_test.go:23
	// minimised from 2 preemptions in 3 steps (16 runs); no schedule with fewer preemptions shows this (1 more run)
	// schedule: mc1:m-2=m.1_lock:cb4360c7
}

// A test of a variant that is known to be wrong says how it is wrong.
func ExampleExpect() {
	r := explore.Run(func() {
		reqCh := model.Named(model.NewChan[int](0), "reqCh")
		ctx, cancel := model.WithCancel(model.Background())
		model.GoNamed("receiver", func() { reqCh.Send(1) })
		model.GoNamed("client", func() { cancel() })
		model.Select(reqCh.RecvCase(nil), ctx.Done().RecvCase(nil))
	}, explore.Expect(explore.Blocked("receiver", "send", "reqCh")))
	fmt.Println(r.Verdict())
	// Output: expected
}

// A schedule runs again what an earlier report showed.
func ExampleReplay() {
	body := func() {
		c := model.NewChan[string](2)
		for _, name := range []string{"first", "second"} {
			model.Go(func() { c.Send(name) })
		}
		winner := c.Recv()
		model.Log("the winner is", winner)
		model.Assert(winner == "first", "the first wins")
	}
	r := explore.Run(body)
	again := explore.Replay(body, r.Schedule)
	fmt.Println(again.Key() == r.Key(), again.Hash == r.Hash)
	// Output: true true
}

// A strategy of one's own decides what happens next.
func ExampleWithSearch() {
	r := explore.Run(func() {
		model.Go(func() {})
		model.Gosched()
	}, explore.WithSearch("walk", func(s explore.Setup) explore.Strategy {
		return explore.NewRandom(s.Seed)
	}))
	fmt.Println(r.Verdict(), r.Strategy)
	// Output: pass walk
}
