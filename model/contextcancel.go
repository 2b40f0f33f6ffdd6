package model

import (
	"fmt"
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

// cancelCtxKey is the key for which a cancelCtx returns itself.
var cancelCtxKey int

// cancelCtx is a context of a controlled run that can be cancelled.
type cancelCtx struct {
	Context // the parent

	// done is the channel that Done returns. Its object stands for all fields
	// below: they are read and changed in steps on it only.
	done core[struct{}]
	// children are the contexts to be cancelled with this one: those derived from
	// it, in the order of their makers' spawn paths, that are not cancelled themselves.
	children []*cancelCtx
	// err and cause are set by the step that closes done, and never again.
	err, cause error

	// then is what else has to be done once c is cancelled, by whoever cancelled
	// it; nil: nothing.
	then func(g *sched.G)
	// unfollow makes a parent of another type forget c; nil if it does not know c.
	unfollow func() bool
}

// newCancelCtx returns a context that is cancelled with parent. See cancelCtx for
// then.
func newCancelCtx(g *sched.G, parent Context, then func(*sched.G)) *cancelCtx {
	if p, ok := parent.(*nativeCtx); ok {
		p.refuse(g)
	}
	c := &cancelCtx{Context: parent, done: core[struct{}]{run: g.Run(), obj: g.NewContext()}, then: then}
	if parent.Done() == (RecvOnly[struct{}]{}) {
		return c
	}
	if p, ok := cancelParent(parent); ok {
		c.join(g, p)
	} else {
		c.follow(parent)
	}
	return c
}

// cancelParent finds the cancelCtx behind ctx. A type that wraps one but has a
// done channel of its own is not a mere view of it.
func cancelParent(ctx Context) (*cancelCtx, bool) {
	p, ok := ctx.Value(&cancelCtxKey).(*cancelCtx)
	return p, ok && p.Done() == ctx.Done()
}

// join makes c a child of p; if p is cancelled already then so is c.
func (c *cancelCtx) join(g *sched.G, p *cancelCtx) {
	g.Join(p.done.object(g))
	if p.err != nil {
		c.cancelAfter(g, p.err, p.cause)
		return
	}
	i, _ := slices.BinarySearchFunc(p.children, c, func(x, c *cancelCtx) int {
		if x.done.obj.Before(c.done.obj) {
			return -1
		}
		return 1
	})
	p.children = slices.Insert(p.children, i, c)
}

// afterFuncer is a context that can itself call a function when it is done.
type afterFuncer interface {
	AfterFunc(f func()) (stop func() bool)
}

// follow makes c follow a parent of an unknown type, as package context does: if
// only the done channel is known, a goroutine waits for it.
func (c *cancelCtx) follow(parent Context) {
	done := parent.Done()
	cancel := func() { c.cancelAfter(c.enter("context cancel"), parent.Err(), Cause(parent)) }
	if TrySelect(done.RecvCase(nil)) == 0 {
		cancel()
		return
	}
	if p, ok := parent.(afterFuncer); ok {
		c.unfollow = p.AfterFunc(cancel)
		return
	}
	Daemon("context following its parent", func() {
		if Select(done.RecvCase(nil), c.Done().RecvCase(nil)) == 0 {
			cancel()
		}
	})
}

// cancelled is cancel for whoever calls it.
func (c *cancelCtx) cancelled(err, cause error) {
	c.cancel(c.enter("context cancel"), err, cause)
}

// enter returns the modelled goroutine that calls; it ends one that is not
// modelled.
func (c *cancelCtx) enter(op string) *sched.G {
	g := sched.Current()
	if g == nil {
		sched.ForeignUse(c.done.obj, op)
	}
	return g
}

// cancel cancels c. It does nothing if c is cancelled already.
func (c *cancelCtx) cancel(g *sched.G, err, cause error) {
	if c.closeAlone(g, err, cause) && c.then != nil {
		c.then(g)
	}
}

// cancelAfter is cancel for a context whose parent is cancelled, and does not have
// to be left.
func (c *cancelCtx) cancelAfter(g *sched.G, err, cause error) {
	if c.close(g, err, cause) && c.then != nil {
		c.then(g)
	}
}

// closeAlone closes c and leaves the parent.
func (c *cancelCtx) closeAlone(g *sched.G, err, cause error) bool {
	if cause == nil {
		cause = err
	}
	if !c.close(g, err, cause) {
		return false
	}
	if c.unfollow != nil {
		c.unfollow()
	} else if p, ok := cancelParent(c.Context); ok {
		g.Join(p.done.object(g))
		p.forget(c)
	}
	return true
}

// close cancels c and then, one step each, its descendants, in any order: package
// context keeps the children in a map. Until the last is done c is locked, as it
// is there; that others see a parent which is done and a child which is not is no
// artefact.
func (c *cancelCtx) close(g *sched.G, err, cause error) bool {
	if !g.Cancel(c.done.object(g)) {
		return false
	}
	c.err, c.cause = err, cause
	if len(c.children) == 0 {
		return true
	}
	g.Hold(c.done.obj)
	for children := c.children; len(children) > 0; {
		i := g.Choose(len(children))
		child := children[i]
		children = slices.Delete(slices.Clone(children), i, i+1)
		child.cancelAfter(g, err, cause)
	}
	c.children = nil
	g.Unhold(c.done.obj)
	return true
}

// forget drops a child that was cancelled alone.
func (c *cancelCtx) forget(child *cancelCtx) {
	for i, x := range c.children {
		if x == child {
			c.children = append(c.children[:i], c.children[i+1:]...)
			return
		}
	}
}

func (c *cancelCtx) Done() RecvOnly[struct{}] { return RecvOnly[struct{}]{&c.done} }

func (c *cancelCtx) Err() error {
	g := c.enter("context err")
	g.Read(c.done.object(g))
	return c.err
}

func (c *cancelCtx) Value(key any) any {
	if key == &cancelCtxKey {
		return c
	}
	return c.Context.Value(key)
}

func (c *cancelCtx) String() string { return contextName(c.Context) + ".WithCancel" }

// contextName describes a context the way package context does.
func contextName(ctx Context) string {
	if s, ok := ctx.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", ctx)
}
