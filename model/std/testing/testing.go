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

// AllocsPerRun is [testing.AllocsPerRun].
func AllocsPerRun(runs int, f func()) (avg float64) { return testing.AllocsPerRun(runs, f) }

// Benchmark is [testing.Benchmark].
func Benchmark(f func(b *B)) BenchmarkResult { return testing.Benchmark(f) }

// CoverMode is [testing.CoverMode].
func CoverMode() string { return testing.CoverMode() }

// Coverage is [testing.Coverage].
func Coverage() float64 { return testing.Coverage() }

// Init is [testing.Init].
func Init() { testing.Init() }

// Short is [testing.Short].
func Short() bool { return testing.Short() }

// Testing is [testing.Testing].
func Testing() bool { return testing.Testing() }

// Verbose is [testing.Verbose].
func Verbose() bool { return testing.Verbose() }
