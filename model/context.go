package model

import (
	"context"
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Context is [context.Context], but Done returns a channel of this package.
//
// In a controlled run a cancellation is one step for the context and one for
// each context derived from it, the parent's first, as in package context; reading
// Err is a step; Deadline, Done and Value are none.
// A context made in a controlled run must be used by that run's goroutines only,
// and one made outside must not be used in it; Background and TODO are at home in
// both. A type of the program's own may implement Context, most simply by
// embedding one.
type Context interface {
	Deadline() (deadline time.Time, ok bool)
	Done() RecvOnly[struct{}]
	Err() error
	Value(key any) any
}

// CancelFunc and CancelCauseFunc cancel a context. Calls after the first do
// nothing; they may be made concurrently.
type (
	CancelFunc      = context.CancelFunc
	CancelCauseFunc = context.CancelCauseFunc
)

// The errors that Err returns are those of package context.
var (
	Canceled         = context.Canceled
	DeadlineExceeded = context.DeadlineExceeded
)

// Background returns an empty context that is never cancelled.
func Background() Context { return backgroundCtx }

// TODO is [Background] for a place where it is not yet clear which context to use.
func TODO() Context { return todoCtx }

// WithCancel returns a copy of parent that is also cancelled, with error
// [Canceled], by cancel. Under control it is a step that reads parent. It panics
// if parent is nil.
func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	if g := enter(parent); g != nil {
		c := newCancelCtx(g, parent, nil)
		return c, func() { c.cancelled(Canceled, nil) }
	}
	std, cancel := context.WithCancel(toStd(parent, "context with cancel"))
	return fromStd(std), cancel
}

// WithCancelCause is [WithCancel] with a cancel that takes the reason, which
// [Cause] then returns.
func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	if g := enter(parent); g != nil {
		c := newCancelCtx(g, parent, nil)
		return c, func(cause error) { c.cancelled(Canceled, cause) }
	}
	std, cancel := context.WithCancelCause(toStd(parent, "context with cancel cause"))
	return fromStd(std), cancel
}

// Cause returns why ctx was cancelled: what the CancelCauseFunc was given that
// cancelled it or one of its ancestors first, or else what Err returns; nil while
// it is not cancelled. Under control it is a step, or two if it is.
func Cause(ctx Context) error {
	g := sched.Current()
	if g == nil {
		return context.Cause(toStd(ctx, "context cause"))
	}
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if c, ok := ctx.Value(&cancelCtxKey).(*cancelCtx); ok {
		g.Join(c.done.object(g)) // its children are cancelled too by then
		if c.cause != nil {
			return c.cause
		}
	}
	return err
}

// enter returns the modelled goroutine that derives a context from parent.
func enter(parent Context) *sched.G {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	return sched.Current()
}

// emptyCtx is a context that is never cancelled, called by its name.
type emptyCtx string

const (
	backgroundCtx emptyCtx = "context.Background"
	todoCtx       emptyCtx = "context.TODO"
)

func (emptyCtx) Deadline() (deadline time.Time, ok bool) { return }
func (emptyCtx) Done() RecvOnly[struct{}]                { return RecvOnly[struct{}]{} }
func (emptyCtx) Err() error                              { return nil }
func (emptyCtx) Value(any) any                           { return nil }
func (c emptyCtx) String() string                        { return string(c) }
