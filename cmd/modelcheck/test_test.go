package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tries are the numbers at the end of a line of the table.
var tries = regexp.MustCompile(` +\d+ +[0-9.]+(ns|µs|ms|s)\n`)

// Ordinary tests are explored, and what is found is replayed by the command that the
// report ends with.
func TestOrdinaryTests(t *testing.T) {
	enterFixture(t)
	t.Chdir("../ordinary")
	t.Setenv("MODELCHECK_NOSAVE", "1")
	command := func(args ...string) (stdout, stderr string, exit int) {
		var out, err bytes.Buffer
		exit = run(append([]string{"test"}, args...), strings.NewReader(""), &out, &err)
		return out.String(), err.String(), exit
	}

	stdout, stderr, exit := command("-schedules=100", "-run=TestDelivers|TestGivesUp", ".")
	found := `Found:
FAIL      . TestGivesUp: main.1 blocked: send chan at ordinary_test.go:20 (cap 0) at ordinary_test.go:21
`
	want := `PACKAGE  TEST          VARIANT  VERDICT  SCHEDULES  TIME EACH
.        TestDelivers           pass
.        TestGivesUp            FAIL

` + found
	got, report, _ := strings.Cut(tries.ReplaceAllString(stdout, "\n"), "\nFAIL  .")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("output differs (-want +got)\n%s", diff)
	}
	if wanted := "not run: 1 example or fuzz target\n"; stderr != wanted || exit != exitFinding {
		t.Errorf("want exit code %d and %q on standard error, found %d and %q", exitFinding, wanted, exit, stderr)
	}

	again := regexp.MustCompile(`modelcheck test (-run='\^TestGivesUp\$') (-replay='mc1:\S+') \.`).FindStringSubmatch(report)
	if again == nil {
		t.Fatalf("want a command that replays the finding, found none in\n%s", report)
	}
	stdout, _, exit = command(strings.ReplaceAll(again[1], "'", ""), strings.ReplaceAll(again[2], "'", ""), ".")
	if !strings.Contains(stdout, found) || exit != exitFinding {
		t.Errorf("want exit code %d and the same finding from %s, found %d and\n%s", exitFinding, again[0], exit, stdout)
	}

	stdout, _, exit = command("-isolate", "-schedules=30", "-run=TestRegisters|TestGivesUp", ".")
	want = `PACKAGE  TEST           VARIANT  VERDICT  SCHEDULES  TIME EACH
.        TestGivesUp             FAIL
.        TestRegisters           pass

` + found
	got, _, _ = strings.Cut(tries.ReplaceAllString(stdout, "\n"), "\nFAIL  .")
	if diff := cmp.Diff(want, got); diff != "" || exit != exitFinding {
		t.Errorf("isolated: exit code %d, output differs (-want +got)\n%s", exit, diff)
	}

	stdout, _, exit = command("-schedules=100", "-run=TestRegisters", ".")
	wanted := "ERROR  . TestRegisters: the finding does not show in a process of its own: "
	if !strings.Contains(stdout, wanted) || exit != exitError {
		t.Errorf("want exit code %d and %q, found %d and\n%s", exitError, wanted, exit, stdout)
	}
}
