package model

import (
	"runtime"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Go starts fn in a new goroutine, as the statement `go fn()` does. Under control
// it is a step: the goroutine that calls it may be overtaken before and after.
//
// A goroutine that is still blocked when nothing can happen any more is a
// finding; see [Daemon].
func Go(fn func()) {
	if g := sched.Current(); g != nil {
		g.Go(fn, "", false)
		return
	}
	go fn()
}

// GoNamed is [Go] with a name that reports show beside the goroutine's path.
func GoNamed(name string, fn func()) {
	if g := sched.Current(); g != nil {
		g.Go(fn, name, false)
		return
	}
	go fn()
}

// Daemon is [GoNamed] for a goroutine that may be blocked for ever without that
// being a finding: one that serves the program for as long as it lives. A lock
// that it still holds at the end is a finding all the same.
func Daemon(name string, fn func()) {
	if g := sched.Current(); g != nil {
		g.Go(fn, name, true)
		return
	}
	go fn()
}

// Gosched is [runtime.Gosched]: a step that does nothing but let others go first. Under
// control a loop that looks and yields is treated fairly: after a few rounds in which the
// goroutine only looked, it waits here until something that it looked at has changed, or
// until nothing else can happen. If nothing comes of that either, it is a livelock. What
// counts as a look is a Load, Get, Len or Err, and a CompareAndSwap, TryLock or TryRLock
// that fails; a [TrySelect] that takes its default waits likewise when it is repeated.
func Gosched() {
	if g := sched.Current(); g != nil {
		g.Yield()
		return
	}
	runtime.Gosched()
}
