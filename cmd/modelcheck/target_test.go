package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

// A schedule that modelcheck test saved is one for replay, show and min too, from
// wherever the user stands in the module.
func TestSchedulesOfOrdinaryTests(t *testing.T) {
	enterFixture(t)
	source, err := os.ReadFile("../ordinary/ordinary_test.go")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	put(t, "go.mod", "module example.test/shop\n\ngo 1.26\n")
	for _, dir := range []string{"till", "elsewhere"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	put(t, "till/till_test.go", string(source))
	modelcheck(t, exitFinding, "test", "-schedules=100", "-run=TestGivesUp", "./till")
	files, err := filepath.Glob("till/testdata/modelcheck/TestGivesUp/*.schedule")
	if err != nil || len(files) != 1 {
		t.Fatalf("want one saved schedule, found %q (%v)", files, err)
	}

	t.Chdir("elsewhere")
	file := filepath.Join("..", files[0])
	for _, c := range []struct {
		exit int
		want string
		args []string
	}{
		{exitFinding, "\nreproduced\n", []string{"replay", file}},
		{exitOK, "    Note over g1: ✗ send chan", []string{"show", "-mermaid", file}},
		{exitOK, "1 preemption", []string{"min", "-runs=100", "-o=simpler.schedule", file}},
		{exitFinding, "\nreproduced\n", []string{"replay", "simpler.schedule"}},
		{exitFinding, "TestGivesUp: main.1 blocked", []string{"test", "-replay", file, "../till"}},
	} {
		if got := modelcheck(t, c.exit, c.args...); !strings.Contains(got, c.want) {
			t.Errorf("modelcheck %s: want %q in\n%s", strings.Join(c.args, " "), c.want, got)
		}
	}
}

// What a replay says of how its run differs from that for which the schedule was saved.
func TestReplayTellsOfDivergence(t *testing.T) {
	blocked := []gotest.Finding{{Text: "main blocked: send chan jobs (cap 0) at jobs.go:12"}}
	held := []gotest.Finding{{Text: "mutex mu held for ever by main: lock at jobs.go:9"}}
	saved := recorded{findings: []string{"main blocked: send chan jobs (cap 0) at jobs.go:10"}, operations: "5, hash 00000000000000ff"}
	const same, other = "00000000000000ff", "00000000000000aa"
	for _, c := range []struct {
		name     string
		recorded recorded
		schedule string
		event    gotest.Event
		want     string
	}{
		{"the same at another line", saved, "mc1:m-1=m.1_lock:0", gotest.Event{Findings: blocked, Steps: 5, Hash: same}, "reproduced"},
		{"nothing recorded", recorded{}, "mc1:m-1=m.1_lock:0", gotest.Event{Findings: held}, "reproduced"},
		{"another finding", saved, "mc1:m-1=m.1_lock:0", gotest.Event{Findings: held},
			"found, but when the schedule was saved it was: main blocked: send chan jobs (cap 0) at jobs.go:10"},
		{"found off the schedule", saved, "mc1:m-1=m.1_lock:0", gotest.Event{Findings: blocked, Stale: "the schedule no longer applies at step 3"},
			"found, but the schedule no longer applies at step 3"},
		{"mended", recorded{}, "mc1:m-1=m.1_lock,m-2=m.1_unlock:0", gotest.Event{}, "no longer found: the schedule fits, with its 2 decisions, and nothing is wrong"},
		{"of any program", recorded{}, "mc1::0", gotest.Event{}, "no longer found: the schedule asks for no decision, and so fits every program"},
		{"of another program", saved, "mc1::0", gotest.Event{Steps: 1, Hash: other},
			"no longer found: the program does something else under this schedule than the one that it was saved for (5 steps then, 1 step now)"},
		{"judged otherwise", saved, "mc1::0", gotest.Event{Steps: 5, Hash: same},
			"no longer found: the program does what it did when the schedule was saved, and nothing is wrong with that now"},
	} {
		var b bytes.Buffer
		c.event.Test = "TestX"
		target := target{schedule: c.schedule, recorded: c.recorded}
		_, err := judgeReplay(&b, false, target, []gotest.Result{{Events: []gotest.Event{c.event}}})
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if diff := cmp.Diff(c.want, lines[len(lines)-1]); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
	}
}

func TestSavedScheduleOfAnotherDriver(t *testing.T) {
	for text, want := range map[string]string{
		"# driver: modelcheck prove\n":         `line "# driver: modelcheck prove": want "modelcheck test" and its flags: use the modelcheck command of the version that wrote it`,
		"# driver: modelcheck test -without\n": `line "# driver: modelcheck test -without": flag provided but not defined: -without: use the modelcheck command of the version that wrote it`,
	} {
		if _, err := parseSaved(text + "mc1::0\n"); fmt.Sprint(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
