package model_test

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

// integer is what the integer types have in common.
type integer[T int32 | int64 | uint32 | uint64] interface {
	Load() T
	Store(T)
	Swap(T) T
	CompareAndSwap(old, new T) bool
	Add(T) T
	And(T) T
	Or(T) T
}

// integerClauses are the clauses about one integer type.
func integerClauses[T int32 | int64 | uint32 | uint64](name string, zero func() integer[T]) []clause {
	return []clause{
		{name + ": the zero value is zero", []string{"0"}, func(note func(...any)) {
			note(zero().Load())
		}},
		{name + ": what the methods return", []string{"5 7 false true 9 12 15"}, func(note func(...any)) {
			x := zero()
			x.Store(5)
			a, b := x.Swap(6), x.Add(1)
			c, d := x.CompareAndSwap(5, 9), x.CompareAndSwap(7, 9)
			e := x.And(^T(0))
			x.Store(12)
			f := x.Or(3)
			note(a, b, c, d, e, f, x.Load())
		}},
		{name + ": And clears bits", []string{"6 4"}, func(note func(...any)) {
			x := zero()
			x.Store(6)
			note(x.And(12), x.Load())
		}},
		{name + ": Add wraps around", []string{"true"}, func(note func(...any)) {
			x := zero()
			x.Store(1)
			note(x.Add(^T(0)) == 0) // minus 1
		}},
		{name + ": no addition is lost", []string{"2"}, func(note func(...any)) {
			x := zero()
			var wg model.WaitGroup
			for range 2 {
				wg.Go(func() { x.Add(1) })
			}
			wg.Wait()
			note(x.Load())
		}},
		{name + ": of two CompareAndSwaps one succeeds", []string{"false true 2", "true false 1"}, func(note func(...any)) {
			x := zero()
			var wg model.WaitGroup
			var a, b bool
			wg.Go(func() { a = x.CompareAndSwap(0, 1) })
			wg.Go(func() { b = x.CompareAndSwap(0, 2) })
			wg.Wait()
			note(a, b, x.Load())
		}},
	}
}

