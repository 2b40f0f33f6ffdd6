package explore

import "math/bits"

// stream is a source of random numbers with eight bytes of state (splitmix64:
// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
// 2014). Every schedule has streams of its own, made from the seed and the
// schedule's index, so any schedule can be recomputed without those before it.
type stream uint64

// golden is the odd number nearest to 2^64 divided by the golden ratio.
const golden = 0x9e3779b97f4a7c15

// scramble is the output function of splitmix64: a bijection in which every
// input bit affects every output bit.
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// streamOf returns the stream of schedule index of the campaign with this seed.
// Streams that differ in purpose are independent.
func streamOf(seed, index, purpose uint64) stream {
	return stream(scramble(scramble(scramble(seed+golden)+index*golden) + purpose*golden))
}

func (s *stream) next() uint64 {
	*s += golden
	return scramble(uint64(*s))
}

// below returns a number from 0 to n-1, each equally likely up to an error of
// n/2^64. It multiplies instead of dividing (Lemire, "Fast random integer
// generation in an interval", TOMACS 2019) without that paper's rejection step,
// whose only effect at such n would be to remove the error.
func (s *stream) below(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}
