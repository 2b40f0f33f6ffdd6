package lang

import (
	"unsafe"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Read stands for reading the variable at p: x becomes *Read(&x, "x"). It is no step.
func Read[T any](p *T, name string) *T {
	access(unsafe.Pointer(p), unsafe.Sizeof(*p), name, false)
	return p
}

// Wrote says that the variable at p was just written: x = v; Wrote(&x, "x").
func Wrote[T any](p *T, name string) {
	access(unsafe.Pointer(p), unsafe.Sizeof(*p), name, true)
}

func access(p unsafe.Pointer, size uintptr, name string, write bool) {
	if g := sched.Current(); g != nil && size > 0 { // variables without a size may share an address
		g.Access(p, name, write)
	}
}
