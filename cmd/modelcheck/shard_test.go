package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Shards that are really run, on their own, and merged say what one run of all tests
// says, with the same exit code; each test is run by one of them.
func TestShardsTogetherAreOneRun(t *testing.T) {
	if testing.Short() {
		t.Skip("linking the tests for each shard takes longer than a short test may")
	}
	dir, err := filepath.Abs("testdata/failures")
	if err != nil {
		t.Fatal(err)
	}
	enterFixture(t)
	module(t, "../../../..")
	if err := os.CopyFS(".", os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("MODELCHECK_NOSAVE", "1")

	const tests = "TestPasses|TestLeaks|TestExpectsInVain|TestHugeProof|TestExploresNothing"
	modelcheck := func(args ...string) []string {
		return strings.Split(timeEach.ReplaceAllString(normalize(output(t, nil, args)), "$1 TIME"), "\n")
	}
	whole := modelcheck("run", "-run", tests, "-results", "all.json", "./cases", "./unwritable")
	var files, parts []string
	for i := range 2 {
		file := fmt.Sprintf("shard-%d.json", i+1)
		files = append(files, file)
		parts = append(parts, modelcheck("run", "-run", tests, "-shard", fmt.Sprintf("%d/2", i+1), "-results", file, "./cases", "./unwritable")...)
	}
	merged := modelcheck(append([]string{"merge"}, files...)...)
	if diff := cmp.Diff(sorted(whole), sorted(merged)); diff != "" {
		t.Errorf("(-one run +shards, merged)\n%s", diff)
	}
	for _, name := range append(strings.Split(tests, "|"), "TestLeaks") {
		row := func(line string) bool { return strings.HasSuffix(line, " TIME") && strings.Contains(line, name) }
		if all, some := rows(whole, row), rows(parts, row); all == 0 || some != all {
			t.Errorf("%s: one run has it %d times, the shards %d times", name, all, some)
		}
	}
	for _, c := range []struct {
		files []string
		want  string
	}{
		{files[:1], "! modelcheck: merge: want the results of all shards, found none of 2/2: run it again, and merge once more"},
		{[]string{files[0], files[1], files[0]}, "! modelcheck: merge: want each shard once, found 1/2 twice"},
	} {
		if got := modelcheck(append([]string{"merge"}, c.files...)...); !slices.Equal(got, []string{c.want, "exit 2", ""}) {
			t.Errorf("merge %v: %q, want %q", c.files, got, c.want)
		}
	}
}

// sorted has the lines in another order, since shards report in theirs, and with single
// blanks, since columns are as wide as what is in them.
func sorted(lines []string) []string {
	var list []string
	for _, line := range lines {
		list = append(list, strings.Join(strings.Fields(line), " "))
	}
	slices.Sort(list)
	return list
}

func rows(lines []string, is func(string) bool) (n int) {
	for _, line := range lines {
		if is(line) {
			n++
		}
	}
	return n
}
