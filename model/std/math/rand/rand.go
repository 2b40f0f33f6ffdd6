// Package rand takes the place of package math/rand in programs that "modelcheck test"
// has rewritten; see package lang. The numbers that nobody has seeded come from one of
// several streams, and which one is part of the schedule.
package rand

import (
	"math/rand"

	"github.com/modelcheck-go/modelcheck/model/std/lang"
	"github.com/modelcheck-go/modelcheck/sched"
)

type (
	Rand     = rand.Rand
	Source   = rand.Source
	Source64 = rand.Source64
	Zipf     = rand.Zipf
)

// New is [rand.New].
func New(src Source) *Rand { return rand.New(src) }

// NewSource is [rand.NewSource].
func NewSource(seed int64) Source { return rand.NewSource(seed) }

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
		stream.Rand = rand.New(rand.NewSource(int64(lang.Seed())))
		stream.run = g.Run()
	}
	return stream.Rand
}

// Seed is [rand.Seed].
func Seed(seed int64) {
	if r := current(); r != nil {
		r.Seed(seed)
		return
	}
	rand.Seed(seed) //lint:ignore SA1019 it is what the program calls
}

// Shuffle is [rand.Shuffle].
func Shuffle(n int, swap func(i, j int)) {
	if r := current(); r != nil {
		r.Shuffle(n, swap)
		return
	}
	rand.Shuffle(n, swap)
}

// Read is [rand.Read].
func Read(p []byte) (n int, err error) {
	if r := current(); r != nil {
		return r.Read(p)
	}
	return rand.Read(p) //lint:ignore SA1019 it is what the program calls
}

// Int63 is [rand.Int63].
func Int63() int64 {
	if r := current(); r != nil {
		return r.Int63()
	}
	return rand.Int63()
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

// Int31 is [rand.Int31].
func Int31() int32 {
	if r := current(); r != nil {
		return r.Int31()
	}
	return rand.Int31()
}

// Int is [rand.Int].
func Int() int {
	if r := current(); r != nil {
		return r.Int()
	}
	return rand.Int()
}

// Int63n is [rand.Int63n].
func Int63n(n int64) int64 {
	if r := current(); r != nil {
		return r.Int63n(n)
	}
	return rand.Int63n(n)
}

// Int31n is [rand.Int31n].
func Int31n(n int32) int32 {
	if r := current(); r != nil {
		return r.Int31n(n)
	}
	return rand.Int31n(n)
}

// Intn is [rand.Intn].
func Intn(n int) int {
	if r := current(); r != nil {
		return r.Intn(n)
	}
	return rand.Intn(n)
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
