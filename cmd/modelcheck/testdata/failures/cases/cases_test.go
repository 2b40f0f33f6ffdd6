// Package cases has a test for each way in which a check can fail.
package cases

import (
	"os"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
)

func two() {
	model.Go(func() {})
}

func TestPasses(t *testing.T) { explore.Check(t, two, explore.Seed(1), explore.Schedules(10)) }

func TestLeaks(t *testing.T) {
	explore.Check(t, func() {
		jobs := model.Named(model.NewChan[int](0), "jobs")
		model.GoNamed("sender", func() { jobs.Send(1) })
	}, explore.Seed(1))
}

func TestExpectsInVain(t *testing.T) {
	explore.Check(t, two, explore.Seed(1), explore.Schedules(10), explore.Expect(explore.Panics("close of closed channel")))
}

func TestHugeProof(t *testing.T) {
	explore.Exhaust(t, func() {
		var mu model.Mutex
		for range 4 {
			model.Go(func() { mu.Lock(); mu.Unlock() })
		}
	}, explore.Schedules(3))
}

func TestExploresNothing(t *testing.T) { explore.Check(t, func() {}, explore.Seed(1)) }

func TestBadOption(t *testing.T) { explore.Check(t, two, explore.Schedules(0)) }

func TestNested(t *testing.T) {
	explore.Check(t, func() { explore.Run(two) }, explore.Seed(1))
}

func TestBlocksOutside(t *testing.T) {
	explore.Check(t, func() { <-make(chan int) }, explore.Seed(1), explore.Watchdog(100*time.Millisecond))
}

func TestBadFile(t *testing.T) { explore.Check(t, two, explore.Seed(1), explore.Schedules(10)) }

func TestExits(t *testing.T) {
	explore.Check(t, func() { os.Exit(3) }, explore.Seed(1))
}

func TestSamples(t *testing.T) {
	explore.Check(t, func() {
		var mu model.Mutex
		for range 3 {
			model.Go(func() { mu.Lock(); mu.Unlock() })
		}
	}, explore.Seed(1), explore.Schedules(10))
}
