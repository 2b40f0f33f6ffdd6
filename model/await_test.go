package model_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
)

func TestAwait(t *testing.T) {
	checkPrograms(t, []program{
		{"goes on once the condition holds", []string{"1"}, func(note func(...any)) {
			var x model.Int32
			model.Go(func() { x.Store(1) })
			model.Await(func() bool { return x.Load() == 1 })
			note(x.Load())
		}},
		{"needs nobody if it holds already", []string{"went on"}, func(note func(...any)) {
			var x model.Int32
			model.Await(func() bool { return x.Load() == 0 })
			note("went on")
		}},
		{"is blocked for ever if it never holds", []string{"main blocked at await"}, func(note func(...any)) {
			var x model.Int32
			model.Go(func() { x.Store(1); x.Store(2) })
			model.Await(func() bool { return x.Load() == 3 })
		}},
		{"may miss what does not last", []string{"main blocked at await", "went on"}, func(note func(...any)) {
			var x model.Int32
			model.Go(func() { x.Store(1); x.Store(0) })
			model.Await(func() bool { return x.Load() == 1 })
			note("went on")
		}},
		{"looks at several objects at once", []string{"main blocked at await", "went on"}, func(note func(...any)) {
			var x, y model.Int32
			model.Go(func() { x.Store(1); x.Store(0) })
			model.Go(func() { y.Store(1) })
			model.Await(func() bool { return x.Load() == 1 && y.Load() == 1 })
			note("went on")
		}},
		{"a value that no single look shows", []string{"main blocked at await"}, func(note func(...any)) {
			var x, y model.Int32
			x.Store(1)
			model.Go(func() { x.Store(0); y.Store(1) })
			model.Await(func() bool { return y.Load() == 1 && x.Load() == 1 })
		}},
		{"a compare and swap that succeeds is a change", []string{"went on"}, func(note func(...any)) {
			var x model.Bool
			model.Go(func() { x.CompareAndSwap(false, true) })
			model.Await(x.Load)
			note("went on")
		}},
		{"the length of a channel", []string{"2"}, func(note func(...any)) {
			c := model.NewChan[int](2)
			model.Go(func() { c.Send(1); c.Send(2) })
			model.Await(func() bool { return c.Len() == 2 })
			note(c.Len())
		}},
		{"the end of a context", []string{"context canceled"}, func(note func(...any)) {
			parent, cancel := model.WithCancel(model.Background())
			ctx, _ := model.WithCancel(parent)
			model.Go(cancel)
			model.Await(func() bool { return ctx.Err() != nil })
			note(ctx.Err())
		}},
		{"variables and maps", []string{"b; main data race: ", "b; main.1 data race: "}, func(note func(...any)) {
			var v model.Shared[string]
			var m model.Map
			model.Go(func() { m.Store("k", 1); v.Set("b") })
			model.Await(func() bool { _, ok := m.Load("k"); return ok && v.Get() == "b" })
			note(v.Get())
		}},
		{"a daemon may wait for ever", []string{""}, func(note func(...any)) {
			var x model.Bool
			model.Daemon("d", func() { model.Await(x.Load) })
		}},
		{"a panic in the condition is the goroutine's", []string{"main panics: oops"}, func(note func(...any)) {
			var x model.Bool
			model.Go(func() { x.Store(true) })
			model.Await(func() bool {
				if x.Load() {
					panic(errors.New("oops"))
				}
				return false
			})
		}},
		{"an assertion in the condition is the goroutine's", []string{"main broken assertion: never 1", "went on"}, func(note func(...any)) {
			var x model.Int32
			model.Go(func() { x.Store(1); x.Store(2) })
			model.Await(func() bool {
				model.Assert(x.Load() != 1, "never 1")
				return x.Load() == 2
			})
			note("went on")
		}},
	})
}

