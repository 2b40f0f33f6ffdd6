package model_test

import (
	"errors"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

func TestContext(t *testing.T) {
	errA, errB := errors.New("a"), errors.New("b")
	checkPrograms(t, []program{
		{"background", []string{"context.Background true <nil> <nil> <nil> false"}, func(note func(...any)) {
			ctx := model.Background()
			_, deadline := ctx.Deadline()
			note(ctx, ctx.Done() == model.RecvOnly[struct{}]{}, ctx.Err(), model.Cause(ctx), ctx.Value("k"), deadline)
		}},
		{"not cancelled", []string{"<nil> <nil>"}, func(note func(...any)) {
			ctx, _ := model.WithCancel(model.Background())
			note(ctx.Err(), model.Cause(ctx))
		}},
		{"cancel", []string{"false context canceled context canceled"}, func(note func(...any)) {
			ctx, cancel := model.WithCancel(model.Background())
			cancel()
			_, ok := ctx.Done().RecvOK()
			note(ok, ctx.Err(), model.Cause(ctx))
		}},
		{"cancel wakes those who wait", []string{"context canceled"}, func(note func(...any)) {
			ctx, cancel := model.WithCancel(model.Background())
			model.Go(cancel)
			ctx.Done().Recv()
			note(ctx.Err())
		}},
		{"nobody cancels", []string{"main blocked at receive"}, func(note func(...any)) {
			ctx, _ := model.WithCancel(model.Background())
			ctx.Done().Recv()
		}},
		{"cancel twice", []string{"context canceled"}, func(note func(...any)) {
			ctx, cancel := model.WithCancel(model.Background())
			cancel()
			cancel()
			note(ctx.Err())
		}},
		{"the first cause wins", []string{"context canceled a"}, func(note func(...any)) {
			ctx, cancel := model.WithCancelCause(model.Background())
			cancel(errA)
			cancel(errB)
			note(ctx.Err(), model.Cause(ctx))
		}},
		{"two causes race", []string{"a", "b"}, func(note func(...any)) {
			ctx, cancel := model.WithCancelCause(model.Background())
			model.Go(func() { cancel(errA) })
			model.Go(func() { cancel(errB) })
			ctx.Done().Recv()
			note(model.Cause(ctx))
		}},
		{"no cause given", []string{"context canceled"}, func(note func(...any)) {
			ctx, cancel := model.WithCancelCause(model.Background())
			cancel(nil)
			note(model.Cause(ctx))
		}},
		{"cascades parent first, one context at a time", []string{
			"<nil> <nil> <nil>",
			"<nil> <nil> context canceled",
			"<nil> context canceled <nil>",
			"<nil> context canceled context canceled",
			"context canceled <nil> <nil>",
			"context canceled <nil> context canceled",
			"context canceled context canceled <nil>",
			"context canceled context canceled context canceled",
		}, func(note func(...any)) {
			ctx, cancel := model.WithCancel(model.Background())
			child, _ := model.WithCancel(ctx)
			grandchild, _ := model.WithCancel(child)
			model.Go(cancel)
			note(ctx.Err(), child.Err(), grandchild.Err())
		}},
		{"the cause cascades", []string{"a a"}, func(note func(...any)) {
			ctx, cancel := model.WithCancelCause(model.Background())
			child, _ := model.WithCancel(ctx)
			grandchild, _ := model.WithCancelCause(child)
			cancel(errA)
			note(model.Cause(child), model.Cause(grandchild))
		}},
		{"a child does not cancel its parent", []string{"<nil> context canceled"}, func(note func(...any)) {
			ctx, _ := model.WithCancel(model.Background())
			child, cancel := model.WithCancel(ctx)
			cancel()
			note(ctx.Err(), child.Err())
		}},
		{"a sibling lives on", []string{"context canceled <nil>; context canceled context canceled"}, func(note func(...any)) {
			ctx, cancelAll := model.WithCancel(model.Background())
			a, cancel := model.WithCancel(ctx)
			b, _ := model.WithCancel(ctx)
			cancel()
			note(a.Err(), b.Err())
			cancelAll()
			note(a.Err(), b.Err())
		}},
		{"the child's own cause stays", []string{"b a"}, func(note func(...any)) {
			ctx, cancel := model.WithCancelCause(model.Background())
			child, cancelChild := model.WithCancelCause(ctx)
			cancelChild(errB)
			cancel(errA)
			note(model.Cause(child), model.Cause(ctx))
		}},
		{"child of a cancelled parent", []string{"context canceled a false"}, func(note func(...any)) {
			ctx, cancel := model.WithCancelCause(model.Background())
			cancel(errA)
			child, _ := model.WithCancel(ctx)
			_, ok := child.Done().RecvOK()
			note(child.Err(), model.Cause(child), ok)
		}},
		{"derived while the parent is cancelled", []string{"context canceled"}, func(note func(...any)) {
			ctx, cancel := model.WithCancel(model.Background())
			model.Go(cancel)
			child, _ := model.WithCancel(ctx)
			child.Done().Recv()
			note(child.Err())
		}},
		{"descendants derived while cancel waits", []string{"context canceled context canceled"}, func(note func(...any)) {
			ctx, cancel := model.WithCancel(model.Background())
			model.Go(cancel)
			a, _ := model.WithCancel(ctx)
			b, _ := model.WithCancel(a)
			b.Done().Recv()
			note(a.Err(), b.Err())
		}},
		{"name", []string{"context.Background.WithCancel.WithCancel"}, func(note func(...any)) {
			ctx, _ := model.WithCancel(model.Background())
			ctx, _ = model.WithCancel(ctx)
			note(ctx)
		}},
		{"nil parent", []string{"main panics: cannot create context from nil parent"}, func(note func(...any)) {
			model.WithCancel(nil)
		}},
	})
}

// view embeds a context and changes nothing about its cancellation.
type view struct{ model.Context }

func (view) Value(key any) any { return nil }

// stopCtx has a done channel of its own.
type stopCtx struct {
	model.Context // for the rest
	done          model.Chan[struct{}]
	err           error
}

func newStopCtx() *stopCtx {
	return &stopCtx{model.Background(), model.NewChan[struct{}](0), nil}
}

func (c *stopCtx) Done() model.RecvOnly[struct{}] { return c.done.RecvOnly() }

func (c *stopCtx) Err() error { return c.err }

func (c *stopCtx) stop() {
	c.err = errStopped
	c.done.Close()
}

var errStopped = errors.New("stopped")

func TestContextOfAnotherType(t *testing.T) {
	checkPrograms(t, []program{
		{"embedding one", []string{"context canceled a"}, func(note func(...any)) {
			ctx, cancel := model.WithCancelCause(model.Background())
			child, _ := model.WithCancel(struct{ model.Context }{ctx})
			cancel(errors.New("a"))
			note(child.Err(), model.Cause(child))
		}},
		{"hiding the one it embeds", []string{"context canceled"}, func(note func(...any)) {
			ctx, cancel := model.WithCancel(model.Background())
			child, _ := model.WithCancel(view{ctx})
			model.Go(cancel)
			child.Done().Recv()
			note(child.Err())
		}},
		{"with its own done channel", []string{"stopped stopped"}, func(note func(...any)) {
			parent := newStopCtx()
			child, _ := model.WithCancel(parent)
			model.Go(parent.stop)
			child.Done().Recv()
			note(child.Err(), model.Cause(child))
		}},
		{"stopped before", []string{"stopped"}, func(note func(...any)) {
			parent := newStopCtx()
			parent.stop()
			child, _ := model.WithCancel(parent)
			child.Done().Recv()
			note(child.Err())
		}},
		{"with a done channel beside the one it embeds", []string{"<nil> stopped"}, func(note func(...any)) {
			parent := newStopCtx()
			parent.Context, _ = model.WithCancel(model.Background())
			child, _ := model.WithCancel(parent)
			parent.stop()
			child.Done().Recv()
			note(parent.Context.Err(), child.Err())
		}},
		{"never stopped", []string{"context canceled"}, func(note func(...any)) {
			child, cancel := model.WithCancel(newStopCtx())
			cancel()
			note(child.Err())
		}},
	})
}

// valueCtx has a value for the key "k".
type valueCtx struct{ model.Context }

func (c valueCtx) Value(key any) any {
	if key == "k" {
		return "v"
	}
	return c.Context.Value(key)
}
