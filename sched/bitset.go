package sched

import "math/bits"

// bitset is a set of small non-negative integers, the goroutines of a run. Up
// to 64 members live in one word, so that counting them and finding the k-th is
// branch-free; a run with more goroutines spills into hi.
type bitset struct {
	lo uint64
	hi []uint64 // members 64 and up; empty in a run that never had one
}

func (s *bitset) reset() {
	s.lo, s.hi = 0, s.hi[:0]
}

func (s *bitset) add(i int32) {
	if i < 64 {
		s.lo |= 1 << uint(i)
		return
	}
	s.addHigh(i)
}

func (s *bitset) addHigh(i int32) {
	w := int(i)/64 - 1
	for len(s.hi) <= w {
		s.hi = append(s.hi, 0) // stays: members come and go
	}
	s.hi[w] |= 1 << uint(i&63)
}

func (s *bitset) remove(i int32) {
	if i < 64 {
		s.lo &^= 1 << uint(i)
		return
	}
	if w := int(i)/64 - 1; w < len(s.hi) {
		s.hi[w] &^= 1 << uint(i&63)
	}
}

func (s *bitset) has(i int32) bool {
	if i < 0 {
		return false
	}
	if i < 64 {
		return s.lo>>uint(i)&1 == 1
	}
	w := int(i)/64 - 1
	return w < len(s.hi) && s.hi[w]>>uint(i&63)&1 == 1
}

func (s *bitset) empty() bool {
	for _, w := range s.hi {
		if w != 0 {
			return false
		}
	}
	return s.lo == 0
}

func (s *bitset) len() int {
	n := bits.OnesCount64(s.lo)
	for _, w := range s.hi {
		n += bits.OnesCount64(w)
	}
	return n
}

// nth returns the k-th smallest member, counted from 0; k must be below len.
func (s *bitset) nth(k int) int32 {
	n := bits.OnesCount64(s.lo)
	if k < n {
		return int32(selectBit(s.lo, uint(k)))
	}
	for i, w := range s.hi {
		k -= n
		n = bits.OnesCount64(w)
		if k < n {
			return int32((i+1)*64 + selectBit(w, uint(k)))
		}
	}
	panic("modelcheck: internal error: bitset.nth out of range")
}

// selectBit returns the position of the k-th set bit of x without a branch:
// bytewise prefix counts find the byte, a table finds the bit in it. A loop
// that clears bits mispredicts and costs up to ten times as much with many set.
func selectBit(x uint64, k uint) int {
	s := x - (x>>1)&0x5555555555555555
	s = s&0x3333333333333333 + (s>>2)&0x3333333333333333
	s = (s + s>>4) & 0x0f0f0f0f0f0f0f0f
	prefix := s * 0x0101010101010101
	const high = 0x8080808080808080
	below := ((uint64(k)*0x0101010101010101 | high) - prefix) & high
	shift := uint(bits.OnesCount64(below)) * 8
	k -= uint((prefix << 8) >> (shift & 63) & 0xff)
	return int(shift) + int(bitInByte[x>>(shift&63)&0xff<<3|uint64(k)&7])
}

// bitInByte[b<<3|k] is the position of the k-th set bit of the byte b.
var bitInByte = func() (t [2048]uint8) {
	for b := range 256 {
		k := 0
		for i := range 8 {
			if b>>i&1 == 1 {
				t[b<<3|k] = uint8(i)
				k++
			}
		}
	}
	return t
}()
