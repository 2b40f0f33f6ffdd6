package rewrite_test

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/rewrite"
)

// Data races on ordinary variables are found, on which variable, and nothing else is.
func TestRacesOnOrdinaryVariables(t *testing.T) {
	want := map[string]string{
		"TestRacyCounter": "total", "TestRacyCapture": "err", "TestRacyField": "s.count", "TestRacyPublication": "s.config",
		"TestRacyDoubleCheck": "s.open", "TestRacyReceive": "x", "TestRacySleep": "x", "TestRacyLoop": "last",
		"TestCounter": "", "TestCapture": "", "TestField": "", "TestNeighbours": "", "TestEmbeddedLock": "", "TestPublication": "",
		"TestReceived": "", "TestContext": "", "TestTimer": "", "TestOnce": "", "TestUnwound": "", "TestForms": "",
		"TestRacyParallel": "n", "TestRacyElement": "s[1]", "TestRacyElementOfCall": "s[i]", "TestRacyArray": "p[2].n", "TestRacyMap": "m",
		"TestElements": "", "TestMaps": "", "TestElementForms": "", "TestSubtests": "", "TestReaders": "", "TestArguments": "", "TestHandedOn": "",
	}
	tests := buildConfig(t, "testdata/races", rewrite.Config{Patterns: []string{"."}, Races: true})
	got := map[string]string{}
	for _, r := range tests.run(t, nil, "MODELCHECK_SCHEDULES=300") {
		for _, e := range r.Events {
			got[e.Test] = ""
			for _, f := range e.Findings {
				variable, isRace := strings.CutPrefix(f.Text, "data race on variable ")
				if !isRace {
					t.Errorf("%s: %s", e.Test, f.Text)
				}
				got[e.Test], _, _ = strings.Cut(variable, ":")
			}
			if e.Schedule != "" {
				replays(t, tests, e)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("variables with a data race (-want +got)\n%s", diff)
	}
}

// Go's race detector reports no others, and most of them: it depends on what happens.
func TestRacesNatively(t *testing.T) {
	if os.Getenv("MODELCHECK_LONG") == "" {
		t.Skip("set MODELCHECK_LONG to build and run the programs with go test -race")
	}
	t.Chdir("testdata/races")
	cmd := exec.Command("go", "test", "-race", "-count=200", "-v", ".")
	cmd.Env = append(os.Environ(), "GORACE=suppress_equal_stacks=0")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatal("the race detector found nothing")
	}
	failed := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); ok {
			name, _, _ = strings.Cut(name, " ")
			name, _, _ = strings.Cut(name, "/")
			failed[name] = true
		}
	}
	if len(failed) == 0 {
		t.Fatalf("the race detector found nothing:\n%s", out)
	}
	for name := range failed {
		if !strings.HasPrefix(name, "TestRacy") {
			t.Errorf("%s: a data race natively, but none under control", name)
		}
	}
	t.Logf("seen natively: %v", slices.Sorted(maps.Keys(failed)))
}
