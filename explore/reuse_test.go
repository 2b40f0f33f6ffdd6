package explore

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

// TestExhaustWaitGroupReuse: whether a wait group is used again too early depends on
// when a Wait began, which reduction does not see. It has to notice that, and must
// not where the rounds are in order.
func TestExhaustWaitGroupReuse(t *testing.T) {
	const tooEarly = "a wait group is used again while somebody may still wait"
	again := func(wg *model.WaitGroup) { wg.Done(); wg.Add(1); wg.Done() }
	for _, c := range []struct {
		name      string
		verdict   string
		unreduced string
		body      func()
	}{
		{"by the one who is done", "fail", tooEarly, func() {
			var wg model.WaitGroup
			wg.Add(1)
			model.Go(func() { again(&wg) })
			wg.Wait()
		}},
		{"the Wait is late by default", "fail", tooEarly, func() {
			var wg model.WaitGroup
			var x model.Int32
			wg.Add(1)
			model.Go(func() { again(&wg) })
			model.Go(func() { x.Load(); wg.Wait() })
		}},
		{"the Wait is early by default", "fail", tooEarly, func() {
			var wg model.WaitGroup
			var x model.Int32
			wg.Add(1)
			model.Go(func() { x.Load(); wg.Wait() })
			model.Go(func() { again(&wg) })
		}},
		{"a recovered panic of Wait", "pass", tooEarly, func() {
			var wg model.WaitGroup
			wg.Add(1)
			model.Go(func() { again(&wg) })
			defer func() { _ = recover() }()
			wg.Wait()
		}},
		{"rounds in order", "pass", "", func() {
			var wg model.WaitGroup
			for range 3 {
				for range 2 {
					wg.Go(model.Gosched)
				}
				wg.Wait()
			}
		}},
		{"rounds in order, the Wait elsewhere", "pass", "", func() {
			var wg model.WaitGroup
			done := model.NewChan[int](0)
			for range 2 {
				wg.Add(1)
				model.Go(wg.Done)
				model.Go(func() { wg.Wait(); done.Send(1) })
				done.Recv()
			}
		}},
		{"raised and lowered before anybody waits", "pass", "", func() {
			var wg model.WaitGroup
			wg.Add(1)
			wg.Done()
			wg.Go(model.Gosched)
			wg.Wait()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := RunExhaustive(c.body)
			if r.Verdict() != c.verdict || c.verdict == "pass" && (!r.Coverage.Complete || r.Coverage.Unreduced != c.unreduced) {
				t.Errorf("got %v, want %s, without reduction since %q", r, c.verdict, c.unreduced)
			}
			if brute := RunExhaustive(c.body, WithStrategy("brute")); brute.Verdict() != c.verdict {
				t.Errorf("brute force: %v, want %s", brute, c.verdict)
			}
		})
	}
}
