package explore

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// MakeFuzz makes a target for [testing.F.Fuzz] of a property as Property takes it. The
// bytes decide everything, and go test -fuzz looks for those that reach new code:
//
//	func FuzzServe(f *testing.F) {
//		f.Fuzz(explore.MakeFuzz(func(rt *rapid.T) func() {
//			workers := rapid.IntRange(1, 4).Draw(rt, "workers")
//			return func() { serve(workers) }
//		}))
//	}
//
// The workload is drawn from the bytes as rapid.MakeFuzz does it, from the first on;
// where they end zeros follow, which rapid takes for small and short. The schedule is
// read from the last byte on, one byte a decision; 0 is the default policy, and so is
// what comes when all were read. So each input is one schedule of one workload.
//
// Of the options those count that concern a single run, such as Steps and Timers;
// what Expect expects is no failure.
func MakeFuzz(prop func(rt *rapid.T) func(), opts ...Option) func(*testing.T, []byte) {
	return func(t *testing.T, input []byte) {
		t.Helper()
		refuseNested("explore.MakeFuzz")
		set, err := settingsOf(func() {}, opts)
		if prop == nil {
			err = errors.New("wanted a property, found nil")
		}
		if err != nil {
			t.Fatalf("explore: error: %v", err)
		}
		rapid.MakeFuzz(func(rt *rapid.T) {
			body := prop(rt)
			if body == nil {
				rt.Fatalf("explore: error: %v", errNoBody)
			}
			if r := fuzzOnce(body, set, input); r.Failed() {
				rt.Logf("explore: %s", r)
				rt.Fatalf("%s", r.oneLine())
			}
		})(t, append(slices.Clone(input), make([]byte, fuzzZeros)...))
	}
}

// fuzzZeros is how many bytes follow an input for rapid.
const fuzzZeros = 4096

// fuzzOnce runs body once, under the schedule in input.
func fuzzOnce(body func(), set settings, input []byte) Report {
	set.strategy = "fuzz"
	c := newCampaign(body, set, time.Time{})
	defer c.close()
	c.asked, c.schedules = 1, 1
	f, stuck := supervise(c.worker, c.deadline, func() *failure {
		r := c.worker.execute(&dictated{left: input}, false)
		if !r.Failed && r.Outcome != sched.Misuse {
			return nil
		}
		return c.worker.examine(0, 0, r)
	})
	if stuck != nil {
		f = &failure{findings: []Finding{*stuck}, stuck: true}
	}
	if f != nil {
		c.steps, c.timed = f.steps, f.timed
		c.judge(f)
	}
	if c.found != nil {
		c.minimize()
	}
	return c.report()
}

// dictated makes the choices that bytes ask for, the last byte first: 0 is the default
// policy, b the (b-1)-th of what can happen, counted round and round.
type dictated struct {
	left []byte
	rest stream
}

// forbearance is how many steps the default policy goes on when there are no bytes left.
// A program that is not done then may be waiting in a loop for a goroutine that this
// policy never lets go on; the rest is a random walk, always the same.
const forbearance = 1000

func (d *dictated) Pick(p *sched.Point) sched.Choice {
	n := len(d.left)
	if n == 0 {
		if p.Step() > forbearance {
			return uniform(&d.rest, p)
		}
		return p.Default()
	}
	b := int(d.left[n-1])
	d.left = d.left[:n-1]
	if b == 0 {
		return p.Default()
	}
	return nthEvent(p, (b-1)%countEvents(p))
}
