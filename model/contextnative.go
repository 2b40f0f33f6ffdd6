package model

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/modelcheck-go/modelcheck/sched"
)

// nativeCtx is a context of package context as one of this package. Its channel, like
// that of package context, is made when it is asked for.
type nativeCtx struct {
	context.Context
	done atomic.Pointer[core[struct{}]]
}

func fromStd(ctx context.Context) Context { return &nativeCtx{Context: ctx} }

func (c *nativeCtx) Done() RecvOnly[struct{}] {
	done := c.done.Load()
	if std := c.Context.Done(); done == nil && std != nil {
		c.done.CompareAndSwap(nil, &core[struct{}]{out: std})
		done = c.done.Load()
	}
	return RecvOnly[struct{}]{done}
}

func (c *nativeCtx) Err() error {
	if g := sched.Current(); g != nil {
		c.refuse(g)
	}
	return c.Context.Err()
}

// refuse ends the run of g, unless c can never be done.
func (c *nativeCtx) refuse(g *sched.G) { c.Done().c.object(g) }

func (c *nativeCtx) String() string { return fmt.Sprint(c.Context) }

// stdCtx is a context of this package as one of package context.
type stdCtx struct{ Context }

func (c stdCtx) Done() <-chan struct{} { return c.Context.Done().c.receiving("context done") }

func (c stdCtx) String() string { return contextName(c.Context) }

// stdAfterFuncer is a stdCtx that can itself call a function when it is done.
type stdAfterFuncer struct {
	stdCtx
	afterFuncer
}

// toStd returns ctx as a context of package context. It does not return if ctx
// belongs to a controlled run.
func toStd(ctx Context, op string) context.Context {
	switch c := ctx.(type) {
	case *nativeCtx:
		return c.Context
	case *cancelCtx:
		sched.ForeignUse(c.done.obj, op)
	case emptyCtx:
		if c == todoCtx {
			return context.TODO()
		}
		return context.Background()
	}
	if p, ok := ctx.(afterFuncer); ok {
		return stdAfterFuncer{stdCtx{ctx}, p}
	}
	return stdCtx{ctx}
}
