package rewrite_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

// The own tests of modules that others wrote, with goroutines and channels everywhere,
// and what they show under control: the kind of the first finding of each test that does
// not pass. Everything else passes. doc/ordinary.md says what is behind each.
var suites = []struct {
	module string
	with   []string
	found  map[string]string
}{
	{"github.com/sourcegraph/conc@v0.3.0", nil, map[string]string{
		// Their subtests "panics on configuration after init" start workers and never wait.
		"TestContextPool":       "blocked forever",
		"TestErrorPool":         "blocked forever",
		"TestPool":              "blocked forever",
		"TestResultContextPool": "blocked forever",
		"TestResultErrorGroup":  "blocked forever",
		"TestResultGroup":       "blocked forever",
	}},
	{"github.com/jackc/puddle/v2@v2.2.2", []string{"golang.org/x/sync"}, map[string]string{
		// What TryAcquire constructs in the background after Close is never destroyed.
		"TestStress_AcquireAllIdle_TryAcquire": "blocked forever",
		// They want some time to have passed, and virtual time stands still.
		"TestPoolCreateResource":                "broken invariant",
		"TestPoolStatSuccessfulAcquireCounters": "broken invariant",
		"TestResourceLastUsageTimeTracking":     "broken invariant",
	}},
}

func TestSuitesOfOtherModules(t *testing.T) {
	for _, s := range suites {
		t.Run(s.module, func(t *testing.T) {
			long(t)
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(download(t, s.module))); err != nil {
				t.Fatal(err)
			}
			found, passed := map[string]string{}, 0
			for _, r := range exploreWith(t, dir, s.with, "MODELCHECK_SEED=1", "MODELCHECK_SCHEDULES=20", "MODELCHECK_STEPS=2000000", "MODELCHECK_MINIMIZE=0") {
				for _, e := range r.Events {
					switch {
					case e.Verdict == gotest.Pass:
						passed++
					case len(e.Findings) == 0:
						found[e.Test] = e.Message
					default:
						found[e.Test] = e.Findings[0].Kind
					}
				}
			}
			t.Logf("%d tests pass under 20 schedules each", passed)
			if diff := cmp.Diff(s.found, found); diff != "" || passed == 0 {
				t.Errorf("what is found differs (-want +got)\n%s", diff)
			}
		})
	}
}
