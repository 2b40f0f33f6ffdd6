package lang

import (
	"runtime"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// Go is the statement go f().
func Go(f func()) { model.Go(f) }

// Gosched is [runtime.Gosched].
func Gosched() { model.Gosched() }

// Goexit is [runtime.Goexit].
func Goexit() {
	if g := sched.Current(); g != nil {
		g.Exit()
	}
	runtime.Goexit()
}

// NumGoroutine is [runtime.NumGoroutine]: under control it counts the goroutines of the
// run.
func NumGoroutine() int {
	if g := sched.Current(); g != nil {
		return g.Goroutines()
	}
	return runtime.NumGoroutine()
}

// Outside is f, which belongs to code that is not under control, or the end of the run when
// it is about to be used in one; the text says why.
func Outside[F any](f F, why string) F {
	if g := sched.Current(); g != nil {
		g.Misuse(why)
	}
	return f
}

// Make takes note of a channel that was just made and returns it.
func Make[C ~chan T, T any](c C) C {
	if sched.Current() == nil {
		remember((chan T)(c))
		return c
	}
	bind(pointer(c), endsOf(model.NewChan[T](cap(c))))
	return c
}

// Sending is a channel on its way to a send.
type Sending[T any] struct {
	c chan<- T
	e *ends[T]
}

// To is the channel of the statement c <- v.
func To[T any](c chan<- T) Sending[T] {
	return Sending[T]{c, find[T](sched.Current(), pointer(c))}
}

// Send is the statement. That it is a method of something that has fixed T lets v be
// converted as the statement does.
func (s Sending[T]) Send(v T) {
	if s.e != nil {
		s.e.in.Send(v)
		return
	}
	defer use(pointer(s.c))()
	s.c <- v
}

// Recv is the expression <-c.
func Recv[T any](c <-chan T) T {
	v, _ := RecvOK(c)
	return v
}

// RecvOK is the expression <-c where it has two values.
func RecvOK[T any](c <-chan T) (v T, ok bool) {
	if e := find[T](sched.Current(), pointer(c)); e != nil {
		return e.out.RecvOK()
	}
	defer use(pointer(c))()
	v, ok = <-c
	return v, ok
}

// Close is close(c).
func Close[T any](c chan<- T) {
	if e := find[T](sched.Current(), pointer(c)); e != nil {
		e.in.Close()
		return
	}
	close(c)
}

// Len is len(c).
func Len[T any](c <-chan T) int {
	if e := find[T](sched.Current(), pointer(c)); e != nil {
		return e.out.Len()
	}
	return len(c)
}

// LenTo is len(c) of a channel that can only be sent to.
func LenTo[T any](c chan<- T) int {
	if e := find[T](sched.Current(), pointer(c)); e != nil {
		return e.in.Len()
	}
	return len(c)
}

// Range returns c, and a zero value for a variable that a loop over c shares among
// its turns.
func Range[T any](c <-chan T) (_ <-chan T, v T) { return c, v }
