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

// Write stands for a variable that is about to be written: s[i] = v becomes
// *Write(&s[i], "s[i]") = v. It is no step.
func Write[T any](p *T, name string) *T {
	access(unsafe.Pointer(p), unsafe.Sizeof(*p), name, true)
	return p
}

// ReadMap stands for a map of which something is read. A map is one variable: that is how
// Go's race detector sees it too.
func ReadMap[M ~map[K]V, K comparable, V any](m M, name string) M {
	access(pointer(m), 1, name, false)
	return m
}

// WriteMap stands for a map that is about to be written.
func WriteMap[M ~map[K]V, K comparable, V any](m M, name string) M {
	access(pointer(m), 1, name, true)
	return m
}

func access(p unsafe.Pointer, size uintptr, name string, write bool) {
	if g := sched.Current(); g != nil && p != nil && size > 0 { // variables without a size may share an address
		g.Access(p, name, write)
	}
}
