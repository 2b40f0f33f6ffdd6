package atomic

import (
	"sync/atomic"
	"unsafe"
)

// The functions of package sync/atomic on plain variables.

func LoadInt32(addr *int32) int32 {
	read(unsafe.Pointer(addr))
	return atomic.LoadInt32(addr)
}

func StoreInt32(addr *int32, val int32) {
	if write(unsafe.Pointer(addr)) {
		atomic.StoreInt32(addr, val)
	}
}

func SwapInt32(addr *int32, new int32) (old int32) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadInt32(addr)
	}
	return atomic.SwapInt32(addr, new)
}

func CompareAndSwapInt32(addr *int32, old, new int32) (swapped bool) {
	return tryWrite(unsafe.Pointer(addr), func() bool { return atomic.LoadInt32(addr) == old }) &&
		atomic.CompareAndSwapInt32(addr, old, new)
}

func AddInt32(addr *int32, delta int32) (new int32) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadInt32(addr)
	}
	return atomic.AddInt32(addr, delta)
}

func AndInt32(addr *int32, mask int32) (old int32) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadInt32(addr)
	}
	return atomic.AndInt32(addr, mask)
}

func OrInt32(addr *int32, mask int32) (old int32) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadInt32(addr)
	}
	return atomic.OrInt32(addr, mask)
}

func LoadInt64(addr *int64) int64 {
	read(unsafe.Pointer(addr))
	return atomic.LoadInt64(addr)
}

func StoreInt64(addr *int64, val int64) {
	if write(unsafe.Pointer(addr)) {
		atomic.StoreInt64(addr, val)
	}
}

func SwapInt64(addr *int64, new int64) (old int64) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadInt64(addr)
	}
	return atomic.SwapInt64(addr, new)
}

func CompareAndSwapInt64(addr *int64, old, new int64) (swapped bool) {
	return tryWrite(unsafe.Pointer(addr), func() bool { return atomic.LoadInt64(addr) == old }) &&
		atomic.CompareAndSwapInt64(addr, old, new)
}

func AddInt64(addr *int64, delta int64) (new int64) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadInt64(addr)
	}
	return atomic.AddInt64(addr, delta)
}

func AndInt64(addr *int64, mask int64) (old int64) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadInt64(addr)
	}
	return atomic.AndInt64(addr, mask)
}

func OrInt64(addr *int64, mask int64) (old int64) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadInt64(addr)
	}
	return atomic.OrInt64(addr, mask)
}

func LoadUint32(addr *uint32) uint32 {
	read(unsafe.Pointer(addr))
	return atomic.LoadUint32(addr)
}

func StoreUint32(addr *uint32, val uint32) {
	if write(unsafe.Pointer(addr)) {
		atomic.StoreUint32(addr, val)
	}
}

func SwapUint32(addr *uint32, new uint32) (old uint32) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUint32(addr)
	}
	return atomic.SwapUint32(addr, new)
}

func CompareAndSwapUint32(addr *uint32, old, new uint32) (swapped bool) {
	return tryWrite(unsafe.Pointer(addr), func() bool { return atomic.LoadUint32(addr) == old }) &&
		atomic.CompareAndSwapUint32(addr, old, new)
}

func AddUint32(addr *uint32, delta uint32) (new uint32) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUint32(addr)
	}
	return atomic.AddUint32(addr, delta)
}

func AndUint32(addr *uint32, mask uint32) (old uint32) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUint32(addr)
	}
	return atomic.AndUint32(addr, mask)
}

func OrUint32(addr *uint32, mask uint32) (old uint32) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUint32(addr)
	}
	return atomic.OrUint32(addr, mask)
}

func LoadUint64(addr *uint64) uint64 {
	read(unsafe.Pointer(addr))
	return atomic.LoadUint64(addr)
}

func StoreUint64(addr *uint64, val uint64) {
	if write(unsafe.Pointer(addr)) {
		atomic.StoreUint64(addr, val)
	}
}

func SwapUint64(addr *uint64, new uint64) (old uint64) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUint64(addr)
	}
	return atomic.SwapUint64(addr, new)
}

func CompareAndSwapUint64(addr *uint64, old, new uint64) (swapped bool) {
	return tryWrite(unsafe.Pointer(addr), func() bool { return atomic.LoadUint64(addr) == old }) &&
		atomic.CompareAndSwapUint64(addr, old, new)
}

func AddUint64(addr *uint64, delta uint64) (new uint64) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUint64(addr)
	}
	return atomic.AddUint64(addr, delta)
}

func AndUint64(addr *uint64, mask uint64) (old uint64) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUint64(addr)
	}
	return atomic.AndUint64(addr, mask)
}

func OrUint64(addr *uint64, mask uint64) (old uint64) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUint64(addr)
	}
	return atomic.OrUint64(addr, mask)
}

func LoadUintptr(addr *uintptr) uintptr {
	read(unsafe.Pointer(addr))
	return atomic.LoadUintptr(addr)
}

func StoreUintptr(addr *uintptr, val uintptr) {
	if write(unsafe.Pointer(addr)) {
		atomic.StoreUintptr(addr, val)
	}
}

func SwapUintptr(addr *uintptr, new uintptr) (old uintptr) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUintptr(addr)
	}
	return atomic.SwapUintptr(addr, new)
}

func CompareAndSwapUintptr(addr *uintptr, old, new uintptr) (swapped bool) {
	return tryWrite(unsafe.Pointer(addr), func() bool { return atomic.LoadUintptr(addr) == old }) &&
		atomic.CompareAndSwapUintptr(addr, old, new)
}

func AddUintptr(addr *uintptr, delta uintptr) (new uintptr) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUintptr(addr)
	}
	return atomic.AddUintptr(addr, delta)
}

func AndUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUintptr(addr)
	}
	return atomic.AndUintptr(addr, mask)
}

func OrUintptr(addr *uintptr, mask uintptr) (old uintptr) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadUintptr(addr)
	}
	return atomic.OrUintptr(addr, mask)
}

func LoadPointer(addr *unsafe.Pointer) unsafe.Pointer {
	read(unsafe.Pointer(addr))
	return atomic.LoadPointer(addr)
}

func StorePointer(addr *unsafe.Pointer, val unsafe.Pointer) {
	if write(unsafe.Pointer(addr)) {
		atomic.StorePointer(addr, val)
	}
}

func SwapPointer(addr *unsafe.Pointer, new unsafe.Pointer) (old unsafe.Pointer) {
	if !write(unsafe.Pointer(addr)) {
		return atomic.LoadPointer(addr)
	}
	return atomic.SwapPointer(addr, new)
}

func CompareAndSwapPointer(addr *unsafe.Pointer, old, new unsafe.Pointer) (swapped bool) {
	return tryWrite(unsafe.Pointer(addr), func() bool { return atomic.LoadPointer(addr) == old }) &&
		atomic.CompareAndSwapPointer(addr, old, new)
}
