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

// shared is under the functions of the package. It keeps nothing from one call to the next
// but what its source does.
var shared = rand.New(source{})

// source is the stream of the run of the calling goroutine, and that of package math/rand
// if that goroutine is not modelled.
type source struct{}

// stream is that of a run.
var stream struct {
	run uint64
	src Source64
}

func modelled() (src Source64, ok bool) {
	g := sched.Current()
	if g == nil {
		return nil, false
	}
	if stream.run != g.Run() {
		stream.run, stream.src = g.Run(), rand.NewSource(int64(lang.Seed())).(Source64)
	}
	return stream.src, true
}

func (source) Uint64() uint64 {
	if src, ok := modelled(); ok {
		return src.Uint64()
	}
	return rand.Uint64()
}

func (source) Int63() int64 {
	if src, ok := modelled(); ok {
		return src.Int63()
	}
	return rand.Int63()
}

func (source) Seed(seed int64) {
	if src, ok := modelled(); ok {
		src.Seed(seed)
		return
	}
	rand.Seed(seed) //lint:ignore SA1019 it is what the program calls
}

// Seed is [rand.Seed].
func Seed(seed int64) { source{}.Seed(seed) }

// Read is [rand.Read].
func Read(p []byte) (n int, err error) {
	if _, ok := modelled(); !ok {
		return rand.Read(p) //lint:ignore SA1019 it is what the program calls
	}
	for i := range p {
		p[i] = byte(shared.Uint32())
	}
	return len(p), nil
}

// Int63 is [rand.Int63].
func Int63() int64 { return shared.Int63() }

// Uint32 is [rand.Uint32].
func Uint32() uint32 { return shared.Uint32() }

// Uint64 is [rand.Uint64].
func Uint64() uint64 { return shared.Uint64() }

// Int31 is [rand.Int31].
func Int31() int32 { return shared.Int31() }

// Int is [rand.Int].
func Int() int { return shared.Int() }

// Int63n is [rand.Int63n].
func Int63n(n int64) int64 { return shared.Int63n(n) }

// Int31n is [rand.Int31n].
func Int31n(n int32) int32 { return shared.Int31n(n) }

// Intn is [rand.Intn].
func Intn(n int) int { return shared.Intn(n) }

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
