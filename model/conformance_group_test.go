package model_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"golang.org/x/sync/errgroup"
)

// group is what model.Group and errgroup.Group have in common.
type group interface {
	Go(f func() error)
	TryGo(f func() error) bool
	Wait() error
	SetLimit(n int)
}

// groups make groups under test or real ones. done waits until the context of a
// group is done and returns its cause.
type groups struct {
	zero    func() group
	derived func() (g group, done func() error)
}

var modelGroups = groups{
	func() group { return new(model.Group) },
	func() (group, func() error) {
		g, ctx := model.NewGroup(model.Background())
		return g, func() error { ctx.Done().Recv(); return model.Cause(ctx) }
	},
}

var realGroups = groups{
	func() group { return new(errgroup.Group) },
	func() (group, func() error) {
		g, ctx := errgroup.WithContext(context.Background())
		return g, func() error { <-ctx.Done(); return context.Cause(ctx) }
	},
}

// groupClauses are the clauses about package errgroup.
func groupClauses(gs groups) []clause {
	errA, errB := errors.New("a"), errors.New("b")
	fails := func(err error) func() error { return func() error { return err } }
	return []clause{
		{"Group: the zero value has no limit and does not cancel", []string{"3 <nil>"}, func(note func(...any)) {
			g := gs.zero()
			in, n := model.NewChan[int](0), 0
			for range 3 {
				g.Go(func() error { in.Recv(); return nil })
			}
			for range 3 {
				in.Send(1)
				n++
			}
			note(n, g.Wait())
		}},
		{"Group.Go: in a goroutine of its own", []string{"caller; f"}, func(note func(...any)) {
			g := gs.zero()
			goOn := model.NewChan[int](0)
			g.Go(func() error { goOn.Recv(); note("f"); return nil })
			note("caller")
			goOn.Send(1)
			_ = g.Wait()
		}},
		{"Group.Wait: returns after all functions have", []string{"f; <nil>"}, func(note func(...any)) {
			g := gs.zero()
			g.Go(func() error { model.Gosched(); note("f"); return nil })
			note(g.Wait())
		}},
		{"Group.Wait: returns the first error", []string{"a"}, func(note func(...any)) {
			g := gs.zero()
			first := model.NewChan[int](0)
			g.Go(func() error { defer first.Close(); return errA })
			first.Recv()
			settle() // until the error has been taken
			g.Go(fails(errB))
			g.Go(fails(nil))
			note(g.Wait())
		}},
		{"Group.Wait: of two errors either may be the first", []string{"a", "b"}, func(note func(...any)) {
			g := gs.zero()
			g.Go(fails(errA))
			g.Go(fails(errB))
			note(g.Wait())
		}},
		{"WithContext: done when a function returns an error, which is the cause", []string{"a; a"}, func(note func(...any)) {
			g, done := gs.derived()
			g.Go(fails(errA))
			g.Go(func() error { note(done()); return errB })
			note(g.Wait())
		}},
		{"WithContext: or when Wait returns", []string{"<nil>; context canceled"}, func(note func(...any)) {
			g, done := gs.derived()
			g.Go(fails(nil))
			note(g.Wait())
			note(done())
		}},
		{"SetLimit: Go blocks until there is room", []string{"letting it go; 2"}, func(note func(...any)) {
			g := gs.zero()
			g.SetLimit(1)
			goOn := model.NewChan[int](0)
			g.Go(func() error { goOn.Recv(); return nil })
			model.Go(func() { g.Go(func() error { note(2); return nil }) })
			settle()
			note("letting it go")
			goOn.Send(1)
			settle()
			_ = g.Wait()
		}},
		{"SetLimit: TryGo starts f only if there is room", []string{"true false; true"}, func(note func(...any)) {
			g := gs.zero()
			g.SetLimit(1)
			goOn := model.NewChan[int](0)
			first := g.TryGo(func() error { goOn.Recv(); return nil })
			note(first, g.TryGo(fails(nil)))
			goOn.Send(1)
			_ = g.Wait()
			note(g.TryGo(fails(nil)))
			_ = g.Wait()
		}},
		{"TryGo: without a limit there is room", []string{"true"}, func(note func(...any)) {
			g := gs.zero()
			note(g.TryGo(fails(nil)))
			_ = g.Wait()
		}},
		{"TryGo: its error counts too", []string{"true a"}, func(note func(...any)) {
			g, done := gs.derived()
			started := g.TryGo(fails(errA))
			_ = done()
			note(started, g.Wait())
		}},
		{"SetLimit: zero lets none start", []string{"false"}, func(note func(...any)) {
			g := gs.zero()
			g.SetLimit(0)
			note(g.TryGo(fails(nil)))
		}},
		{"SetLimit: negative means no limit", []string{"true true"}, func(note func(...any)) {
			g := gs.zero()
			g.SetLimit(0)
			g.SetLimit(-1)
			first := g.TryGo(fails(nil))
			note(first, g.TryGo(fails(nil)))
			_ = g.Wait()
		}},
		{"SetLimit: panics while goroutines are active", []string{"errgroup: modify limit while 1 goroutines in the group are still active"}, func(note func(...any)) {
			g := gs.zero()
			g.SetLimit(2)
			goOn := model.NewChan[int](0)
			g.Go(func() error { goOn.Recv(); return nil })
			note(text(func() { g.SetLimit(3) }))
			goOn.Send(1)
			_ = g.Wait()
		}},
	}
}

