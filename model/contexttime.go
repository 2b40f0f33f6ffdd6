package model

import (
	"context"
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// WithDeadline returns a copy of parent that is also cancelled, with error
// [DeadlineExceeded], at the time d, or now if d is past; and with error [Canceled]
// by cancel. If the deadline of parent is earlier that one stays. It panics if
// parent is nil.
//
// Under control it is the steps of [Now] and [WithCancel] and one that starts a
// timer; see Now for when that fires. Cancel also stops the timer, which is a step.
func WithDeadline(parent Context, d time.Time) (ctx Context, cancel CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

// WithDeadlineCause is [WithDeadline] with the reason that [Cause] returns after the
// deadline; cancel does not set it.
func WithDeadlineCause(parent Context, d time.Time, cause error) (ctx Context, cancel CancelFunc) {
	if g := enter(parent); g != nil {
		return withDeadline(g, parent, d, Until(d), cause)
	}
	std, cancel := context.WithDeadlineCause(toStd(parent, "context with deadline"), d, cause)
	return fromStd(std), cancel
}

// WithTimeout is WithDeadline(parent, Now().Add(timeout)).
func WithTimeout(parent Context, timeout time.Duration) (ctx Context, cancel CancelFunc) {
	return WithTimeoutCause(parent, timeout, nil)
}

// WithTimeoutCause is WithDeadlineCause(parent, Now().Add(timeout), cause).
func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (ctx Context, cancel CancelFunc) {
	if g := enter(parent); g != nil {
		return withDeadline(g, parent, Now().Add(timeout), timeout, cause)
	}
	std, cancel := context.WithTimeoutCause(toStd(parent, "context with timeout"), timeout, cause)
	return fromStd(std), cancel
}

// deadlineCtx is a cancelCtx with a timer.
type deadlineCtx struct {
	*cancelCtx
	deadline time.Time
	timer    *sched.Timer
}

// deadlineCtxKey is the key for which a deadlineCtx returns itself.
var deadlineCtxKey int

// promise says that a function is to be called when ctx is done: so the deadlines that
// end it are worth waiting for.
func promise(g *sched.G, ctx Context) {
	for {
		c, ok := ctx.Value(&deadlineCtxKey).(*deadlineCtx)
		if !ok {
			return
		}
		g.Await(c.timer)
		ctx = c.Context
	}
}

// withDeadline is WithDeadlineCause under control, left before the deadline.
func withDeadline(g *sched.G, parent Context, deadline time.Time, left time.Duration, cause error) (Context, CancelFunc) {
	if d, ok := parent.Deadline(); ok && d.Before(deadline) {
		return WithCancel(parent)
	}
	c := &deadlineCtx{deadline: deadline}
	c.timer = g.NewTimer(sched.TimerSpec{Eager: true, Fire: func(int64) {
		c.timer.G().SpawnFrom(func() { c.expire(cause) }, "deadline of a context")
	}})
	c.cancelCtx = newCancelCtx(g, parent, func(g *sched.G) { g.Disarm(c.timer) })
	if left <= 0 {
		c.expire(cause)
	} else {
		g.ArmUntil(c.timer, instant(deadline))
	}
	return c, func() { c.cancelled(Canceled, nil) }
}

// expire cancels c when its timer is not running.
func (c *deadlineCtx) expire(cause error) {
	c.closeAlone(sched.Current(), DeadlineExceeded, cause)
}

func (c *deadlineCtx) Value(key any) any {
	if key == &deadlineCtxKey {
		return c
	}
	return c.cancelCtx.Value(key)
}

func (c *deadlineCtx) Deadline() (deadline time.Time, ok bool) { return c.deadline, true }

func (c *deadlineCtx) String() string {
	return contextName(c.Context) + ".WithDeadline(" + c.deadline.String() + ")"
}
