package rewrite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/gotest"
	"github.com/modelcheck-go/modelcheck/internal/rewrite"
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

// Copies of modules stay, so that what was compiled from them can be used again.
func TestCopiesAreKept(t *testing.T) {
	t.Chdir(copyOf(t, "testdata/others"))
	cache := t.TempDir()
	var modfiles []string
	for range 2 {
		dir := t.TempDir()
		c := rewrite.Config{Patterns: []string{"."}, With: []string{"golang.org/x/sync"}, Cache: cache}
		if _, err := rewrite.Prepare(t.Context(), c, dir); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		modfiles = append(modfiles, string(text))
	}
	if diff := cmp.Diff(modfiles[0], modfiles[1]); diff != "" || !strings.Contains(modfiles[0], cache) {
		t.Errorf("want the same copy below %s, found (-first +second)\n%s\n%s", cache, diff, modfiles[0])
	}
	if copies, err := os.ReadDir(cache); err != nil || len(copies) != 1 {
		t.Errorf("want one copy, found %v, %v", copies, err)
	}
}

// BenchmarkBuild measures what stands between a change and the first schedule: rewriting
// tests and building them, with an empty build cache (what they need of the standard
// library is compiled too), once more without a change, and beside that what go test -c takes
// when nothing has changed. One round is enough: -benchtime=1x.
func BenchmarkBuild(b *testing.B) {
	dir, err := filepath.Abs("testdata/hard")
	if err != nil {
		b.Fatal(err)
	}
	b.Chdir(dir)
	b.Setenv("GOCACHE", b.TempDir())
	prepared := func(b *testing.B) *gotest.Runner {
		build, err := rewrite.Prepare(b.Context(), rewrite.Config{Patterns: []string{"."}}, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		return &gotest.Runner{BuildFlags: build.Flags, Unvetted: true}
	}
	compile := func(b *testing.B, runner func(*testing.B) *gotest.Runner) {
		for b.Loop() {
			if _, err := runner(b).Build(b.Context(), gotest.Package{ImportPath: "hard", Dir: dir}, b.TempDir()); err != nil {
				b.Fatal(err)
			}
		}
	}
	plain := func(*testing.B) *gotest.Runner { return &gotest.Runner{Unvetted: true} }
	b.Run("first", func(b *testing.B) { compile(b, prepared) })
	b.Run("again", func(b *testing.B) { compile(b, prepared) })
	b.Run("rewrite alone", func(b *testing.B) {
		for b.Loop() {
			prepared(b)
		}
	})
	b.Run("go test, first", func(b *testing.B) { compile(b, plain) })
	b.Run("go test, again", func(b *testing.B) { compile(b, plain) })
}

// A module whose go.mod names no version of Go, or one before generics, is rewritten in
// generic code all the same, and its loops keep one variable for all turns.
func TestOldDependency(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":     "module young\n\ngo 1.26.0\n\nrequire example.com/old v0.0.0\n\nreplace example.com/old => ./old\n",
		"old/go.mod": "module example.com/old\n",
		"old/old.go": `package old

func Turns(n int) (turns []int) {
	c := make(chan int, n)
	var later []func()
	for i := 0; i < n; i++ {
		later = append(later, func() { c <- i })
	}
	for _, f := range later {
		f()
		turns = append(turns, <-c)
	}
	return turns
}
`,
		"young_test.go": `package young

import (
	"testing"

	"example.com/old"
)

func TestShared(t *testing.T) {
	if got := old.Turns(2); got[0] != 2 || got[1] != 2 {
		t.Error(got)
	}
}
`,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]gotest.Verdict{"TestShared": gotest.Pass}
	got := map[string]gotest.Verdict{}
	for _, r := range exploreWith(t, dir, []string{"example.com/old"}, "MODELCHECK_SCHEDULES=10") {
		for _, e := range r.Events {
			got[e.Test] = e.Verdict
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verdicts differ (-want +got)\n%s", diff)
	}
}
