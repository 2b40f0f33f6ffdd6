package model_test

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

func TestMutex(t *testing.T) {
	checkPrograms(t, []program{
		{"excludes", []string{"2"}, func(note func(...any)) {
			var mu model.Mutex
			var wg model.WaitGroup
			n := 0
			for range 2 {
				wg.Go(func() {
					mu.Lock()
					defer mu.Unlock()
					read := n
					model.Gosched()
					n = read + 1
				})
			}
			wg.Wait()
			note(n)
		}},
		{"without it an update is lost", []string{"1", "2"}, func(note func(...any)) {
			var wg model.WaitGroup
			n := 0
			for range 2 {
				wg.Go(func() {
					read := n
					model.Gosched()
					n = read + 1
				})
			}
			wg.Wait()
			note(n)
		}},
		{"lock twice", []string{"main blocked at lock"}, func(note func(...any)) {
			var mu model.Mutex
			mu.Lock()
			mu.Lock()
		}},
		{"return while holding", []string{"main left mutex mu locked"}, func(note func(...any)) {
			model.Named(new(model.Mutex), "mu").Lock()
		}},
		{"AB-BA", []string{"", "main blocked at lock; main.1 blocked at lock"}, func(note func(...any)) {
			var a, b model.Mutex
			model.Go(func() { b.Lock(); pass(&a); b.Unlock() })
			a.Lock()
			pass(&b)
			a.Unlock()
		}},
		{"unlocked by another goroutine", []string{"locked again"}, func(note func(...any)) {
			var mu model.Mutex
			mu.Lock()
			model.Go(mu.Unlock)
			mu.Lock()
			note("locked again")
			mu.Unlock()
		}},
		{"unlock of unlocked cannot be recovered", []string{
			"main panics: fatal error: sync: unlock of unlocked mutex",
		}, func(note func(...any)) {
			recovering(new(model.Mutex).Unlock)
			note("went on")
		}},
		{"try lock", []string{"false", "true"}, func(note func(...any)) {
			var mu model.Mutex
			model.Go(func() { pass(&mu) })
			got := mu.TryLock()
			note(got)
			if got {
				mu.Unlock()
			}
		}},
		{"try lock of one's own", []string{"true false; main left mutex mu locked"}, func(note func(...any)) {
			mu := model.Named(new(model.Mutex), "mu")
			first := mu.TryLock()
			note(first, mu.TryLock())
		}},
		{"deferred unlock while blocked for ever", []string{"main blocked at receive"}, func(note func(...any)) {
			var mu model.Mutex
			mu.Lock()
			defer mu.Unlock()
			model.NewChan[int](0).Recv()
		}},
	})
}

