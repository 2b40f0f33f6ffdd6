package explore

import (
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// BenchmarkExhaustive is a whole search of programs with known numbers of trace
// classes: runs/s, and as switches/run what a run costs in round trips of iter.Pull,
// measured just before.
func BenchmarkExhaustive(b *testing.B) {
	type program struct {
		name    string
		classes int
		body    func()
	}
	list := []program{{"counter 2x5", 252, counter2x5}}
	for n := 3; n <= 7; n++ {
		list = append(list, program{fmt.Sprint("philosophers ", n), 1<<n - 1, func() { philosophers(n, false) }})
	}
	list = append(list,
		program{"readers 10", 1024, func() { readers(10) }},
		program{"last zero 10", 3328, func() { lastZero(10) }},
	)
	for _, p := range list {
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			e := sched.New(sched.Config{})
			defer e.Close()
			unit := roundTrip()
			b.ResetTimer()
			for b.Loop() {
				s := newDPOR(sched.Dependencies)
				for i := uint64(0); s.Begin(i); i++ {
					s.End(e.Run(p.body, s, logged))
				}
				if s.runs != p.classes || s.blocked > 0 {
					b.Fatalf("%d runs and %d given up, want %d", s.runs, s.blocked, p.classes)
				}
			}
			runs := float64(b.N * p.classes)
			b.ReportMetric(runs/b.Elapsed().Seconds(), "runs/s")
			b.ReportMetric(float64(b.Elapsed())/runs/float64(unit), "switches/run")
		})
	}
}

// roundTrip returns what one call of the next function of iter.Pull takes: the least
// of several measurements.
func roundTrip() time.Duration {
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		for yield(struct{}{}) {
		}
	})
	defer stop()
	const calls = 10_000
	least := time.Duration(1 << 62)
	for range 10 {
		began := time.Now()
		for range calls {
			next()
		}
		least = min(least, time.Since(began))
	}
	return max(least/calls, 1)
}