func TestSyncAtomic(t *testing.T) {
	checkClauses(t, atRest, integerClauses("Int32", func() integer[int32] { return new(model.Int32) }))
	checkClauses(t, atRest, integerClauses("Int64", func() integer[int64] { return new(model.Int64) }))
	checkClauses(t, atRest, integerClauses("Uint32", func() integer[uint32] { return new(model.Uint32) }))
	checkClauses(t, atRest, integerClauses("Uint64", func() integer[uint64] { return new(model.Uint64) }))
	checkClauses(t, atRest, []clause{
		{"Bool: the zero value is false, and what the methods return", []string{"false false true false true false"}, func(note func(...any)) {
			var x model.Bool
			a := x.Load()
			x.Store(true)
			b, c := x.CompareAndSwap(false, true), x.CompareAndSwap(true, false)
			d := x.Swap(true)
			note(a, b, c, d, x.Swap(false), x.Load())
		}},
		{"Pointer: the zero value is nil, and what the methods return", []string{"true true false true true true"}, func(note func(...any)) {
			var x model.Pointer[int]
			p, q := new(int), new(int)
			a := x.Load() == nil
			x.Store(p)
			b := x.Load() == p
			c, d := x.CompareAndSwap(q, p), x.CompareAndSwap(p, q)
			e := x.Swap(p) == q
			note(a, b, c, d, e, x.Load() == p)
		}},
		{"Value: nil before the first Store, and what the methods return", []string{"<nil> a false true b c"}, func(note func(...any)) {
			var x model.Value
			a := x.Load()
			x.Store("a")
			b := x.Load()
			c, d := x.CompareAndSwap("b", "c"), x.CompareAndSwap("a", "b")
			note(a, b, c, d, x.Swap("c"), x.Load())
		}},
		{"Value: the first value may come from Swap or CompareAndSwap", []string{"<nil> 1 true 1"}, func(note func(...any)) {
			var x, y model.Value
			note(x.Swap(1), x.Load(), y.CompareAndSwap(nil, 1), y.Load())
		}},
		{"Value.Store: nil panics", []string{"sync/atomic: store of nil value into Value"}, func(note func(...any)) {
			note(text(func() { new(model.Value).Store(nil) }))
		}},
		{"Value.Store: another type panics", []string{"sync/atomic: store of inconsistently typed value into Value"}, func(note func(...any)) {
			var x model.Value
			x.Store(1)
			note(text(func() { x.Store("a") }))
		}},
		{"Value.Swap: nil panics", []string{"sync/atomic: swap of nil value into Value"}, func(note func(...any)) {
			note(text(func() { new(model.Value).Swap(nil) }))
		}},
		{"Value.Swap: another type panics", []string{"sync/atomic: swap of inconsistently typed value into Value"}, func(note func(...any)) {
			var x model.Value
			x.Store(1)
			note(text(func() { x.Swap("a") }))
		}},
		{"Value.CompareAndSwap: nil panics", []string{"sync/atomic: compare and swap of nil value into Value"}, func(note func(...any)) {
			note(text(func() { new(model.Value).CompareAndSwap(1, nil) }))
		}},
		{"Value.CompareAndSwap: old and new of two types panic", []string{"sync/atomic: compare and swap of inconsistently typed values"}, func(note func(...any)) {
			note(text(func() { new(model.Value).CompareAndSwap(1, "a") }))
		}},
		{"Value.CompareAndSwap: another type panics", []string{"sync/atomic: compare and swap of inconsistently typed value into Value"}, func(note func(...any)) {
			var x model.Value
			x.Store(1)
			note(text(func() { x.CompareAndSwap("a", "b") }))
		}},
		{"Value.CompareAndSwap: panics if old cannot be compared", []string{"runtime error: comparing uncomparable type []int"}, func(note func(...any)) {
			var x model.Value
			x.Store([]int{})
			note(text(func() { x.CompareAndSwap([]int{}, []int{}) }))
		}},
		{"sequentially consistent: two stores, then two loads, see at least one store", []string{"0 1", "1 0", "1 1"}, func(note func(...any)) {
			var x, y, a, b model.Int32
			var wg model.WaitGroup
			wg.Go(func() { x.Store(1); a.Store(y.Load()) })
			wg.Go(func() { y.Store(1); b.Store(x.Load()) })
			wg.Wait()
			note(a.Load(), b.Load())
		}},
		{"sequentially consistent: who sees the flag sees what was stored before", []string{"false", "true 1"}, func(note func(...any)) {
			var data model.Int32
			var ready model.Bool
			model.Go(func() { data.Store(1); ready.Store(true) })
			if ready.Load() {
				note(true, data.Load())
			} else {
				note(false)
			}
		}},
	})
}

// TestShared: a plain variable has no promises, but its races are explored. Native
// runs would be races.
func TestShared(t *testing.T) {
	checkPrograms(t, []program{
		{"zero value", []string{"0"}, func(note func(...any)) {
			note(new(model.Shared[int]).Get())
		}},
		{"set and get", []string{"a"}, func(note func(...any)) {
			var s model.Shared[string]
			s.Set("a")
			note(s.Get())
		}},
		{"an update is lost", []string{"1; main.1 data race: ", "1; main.2 data race: ", "2; main.1 data race: ", "2; main.2 data race: "}, func(note func(...any)) {
			var s model.Shared[int]
			var wg model.WaitGroup
			for range 2 {
				wg.Go(func() { s.Update(func(v int) int { return v + 1 }) })
			}
			wg.Wait()
			note(s.Get())
		}},
		{"with a lock none is", []string{"2"}, func(note func(...any)) {
			var s model.Shared[int]
			var mu model.Mutex
			var wg model.WaitGroup
			for range 2 {
				wg.Go(func() {
					mu.Lock()
					defer mu.Unlock()
					s.Update(func(v int) int { return v + 1 })
				})
			}
			wg.Wait()
			note(s.Get())
		}},
	})
	var s model.Shared[int]
	s.Update(func(v int) int { return v + 7 })
	if got := s.Get(); got != 7 {
		t.Errorf("natively it is %d, want 7", got)
	}
}
