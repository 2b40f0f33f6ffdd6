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

// shared is under the functions of the package. It keeps nothing from one call to the next
// but what its source does.
var shared = rand.New(source{})

// source is the stream of the run of the calling goroutine, and that of package
// math/rand/v2 if that goroutine is not modelled.
type source struct{}

// stream is that of a run.
var stream struct {
	run uint64
	PCG
}

func (source) Uint64() uint64 {
	g := sched.Current()
	if g == nil {
		return rand.Uint64()
	}
	if stream.run != g.Run() {
		stream.run = g.Run()
		stream.Seed(lang.Seed(), 0)
	}
	return stream.Uint64()
}

// N returns a number from 0 to n-1 of any integer type. It panics if n is not positive.
func N[Int interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(shared.Uint64N(uint64(n)))
}

// Int64 is [rand.Int64].
func Int64() int64 { return shared.Int64() }

// Uint32 is [rand.Uint32].
func Uint32() uint32 { return shared.Uint32() }

// Uint64 is [rand.Uint64].
func Uint64() uint64 { return shared.Uint64() }

// Int32 is [rand.Int32].
func Int32() int32 { return shared.Int32() }

// Int is [rand.Int].
func Int() int { return shared.Int() }

// Uint is [rand.Uint].
func Uint() uint { return shared.Uint() }

// Int64N is [rand.Int64N].
func Int64N(n int64) int64 { return shared.Int64N(n) }

// Uint64N is [rand.Uint64N].
func Uint64N(n uint64) uint64 { return shared.Uint64N(n) }

// Int32N is [rand.Int32N].
func Int32N(n int32) int32 { return shared.Int32N(n) }

// Uint32N is [rand.Uint32N].
func Uint32N(n uint32) uint32 { return shared.Uint32N(n) }

// IntN is [rand.IntN].
func IntN(n int) int { return shared.IntN(n) }

// UintN is [rand.UintN].
func UintN(n uint) uint { return shared.UintN(n) }

// Float64 is [rand.Float64].
func Float64() float64 { return shared.Float64() }

// Float32 is [rand.Float32].
func Float32() float32 { return shared.Float32() }

// Perm is [rand.Perm].
func Perm(n int) []int { return shared.Perm(n) }

// Shuffle is [rand.Shuffle].
func Shuffle(n int, swap func(i, j int)) { shared.Shuffle(n, swap) }

// NormFloat64 is [rand.NormFloat64].
func NormFloat64() float64 { return shared.NormFloat64() }

// ExpFloat64 is [rand.ExpFloat64].
func ExpFloat64() float64 { return shared.ExpFloat64() }
