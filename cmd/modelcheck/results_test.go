package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// modelcheck runs one command line and returns what it prints.
func modelcheck(t *testing.T, want int, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if exit := run(args, strings.NewReader(""), &stdout, &stderr); exit != want {
		t.Fatalf("modelcheck %s: exit %d, want %d\n%s%s", strings.Join(args, " "), exit, want, &stdout, &stderr)
	}
	return normalize(stdout.String())
}

// Shards whose results are merged say what one run says.
func TestShardsAndMergeSayWhatOneRunSays(t *testing.T) {
	enterFixture(t)
	dir := t.TempDir()
	whole := modelcheck(t, exitFinding, "run", "./show", "./pass")
	args := []string{"merge"}
	for _, shard := range []string{"1/2", "2/2"} {
		file := filepath.Join(dir, strings.ReplaceAll(shard, "/", "of"))
		want := exitOK
		if shard == "1/2" {
			want = exitFinding
		}
		modelcheck(t, want, "run", "-shard", shard, "-results", file, "./show", "./pass")
		args = append(args, file)
	}
	if diff := cmp.Diff(lines(whole), lines(modelcheck(t, exitFinding, args...))); diff != "" {
		t.Errorf("(-one run +merged):\n%s", diff)
	}
}

// lines are the lines of text, in no order: shards have other tests first.
func lines(text string) map[string]int {
	count := map[string]int{}
	for line := range strings.Lines(text) {
		count[strings.Join(strings.Fields(line), " ")]++
	}
	return count
}

func TestExportsOfARun(t *testing.T) {
	enterFixture(t)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	t.Setenv("GITHUB_STEP_SUMMARY", file("summary"))
	modelcheck(t, exitFinding, "run", "-junit", file("junit"), "-sarif", file("sarif"), "-github", "./show")
	for name, wants := range map[string][]string{
		"junit":   {`<testsuites name="modelcheck" tests="3" failures="1" errors="0">`, `classname="example.test/fixture/show" name="TestLocks"`, `type="blocked forever"`},
		"sarif":   {`"uri": "show/locks.go"`, `"startLine": 10`, `"ruleId": "blocked-forever"`},
		"summary": {"### modelcheck", "sequenceDiagram", "❌ fail"},
	} {
		data, err := os.ReadFile(file(name))
		if err != nil {
			t.Error(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s: want %s in\n%s", name, want, data)
			}
		}
	}
	page := file("page.html")
	modelcheck(t, exitOK, "show", "-html", "-o", page, "-run", "TestLocks", "./show", "mc1:m-1=m.1_lock:2074dbc4")
	if data, err := os.ReadFile(page); err != nil || !strings.Contains(string(data), `lock(\"b\")`) {
		t.Errorf("%v: want the source in the page\n%s", err, data)
	}
}

func TestUnknownVariablesArePointedOut(t *testing.T) {
	enterFixture(t)
	t.Setenv("MODELCHECK_SCHEDULE", "5")
	var stdout, stderr bytes.Buffer
	run([]string{"run", "./settings"}, strings.NewReader(""), &stdout, &stderr)
	if want := "modelcheck: environment variable MODELCHECK_SCHEDULE has no effect: did you mean MODELCHECK_SCHEDULES?\n"; stderr.String() != want {
		t.Errorf("want %s, found %s", want, &stderr)
	}
}
