package sched

import "math/bits"

const (
	hashSeed = 0x9E3779B97F4A7C15
	mainHash = 0xD1B54A32D192ED03
)

// mix folds v into the hash h: one widening multiplication, as in wyhash.
func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^0xA0761D6478BD642F, v^0xE7037ED1A0B428DB)
	return hi ^ lo
}
