package model_test

import (
	"reflect"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

// TestSyncLocks goes through sync.Mutex, RWMutex and Locker. What ends the process
// is in TestFatalErrors. (A goroutine that waits for a mutex does not let the time
// of a bubble pass, so nothing settles here.)
func TestSyncLocks(t *testing.T) {
	checkClauses(t, atRest, []clause{
		{"Mutex: the zero value is unlocked", []string{"true"}, func(note func(...any)) {
			var mu model.Mutex
			note(mu.TryLock())
			mu.Unlock()
		}},
		{"Mutex.Lock: blocks until the mutex is available", []string{"unlocking; locked"}, func(note func(...any)) {
			var mu model.Mutex
			var wg model.WaitGroup
			mu.Lock()
			wg.Go(func() { mu.Lock(); note("locked"); mu.Unlock() })
			note("unlocking")
			mu.Unlock()
			wg.Wait()
		}},
		{"Mutex.Unlock: by any goroutine", []string{"locked again"}, func(note func(...any)) {
			var mu model.Mutex
			inGoroutine(func() bool { mu.Lock(); return true })
			model.Go(mu.Unlock)
			mu.Lock()
			note("locked again")
			mu.Unlock()
		}},
		{"Mutex.TryLock: reports whether it locked, and never blocks", []string{"true false true"}, func(note func(...any)) {
			var mu model.Mutex
			a := mu.TryLock()
			b := inGoroutine(mu.TryLock)
			mu.Unlock()
			note(a, b, mu.TryLock())
			mu.Unlock()
		}},
		{"RWMutex: the zero value is unlocked", []string{"true"}, func(note func(...any)) {
			var rw model.RWMutex
			note(rw.TryLock())
			rw.Unlock()
		}},
		{"RWMutex: held by any number of readers or one writer", []string{"true false; false false"}, func(note func(...any)) {
			var rw model.RWMutex
			rw.RLock()
			r := inGoroutine(rw.TryRLock)
			note(r, inGoroutine(rw.TryLock))
			rw.RUnlock()
			rw.RUnlock()
			rw.Lock()
			r = inGoroutine(rw.TryRLock)
			note(r, inGoroutine(rw.TryLock))
			rw.Unlock()
		}},
		{"RWMutex.Lock: blocks until readers and writers are out", []string{"reader out; writer in"}, func(note func(...any)) {
			var rw model.RWMutex
			var wg model.WaitGroup
			rw.RLock()
			wg.Go(func() { rw.Lock(); note("writer in"); rw.Unlock() })
			note("reader out")
			rw.RUnlock()
			wg.Wait()
		}},
		{"RWMutex.RLock: blocks until the writer is out", []string{"writer out; reader in"}, func(note func(...any)) {
			var rw model.RWMutex
			var wg model.WaitGroup
			rw.Lock()
			wg.Go(func() { rw.RLock(); note("reader in"); rw.RUnlock() })
			note("writer out")
			rw.Unlock()
			wg.Wait()
		}},
		{"RWMutex.Lock: keeps new readers out while it waits", []string{"false", "true"}, func(note func(...any)) {
			var rw model.RWMutex
			var wg model.WaitGroup
			rw.RLock()
			wg.Go(func() { pass(&rw) })
			note(inGoroutine(func() bool { return tried(rw.TryRLock, rw.RUnlock) }))
			rw.RUnlock()
			wg.Wait()
		}},
		{"RWMutex.RUnlock: undoes one RLock, other readers stay", []string{"false true"}, func(note func(...any)) {
			var rw model.RWMutex
			rw.RLock()
			inGoroutine(rw.TryRLock)
			rw.RUnlock()
			a := inGoroutine(rw.TryLock)
			rw.RUnlock()
			note(a, rw.TryLock())
			rw.Unlock()
		}},
		{"RWMutex.Unlock: by any goroutine", []string{"locked again"}, func(note func(...any)) {
			var rw model.RWMutex
			inGoroutine(func() bool { rw.Lock(); return true })
			model.Go(rw.Unlock)
			rw.Lock()
			note("locked again")
			rw.Unlock()
		}},
		{"RWMutex.RLocker: locks for reading", []string{"false true"}, func(note func(...any)) {
			var rw model.RWMutex
			l := rw.RLocker()
			l.Lock()
			a, b := inGoroutine(rw.TryLock), inGoroutine(rw.TryRLock)
			note(a, b)
			l.Unlock()
			rw.RUnlock()
		}},
	})
}

// inGoroutine returns what f does in a goroutine of its own: go-deadlock does not
// like a goroutine to try a lock that it holds.
func inGoroutine(f func() bool) (result bool) {
	var wg model.WaitGroup
	wg.Go(func() { result = f() })
	wg.Wait()
	return result
}

// tried undoes a try that succeeded.
func tried(try func() bool, undo func()) bool {
	if !try() {
		return false
	}
	undo()
	return true
}

// TestSync goes through the other types of package sync.
func TestSync(t *testing.T) {
	checkClauses(t, atRest, []clause{
		{"NewCond: L is the Locker", []string{"true"}, func(note func(...any)) {
			mu := new(model.Mutex)
			note(model.NewCond(mu).L == mu)
		}},
		{"Cond.Wait: unlocks L while it waits, and locks it again", []string{"waiting; L is free; woken; L is locked"}, func(note func(...any)) {
			mu := new(chanLock)
			c := model.NewCond(mu.init())
			model.Go(func() {
				c.L.Lock()
				note("waiting")
				c.Wait()
				note("woken")
				if !mu.tryLock() {
					note("L is locked")
				}
				c.L.Unlock()
			})
			settle()
			c.L.Lock()
			note("L is free")
			c.L.Unlock()
			c.Signal()
			settle()
		}},
		{"Cond.Wait: returns when woken only, not when L is unlocked", []string{"signalling; woken"}, func(note func(...any)) {
			mu := new(chanLock)
			c := model.NewCond(mu.init())
			model.Go(func() {
				c.L.Lock()
				c.Wait()
				note("woken")
				c.L.Unlock()
			})
			for range 3 {
				settle()
				pass(c.L)
			}
			note("signalling")
			c.Signal()
			settle()
		}},
		{"Cond.Wait: takes its place before it unlocks, no signal is lost between", []string{"woken"}, func(note func(...any)) {
			mu := new(model.Mutex)
			c := model.NewCond(mu)
			mu.Lock()
			model.Go(func() {
				mu.Lock() // not before Wait has unlocked it
				c.Signal()
				mu.Unlock()
			})
			c.Wait()
			note("woken")
			mu.Unlock()
		}},
		{"Cond.Signal: wakes the one that waited longest", []string{"1; 2; 3"}, func(note func(...any)) {
			mu := new(chanLock)
			c := model.NewCond(mu.init())
			for i := range 3 {
				model.Go(func() {
					c.L.Lock()
					c.Wait()
					note(i + 1)
					c.L.Unlock()
				})
				settle()
			}
			for range 3 {
				c.Signal()
				settle()
			}
		}},
		{"Cond.Signal: wakes one", []string{"0; one signal; 1"}, func(note func(...any)) {
			mu := new(chanLock)
			c := model.NewCond(mu.init())
			for i := range 2 {
				model.Go(func() {
					c.L.Lock()
					c.Wait()
					note(i)
					c.L.Unlock()
				})
				settle()
			}
			c.Signal()
			settle()
			note("one signal")
			c.Signal()
			settle()
		}},
		{"Cond.Signal: without anybody waiting it is lost", []string{"still waiting; woken"}, func(note func(...any)) {
			mu := new(chanLock)
			c := model.NewCond(mu.init())
			c.Signal()
			c.Broadcast()
			model.Go(func() {
				c.L.Lock()
				c.Wait()
				note("woken")
				c.L.Unlock()
			})
			settle()
			note("still waiting")
			c.Broadcast()
			settle()
		}},
		{"Cond.Signal: L may be held or not; others may lock it before the woken", []string{"barged in", "woken"}, func(note func(...any)) {
			mu := new(model.Mutex)
			c := model.NewCond(mu)
			first := ""
			set := func(s string) {
				if first == "" {
					first = s
				}
			}
			var wg model.WaitGroup
			waiting := false
			wg.Go(func() {
				mu.Lock()
				waiting = true
				c.Wait()
				set("woken")
				mu.Unlock()
			})
			wg.Go(func() {
				for {
					mu.Lock()
					if waiting {
						break
					}
					mu.Unlock()
					settle()
				}
				c.Signal()
				mu.Unlock()
				mu.Lock()
				set("barged in")
				mu.Unlock()
			})
			wg.Wait()
			note(first)
		}},
		{"Cond.Broadcast: wakes all", []string{"waiting 2; woken 2"}, func(note func(...any)) {
			mu := new(chanLock)
			c := model.NewCond(mu.init())
			waiting, woken := 0, 0
			for range 2 {
				model.Go(func() {
					c.L.Lock()
					waiting++
					c.Wait()
					woken++
					c.L.Unlock()
				})
			}
			settle()
			c.L.Lock()
			note("waiting", waiting)
			c.L.Unlock()
			c.Broadcast()
			settle()
			c.L.Lock()
			note("woken", woken)
			c.L.Unlock()
		}},
		{"Cond: a copy panics", []string{"sync.Cond is copied; sync.Cond is copied; sync.Cond is copied"}, func(note func(...any)) {
			var c model.Cond
			c.Signal()
			b := copyOf(&c)
			note(text(b.Signal))
			note(text(b.Broadcast))
			note(text(b.Wait))
		}},
		{"Once.Do: calls f the first time only, whatever f is then", []string{"a"}, func(note func(...any)) {
			var once model.Once
			once.Do(func() { note("a") })
			once.Do(func() { note("b") })
		}},
		{"Once.Do: no call returns before f has", []string{"f; returned"}, func(note func(...any)) {
			var once model.Once
			model.Go(func() { once.Do(func() { model.Gosched(); note("f") }) })
			once.Do(func() { note("f") })
			note("returned")
		}},
		{"Once.Do: a panic in f counts as a return", []string{"no; returned"}, func(note func(...any)) {
			var once model.Once
			note(text(func() { once.Do(func() { panic("no") }) }))
			once.Do(func() { note("f again") })
			note("returned")
		}},
		{"WaitGroup.Wait: returns at once when the counter is zero", []string{"returned"}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Wait()
			note("returned")
		}},
		{"WaitGroup.Wait: blocks until the counter is zero", []string{"done 1; done 2; returned"}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Add(2)
			model.Go(func() { wg.Wait(); note("returned") })
			for i := range 2 {
				settle()
				note("done", i+1)
				wg.Done()
			}
			settle()
		}},
		{"WaitGroup.Add: at zero all who wait are released", []string{"2"}, func(note func(...any)) {
			var wg, all model.WaitGroup
			wg.Add(3)
			for range 2 {
				all.Go(wg.Wait)
			}
			wg.Add(-3)
			all.Wait()
			note(2)
		}},
		{"WaitGroup.Add: a negative counter panics", []string{"sync: negative WaitGroup counter"}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Add(1)
			note(text(func() { wg.Add(-2) }))
		}},
		{"WaitGroup.Go: Wait waits for f", []string{"f; returned"}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Go(func() { model.Gosched(); note("f") })
			wg.Wait()
			note("returned")
		}},
		{"WaitGroup: reused after all Waits have returned", []string{"1; 2"}, func(note func(...any)) {
			var wg model.WaitGroup
			for i := range 2 {
				wg.Go(func() { note(i + 1) })
				wg.Wait()
			}
		}},
		{"Map: load, store, swap, delete", []string{"<nil> false; 1 true; 1 true; 2 true; <nil> false"}, func(note func(...any)) {
			var m model.Map
			note(m.Load("k"))
			m.Store("k", 1)
			note(m.Load("k"))
			note(m.Swap("k", 2))
			note(m.LoadAndDelete("k"))
			note(m.Load("k"))
		}},
		{"Map.LoadOrStore: the first value stays", []string{"1 false; 1 true"}, func(note func(...any)) {
			var m model.Map
			note(m.LoadOrStore("k", 1))
			note(m.LoadOrStore("k", 2))
		}},
		{"Map.LoadOrStore: of two only one stores", []string{"1 1", "2 2"}, func(note func(...any)) {
			var m model.Map
			var wg model.WaitGroup
			var a, b any
			wg.Go(func() { a, _ = m.LoadOrStore("k", 1) })
			wg.Go(func() { b, _ = m.LoadOrStore("k", 2) })
			wg.Wait()
			note(a, b)
		}},
		{"Map.CompareAndSwap, CompareAndDelete: only if the value is the old one", []string{"false true false true <nil>"}, func(note func(...any)) {
			var m model.Map
			m.Store("k", 1)
			a, b := m.CompareAndSwap("k", 2, 3), m.CompareAndSwap("k", 1, 3)
			c, d := m.CompareAndDelete("k", 1), m.CompareAndDelete("k", 3)
			v, _ := m.Load("k")
			note(a, b, c, d, v)
		}},
		{"Map.CompareAndSwap, CompareAndDelete: without a value they do nothing", []string{"false false false"}, func(note func(...any)) {
			var m model.Map
			a, b := m.CompareAndSwap("k", nil, 1), m.CompareAndDelete("k", nil)
			_, ok := m.Load("k")
			note(a, b, ok)
		}},
		{"Map.CompareAndSwap: panics if old cannot be compared", []string{"runtime error: comparing uncomparable type []int"}, func(note func(...any)) {
			var m model.Map
			m.Store("k", []int{})
			note(text(func() { m.CompareAndSwap("k", []int{}, 1) }))
		}},
		{"Map.CompareAndDelete: panics if old cannot be compared", []string{"runtime error: comparing uncomparable type []int"}, func(note func(...any)) {
			var m model.Map
			m.Store("k", []int{})
			note(text(func() { m.CompareAndDelete("k", []int{}) }))
		}},
		{"Map: panics if a key cannot be hashed", []string{"runtime error: hash of unhashable type []int; runtime error: hash of unhashable type []int"}, func(note func(...any)) {
			var m model.Map
			note(text(func() { m.Load([]int{}) }))
			note(text(func() { m.Store([]int{}, 1) }))
		}},
		{"Map.Clear: deletes everything", []string{"<nil> false"}, func(note func(...any)) {
			var m model.Map
			m.Store("k", 1)
			m.Clear()
			m.Range(func(k, v any) bool { note(k, v); return true })
			note(m.Load("k"))
		}},
		{"Map.Range: every key once, until f returns false", []string{"3 1"}, func(note func(...any)) {
			var m model.Map
			for i := range 3 {
				m.Store(i, i)
			}
			all, one := 0, 0
			m.Range(func(k, v any) bool { all++; return k == v })
			m.Range(func(k, v any) bool { one++; return false })
			note(all, one)
		}},
		{"Map.Range: f may call any method; what it deletes before its turn is not seen", []string{"1"}, func(note func(...any)) {
			var m model.Map
			for i := range 3 {
				m.Store(i, i)
			}
			n := 0
			m.Range(func(k, _ any) bool {
				n++
				for i := range 3 {
					m.Delete(i)
				}
				return true
			})
			note(n)
		}},
		{"Map.Range: what f stores may be seen or not", []string{"1", "2"}, func(note func(...any)) {
			var m model.Map
			m.Store(0, 0)
			n := 0
			m.Range(func(_, _ any) bool {
				n++
				if n == 1 {
					m.Store("new", 1)
				}
				return true
			})
			note(n)
		}},
		{"Map.Range: no key comes twice", []string{"1"}, func(note func(...any)) {
			var m model.Map
			m.Store(0, 0)
			n := 0
			m.Range(func(_, _ any) bool {
				n++
				m.Delete(0)
				m.Store(0, 0)
				return n < 5
			})
			note(n)
		}},
		{"Pool.Get: an item that was put, or none", []string{"1", "<nil>"}, func(note func(...any)) {
			var p model.Pool
			p.Put(1)
			note(p.Get())
		}},
		{"Pool.Get: takes the item out", []string{"1 <nil>", "<nil> 1", "<nil> <nil>"}, func(note func(...any)) {
			var p model.Pool
			p.Put(1)
			a := p.Get()
			note(a, p.Get())
		}},
		{"Pool.Get: calls New when it has none", []string{"new"}, func(note func(...any)) {
			p := model.Pool{New: func() any { return "new" }}
			note(p.Get())
		}},
		{"Pool.Get: any of several", []string{"1", "2", "<nil>"}, func(note func(...any)) {
			var p model.Pool
			p.Put(1)
			p.Put(nil)
			p.Put(2)
			note(p.Get())
		}},
	})
}

// copyOf copies a Cond as a program should not.
func copyOf(c *model.Cond) *model.Cond {
	b := new(model.Cond)
	reflect.ValueOf(b).Elem().Set(reflect.ValueOf(c).Elem())
	return b
}

// chanLock is a lock that lets the time of a bubble pass while somebody waits.
type chanLock struct{ ch model.Chan[struct{}] }

func (l *chanLock) init() *chanLock { l.ch = model.NewChan[struct{}](1); return l }
func (l *chanLock) Lock()           { l.ch.Send(struct{}{}) }
func (l *chanLock) Unlock()         { l.ch.Recv() }
func (l *chanLock) tryLock() bool   { return model.TrySelect(l.ch.SendCase(struct{}{})) == 0 }
