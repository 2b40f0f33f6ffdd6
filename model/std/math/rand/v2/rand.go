// Package rand takes the place of package math/rand/v2; see the one of math/rand.
package rand

import (
	"math/rand/v2"

	"github.com/modelcheck-go/modelcheck/model/std/lang"
	"github.com/modelcheck-go/modelcheck/sched"
)

type (
	Rand    = rand.Rand
	Source  = rand.Source
	PCG     = rand.PCG
	ChaCha8 = rand.ChaCha8
	Zipf    = rand.Zipf
)

// New is [rand.New].
func New(src Source) *Rand { return rand.New(src) }

// NewPCG is [rand.NewPCG].
func NewPCG(seed1, seed2 uint64) *PCG { return rand.NewPCG(seed1, seed2) }

// NewChaCha8 is [rand.NewChaCha8].
func NewChaCha8(seed [32]byte) *ChaCha8 { return rand.NewChaCha8(seed) }

// NewZipf is [rand.NewZipf].
func NewZipf(r *Rand, s float64, v float64, imax uint64) *Zipf { return rand.NewZipf(r, s, v, imax) }

// stream is that of a run.
var stream struct {
	run uint64
	*rand.Rand
}

// current returns the stream of the run of the calling goroutine, nil if that is not
// modelled.
func current() *rand.Rand {
	g := sched.Current()
	if g == nil {
		return nil
	}
	if stream.run != g.Run() {
		stream.Rand = rand.New(rand.NewPCG(lang.Seed(), 0))
		stream.run = g.Run()
	}
	return stream.Rand
}

// Shuffle is [rand.Shuffle].
func Shuffle(n int, swap func(i, j int)) {
	if r := current(); r != nil {
		r.Shuffle(n, swap)
		return
	}
	rand.Shuffle(n, swap)
}

// N returns a number from 0 to n-1 of any integer type.
func N[Int interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}](n Int) Int {
	if r := current(); r != nil {
		if n <= 0 {
			panic("invalid argument to N")
		}
		return Int(r.Uint64N(uint64(n)))
	}
	return rand.N(n)
}

// Int64 is [rand.Int64].
func Int64() int64 {
	if r := current(); r != nil {
		return r.Int64()
	}
	return rand.Int64()
}

// Uint32 is [rand.Uint32].
func Uint32() uint32 {
	if r := current(); r != nil {
		return r.Uint32()
	}
	return rand.Uint32()
}

// Uint64 is [rand.Uint64].
func Uint64() uint64 {
	if r := current(); r != nil {
		return r.Uint64()
	}
	return rand.Uint64()
}

// Int32 is [rand.Int32].
func Int32() int32 {
	if r := current(); r != nil {
		return r.Int32()
	}
	return rand.Int32()
}

// Int is [rand.Int].
func Int() int {
	if r := current(); r != nil {
		return r.Int()
	}
	return rand.Int()
}

// Uint is [rand.Uint].
func Uint() uint {
	if r := current(); r != nil {
		return r.Uint()
	}
	return rand.Uint()
}

// Int64N is [rand.Int64N].
func Int64N(n int64) int64 {
	if r := current(); r != nil {
		return r.Int64N(n)
	}
	return rand.Int64N(n)
}

// Uint64N is [rand.Uint64N].
func Uint64N(n uint64) uint64 {
	if r := current(); r != nil {
		return r.Uint64N(n)
	}
	return rand.Uint64N(n)
}

// Int32N is [rand.Int32N].
func Int32N(n int32) int32 {
	if r := current(); r != nil {
		return r.Int32N(n)
	}
	return rand.Int32N(n)
}

// Uint32N is [rand.Uint32N].
func Uint32N(n uint32) uint32 {
	if r := current(); r != nil {
		return r.Uint32N(n)
	}
	return rand.Uint32N(n)
}

// IntN is [rand.IntN].
func IntN(n int) int {
	if r := current(); r != nil {
		return r.IntN(n)
	}
	return rand.IntN(n)
}

// UintN is [rand.UintN].
func UintN(n uint) uint {
	if r := current(); r != nil {
		return r.UintN(n)
	}
	return rand.UintN(n)
}

// Float64 is [rand.Float64].
func Float64() float64 {
	if r := current(); r != nil {
		return r.Float64()
	}
	return rand.Float64()
}

// Float32 is [rand.Float32].
func Float32() float32 {
	if r := current(); r != nil {
		return r.Float32()
	}
	return rand.Float32()
}

// Perm is [rand.Perm].
func Perm(n int) []int {
	if r := current(); r != nil {
		return r.Perm(n)
	}
	return rand.Perm(n)
}

// NormFloat64 is [rand.NormFloat64].
func NormFloat64() float64 {
	if r := current(); r != nil {
		return r.NormFloat64()
	}
	return rand.NormFloat64()
}

// ExpFloat64 is [rand.ExpFloat64].
func ExpFloat64() float64 {
	if r := current(); r != nil {
		return r.ExpFloat64()
	}
	return rand.ExpFloat64()
}
