package model

import (
	"reflect"
	"sync/atomic"

	"github.com/modelcheck-go/modelcheck/sched"
)

// The atomic variables are those of [sync/atomic]. The zero value holds zero, false
// or nil; they must not be copied after first use. Under control every method is
// one step, and the steps are sequentially consistent, as Go's are; a
// CompareAndSwap that fails only reads.

// atomicVar is what the steps of an atomic variable are about.
type atomicVar struct{ ref sched.Ref }

func (v *atomicVar) object(g *sched.G) *sched.Object {
	return g.Object(&v.ref, sched.KindAtomic)
}

func (v *atomicVar) reads() { reads(&v.ref, sched.KindAtomic, "atomic read") }

func (v *atomicVar) writes() bool { return writes(&v.ref, sched.KindAtomic, "atomic write") }

// overwrites is writes for a method that does not see the value before.
func (v *atomicVar) overwrites() bool {
	if g := sched.Current(); g != nil {
		return g.Overwrite(v.object(g))
	}
	sched.Foreign(&v.ref, "atomic write")
	return true
}

// controlled returns the modelled goroutine that calls.
func (v *atomicVar) controlled() *sched.G {
	g := sched.Current()
	if g == nil {
		sched.Foreign(&v.ref, "atomic write")
	}
	return g
}

// Bool is [atomic.Bool].
type Bool struct {
	atomicVar
	v atomic.Bool
}

type boolHolder Bool

// Holds is for the scheduler.
func (x *boolHolder) Holds(value any) bool { return x.v.Load() == value.(bool) }

// Load returns the value.
func (x *Bool) Load() bool { x.reads(); return x.v.Load() }

// Store sets the value.
func (x *Bool) Store(v bool) {
	if x.overwrites() {
		x.v.Store(v)
	}
}

// Swap sets the value and returns the one before.
func (x *Bool) Swap(v bool) (old bool) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Swap(v)
}

// CompareAndSwap stores new if x holds old, and reports whether it did.
func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	if g := x.controlled(); g != nil && !g.TryWrite(x.object(g), (*boolHolder)(x), old) {
		return false
	}
	return x.v.CompareAndSwap(old, new)
}

// Pointer is [atomic.Pointer].
type Pointer[T any] struct {
	atomicVar
	v atomic.Pointer[T]
}

type pointerHolder[T any] Pointer[T]

// Holds is for the scheduler.
func (x *pointerHolder[T]) Holds(value any) bool { return x.v.Load() == value.(*T) }

// Load returns the value.
func (x *Pointer[T]) Load() *T { x.reads(); return x.v.Load() }

// Store sets the value.
func (x *Pointer[T]) Store(v *T) {
	if x.overwrites() {
		x.v.Store(v)
	}
}

// Swap sets the value and returns the one before.
func (x *Pointer[T]) Swap(v *T) (old *T) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Swap(v)
}

// CompareAndSwap stores new if x holds old, and reports whether it did.
func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	if g := x.controlled(); g != nil && !g.TryWrite(x.object(g), (*pointerHolder[T])(x), old) {
		return false
	}
	return x.v.CompareAndSwap(old, new)
}

// Value is [atomic.Value]: nil until the first Store, and from then on a value of
// one and the same type. Store, Swap and CompareAndSwap panic as there when they
// are given nil or a value of another type.
type Value struct {
	atomicVar
	v atomic.Value
}

type valueHolder Value

// Holds is for the scheduler.
func (x *valueHolder) Holds(value any) bool {
	held := x.v.Load()
	return reflect.TypeOf(held) == reflect.TypeOf(value) && (held == nil || reflect.ValueOf(held).Comparable()) && held == value
}

// Load returns the value, nil if there was none yet.
func (x *Value) Load() any { x.reads(); return x.v.Load() }

// Store sets the value.
func (x *Value) Store(v any) {
	if x.refuses(v) {
		x.reads()
		panicsWith(func(held *atomic.Value) { held.Store(v) }, x.v.Load())
	}
	if x.overwrites() {
		x.v.Store(v)
	}
}

// Swap sets the value and returns the one before.
func (x *Value) Swap(v any) (old any) {
	if x.refuses(v) {
		x.reads()
		panicsWith(func(held *atomic.Value) { held.Swap(v) }, x.v.Load())
	}
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Swap(v)
}

// CompareAndSwap stores new if x holds old, and reports whether it did. It panics
// if old cannot be compared.
func (x *Value) CompareAndSwap(old, new any) (swapped bool) {
	g := x.controlled()
	if g == nil {
		return x.v.CompareAndSwap(old, new)
	}
	if new != nil && (old == nil || reflect.TypeOf(old) == reflect.TypeOf(new)) {
		if g.TryWrite(x.object(g), (*valueHolder)(x), old) {
			return x.v.CompareAndSwap(old, new)
		}
	} else {
		x.reads()
	}
	panicsWith(func(held *atomic.Value) { held.CompareAndSwap(old, new) }, x.v.Load())
	return false
}

// refuses reports whether x panics when v is stored. Then it keeps its value, so the step
// only reads. Of two first Stores of different types the later one is not known before.
func (x *Value) refuses(v any) bool {
	if v == nil {
		return true
	}
	held := x.v.Load()
	return held != nil && reflect.TypeOf(held) != reflect.TypeOf(v)
}

// panicsWith panics as do does on a variable with the value held, if it does.
func panicsWith(do func(*atomic.Value), held any) {
	var v atomic.Value
	if held != nil {
		v.Store(held)
	}
	do(&v)
}