func TestAwaitMisused(t *testing.T) {
	for _, c := range []struct {
		name, want string
		cond       func() bool
	}{
		{"reads nothing", "modelcheck: the condition of Await reads nothing of package model: nothing would tell when it changes", func() bool { return false }},
		{"locks", "modelcheck: lock in the condition of Await: it may only read (Load, Get, Len, Err)", func() bool {
			new(model.Mutex).Lock()
			return false
		}},
		{"writes", "modelcheck: write in the condition of Await: it may only read (Load, Get, Len, Err)", func() bool {
			new(model.Int32).Store(1)
			return true
		}},
		{"reads the clock", "modelcheck: now in the condition of Await: it may only read (Load, Get, Len, Err)", func() bool { return model.Now().IsZero() }},
		{"waits", "modelcheck: await in the condition of Await: it may only read (Load, Get, Len, Err)", func() bool {
			model.Await(func() bool { return true })
			return true
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkOutcomes(t, []string{"misuse: " + c.want}, func(note func(...any)) {
				model.Await(c.cond)
				note("went on")
			})
		})
	}
}

// peterson is Peterson's lock for two goroutines, right or with the turn taken the
// wrong way round.
func peterson(right bool) func() {
	return func() {
		var wants [2]model.Bool
		var turn model.Int32
		inside := model.Shared[int]{}
		for me := range 2 {
			other := 1 - me
			mine := int32(me)
			if right {
				mine = int32(other)
			}
			model.Go(func() {
				wants[me].Store(true)
				turn.Store(mine)
				model.Await(func() bool { return !wants[other].Load() || turn.Load() == int32(me) })
				inside.Update(func(n int) int { return n + 1 })
				model.Assert(inside.Get() == 1, "alone")
				inside.Update(func(n int) int { return n - 1 })
				wants[me].Store(false)
			})
		}
	}
}

func TestAwaitProvesPetersonsLock(t *testing.T) {
	r := explore.RunExhaustive(peterson(true))
	if r.Failed() || !r.Coverage.Complete || r.Coverage.Runs != r.Coverage.Classes {
		t.Errorf("right: %v", r)
	}
	if r := explore.RunExhaustive(peterson(false), explore.IgnoreRaces()); r.Verdict() != "fail" || r.Findings[0].Message != "alone" {
		t.Errorf("wrong: %v", r)
	}
}

// What a blocked Await tells: what it reads and who changed that.
func TestAwaitExplains(t *testing.T) {
	r := explore.RunExhaustive(func() {
		var x model.Int32
		c := model.Named(model.NewChan[int](1), "c")
		model.Named(&x, "x")
		model.GoNamed("writer", func() { x.Store(1) })
		model.Await(func() bool { return x.Load() == 2 || c.Len() > 0 })
	})
	if len(r.Findings) != 1 {
		t.Fatal(r)
	}
	f := r.Findings[0]
	got := []string{string(f.Kind), f.Goroutine, f.Op, f.Object}
	want := []string{"blocked forever", "main", "await", "atomic x | chan c (cap 1)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	wakers := []string{
		"atomic x: writer (main.1) wrote it",
		"chan c (cap 1): no goroutine ever sent on it",
		"chan c (cap 1): no goroutine ever received from it",
	}
	for i, w := range f.Wakers {
		f.Wakers[i], _, _ = strings.Cut(w, ", last at step")
	}
	if diff := cmp.Diff(wakers, f.Wakers); diff != "" {
		t.Error(diff)
	}
}

func TestAwaitNatively(t *testing.T) {
	var x model.Int32
	go func() {
		time.Sleep(2 * time.Millisecond)
		x.Store(1)
	}()
	model.Await(func() bool { return x.Load() == 1 })
}

func ExampleAwait() {
	r := explore.RunExhaustive(func() {
		var head, tail model.Int64 // of a ring with one reader and one writer
		model.Go(func() { tail.Add(1) })
		model.Await(func() bool { return head.Load() != tail.Load() })
		model.Assert(tail.Load() == 1, "something was written")
	})
	fmt.Println(r.Verdict())
	// Output: pass
}