func TestRWMutex(t *testing.T) {
	checkPrograms(t, []program{
		{"readers together", []string{"both inside"}, func(note func(...any)) {
			var rw model.RWMutex
			var wg model.WaitGroup
			wg.Add(2)
			for range 2 {
				model.Go(func() {
					rw.RLock()
					defer rw.RUnlock()
					wg.Done()
					wg.Wait()
				})
			}
			wg.Wait()
			note("both inside")
		}},
		{"a writer alone", []string{"0", "2"}, func(note func(...any)) {
			var rw model.RWMutex
			n := 0
			model.Go(func() {
				rw.Lock()
				defer rw.Unlock()
				n++
				model.Gosched()
				n++
			})
			rw.RLock()
			defer rw.RUnlock()
			note(n)
		}},
		{"a waiting writer keeps new readers out", []string{
			"main blocked at rlock; main.1 blocked at lock",
			"read twice",
		}, func(note func(...any)) {
			var rw model.RWMutex
			model.Go(func() { pass(&rw) })
			rw.RLock()
			rw.RLock()
			note("read twice")
			rw.RUnlock()
			rw.RUnlock()
		}},
		{"a waiting writer keeps other writers out", []string{
			"main blocked at receive; main.1 blocked at lock (announce); main.2 blocked at lock",
			"main blocked at receive; main.1 blocked at lock; main.2 blocked at lock (announce)",
		}, func(note func(...any)) {
			var rw model.RWMutex
			rw.RLock()
			model.Go(rw.Lock)
			model.Go(rw.Lock)
			model.NewChan[int](0).Recv()
		}},
		{"upgrade", []string{"main blocked at lock"}, func(note func(...any)) {
			var rw model.RWMutex
			rw.RLock()
			rw.Lock()
		}},
		{"downgrade without unlock", []string{"main blocked at rlock"}, func(note func(...any)) {
			var rw model.RWMutex
			rw.Lock()
			rw.RLock()
		}},
		{"try lock under a reader", []string{"false true"}, func(note func(...any)) {
			var rw model.RWMutex
			rw.RLock()
			under := rw.TryLock()
			rw.RUnlock()
			note(under, rw.TryLock())
			rw.Unlock()
		}},
		{"try rlock", []string{"false", "true"}, func(note func(...any)) {
			var rw model.RWMutex
			model.Go(func() { pass(&rw) })
			got := rw.TryRLock()
			note(got)
			if got {
				rw.RUnlock()
			}
		}},
		{"try rlock under a waiting writer", []string{"false", "true"}, func(note func(...any)) {
			var rw model.RWMutex
			rw.RLock()
			model.Go(func() { pass(&rw) })
			got := rw.TryRLock()
			note(got)
			if got {
				rw.RUnlock()
			}
			rw.RUnlock()
		}},
		{"try lock behind an Unlock that let readers in", []string{"false", "true"}, func(note func(...any)) {
			var rw model.RWMutex
			rw.Lock()
			model.Go(func() { note(readThenTry(&rw)) })
			rw.Unlock()
		}},
		{"try lock after such an Unlock has returned", []string{"true"}, func(note func(...any)) {
			var rw model.RWMutex
			returned := model.NewChan[int](1)
			rw.Lock()
			model.Go(func() { returned.Recv(); note(readThenTry(&rw)) })
			rw.Unlock()
			returned.Send(1)
		}},
		{"try lock behind an Unlock, and no reader", []string{"false", "true"}, func(note func(...any)) {
			var rw model.RWMutex
			inside := model.NewChan[int](0)
			rw.Lock()
			model.Go(func() {
				inside.Send(1)
				got := rw.TryLock()
				note(got)
				if got {
					rw.Unlock()
				}
			})
			inside.Recv()
			rw.Unlock()
		}},
		{"return while holding", []string{"main left rwmutex rw locked"}, func(note func(...any)) {
			model.Named(new(model.RWMutex), "rw").Lock()
		}},
		{"return while reading", []string{"main left rwmutex rw locked"}, func(note func(...any)) {
			model.Named(new(model.RWMutex), "rw").RLock()
		}},
		{"unlock of unlocked", []string{"main panics: fatal error: sync: Unlock of unlocked RWMutex"}, func(note func(...any)) {
			new(model.RWMutex).Unlock()
		}},
		{"unlock of read-locked", []string{"main panics: fatal error: sync: Unlock of unlocked RWMutex"}, func(note func(...any)) {
			var rw model.RWMutex
			rw.RLock()
			rw.Unlock()
		}},
		{"runlock of unlocked", []string{"main panics: fatal error: sync: RUnlock of unlocked RWMutex"}, func(note func(...any)) {
			new(model.RWMutex).RUnlock()
		}},
		{"runlock of locked", []string{"main panics: fatal error: sync: RUnlock of unlocked RWMutex"}, func(note func(...any)) {
			var rw model.RWMutex
			rw.Lock()
			rw.RUnlock()
		}},
	})
}

// readThenTry reads and tries to write, and reports whether it could.
func readThenTry(rw *model.RWMutex) bool {
	pass(rw.RLocker())
	got := rw.TryLock()
	if got {
		rw.Unlock()
	}
	return got
}
