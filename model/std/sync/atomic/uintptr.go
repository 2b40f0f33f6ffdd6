package atomic

// Uintptr is [atomic.Uintptr].
type Uintptr struct{ v uintptr }

// Load is [atomic.Uintptr.Load].
func (x *Uintptr) Load() uintptr { return LoadUintptr(&x.v) }

// Store is [atomic.Uintptr.Store].
func (x *Uintptr) Store(val uintptr) { StoreUintptr(&x.v, val) }

// Swap is [atomic.Uintptr.Swap].
func (x *Uintptr) Swap(new uintptr) (old uintptr) { return SwapUintptr(&x.v, new) }

// CompareAndSwap is [atomic.Uintptr.CompareAndSwap].
func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool) {
	return CompareAndSwapUintptr(&x.v, old, new)
}

// Add is [atomic.Uintptr.Add].
func (x *Uintptr) Add(delta uintptr) (new uintptr) { return AddUintptr(&x.v, delta) }

// And is [atomic.Uintptr.And].
func (x *Uintptr) And(mask uintptr) (old uintptr) { return AndUintptr(&x.v, mask) }

// Or is [atomic.Uintptr.Or].
func (x *Uintptr) Or(mask uintptr) (old uintptr) { return OrUintptr(&x.v, mask) }
