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
		s.lo |= 1 << uint(i&63)
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
		s.lo &^= 1 << uint(i&63)
		return
	}
	s.removeHigh(i)
}

func (s *bitset) removeHigh(i int32) {
	if w := int(i)/64 - 1; w < len(s.hi) {
		s.hi[w] &^= 1 << uint(i&63)
	}
}

func (s *bitset) has(i int32) bool {
	if uint32(i) < 64 {
		return s.lo>>uint(i&63)&1 == 1
	}
	return s.hasHigh(i)
}

func (s *bitset) hasHigh(i int32) bool {
	if i < 0 {
		return false
	}
	w := int(i)/64 - 1
	return w < len(s.hi) && s.hi[w]>>uint(i&63)&1 == 1
}

// addAll adds the members of t.
func (s *bitset) addAll(t *bitset) {
	s.lo |= t.lo
	if len(t.hi) > 0 {
		s.addAllHigh(t)
	}
}

func (s *bitset) addAllHigh(t *bitset) {
	for i, w := range t.hi {
		if i == len(s.hi) {
			s.hi = append(s.hi, 0)
		}
		s.hi[i] |= w
	}
}

// removeAll removes the members of t.
func (s *bitset) removeAll(t *bitset) {
	s.lo &^= t.lo
	for i := range min(len(s.hi), len(t.hi)) {
		s.hi[i] &^= t.hi[i]
	}
}

func (s *bitset) empty() bool {
	return s.lo == 0 && (len(s.hi) == 0 || s.lenHigh() == 0)
}

func (s *bitset) len() int {
	n := bits.OnesCount64(s.lo)
	if len(s.hi) > 0 {
		n += s.lenHigh()
	}
	return n
}

func (s *bitset) lenHigh() int {
	n := 0
	for _, w := range s.hi {
		n += bits.OnesCount64(w)
	}
	return n
}

// next returns the smallest member that is at least i, or -1. All members in
// order: for i := s.next(0); i >= 0; i = s.next(i + 1).
func (s *bitset) next(i int32) int32 {
	if i < 64 {
		if w := s.lo >> uint(i&63); w != 0 {
			return i + int32(bits.TrailingZeros64(w))
		}
		i = 64
	}
	for w := int(i)/64 - 1; w < len(s.hi); w++ {
		if rest := s.hi[w] >> uint(i&63); rest != 0 {
			return i + int32(bits.TrailingZeros64(rest))
		}
		i = int32(w+2) * 64
	}
	return -1
}

// nth returns the k-th smallest member, counted from 0; k must be below len.
func (s *bitset) nth(k int) int32 {
	if s.lo < 256 && len(s.hi) == 0 { // up to eight goroutines: most programs
		return int32(bitInByte[s.lo&255][k&7])
	}
	return s.nthOfMany(k)
}

func (s *bitset) nthOfMany(k int) int32 {
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
	return int(shift) + int(bitInByte[x>>(shift&63)&0xff][k&7])
}

// bitInByte[b][k] is the position of the k-th set bit of the byte b.
var bitInByte = func() (t [256][8]uint8) {
	for b := range 256 {
		k := 0
		for i := range 8 {
			if b>>i&1 == 1 {
				t[b][k] = uint8(i)
				k++
			}
		}
	}
	return t
}()
