package model

import (
	"sync"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Once is [sync.Once]. The zero value is ready to use; it must not be copied after
// first use.
type Once struct {
	ref  sched.Ref
	once sync.Once
}

// Do calls f if it is the first call of Do on o, and otherwise waits until that
// first f has returned. A panic in f counts as a return. If f calls Do on the same
// o, it waits for itself for ever.
//
// Under control entering Do is a step, and so is the end of f.
func (o *Once) Do(f func()) {
	g := sched.Current()
	if g == nil {
		sched.Foreign(&o.ref, "once do")
		o.once.Do(f)
		return
	}
	if g.OnceEnter(&o.ref) {
		defer g.OnceExit(&o.ref)
		f()
	}
}
