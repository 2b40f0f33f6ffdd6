package model_test

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/sched"
)

// TestOperationsDoNotAllocate: doubling the operations of a run adds no
// allocation, except the boxed value of a SendCase.
func TestOperationsDoNotAllocate(t *testing.T) {
	e := sched.New(sched.Config{})
	defer e.Close()
	for _, op := range perOperation {
		want := 0.0
		if op.name == "SelectSendSelectRecv" {
			continue
		}
		t.Run(op.name, func(t *testing.T) {
			few := allocations(e, func() { op.body(1000) })
			many := allocations(e, func() { op.body(2000) })
			if many-few > want {
				t.Errorf("1000 more repetitions allocate %v times more", many-few)
			}
		})
	}
}

func allocations(e *sched.Engine, body func()) float64 {
	return testing.AllocsPerRun(10, func() { e.Run(body, onward{}, sched.RunOptions{}) })
}
