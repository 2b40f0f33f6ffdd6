package model

import "sync/atomic"

// Int32 is [atomic.Int32].
type Int32 struct {
	atomicVar
	v atomic.Int32
}

type int32Holder Int32

// Holds is for the scheduler.
func (x *int32Holder) Holds(value any) bool { return x.v.Load() == value.(int32) }

// Load returns the value.
func (x *Int32) Load() int32 { x.reads(); return x.v.Load() }

// Store sets the value.
func (x *Int32) Store(v int32) {
	if x.overwrites() {
		x.v.Store(v)
	}
}

// Swap sets the value and returns the one before.
func (x *Int32) Swap(v int32) (old int32) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Swap(v)
}

// CompareAndSwap stores new if x holds old, and reports whether it did.
func (x *Int32) CompareAndSwap(old, new int32) (swapped bool) {
	if g := x.controlled(); g != nil && !g.TryWrite(x.object(g), (*int32Holder)(x), old) {
		return false
	}
	return x.v.CompareAndSwap(old, new)
}

// Add adds delta and returns the new value.
func (x *Int32) Add(delta int32) (new int32) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Add(delta)
}

// And clears the bits that mask does not have and returns the value before.
func (x *Int32) And(mask int32) (old int32) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.And(mask)
}

// Or sets the bits that mask has and returns the value before.
func (x *Int32) Or(mask int32) (old int32) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Or(mask)
}

// Int64 is [atomic.Int64].
type Int64 struct {
	atomicVar
	v atomic.Int64
}

type int64Holder Int64

// Holds is for the scheduler.
func (x *int64Holder) Holds(value any) bool { return x.v.Load() == value.(int64) }

// Load returns the value.
func (x *Int64) Load() int64 { x.reads(); return x.v.Load() }

// Store sets the value.
func (x *Int64) Store(v int64) {
	if x.overwrites() {
		x.v.Store(v)
	}
}

// Swap sets the value and returns the one before.
func (x *Int64) Swap(v int64) (old int64) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Swap(v)
}

// CompareAndSwap stores new if x holds old, and reports whether it did.
func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) {
	if g := x.controlled(); g != nil && !g.TryWrite(x.object(g), (*int64Holder)(x), old) {
		return false
	}
	return x.v.CompareAndSwap(old, new)
}

// Add adds delta and returns the new value.
func (x *Int64) Add(delta int64) (new int64) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Add(delta)
}

// And clears the bits that mask does not have and returns the value before.
func (x *Int64) And(mask int64) (old int64) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.And(mask)
}

// Or sets the bits that mask has and returns the value before.
func (x *Int64) Or(mask int64) (old int64) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Or(mask)
}

// Uint32 is [atomic.Uint32].
type Uint32 struct {
	atomicVar
	v atomic.Uint32
}

type uint32Holder Uint32

// Holds is for the scheduler.
func (x *uint32Holder) Holds(value any) bool { return x.v.Load() == value.(uint32) }

// Load returns the value.
func (x *Uint32) Load() uint32 { x.reads(); return x.v.Load() }

// Store sets the value.
func (x *Uint32) Store(v uint32) {
	if x.overwrites() {
		x.v.Store(v)
	}
}

// Swap sets the value and returns the one before.
func (x *Uint32) Swap(v uint32) (old uint32) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Swap(v)
}

// CompareAndSwap stores new if x holds old, and reports whether it did.
func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	if g := x.controlled(); g != nil && !g.TryWrite(x.object(g), (*uint32Holder)(x), old) {
		return false
	}
	return x.v.CompareAndSwap(old, new)
}

// Add adds delta and returns the new value; to subtract c,
// add ^uint32(c-1).
func (x *Uint32) Add(delta uint32) (new uint32) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Add(delta)
}

// And clears the bits that mask does not have and returns the value before.
func (x *Uint32) And(mask uint32) (old uint32) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.And(mask)
}

// Or sets the bits that mask has and returns the value before.
func (x *Uint32) Or(mask uint32) (old uint32) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Or(mask)
}

// Uint64 is [atomic.Uint64].
type Uint64 struct {
	atomicVar
	v atomic.Uint64
}

type uint64Holder Uint64

// Holds is for the scheduler.
func (x *uint64Holder) Holds(value any) bool { return x.v.Load() == value.(uint64) }

// Load returns the value.
func (x *Uint64) Load() uint64 { x.reads(); return x.v.Load() }

// Store sets the value.
func (x *Uint64) Store(v uint64) {
	if x.overwrites() {
		x.v.Store(v)
	}
}

// Swap sets the value and returns the one before.
func (x *Uint64) Swap(v uint64) (old uint64) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Swap(v)
}

// CompareAndSwap stores new if x holds old, and reports whether it did.
func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	if g := x.controlled(); g != nil && !g.TryWrite(x.object(g), (*uint64Holder)(x), old) {
		return false
	}
	return x.v.CompareAndSwap(old, new)
}

// Add adds delta and returns the new value; to subtract c,
// add ^uint64(c-1).
func (x *Uint64) Add(delta uint64) (new uint64) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Add(delta)
}

// And clears the bits that mask does not have and returns the value before.
func (x *Uint64) And(mask uint64) (old uint64) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.And(mask)
}

// Or sets the bits that mask has and returns the value before.
func (x *Uint64) Or(mask uint64) (old uint64) {
	if !x.writes() {
		return x.v.Load()
	}
	return x.v.Or(mask)
}
