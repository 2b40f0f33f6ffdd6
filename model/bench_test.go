package model_test

import (
	"iter"
	"testing"

	"github.com/modelcheck-go/modelcheck/sched"
	"github.com/sasha-s/go-deadlock"
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
// the real thing. Locks are those of go-deadlock there, which stands between: as it comes,
// and with its detection off.
func BenchmarkNative(b *testing.B) {
	for _, op := range perOperation {
		repeat(b, op.name+"/model", op.body)
		repeat(b, op.name+"/real", op.real)
		repeat(b, op.name+"/go-deadlock", op.between)
		if op.between != nil {
			deadlock.Opts.Disable = true
			repeat(b, op.name+"/model, detection off", op.body)
			repeat(b, op.name+"/go-deadlock, detection off", op.between)
			deadlock.Opts.Disable = false
		}
	}
}

func repeat(b *testing.B, name string, f func(n int)) {
	if f != nil {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			f(b.N)
		})
	}
}
