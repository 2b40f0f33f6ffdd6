// Package minimal tests that what examples show is shown as simply as possible.
package minimal

import (
	"os"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
)

// Check fails t unless a failing schedule of body is minimised to one that is
// certified to have the fewest preemptions.
func Check(t testing.TB, body func(), opts ...explore.Option) {
	t.Helper()
	check(t, body, 30_000, true, opts...)
}

// CheckLarge is Check for a program with too many schedules to certify it in passing:
// that is done only if MODELCHECK_LONG is set.
func CheckLarge(t testing.TB, body func(), opts ...explore.Option) {
	t.Helper()
	if os.Getenv("MODELCHECK_LONG") != "" {
		check(t, body, 300_000, true, opts...)
	} else {
		check(t, body, 150, false, opts...)
	}
}

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
