// Package context takes the place of package context in programs that "modelcheck
// test" has rewritten; see package lang. A Context is one of package context. Those
// that are made in a controlled run are package model's, behind that interface.
package context

import (
	"context"
	"fmt"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/model/std/lang"
	"github.com/modelcheck-go/modelcheck/model/std/time"
	"github.com/modelcheck-go/modelcheck/sched"
)

type (
	Context         = context.Context
	CancelFunc      = context.CancelFunc
	CancelCauseFunc = context.CancelCauseFunc
)

var (
	Canceled         = context.Canceled
	DeadlineExceeded = context.DeadlineExceeded
)

// Background is [context.Background].
func Background() Context { return context.Background() }

// TODO is [context.TODO].
func TODO() Context { return context.TODO() }

// WithValue is [context.WithValue].
func WithValue(parent Context, key, val any) Context { return context.WithValue(parent, key, val) }

// WithoutCancel is [context.WithoutCancel].
func WithoutCancel(parent Context) Context { return context.WithoutCancel(parent) }

// WithCancel is [context.WithCancel].
func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	if sched.Current() == nil {
		ctx, cancel := context.WithCancel(parent)
		ctx, cause := remembered(ctx, func(error) { cancel() })
		return ctx, func() { cause(nil) }
	}
	m, cancel := model.WithCancel(modelled(parent))
	return real(m), cancel
}

// WithCancelCause is [context.WithCancelCause].
func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	if sched.Current() == nil {
		ctx, cancel := context.WithCancelCause(parent)
		return remembered(ctx, cancel)
	}
	m, cancel := model.WithCancelCause(modelled(parent))
	return real(m), cancel
}

// early is a context that was made outside of every run, by an init function for example.
// Runs can use it, but not cancel it: the next one would find it changed.
type early struct{ Context }

type earlyKey struct{}

func (e early) Value(key any) any {
	if key == (earlyKey{}) {
		return e
	}
	return e.Context.Value(key)
}

func (e early) String() string { return fmt.Sprint(e.Context) }

// remembered returns what stands for a context that is made outside of every run, and for
// its cancel. One with a deadline is left alone: the real time would decide when it is done.
func remembered(ctx Context, cancel CancelCauseFunc) (Context, CancelCauseFunc) {
	if _, timed := ctx.Deadline(); timed {
		return ctx, cancel
	}
	lang.RememberDone(ctx.Done())
	return early{ctx}, func(cause error) {
		if g := sched.Current(); g != nil && ctx.Err() == nil {
			g.Misuse("a context that was made before the run is cancelled in it: make it in the test")
		}
		cancel(cause)
	}
}

// WithDeadline is [context.WithDeadline].
func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

// WithDeadlineCause is [context.WithDeadlineCause].
func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	if sched.Current() == nil {
		return context.WithDeadlineCause(parent, d, cause)
	}
	m, cancel := model.WithDeadlineCause(modelled(parent), d, cause)
	return real(m), cancel
}

// WithTimeout is [context.WithTimeout].
func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithTimeoutCause(parent, timeout, nil)
}

// WithTimeoutCause is [context.WithTimeoutCause].
func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	if sched.Current() == nil {
		return context.WithTimeoutCause(parent, timeout, cause)
	}
	m, cancel := model.WithTimeoutCause(modelled(parent), timeout, cause)
	return real(m), cancel
}

// AfterFunc is [context.AfterFunc].
func AfterFunc(ctx Context, f func()) (stop func() bool) {
	if sched.Current() == nil {
		return context.AfterFunc(ctx, f)
	}
	return model.ContextAfterFunc(modelled(ctx), f)
}

// Cause is [context.Cause].
func Cause(c Context) error {
	if sched.Current() == nil {
		return context.Cause(c)
	}
	cause := model.Cause(modelled(c))
	if e, ok := c.Value(earlyKey{}).(early); ok && cause == Canceled {
		if own := context.Cause(e.Context); own != nil {
			return own // which the model of e does not know
		}
	}
	return cause
}

// controlled is a context of package model as one of package context.
type controlled struct {
	model.Context
	done <-chan struct{} // stands for that of the Context
}

func real(m model.Context) Context { return &controlled{m, lang.Bind(m.Done())} }

func (c *controlled) Done() <-chan struct{} { return c.done }

func (c *controlled) String() string { return fmt.Sprint(c.Context) }

// wrapped is any other context as one of package model: one that is never done, or
// that a type of the program makes out of others.
type wrapped struct{ Context }

func (w wrapped) Done() model.RecvOnly[struct{}] { return lang.Model(w.Context.Done()) }

func (w wrapped) String() string {
	if s, ok := w.Context.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", w.Context)
}

// afterFuncer is a wrapped context that can itself call a function when it is done.
type afterFuncer struct {
	wrapped
	caller
}

type caller interface {
	AfterFunc(f func()) (stop func() bool)
}

func modelled(ctx Context) model.Context {
	if ctx == nil {
		return nil
	}
	if c, ok := ctx.(*controlled); ok {
		return c.Context
	}
	if c, ok := ctx.(caller); ok {
		return afterFuncer{wrapped{ctx}, c}
	}
	return wrapped{ctx}
}
