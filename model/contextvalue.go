package model

import (
	"context"
	"fmt"
	"reflect"
	"time"
)

// WithValue returns a copy of parent with val for key; everything else is parent's.
// It is no step. It panics if parent is nil, if key is nil or if key cannot be
// compared.
func WithValue(parent Context, key, val any) Context {
	if enter(parent) == nil {
		return fromStd(context.WithValue(toStd(parent, "context with value"), key, val))
	}
	switch {
	case key == nil:
		panic("nil key")
	case !reflect.TypeOf(key).Comparable():
		panic("key is not comparable")
	}
	return &valueCtx{parent, key, val}
}

type valueCtx struct {
	Context
	key, val any
}

func (c *valueCtx) Value(key any) any {
	if c.key == key {
		return c.val
	}
	return c.Context.Value(key)
}

func (c *valueCtx) String() string {
	return contextName(c.Context) + ".WithValue(" + brief(c.key) + ", " + brief(c.val) + ")"
}

// brief describes a key or value the way package context does.
func brief(v any) string {
	switch v := v.(type) {
	case fmt.Stringer:
		return v.String()
	case string:
		return v
	case nil:
		return "<nil>"
	}
	return reflect.TypeOf(v).String()
}

// WithoutCancel returns a copy of parent that is not cancelled with it, and has no
// deadline: its values alone. It is no step. It panics if parent is nil.
func WithoutCancel(parent Context) Context {
	if enter(parent) == nil {
		return fromStd(context.WithoutCancel(toStd(parent, "context without cancel")))
	}
	return &withoutCancelCtx{parent}
}

type withoutCancelCtx struct{ parent Context }

func (c *withoutCancelCtx) Deadline() (deadline time.Time, ok bool) { return }
func (c *withoutCancelCtx) Done() RecvOnly[struct{}]                { return RecvOnly[struct{}]{} }
func (c *withoutCancelCtx) Err() error                              { return nil }

func (c *withoutCancelCtx) Value(key any) any {
	if key == &cancelCtxKey || key == &deadlineCtxKey {
		return nil
	}
	return c.parent.Value(key)
}

func (c *withoutCancelCtx) String() string { return contextName(c.parent) + ".WithoutCancel" }
