// Package testing takes the place of package testing in tests that "modelcheck test"
// has rewritten; see package lang. A test is explored: its function runs many times,
// each time as the goroutine main of a controlled run.
//
// A failure of the test is a finding. Error and Fail let the run go on, to be judged
// at its end; Fatal and FailNow end it. What a test logs shows in the report of a
// failing run.
package testing

import (
	"testing"
)

type (
	B                  = testing.B
	BenchmarkResult    = testing.BenchmarkResult
	Cover              = testing.Cover
	CoverBlock         = testing.CoverBlock
	F                  = testing.F
	InternalBenchmark  = testing.InternalBenchmark
	InternalExample    = testing.InternalExample
	InternalFuzzTarget = testing.InternalFuzzTarget
	InternalTest       = testing.InternalTest
	M                  = testing.M
	PB                 = testing.PB
	TB                 = testing.TB
)

func AllocsPerRun(runs int, f func()) (avg float64) { return testing.AllocsPerRun(runs, f) }

func Benchmark(f func(b *B)) BenchmarkResult { return testing.Benchmark(f) }

func CoverMode() string { return testing.CoverMode() }

func Coverage() float64 { return testing.Coverage() }

func Init() { testing.Init() }

func Short() bool { return testing.Short() }

func Testing() bool { return testing.Testing() }

func Verbose() bool { return testing.Verbose() }
