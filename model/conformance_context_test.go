package model_test

import (
	"errors"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

// state is what a context shows.
func state(ctx model.Context) []any {
	done := model.TrySelect(ctx.Done().RecvCase(nil)) == 0
	return []any{done, ctx.Err(), model.Cause(ctx)}
}

// contextClauses hold whether or not timers may fire early.
var contextClauses = []clause{
	{"Context.Done: nil if it can never be done, and always the same", []string{"true true true"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		defer cancel()
		never, done := model.RecvOnly[struct{}]{}, ctx.Done()
		note(model.Background().Done() == never, model.WithValue(model.TODO(), "k", 1).Done() == never, done == ctx.Done())
	}},
	{"Context.Err: nil until it is done, then the reason, for ever", []string{"<nil> context canceled context canceled"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		before := ctx.Err()
		cancel()
		after := ctx.Err()
		note(before, after, ctx.Err())
	}},
	{"Context.Deadline: none without one", []string{"false false"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		defer cancel()
		_, a := model.Background().Deadline()
		_, b := ctx.Deadline()
		note(a, b)
	}},
	{"Context.Value: of the nearest context that has the key", []string{"2 a <nil>"}, func(note func(...any)) {
		ctx := model.WithValue(model.WithValue(model.WithValue(model.Background(), "k", 1), "l", "a"), "k", 2)
		ctx, cancel := model.WithCancel(ctx)
		defer cancel()
		note(ctx.Value("k"), ctx.Value("l"), ctx.Value("m"))
	}},
	{"Background, TODO: never done, without values", []string{"<nil> <nil> <nil> <nil>"}, func(note func(...any)) {
		note(model.Background().Err(), model.TODO().Err(), model.Background().Value("k"), model.TODO().Value("k"))
	}},
	{"WithCancel: done when cancel is called", []string{"cancelling; done"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		model.Go(func() { ctx.Done().Recv(); note("done") })
		settle()
		note("cancelling")
		cancel()
		settle()
	}},
	{"WithCancel: done when the parent is", []string{"true context canceled context canceled"}, func(note func(...any)) {
		parent, cancel := model.WithCancel(model.Background())
		ctx, stop := model.WithCancel(parent)
		defer stop()
		cancel()
		note(state(ctx)...)
	}},
	{"WithCancel: of a parent that is done", []string{"true context canceled context canceled"}, func(note func(...any)) {
		parent, cancel := model.WithCancel(model.Background())
		cancel()
		ctx, stop := model.WithCancel(parent)
		defer stop()
		note(state(ctx)...)
	}},
	{"WithCancel: the parent is not done when the child is", []string{"false <nil> <nil>"}, func(note func(...any)) {
		parent, cancel := model.WithCancel(model.Background())
		defer cancel()
		_, stop := model.WithCancel(parent)
		stop()
		note(state(parent)...)
	}},
	{"CancelFunc: later calls do nothing, concurrent ones are fine", []string{"true context canceled context canceled"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		var wg model.WaitGroup
		wg.Go(cancel)
		cancel()
		wg.Wait()
		cancel()
		note(state(ctx)...)
	}},
	{"CancelFunc: does not wait for the work to stop", []string{"cancelled; stopped"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		goOn := model.NewChan[int](0)
		model.Go(func() { ctx.Done().Recv(); goOn.Recv(); note("stopped") })
		cancel()
		note("cancelled")
		goOn.Send(1)
		settle()
	}},
	{"WithCancelCause: Cause tells the cause, Err does not", []string{"true context canceled stop"}, func(note func(...any)) {
		ctx, cancel := model.WithCancelCause(model.Background())
		cancel(errStop)
		note(state(ctx)...)
	}},
	{"WithCancelCause: nil means Canceled", []string{"true context canceled context canceled"}, func(note func(...any)) {
		ctx, cancel := model.WithCancelCause(model.Background())
		cancel(nil)
		note(state(ctx)...)
	}},
	{"WithCancelCause: it is not set when the context is cancelled already", []string{"true context canceled context canceled"}, func(note func(...any)) {
		ctx, cancel := model.WithCancelCause(model.Background())
		cancel(nil)
		cancel(errStop)
		note(state(ctx)...)
	}},
	{"Cause: the first cancellation of the context or an ancestor sets it", []string{"stop stop late"}, func(note func(...any)) {
		parent, cancelParent := model.WithCancelCause(model.Background())
		ctx, cancel := model.WithCancelCause(parent)
		child, cancelChild := model.WithCancelCause(ctx)
		cancel(errStop)
		cancelParent(errors.New("late"))
		cancelChild(errors.New("later"))
		note(model.Cause(ctx), model.Cause(child), model.Cause(parent))
	}},
	{"Cause: when it tells a cause the children are done too", []string{"<nil> true", "stop true"}, func(note func(...any)) {
		ctx, cancel := model.WithCancelCause(model.Background())
		child, stop := model.WithCancel(ctx)
		defer stop()
		model.Go(func() { cancel(errStop) })
		cause := model.Cause(ctx)
		note(cause, cause == nil || child.Err() != nil)
	}},
	{"Cause: of another context's own error, not of what it embeds without cancel", []string{"stopped"}, func(note func(...any)) {
		parent, cancel := model.WithCancelCause(model.Background())
		cancel(errStop)
		ctx := newStopCtx()
		ctx.Context = model.WithoutCancel(parent)
		ctx.stop()
		note(model.Cause(ctx))
	}},
	{"Cause: of a context that embeds a cancelled one and tells another error", []string{"stopped context canceled"}, func(note func(...any)) {
		parent, cancel := model.WithCancelCause(model.Background())
		cancel(nil)
		ctx := newStopCtx()
		ctx.Context = parent
		ctx.stop()
		note(ctx.Err(), model.Cause(ctx))
	}},
	{"CancelFunc: the children are cancelled after the parent, in any order", []string{
		"<nil> <nil>", "<nil> context canceled", "context canceled <nil>", "context canceled context canceled",
	}, func(note func(...any)) {
		parent, cancel := model.WithCancel(model.Background())
		a, stop := model.WithCancel(parent)
		defer stop()
		b, stop := model.WithCancel(parent)
		defer stop()
		model.Go(cancel)
		parent.Done().Recv()
		note(a.Err(), b.Err())
	}},
	{"Cause: nil when not cancelled", []string{"<nil> <nil>"}, func(note func(...any)) {
		ctx, cancel := model.WithCancelCause(model.Background())
		defer cancel(nil)
		note(model.Cause(ctx), model.Cause(model.TODO()))
	}},
	{"WithoutCancel: not done with the parent, no deadline, no cause, but the values", []string{"false <nil> <nil>; false 1 true"}, func(note func(...any)) {
		parent, cancel := model.WithTimeout(model.WithValue(model.Background(), "k", 1), time.Hour)
		ctx := model.WithoutCancel(parent)
		cancel()
		note(state(ctx)...)
		_, deadline := ctx.Deadline()
		note(deadline, ctx.Value("k"), ctx.Done() == model.RecvOnly[struct{}]{})
	}},
	{"WithoutCancel: what is derived from it is not done with the ancestor", []string{"false <nil> <nil>; true context canceled context canceled"}, func(note func(...any)) {
		parent, cancelParent := model.WithCancel(model.Background())
		ctx, cancel := model.WithCancel(model.WithoutCancel(parent))
		cancelParent()
		note(state(ctx)...)
		cancel()
		note(state(ctx)...)
	}},
	{"AfterFunc: calls f once ctx is done", []string{"cancelling; f"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		model.ContextAfterFunc(ctx, func() { note("f") })
		settle()
		note("cancelling")
		cancel()
		settle()
	}},
	{"AfterFunc: at once if it is done already", []string{"f"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		cancel()
		model.ContextAfterFunc(ctx, func() { note("f") })
		settle()
	}},
	{"AfterFunc: in a goroutine of its own", []string{"cancelled; f"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		goOn := model.NewChan[int](0)
		model.ContextAfterFunc(ctx, func() { goOn.Recv(); note("f") })
		cancel()
		note("cancelled")
		goOn.Send(1)
		settle()
	}},
	{"AfterFunc: several on one context are independent", []string{"1 2"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		a, b := model.NewChan[int](1), model.NewChan[int](1)
		model.ContextAfterFunc(ctx, func() { a.Send(1) })
		model.ContextAfterFunc(ctx, func() { b.Send(2) })
		cancel()
		v := a.Recv()
		note(v, b.Recv())
	}},
	{"AfterFunc: stop keeps f from being called", []string{"true"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		stop := model.ContextAfterFunc(ctx, func() { note("f") })
		note(stop())
		cancel()
		settle()
	}},
	{"AfterFunc: stop returns false when f was started or stop called before", []string{"false; true false"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		a := model.ContextAfterFunc(ctx, func() {})
		b := model.ContextAfterFunc(ctx, func() {})
		first := b()
		cancel()
		note(a())
		note(first, b())
	}},
	{"AfterFunc: stop does not wait for f", []string{"false; f"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		goOn := model.NewChan[int](0)
		stop := model.ContextAfterFunc(ctx, func() { goOn.Recv(); note("f") })
		cancel()
		note(stop())
		goOn.Send(1)
		settle()
	}},
	{"AfterFunc: stop races with cancel, f is called or stopped", []string{"f", "stopped"}, func(note func(...any)) {
		ctx, cancel := model.WithCancel(model.Background())
		called := model.NewChan[int](1)
		stop := model.ContextAfterFunc(ctx, func() { called.Send(1) })
		model.Go(cancel)
		if stop() {
			settle()
			if called.Len() == 0 {
				note("stopped")
			}
			return
		}
		called.Recv()
		note("f")
	}},
	{"WithCancel: uses the parent's own AfterFunc method", []string{"registered; stopped; true stopped stopped"}, func(note func(...any)) {
		parent := &funcCtx{stopCtx: newStopCtx(), note: note}
		ctx, cancel := model.WithCancel(parent)
		other, stop := model.WithCancel(&funcCtx{stopCtx: newStopCtx(), note: func(...any) {}})
		_ = other
		stop()
		parent.stop()
		for _, f := range parent.funcs {
			f()
		}
		note("stopped")
		note(state(ctx)...)
		cancel()
	}},
	{"WithCancel: and stops it when cancelled", []string{"registered; unregistered"}, func(note func(...any)) {
		_, cancel := model.WithCancel(&funcCtx{stopCtx: newStopCtx(), note: note})
		cancel()
	}},
	{"WithValue: nil as parent or key panics, a key that cannot be compared too", []string{"cannot create context from nil parent; nil key; key is not comparable"}, func(note func(...any)) {
		note(text(func() { model.WithValue(nil, "k", 1) }))
		note(text(func() { model.WithValue(model.Background(), nil, 1) }))
		note(text(func() { model.WithValue(model.Background(), []int{}, 1) }))
	}},
	{"a nil parent panics", []string{"cannot create context from nil parent; cannot create context from nil parent; cannot create context from nil parent; cannot create context from nil parent; cannot create context from nil parent"}, func(note func(...any)) {
		note(text(func() { model.WithDeadline(nil, time.Time{}) }))
		note(text(func() { model.WithDeadlineCause(nil, time.Time{}, nil) }))
		note(text(func() { model.WithTimeout(nil, 0) }))
		note(text(func() { model.WithTimeoutCause(nil, 0, nil) }))
		note(text(func() { model.WithoutCancel(nil) }))
	}},
	{"names", []string{"context.Background.WithValue(k, int).WithoutCancel context.TODO.WithValue(model_test.key, <nil>)"}, func(note func(...any)) {
		note(model.WithoutCancel(model.WithValue(model.Background(), "k", 1)), model.WithValue(model.TODO(), key{}, nil))
	}},
	{"WithDeadline: of a time that is past it is done at once", []string{"true context deadline exceeded context deadline exceeded; true context deadline exceeded stop"}, func(note func(...any)) {
		ctx, cancel := model.WithTimeout(model.Background(), 0)
		defer cancel()
		note(state(ctx)...)
		ctx, cancel = model.WithDeadlineCause(model.Background(), model.Now().Add(-1), errStop)
		defer cancel()
		note(state(ctx)...)
	}},
	{"WithDeadline: of a parent that is done, the parent's reason counts", []string{"true context canceled context canceled"}, func(note func(...any)) {
		parent, cancel := model.WithCancel(model.Background())
		cancel()
		ctx, cancel := model.WithTimeout(parent, 0)
		defer cancel()
		note(state(ctx)...)
	}},
	{"WithDeadline: an earlier one of the parent stays", []string{"true true"}, func(note func(...any)) {
		now := model.Now()
		parent, cancel := model.WithDeadline(model.Background(), now.Add(time.Second))
		defer cancel()
		a, cancel := model.WithDeadline(parent, now.Add(time.Hour))
		defer cancel()
		b, cancel := model.WithDeadline(parent, now.Add(time.Millisecond))
		defer cancel()
		at, _ := a.Deadline()
		bt, _ := b.Deadline()
		note(at.Equal(now.Add(time.Second)), bt.Equal(now.Add(time.Millisecond)))
	}},
	{"WithTimeout: done when it is over", []string{"true context deadline exceeded context deadline exceeded"}, func(note func(...any)) {
		ctx, cancel := model.WithTimeout(model.Background(), time.Second)
		defer cancel()
		ctx.Done().Recv()
		note(state(ctx)...)
	}},
	{"WithTimeoutCause: Cause tells the cause after the deadline", []string{"true context deadline exceeded stop"}, func(note func(...any)) {
		ctx, cancel := model.WithTimeoutCause(model.Background(), time.Second, errStop)
		defer cancel()
		ctx.Done().Recv()
		note(state(ctx)...)
	}},
}

var errStop = errors.New("stop")

type key struct{}

// funcCtx is a context with an AfterFunc of its own.
type funcCtx struct {
	*stopCtx
	note  func(...any)
	funcs []func()
}

func (c *funcCtx) AfterFunc(f func()) (stop func() bool) {
	c.note("registered")
	c.funcs = append(c.funcs, f)
	return func() bool { c.note("unregistered"); return true }
}

func TestSyncContext(t *testing.T) {
	checkClauses(t, capturing, contextClauses)
	t.Run("at rest", func(t *testing.T) { checkClauses(t, atRest, contextClauses) })
}

// TestDeadlines: here it matters whether timers may fire early.
func TestDeadlines(t *testing.T) {
	cancelled := func(note func(...any)) {
		ctx, cancel := model.WithTimeoutCause(model.Background(), time.Second, errStop)
		cancel()
		note(state(ctx)...)
	}
	parentFirst := func(note func(...any)) {
		parent, cancel := model.WithCancel(model.Background())
		ctx, stop := model.WithTimeout(parent, time.Second)
		defer stop()
		cancel()
		note(model.Cause(ctx))
		settle()
	}
	work := func(note func(...any)) {
		ctx, cancel := model.WithTimeout(model.Background(), time.Second)
		defer cancel()
		done := model.NewChan[int](1)
		model.Go(func() { done.Send(1) })
		note(model.Select(ctx.Done().RecvCase(nil), done.RecvCase(nil)))
	}
	onTime := func(note func(...any)) {
		start := model.Now()
		ctx, cancel := model.WithTimeout(model.Background(), 3*time.Second)
		defer cancel()
		ctx.Done().Recv()
		note(model.Since(start))
	}
	stopped := func(note func(...any)) {
		_, cancel := model.WithTimeout(model.Background(), time.Second)
		cancel()
		start := model.Now()
		model.Sleep(time.Hour)
		note(model.Since(start))
	}
	checkClauses(t, atRest, []clause{
		{"cancel does not set the cause", []string{"true context canceled context canceled"}, cancelled},
		{"the parent is done first", []string{"context canceled"}, parentFirst},
		{"work is done first", []string{"1"}, work},
		{"the deadline is kept", []string{"3s"}, onTime},
		{"cancel stops the timer", []string{"1h0m0s"}, stopped},
	})
	checkClauses(t, capturing, []clause{
		{"early/cancel does not set the cause", []string{"true context canceled context canceled", "true context deadline exceeded stop"}, cancelled},
		{"early/the parent is done first or not", []string{"context canceled", "context deadline exceeded"}, parentFirst},
		{"early/work is done first or not", []string{"0", "1"}, work},
		{"early/the deadline is kept", []string{"3s"}, onTime},
		{"early/cancel stops the timer", []string{"1h0m0s"}, stopped},
	})
}

// TestDeadlineName: without the time that is left, which package context adds,
// because reading the clock is a step, and showing a context must not be one.
func TestDeadlineName(t *testing.T) {
	checkOutcomesOf(t, []string{"context.TODO.WithDeadline(2000-01-01 00:00:05 +0000 UTC)"}, atRest, func(note func(...any)) {
		ctx, cancel := model.WithTimeout(model.TODO(), 5*time.Second)
		defer cancel()
		note(ctx)
	})
}
