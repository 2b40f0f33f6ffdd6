package model_test

import (
	"reflect"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

// TestWaitGroupMisuse: what Go may do when a wait group is used again too early. The
// panics are rare natively: they need an Add in the moment in which a Wait wakes up.
func TestWaitGroupMisuse(t *testing.T) {
	const (
		reused    = "sync: WaitGroup is reused before previous Wait has returned"
		collision = "sync: WaitGroup misuse: Add called concurrently with Wait"
	)
	checkPrograms(t, []program{
		{"a new round before the Wait of the last one has returned", []string{
			"",
			"main panics: " + reused,
		}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Add(1)
			model.Go(func() {
				wg.Done()
				wg.Add(1)
				wg.Done()
			})
			wg.Wait()
		}},
		{"a new round that never ends", []string{
			"",
			"main blocked at wait",
			"main panics: " + reused,
		}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Add(1)
			model.Go(func() {
				wg.Done()
				wg.Add(1)
			})
			wg.Wait()
		}},
		{"Add by another goroutine, perhaps while Done is not over", []string{
			"",
			"main panics: " + reused,
			"main.2 panics: " + collision,
		}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Add(1)
			model.Go(wg.Done)
			model.Go(func() { wg.Add(1); wg.Done() })
			wg.Wait()
		}},
		{"Add after Done has returned", []string{
			"",
			"main panics: " + reused,
		}, func(note func(...any)) {
			var wg model.WaitGroup
			done := model.NewChan[int](1)
			wg.Add(1)
			model.Go(func() { wg.Done(); done.Send(1) })
			model.Go(func() { done.Recv(); wg.Add(1); wg.Done() })
			wg.Wait()
		}},
		{"several Waits, one of them late", []string{
			"",
			"main panics: " + reused,
			"main.1 panics: " + reused,
		}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Add(1)
			model.Go(wg.Wait)
			model.Go(func() { wg.Done(); wg.Add(1); wg.Done() })
			wg.Wait()
		}},
		{"a Wait that begins after the counter is zero is none of it", []string{"returned"}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Add(1)
			wg.Done()
			model.Go(func() { wg.Add(1); wg.Done() })
			wg.Wait()
			note("returned")
		}},
		{"a new round after Wait has returned", []string{"returned"}, func(note func(...any)) {
			var wg model.WaitGroup
			for range 2 {
				wg.Add(1)
				model.Go(wg.Done)
				wg.Wait()
			}
			note("returned")
		}},
		{"Adds while the counter is above zero", []string{"returned"}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Go(func() { wg.Go(func() {}) })
			wg.Wait()
			note("returned")
		}},
		{"counter too low, and Wait", []string{"sync: negative WaitGroup counter; main blocked at wait"}, func(note func(...any)) {
			var wg model.WaitGroup
			note(text(wg.Done))
			wg.Wait()
		}},
	})
}

// TestCopies: a primitive that was copied after use is a misuse, and named. (Cond
// panics, as in Go.)
func TestCopies(t *testing.T) {
	for _, p := range []struct {
		kind string
		use  func()
	}{
		{"mutex", func() { pass(moved(new(model.Mutex), func(mu *model.Mutex) { pass(mu) })) }},
		{"rwmutex", func() { pass(moved(new(model.RWMutex), func(rw *model.RWMutex) { pass(rw) })) }},
		{"waitgroup", func() { moved(new(model.WaitGroup), (*model.WaitGroup).Wait).Wait() }},
		{"once", func() { moved(new(model.Once), func(o *model.Once) { o.Do(func() {}) }).Do(func() {}) }},
		{"atomic", func() { moved(new(model.Int32), func(x *model.Int32) { x.Store(1) }).Load() }},
		{"atomic", func() { moved(new(model.Value), func(x *model.Value) { x.Store(1) }).Load() }},
		{"variable", func() { moved(new(model.Shared[int]), func(x *model.Shared[int]) { x.Set(1) }).Get() }},
		{"map", func() { moved(new(model.Map), (*model.Map).Clear).Clear() }},
		{"pool", func() { moved(new(model.Pool), func(p *model.Pool) { p.Put(1) }).Get() }},
		{"waitgroup", func() { _ = moved(new(model.Group), func(g *model.Group) { _ = g.Wait() }).Wait() }},
	} {
		t.Run(p.kind, func(t *testing.T) {
			checkOutcomes(t, []string{"misuse: modelcheck: a " + p.kind + " was copied after its first use: pass a pointer to it instead"}, func(note func(...any)) {
				p.use()
				note("went on")
			})
		})
	}
}

// moved uses *p and returns a copy of it.
func moved[T any](p *T, use func(*T)) *T {
	use(p)
	q := new(T)
	reflect.ValueOf(q).Elem().Set(reflect.ValueOf(p).Elem())
	return q
}

// TestCondWithoutLock: a fatal error, as in Go.
func TestCondWithoutLock(t *testing.T) {
	checkOutcomes(t, []string{"main panics: fatal error: sync: unlock of unlocked mutex"}, func(note func(...any)) {
		recovering(model.NewCond(new(model.Mutex)).Wait)
		note("went on")
	})
}
