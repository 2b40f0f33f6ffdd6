package model_test

import (
	"iter"
	"testing"

	"github.com/modelcheck-go/modelcheck/sched"
)

// onward keeps the running goroutine running.
type onward struct{}

func (onward) Pick(p *sched.Point) sched.Choice { return p.Default() }

// BenchmarkRawSwitch is what the numbers under control have to be compared with:
// to a coroutine of package iter and back.
func BenchmarkRawSwitch(b *testing.B) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for yield(0) {
		}
	})
	defer stop()
	for range b.N {
		next()
	}
}

// perRun is how often one run repeats an operation: some leave something behind.
const perRun = 1000

// BenchmarkControlled is the time per operation under control, without a choice
// of its own to make.
func BenchmarkControlled(b *testing.B) {
	for _, op := range perOperation {
		b.Run(op.name, func(b *testing.B) {
			b.ReportAllocs()
			e := sched.New(sched.Config{MaxSteps: 1 << 62})
			defer e.Close()
			for n := b.N; n > 0; n -= perRun {
				e.Run(func() { op.body(min(n, perRun)) }, onward{}, sched.RunOptions{})
			}
		})
	}
}

// BenchmarkNative is the same outside a controlled run, and beside it the same with
// the real thing.
func BenchmarkNative(b *testing.B) {
	for _, op := range perOperation {
		b.Run(op.name+"/model", func(b *testing.B) {
			b.ReportAllocs()
			op.body(b.N)
		})
		if op.real != nil {
			b.Run(op.name+"/real", func(b *testing.B) {
				b.ReportAllocs()
				op.real(b.N)
			})
		}
	}
}
