// Package minimal tests that what examples show is shown as simply as possible.
package minimal

import (
	"os"
	"slices"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
)

// Check fails t unless each trial that shows something is minimised to a schedule that
// is certified to have the fewest preemptions. Where the trial is large or sampled there
// are too many schedules to certify that in passing: it is done only if MODELCHECK_LONG
// is set, for up to longRuns, and not for the designs in tooMany, which have too many
// even then.
func Check(t *testing.T, trials []explore.Trial, tooMany ...string) {
	t.Helper()
	for _, trial := range trials {
		if trial.Want == nil {
			continue
		}
		t.Run(trial.Design+"/"+trial.World+","+trial.Size, func(t *testing.T) {
			switch {
			case !trial.Large && trial.Sample == 0:
				check(t, trial.Body, 30_000, true, trial.Options...)
			case os.Getenv("MODELCHECK_LONG") != "" && slices.Contains(tooMany, trial.Design):
				check(t, trial.Body, 100_000, false, trial.Options...)
			case os.Getenv("MODELCHECK_LONG") != "":
				check(t, trial.Body, longRuns, true, trial.Options...)
			default:
				check(t, trial.Body, 150, false, trial.Options...)
			}
		})
	}
}

// longRuns is more than certifying any of them takes: cond-signal of the shim, with two
// containers, needs 1.8 million runs.
const longRuns = 2_500_000

// most is more preemptions than any failure of the examples needs.
const most = 3

func check(t testing.TB, body func(), runs int, certified bool, opts ...explore.Option) {
	t.Helper()
	r := explore.Run(body, append([]explore.Option{explore.Schedules(200_000), explore.Minimize(runs)}, opts...)...)
	switch m := r.Minimal; {
	case m == nil:
		t.Errorf("wanted a failing schedule, found:\n%v", r)
	case m.Preemptions > most || certified && !m.Certified:
		t.Errorf("wanted at most %d preemptions, certified %v, found:\n%v", most, certified, r)
	default:
		t.Logf("%d preemptions, certified %v, %v", m.Preemptions, m.Certified, m)
	}
}
