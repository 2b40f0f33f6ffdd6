package lifecycle

import (
	"fmt"
	"slices"

	"github.com/modelcheck-go/modelcheck/model"
)

// history is what the invariants judge in the end. Nothing in the service depends on
// it.
type history struct {
	accepted, done []job
	stoppedEarly   bool // the worker was there when Stop had returned
}

// require states what has to hold when nothing can happen any more. L0, that no
// goroutine is left then and no lock held, need not be stated.
func (s *service) require() {
	model.AtEnd("L1: a job is done once if Submit accepted it, and else not", s.jobsDone)
	model.AtEnd("L2: when Stop returns the worker is gone", func() error {
		if s.stoppedEarly {
			return fmt.Errorf("it was there")
		}
		return nil
	})
}

func (h *history) jobsDone() error {
	accepted, done := slices.Sorted(slices.Values(h.accepted)), slices.Sorted(slices.Values(h.done))
	if !slices.Equal(accepted, done) {
		return fmt.Errorf("accepted %v, did %v", accepted, done)
	}
	return nil
}
