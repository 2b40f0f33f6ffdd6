package sched

import (
	"runtime"
	"strconv"
	"strings"
)

// foreignUse is a model call on an object of a controlled run by a goroutine
// that the scheduler does not know.
type foreignUse struct{ err error }

// ForeignUse records that an ordinary goroutine performs an operation, such as
// "chan send", on o, an object of a controlled run, and ends that goroutine: the
// run is reported as a misuse instead of going on with an operation that it does
// not control. When the engine is closed there is nobody to report to: a goroutine that
// a modelled one has started just ends, since a panic in it would end the process;
// any other panics.
func ForeignUse(o *Object, op string) {
	err := errorf("%s on an object of a controlled run by a goroutine that is not modelled, at %s: %s", op, callSite(), o.e.advice)
	if o.e.closed.Load() && !o.e.numbers[creator()] {
		panic(err.Error())
	}
	o.e.foreign.CompareAndSwap(nil, &foreignUse{err})
	runtime.Goexit()
}

// creator returns the number of the goroutine that started the calling one, as
// stack traces give it; 0 when it is not to be seen there.
func creator() int64 {
	buf := make([]byte, 1<<16)
	text := string(buf[:runtime.Stack(buf, false)])
	_, text, _ = strings.Cut(text[strings.LastIndex(text, "\ncreated by ")+1:], " in goroutine ")
	text, _, _ = strings.Cut(text, "\n")
	number, _ := strconv.ParseInt(text, 10, 64)
	return number
}

// Foreign is ForeignUse for a zero-value primitive: it returns when r is free for
// native use, which is when no run that is still open has bound it.
func Foreign(r *Ref, op string) {
	if r.run.Load() != 0 {
		r.release(op)
	}
}

func (r *Ref) release(op string) {
	if o := r.obj; o != nil && o.e.phase.Load() == r.run.Load()<<1|1 {
		ForeignUse(o, op)
	}
	r.run.Store(0)
}
