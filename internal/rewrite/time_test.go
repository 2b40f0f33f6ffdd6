package rewrite_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Time passes at quiescence in some schedules and at any moment in others. A test that
// fails only in the latter is no finding; a goroutine that is blocked is.
func TestTimeIsAChoice(t *testing.T) {
	want := map[string][]string{
		"TestPatience":       {"pass"},
		"TestDeadline":       {"fail", "main.2 blocked: send chan at time_test.go:31 (cap 0) at time_test.go:32"},
		"TestSleep":          {"fail", "main.1 blocked: send chan at time_test.go:42 (cap 0) at time_test.go:46"},
		"TestTick":           {"fail", "main.2 blocked: send chan at time_test.go:56 (cap 0) at time_test.go:57"},
		"TestSpin":           {"pass"},
		"TestPanic":          {"pass"},
		"TestPanicElsewhere": {"fail", "main.2 panicked: not done yet at time_test.go:97"},
		"TestWrong":          {"fail", `broken invariant "the test passes": time_test.go:77: always`},
	}
	tests := buildTests(t, "testdata/time", nil, ".")
	got := map[string][]string{}
	for _, r := range tests.run(t, nil, "MODELCHECK_SCHEDULES=200") {
		for _, e := range r.Events {
			got[e.Test] = []string{string(e.Verdict)}
			for _, f := range e.Findings {
				got[e.Test] = append(got[e.Test], f.Text)
			}
			if e.Schedule != "" {
				replays(t, tests, e)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verdicts and findings differ (-want +got)\n%s", diff)
	}

	for _, r := range tests.run(t, []string{"-test.run=Patience|Deadline|Tick|Sleep"}, "MODELCHECK_TIMERS=quiescence", "MODELCHECK_SCHEDULES=200") {
		for _, e := range r.Events {
			if e.Verdict != "pass" {
				t.Errorf("%s at quiescence: %v, want pass", e.Test, e.Findings)
			}
		}
	}
	for _, r := range tests.run(t, []string{"-test.run=Patience"}, "MODELCHECK_TIMERS=hasty", "MODELCHECK_SCHEDULES=200") {
		for _, e := range r.Events {
			if e.Verdict != "fail" {
				t.Errorf("%s hastily: %s, want it to fail, because that was asked for", e.Test, e.Verdict)
			}
		}
	}
}
