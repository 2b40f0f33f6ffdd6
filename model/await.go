package model

import (
	"runtime"
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Await waits until cond holds. It stands for a loop that reads until it finds what it
// is waiting for, as in a spin lock, without the rounds in which nothing has changed:
//
//	model.Await(func() bool { return head.Load() != tail.Load() })
//
// cond may read atomic variables, Shared variables, maps, lengths of channels and the
// Err of contexts, and must depend on nothing else: not on variables that change
// without those, not on the clock. It must not wait for anything or change anything,
// and it is called any number of times. Reading all that it reads is one step.
//
// Under control each look at cond is a step: the first one at any moment, a further one
// when something that cond read has changed. A goroutine that waits for a condition
// that stays false is blocked for ever. A condition that does something else than read,
// or reads nothing and does not hold, is reported as a misuse.
//
// Natively it calls cond again and again, first yielding in between, then sleeping up
// to a millisecond: it costs processor time while it waits, and may notice a change
// late or, if that does not last, not at all.
func Await(cond func() bool) {
	if g := sched.Current(); g != nil {
		g.AwaitCond(cond)
		return
	}
	const yields, longest = 100, time.Millisecond
	wait := time.Microsecond
	for i := 0; !cond(); i++ {
		if i < yields {
			runtime.Gosched()
			continue
		}
		time.Sleep(wait)
		wait = min(2*wait, longest)
	}
}
