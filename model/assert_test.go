package model_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

func TestAssert(t *testing.T) {
	checkPrograms(t, []program{
		{"holds", []string{""}, func(note func(...any)) {
			model.Assert(true, "fine")
		}},
		{"broken, and cannot be recovered", []string{"main broken assertion: n is small"}, func(note func(...any)) {
			recovering(func() { model.Assert(false, "n is small") })
			note("went on")
		}},
		{"under some schedules", []string{"", "main broken assertion: came first"}, func(note func(...any)) {
			n := 0
			model.Go(func() { model.Gosched(); n++ })
			model.Gosched()
			model.Assert(n == 0, "came first")
		}},
	})
}

func TestAtEnd(t *testing.T) {
	checkPrograms(t, []program{
		{"holds", []string{""}, func(note func(...any)) {
			n := 0
			model.AtEnd("n is 1", func() error {
				if n != 1 {
					return fmt.Errorf("n is %d", n)
				}
				return nil
			})
			model.Go(func() { n++ })
		}},
		{"judged after the last step", []string{
			"at the end: 1; at the end broken: n is 1",
			"at the end: 2",
		}, func(note func(...any)) {
			n := 0
			model.AtEnd("at the end", func() error {
				note("at the end:", n)
				if n == 1 {
					return errors.New("n is 1")
				}
				return nil
			})
			for range 2 {
				model.Go(func() {
					read := n
					model.Gosched()
					n = read + 1
				})
			}
		}},
		{"beside goroutines that are blocked", []string{"main blocked at receive; at the end broken: no"}, func(note func(...any)) {
			model.AtEnd("at the end", func() error { return errors.New("no") })
			model.NewChan[int](0).Recv()
		}},
		{"may read", []string{"1 context canceled"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ctx, cancel := model.WithCancel(model.Background())
			var mu model.Mutex
			model.AtEnd("reads", func() error {
				mu.Lock()
				defer mu.Unlock()
				note(ch.Len(), ctx.Err())
				return nil
			})
			ch.Send(1)
			cancel()
		}},
		{"may not act", []string{"misuse: modelcheck: send in a function that judges the state (Invariant, AtEnd): such a function may only read"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			model.AtEnd("acts", func() error { ch.Send(1); return nil })
		}},
		{"not judged after a crash", []string{"main panics: no"}, func(note func(...any)) {
			model.AtEnd("at the end", func() error { return errors.New("judged") })
			panic("no")
		}},
	})
}

func TestInvariant(t *testing.T) {
	checkPrograms(t, []program{
		{"judged after each step on the object", []string{"lengths: 0 1 2 1"}, func(note func(...any)) {
			ch := model.NewChan[int](2)
			var lengths []any
			model.Invariant("lengths", []model.Object{ch}, func() error {
				lengths = append(lengths, ch.Len())
				return nil
			})
			ch.Send(1)
			ch.Send(2)
			ch.Recv()
			model.Gosched()
			note(append([]any{"lengths:"}, lengths...)...)
		}},
		{"sees a state between two steps", []string{"", "both broken: one without the other"}, func(note func(...any)) {
			var mu model.Mutex
			a, b := 0, 0
			model.Invariant("both", []model.Object{&mu}, func() error {
				if a != b {
					return errors.New("one without the other")
				}
				return nil
			})
			model.Go(func() { pass(&mu) })
			a = 1
			model.Gosched()
			b = 1
		}},
		{"judged at once", []string{"never broken: no"}, func(note func(...any)) {
			model.Invariant("never", nil, func() error { return errors.New("no") })
			model.Gosched()
			note("went on")
		}},
		{"names the goroutine that broke it", []string{"odd broken: odd"}, func(note func(...any)) {
			ctx, cancel := model.WithCancel(model.Background())
			model.Invariant("odd", []model.Object{ctx.Done(), model.Chan[int]{}}, func() error {
				if ctx.Err() != nil {
					return errors.New("odd")
				}
				return nil
			})
			cancel()
			model.Gosched()
			note("went on")
		}},
	})
}

func TestSometimesAndLog(t *testing.T) {
	checkPrograms(t, []program{
		{"change nothing", []string{"done"}, func(note func(...any)) {
			model.Sometimes(false, "never")
			model.Log("n", 1)
			note("done")
		}},
	})
}
