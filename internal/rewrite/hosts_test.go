package rewrite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

// verdicts explores the tests in dir, with module golang.org/x/sync under control.
func verdicts(t *testing.T, dir string) map[string]gotest.Verdict {
	t.Helper()
	got := map[string]gotest.Verdict{}
	for _, r := range exploreWith(t, dir, []string{"golang.org/x/sync"}, "MODELCHECK_SCHEDULES=200") {
		for _, e := range r.Events {
			got[e.Test] = e.Verdict
		}
		for _, p := range r.Problems {
			if p.Harness {
				t.Errorf("%s: %s\n%s", p.Test, p.What, p.Output)
			}
		}
	}
	return got
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestWorkspace(t *testing.T) {
	dir := copyOf(t, "testdata/workspace")
	want := map[string]gotest.Verdict{"TestEveryAnswerComes": gotest.Pass, "TestSharedVariable": gotest.Fail}
	if diff := cmp.Diff(want, verdicts(t, filepath.Join(dir, "client"))); diff != "" {
		t.Errorf("verdicts differ (-want +got)\n%s", diff)
	}
}

func TestOtherModules(t *testing.T) {
	want := map[string]gotest.Verdict{
		"TestGroup": gotest.Pass, "TestGroupLeaks": gotest.Fail, "TestSemaphore": gotest.Pass,
		"TestFlight": gotest.Pass, "TestForgottenFlight": gotest.Fail,
	}
	dir := copyOf(t, "testdata/others")
	if diff := cmp.Diff(want, verdicts(t, dir)); diff != "" {
		t.Errorf("verdicts differ (-want +got)\n%s", diff)
	}
}

// The same from a vendor directory.
func TestVendored(t *testing.T) {
	dir := copyOf(t, "testdata/others")
	cmd := exec.Command("go", "mod", "vendor")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := verdicts(t, dir)
	if got["TestGroup"] != gotest.Pass || got["TestGroupLeaks"] != gotest.Fail {
		t.Errorf("want TestGroup to pass and TestGroupLeaks to fail, found %v", got)
	}
}
