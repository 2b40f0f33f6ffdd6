package sched

import "runtime"

// foreignUse is a model call on an object of a controlled run by a goroutine
// that the scheduler does not know.
type foreignUse struct{ err error }

// ForeignUse records that an ordinary goroutine performs an operation, such as
// "chan send", on o, an object of a controlled run, and ends that goroutine: the
// run is reported as a misuse instead of going on with an operation that it does
// not control. When the engine is closed it panics instead.
func ForeignUse(o *Object, op string) {
	err := errorf("%s on an object of a controlled run by a goroutine that is not modelled, at %s: start it with model.Go, not with a go statement, and keep objects inside the body that made them", op, callSite())
	if o.e.closed.Load() {
		panic(err.Error())
	}
	o.e.foreign.CompareAndSwap(nil, &foreignUse{err})
	runtime.Goexit()
}

// Foreign is ForeignUse for a zero-value primitive: it returns when r is free for
// native use, which is when no run that is still open has bound it.
func Foreign(r *Ref, op string) {
	if r.run.Load() != 0 {
		r.release(op)
	}
}

func (r *Ref) release(op string) {
	if o := r.obj; o != nil && r.run.Load() == o.e.current.Load() {
		ForeignUse(o, op)
	}
	r.run.Store(0)
}