func TestGroups(t *testing.T) {
	checkClauses(t, atRest, groupClauses(modelGroups))
	for _, c := range groupClauses(realGroups) {
		t.Run("package errgroup/"+c.says, func(t *testing.T) { checkNatively(t, c.want, c.body) })
	}
}

// TestSemaphores goes through package semaphore, which natively is the real one.
func TestSemaphores(t *testing.T) {
	bg := model.Background()
	checkClauses(t, atRest, []clause{
		{"NewWeighted: a negative size panics", []string{"semaphore: size < 0"}, func(note func(...any)) {
			note(text(func() { model.NewSemaphore(-1) }))
		}},
		{"a negative weight panics", []string{"semaphore: n < 0; semaphore: n < 0; semaphore: n < 0"}, func(note func(...any)) {
			s := model.NewSemaphore(1)
			note(text(func() { _ = s.Acquire(bg, -1) }))
			note(text(func() { s.TryAcquire(-1) }))
			note(text(func() { s.Release(-1) }))
		}},
		{"Acquire: takes tokens, Release gives them back", []string{"<nil> false true"}, func(note func(...any)) {
			s := model.NewSemaphore(3)
			err, second := s.Acquire(bg, 2), s.TryAcquire(2)
			s.Release(2)
			note(err, second, s.TryAcquire(3))
		}},
		{"Acquire: blocks until there are tokens", []string{"releasing; <nil>"}, func(note func(...any)) {
			s := model.NewSemaphore(1)
			_ = s.Acquire(bg, 1)
			model.Go(func() { note(s.Acquire(bg, 1)) })
			settle()
			note("releasing")
			s.Release(1)
			settle()
		}},
		{"Acquire: or ctx is done, and then takes none", []string{"context canceled; true"}, func(note func(...any)) {
			s := model.NewSemaphore(1)
			_ = s.Acquire(bg, 1)
			ctx, cancel := model.WithCancel(bg)
			model.Go(func() { note(s.Acquire(ctx, 1)) })
			settle()
			cancel()
			settle()
			s.Release(1)
			note(s.TryAcquire(1))
		}},
		{"Acquire: or its time is over", []string{"context deadline exceeded"}, func(note func(...any)) {
			s := model.NewSemaphore(1)
			_ = s.Acquire(bg, 1)
			ctx, cancel := model.WithTimeout(bg, time.Second)
			defer cancel()
			note(s.Acquire(ctx, 1))
		}},
		{"Acquire: fails if ctx was done before, even if there are tokens", []string{"context canceled true"}, func(note func(...any)) {
			s := model.NewSemaphore(1)
			ctx, cancel := model.WithCancel(bg)
			cancel()
			err := s.Acquire(ctx, 1)
			note(err, s.TryAcquire(1))
		}},
		{"Acquire: of more than there ever are waits for ctx, and keeps nobody waiting", []string{"true; context canceled"}, func(note func(...any)) {
			s := model.NewSemaphore(1)
			ctx, cancel := model.WithCancel(bg)
			model.Go(func() { note(s.Acquire(ctx, 2)) })
			settle()
			note(s.TryAcquire(1))
			cancel()
			settle()
		}},
		{"Acquire: first come, first served, a small one does not overtake a big one", []string{"false; 3; 1"}, func(note func(...any)) {
			s := model.NewSemaphore(3)
			_ = s.Acquire(bg, 2)
			model.Go(func() { _ = s.Acquire(bg, 3); note(3); s.Release(3) })
			settle()
			model.Go(func() { _ = s.Acquire(bg, 1); note(1); s.Release(1) })
			settle()
			note(s.TryAcquire(1))
			s.Release(2)
			settle()
		}},
		{"Acquire: who gives up lets the next go", []string{"context canceled <nil>"}, func(note func(...any)) {
			s := model.NewSemaphore(2)
			_ = s.Acquire(bg, 1)
			ctx, cancel := model.WithCancel(bg)
			results := [2]model.Chan[error]{model.NewChan[error](1), model.NewChan[error](1)}
			model.Go(func() { results[0].Send(s.Acquire(ctx, 2)) })
			settle()
			model.Go(func() { results[1].Send(s.Acquire(bg, 1)) })
			settle()
			cancel()
			first := results[0].Recv()
			note(first, results[1].Recv())
		}},
		{"Acquire: ctx is done before there are tokens, then it fails", []string{"context canceled true"}, func(note func(...any)) {
			s := model.NewSemaphore(1)
			_ = s.Acquire(bg, 1)
			ctx, cancel := model.WithCancel(bg)
			model.Go(func() { cancel(); s.Release(1) })
			err := s.Acquire(ctx, 1)
			settle()
			note(err, s.TryAcquire(1))
		}},
		{"Acquire: ctx is done when there are tokens, either way none is lost", []string{"<nil> true", "context canceled true"}, func(note func(...any)) {
			s := model.NewSemaphore(1)
			_ = s.Acquire(bg, 1)
			ctx, cancel := model.WithCancel(bg)
			model.Go(func() { s.Release(1); cancel() })
			err := s.Acquire(ctx, 1)
			if err == nil {
				s.Release(1)
			}
			settle()
			note(err, s.TryAcquire(1))
		}},
		{"TryAcquire: does not overtake who waits", []string{"false"}, func(note func(...any)) {
			s := model.NewSemaphore(2)
			_ = s.Acquire(bg, 1)
			model.Go(func() { _ = s.Acquire(bg, 2) })
			settle()
			note(s.TryAcquire(1))
			s.Release(1)
			settle()
		}},
		{"Release: serves as many as there are tokens for", []string{"2"}, func(note func(...any)) {
			s := model.NewSemaphore(2)
			_ = s.Acquire(bg, 2)
			var n model.Int32
			for range 2 {
				model.Go(func() { _ = s.Acquire(bg, 1); n.Add(1) })
			}
			settle()
			s.Release(2)
			settle()
			note(n.Load())
		}},
		{"Release: of more than is held panics", []string{"semaphore: released more than held"}, func(note func(...any)) {
			note(text(func() { model.NewSemaphore(1).Release(1) }))
		}},
		{"zero tokens are there always", []string{"<nil> true"}, func(note func(...any)) {
			s := model.NewSemaphore(0)
			err := s.Acquire(bg, 0)
			note(err, s.TryAcquire(0))
		}},
	})
}
