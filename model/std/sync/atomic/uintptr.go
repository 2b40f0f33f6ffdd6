package atomic

// Uintptr is [atomic.Uintptr].
type Uintptr struct{ v uintptr }

func (x *Uintptr) Load() uintptr { return LoadUintptr(&x.v) }

func (x *Uintptr) Store(val uintptr) { StoreUintptr(&x.v, val) }

func (x *Uintptr) Swap(new uintptr) (old uintptr) { return SwapUintptr(&x.v, new) }

func (x *Uintptr) CompareAndSwap(old, new uintptr) (swapped bool) {
	return CompareAndSwapUintptr(&x.v, old, new)
}

func (x *Uintptr) Add(delta uintptr) (new uintptr) { return AddUintptr(&x.v, delta) }

func (x *Uintptr) And(mask uintptr) (old uintptr) { return AndUintptr(&x.v, mask) }

func (x *Uintptr) Or(mask uintptr) (old uintptr) { return OrUintptr(&x.v, mask) }
