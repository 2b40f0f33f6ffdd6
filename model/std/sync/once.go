package sync

import (
	"sync/atomic"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// Once is [sync.Once]. What was done before the run, by an init function perhaps, is
// not done again; what a run did is done anew by the next.
type Once struct {
	done atomic.Bool // by a goroutine that is not modelled
	once model.Once
}

// Do is [sync.Once.Do].
func (o *Once) Do(f func()) {
	if sched.Current() != nil && o.done.Load() {
		return
	}
	o.once.Do(func() {
		if sched.Current() == nil {
			defer o.done.Store(true)
		}
		f()
	})
}
