// Package sync takes the place of package sync in programs that "modelcheck test" has
// rewritten; see package lang. Goroutines that are not modelled get what the
// original does.
package sync

import (
	"sync"

	"github.com/modelcheck-go/modelcheck/model"
)

type (
	Locker    = sync.Locker
	Cond      = model.Cond
	Map       = model.Map
	Pool      = model.Pool
	WaitGroup = model.WaitGroup
)

// NewCond is [sync.NewCond].
func NewCond(l Locker) *Cond { return model.NewCond(l) }

// OnceFunc is [sync.OnceFunc].
func OnceFunc(f func()) func() { return model.OnceFunc(f) }

// OnceValue is [sync.OnceValue].
func OnceValue[T any](f func() T) func() T { return model.OnceValue(f) }

// OnceValues is [sync.OnceValues].
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) { return model.OnceValues(f) }
