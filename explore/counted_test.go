package explore

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// A program that counts its goroutines sees all numbers that there can be, though steps
// that are independent decide on them.
func TestCountedGoroutines(t *testing.T) {
	seen := map[int]bool{}
	r := RunExhaustive(func() {
		c, d := model.NewChan[int](1), model.NewChan[int](1)
		model.Go(func() { c.Send(1) })
		d.Send(1)
		seen[sched.Current().Goroutines()] = true
	})
	if r.Failed() || !r.Coverage.Complete || r.Coverage.Unreduced != "the program counts its goroutines" {
		t.Errorf("%v: want a complete search without reduction", r)
	}
	if !seen[1] || !seen[2] || len(seen) != 2 {
		t.Errorf("counted %v, want 1 and 2", seen)
	}
}
