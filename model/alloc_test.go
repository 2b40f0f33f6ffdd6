package model_test

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/sched"
)

// TestOperationsDoNotAllocate: more operations make no more allocations. (A
// SendCase allocates when its value does not fit into an interface as it is.)
func TestOperationsDoNotAllocate(t *testing.T) {
	e := sched.New(sched.Config{})
	defer e.Close()
	for _, op := range perOperation {
		if op.allocates {
			continue
		}
		t.Run(op.name, func(t *testing.T) {
			few := allocations(e, func() { op.body(1000) })
			if many := allocations(e, func() { op.body(2000) }); many > few {
				t.Errorf("1000 more repetitions allocate %v times more", many-few)
			}
		})
	}
}

func allocations(e *sched.Engine, body func()) float64 {
	return testing.AllocsPerRun(10, func() { e.Run(body, onward{}, sched.RunOptions{}) })
}
