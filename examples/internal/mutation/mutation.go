// Package mutation takes away, one at a time, what synchronises an example: a lock, a
// case of a select, a send, a close, a cancel, a wait. Some check must notice.
package mutation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Config says what is mutated, and which checks have to notice.
type Config struct {
	// Files has the names of files, each with the functions and variables in it that
	// are to be mutated; none means all.
	Files map[string][]string
	// Run is the pattern of the checks, as for go test -run: of designs that are right.
	Run string
	// Counted puts a counter into each section that a lock guards: for examples in which
	// ordinary variables are guarded, so that nothing would be seen to go wrong.
	Counted bool
}

// golden has a line for each mutant: what it is, and what noticed it.
const golden = "testdata/mutations.txt"

const unnoticed = "not noticed"

// Check fails t unless each mutant is noticed as the golden file says. All are tried
// if MODELCHECK_LONG is set, else two; with UPDATE_MUTATIONS=1 the file is written anew.
// The README has to name those that nothing notices.
func Check(t *testing.T, c Config) {
	long, update := os.Getenv("MODELCHECK_LONG") != "", os.Getenv("UPDATE_MUTATIONS") != ""
	if testing.Short() && !long {
		t.Skip("builds a test binary of its own")
	}
	b := build(t, c)
	if len(b.mutants) < 2 {
		t.Fatalf("wanted mutants, found %d", len(b.mutants))
	}
	want := goldenLines(t, update)
	tried := map[string]bool{}
	if !long && !update {
		for _, k := range []int{1, len(b.mutants)/2 + 1} {
			tried[b.mutants[k-1].String()] = true
		}
	}
	base := b.failing(t, 0)
	var got []string
	for i, m := range b.mutants {
		if len(tried) > 0 && !tried[m.String()] {
			continue
		}
		line := m.String() + " | " + b.notice(t, i+1, base)
		got = append(got, line)
		t.Log(line)
	}
	if update {
		write(t, got)
		return
	}
	if len(tried) > 0 {
		want = slices.DeleteFunc(want, func(line string) bool { return !tried[name(line)] })
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +found); UPDATE_MUTATIONS=1 go test -run Mutations accepts it:\n%s", golden, diff)
	}
	explained(t)
}

func name(line string) string {
	name, _, _ := strings.Cut(line, " | ")
	return name
}

func goldenLines(t *testing.T, update bool) []string {
	text, err := os.ReadFile(golden)
	if errors.Is(err, os.ErrNotExist) && update {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func write(t *testing.T, lines []string) {
	err := errors.Join(os.MkdirAll(filepath.Dir(golden), 0o777), os.WriteFile(golden, []byte(strings.Join(lines, "\n")+"\n"), 0o666))
	if err != nil {
		t.Fatal(err)
	}
}

// explained fails t unless the README names each mutant that nothing notices.
func explained(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range goldenLines(t, false) {
		if strings.HasSuffix(line, unnoticed) && !strings.Contains(string(readme), "`"+name(line)+"`") {
			t.Errorf("README.md does not explain why nothing notices that this is taken away: %s", name(line))
		}
	}
}

// binary is a test binary of the example with all mutants in it, one of which can be
// switched on.
type binary struct {
	config  Config
	path    string
	mutants []mutant
}

func build(t *testing.T, c Config) *binary {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	b := &binary{config: c, path: filepath.Join(t.TempDir(), "mutants.test")}
	replace := map[string]string{}
	add := func(name, text string) {
		to := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(dir, name)] = to
	}
	for _, file := range slices.Sorted(maps.Keys(c.Files)) {
		text, err := instrument(dir, file, c.Files[file], c.Counted, &b.mutants)
		if err != nil {
			t.Fatal(err)
		}
		add(file, text)
	}
	add("mutant_switches.go", fmt.Sprintf(switches, filepath.Base(dir)))
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", file, "-o", b.path, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return b
}

// budget is how many schedules of each check are run for a mutant. A proof that takes
// more is none, and does not count as noticing.
const budget = 1500

// failing runs the checks with mutant k, 0 for none, and returns what failed, by check.
func (b *binary) failing(t *testing.T, k int) map[string]string {
	events := filepath.Join(t.TempDir(), "events")
	cmd := exec.Command(b.path, "-test.run="+b.config.Run, "-test.timeout=5m")
	cmd.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(k), "MODELCHECK_EVENTS="+events, "MODELCHECK_NOSAVE=1",
		"MODELCHECK_SEED=0", "MODELCHECK_SCHEDULES="+strconv.Itoa(budget), "MODELCHECK_MINIMIZE=0", "MODELCHECK_PROVE=1")
	out, _ := cmd.CombinedOutput() // it fails, or not: the events say more
	text, err := os.ReadFile(events)
	if err != nil {
		t.Fatalf("mutant %d: %v\n%s", k, err, out)
	}
	failing := map[string]string{}
	for line := range bytes.Lines(text) {
		var e struct {
			Test, Verdict string
			Findings      []struct{ Kind, Text string }
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Verdict == "error":
			failing[e.Test] = "error"
		case e.Verdict == "fail" && len(e.Findings) > 0 && e.Findings[0].Kind != missed:
			failing[e.Test] = noticed(e.Findings[0].Kind, e.Findings[0].Text)
		}
	}
	return failing
}

// missed is no finding of a mutant: within the budget others may miss it too.
const missed = "expected finding missed"

// noticed says what kind of finding it is, and of an invariant which.
func noticed(kind, text string) string {
	if _, rest, ok := strings.Cut(text, "broken invariant \""); ok {
		name, _, _ := strings.Cut(rest, ":")
		return kind + " " + name
	}
	return kind
}

// notice runs the checks with mutant k and says what notices it: the first check by
// name that fails and does not without.
func (b *binary) notice(t *testing.T, k int, base map[string]string) string {
	failing := b.failing(t, k)
	var tests []string
	for test, how := range failing {
		if base[test] != how {
			tests = append(tests, test)
		}
	}
	if len(tests) == 0 {
		return unnoticed
	}
	slices.Sort(tests)
	return failing[tests[0]] + " in " + tests[0]
}
