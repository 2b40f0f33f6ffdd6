package model

import (
	"context"

	"github.com/modelcheck-go/modelcheck/sched"
)

// ContextAfterFunc is [context.AfterFunc]: it calls f in a goroutine of its own once
// ctx is done, at once if it is done already. Stop keeps f from being called, and
// reports whether it did: false means that f was started or stop called before. It
// does not wait for f.
//
// Under control it is the steps of [WithCancel], stop is a step and one more if it
// succeeds, and starting f is one of whoever cancels ctx. (The name AfterFunc
// belongs to the function of package time.)
func ContextAfterFunc(ctx Context, f func()) (stop func() bool) {
	g := sched.Current()
	if g == nil {
		return context.AfterFunc(toStd(ctx, "context after func"), f)
	}
	c := newCancelCtx(g, ctx, func(g *sched.G) { g.Go(f, "", false) })
	promise(g, ctx)
	return func() bool { return c.closeAlone(c.enter("context stop"), Canceled, nil) }
}
