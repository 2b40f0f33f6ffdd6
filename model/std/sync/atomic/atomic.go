// Package atomic takes the place of package sync/atomic in programs that "modelcheck
// test" has rewritten; see package lang. Every operation is a step.
package atomic

import (
	"unsafe"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/model/std/lang"
	"github.com/modelcheck-go/modelcheck/sched"
)

type (
	Bool           = model.Bool
	Int32          = model.Int32
	Int64          = model.Int64
	Uint32         = model.Uint32
	Uint64         = model.Uint64
	Value          = model.Value
	Pointer[T any] = model.Pointer[T]
)

// The variable itself holds the value; the scheduler knows its address only. A nil
// address is no step: the operation itself will panic.

func object(g *sched.G, p unsafe.Pointer) *sched.Object {
	return g.Object(lang.Ref(p), sched.KindAtomic)
}

func read(p unsafe.Pointer) {
	if g := sched.Current(); g != nil && p != nil {
		g.Read(object(g, p))
	}
}

// write reports false when the variable must not be changed, because its goroutine is
// being unwound.
func write(p unsafe.Pointer) bool {
	g := sched.Current()
	return g == nil || p == nil || g.Write(object(g, p))
}

// overwrite is write for an operation that does not see the value before.
func overwrite(p unsafe.Pointer) bool {
	g := sched.Current()
	return g == nil || p == nil || g.Overwrite(object(g, p))
}

// tryWrite is write if holds is true when it happens, and read otherwise.
func tryWrite(p unsafe.Pointer, holds holder) bool {
	g := sched.Current()
	return g == nil || p == nil || g.TryWrite(object(g, p), holds, nil)
}

// holder says whether the variable holds the value that it is compared with.
type holder func() bool

// Holds is for the scheduler.
func (h holder) Holds(any) bool { return h() }
