package model

import (
	"fmt"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Group is errgroup.Group of golang.org/x/sync: goroutines that work on one task,
// the first of whose errors counts. The zero value has no limit and no context; it
// must not be copied after first use.
//
// Its steps are those of the WaitGroup, the Once and the channel of which it
// consists.
type Group struct {
	wg     WaitGroup
	cancel CancelCauseFunc // nil: no context
	limit  Chan[struct{}]  // has a place for each goroutine; nil: no limit
	first  Once            // sets err
	err    error
}

// NewGroup returns a Group and a context derived from ctx that is cancelled when
// the first function returns an error, which is its cause, or else when Wait
// returns. It is errgroup.WithContext.
func NewGroup(ctx Context) (*Group, Context) {
	ctx, cancel := WithCancelCause(ctx)
	return &Group{cancel: cancel}, ctx
}

// Go calls f in a new goroutine. When the group has a limit it waits until there
// is room.
func (g *Group) Go(f func() error) {
	if g.limited() {
		g.limit.Send(struct{}{})
	}
	g.start(f)
}

// TryGo is [Group.Go] if there is room, and reports whether there was.
func (g *Group) TryGo(f func() error) bool {
	if g.limited() && TrySelect(g.limit.SendCase(struct{}{})) < 0 {
		return false
	}
	g.start(f)
	return true
}

// Wait waits until all functions have returned, and returns the first error.
func (g *Group) Wait() error {
	g.wg.Wait()
	if g.cancel != nil {
		g.cancel(g.err)
	}
	return g.err
}

// SetLimit lets at most n goroutines be active at once; none if n is zero, any
// number if it is negative. It panics if some are active now.
func (g *Group) SetLimit(n int) {
	if n < 0 {
		g.limit = Chan[struct{}]{}
		return
	}
	if active := g.limit.Len(); active != 0 {
		panic(fmt.Errorf("errgroup: modify limit while %v goroutines in the group are still active", active))
	}
	g.limit = Named(NewChan[struct{}](n), "limit of the group")
}

func (g *Group) object(by *sched.G) *sched.Object { return g.wg.object(by) }

func (g *Group) limited() bool { return g.limit != Chan[struct{}]{} }

func (g *Group) start(f func() error) {
	g.wg.Add(1)
	Go(func() {
		defer g.done()
		if err := f(); err != nil {
			g.first.Do(func() { g.fail(err) })
		}
	})
}

func (g *Group) fail(err error) {
	g.err = err
	if g.cancel != nil {
		g.cancel(err)
	}
}

func (g *Group) done() {
	if g.limited() {
		g.limit.Recv()
	}
	g.wg.Done()
}
