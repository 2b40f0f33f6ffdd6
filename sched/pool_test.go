package sched

import (
	"math/rand/v2"
	"testing"
)

// Goroutines that end by Goexit carry it on their stacks, so the pool is renewed after some
// time, whatever they were doing when the run ended.
func TestThePoolIsRenewedAfterManyExits(t *testing.T) {
	for name, abandon := range map[string]bool{"at rest": false, "in the middle": true} {
		t.Run(name, func(t *testing.T) {
			e := New(Config{})
			defer e.Close()
			for seed := range uint64(400) {
				r := e.Run(func() {
					var mu Ref
					for range 5 {
						Current().Go(func() {
							g := Current()
							defer func() {
								g.Lock(&mu)
								defer g.Unlock(&mu)
								g.Yield()
							}()
							g.Yield()
							g.Exit()
						}, "", false)
					}
					if abandon {
						Current().Yield()
						Current().Abandon()
					}
				}, drawn{rand.New(rand.NewPCG(seed, 0)), 0}, RunOptions{})
				if r.Failed || r.Outcome == Misuse {
					t.Fatalf("seed %d: %v, failed: %t", seed, r.Outcome, r.Failed)
				}
			}
		})
	}
}
