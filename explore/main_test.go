package explore

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/sched"
	"go.uber.org/goleak"
)

// Many tests here run a Check that fails: rapid is told not to save those cases.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(propertyDir)
		os.Exit(code)
	}))
}

// at returns the place of the line of the calling test's file that ends in the
// comment "// @mark".
func at(t testing.TB, mark string) sched.Site {
	t.Helper()
	_, file, _, _ := runtime.Caller(1)
	return siteIn(t, file, mark)
}

func siteIn(t testing.TB, file, mark string) sched.Site {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := sched.Site{}
	for i, line := range strings.Split(string(source), "\n") {
		if strings.HasSuffix(line, "// @"+mark) {
			if found.Line != 0 {
				t.Fatalf("%s: the mark %q is there twice", file, mark)
			}
			found = sched.Site{File: file, Line: i + 1}
		}
	}
	if found.Line == 0 {
		t.Fatalf("%s: no line ends in // @%s", file, mark)
	}
	return found
}

// sameSites compares places by file and line: names of closures say no more.
var sameSites = cmp.Comparer(func(a, b sched.Site) bool {
	return filepath.Base(a.File) == filepath.Base(b.File) && a.Line == b.Line
})

// fakeTB stands for a test that may fail.
type fakeTB struct {
	name   string
	failed bool
	log    strings.Builder
}

func (t *fakeTB) Helper()      {}
func (t *fakeTB) Name() string { return t.name }
func (t *fakeTB) Logf(format string, args ...any) {
	fmt.Fprintf(&t.log, format+"\n", args...)
}
func (t *fakeTB) Errorf(format string, args ...any) {
	t.failed = true
	t.Logf(format, args...)
}
func (t *fakeTB) FailNow() {
	t.failed = true
	runtime.Goexit()
}

// check runs Check as go test would, on a goroutine that FailNow may end.
func check(name string, body func(), opts ...Option) *fakeTB {
	t := &fakeTB{name: name}
	done := make(chan struct{})
	go func() {
		defer close(done)
		Check(t, body, opts...)
	}()
	<-done
	return t
}

// inDir keeps schedules below dir for the rest of the test.
func inDir(t *testing.T, dir string) {
	t.Helper()
	old := saveDir
	saveDir = dir
	t.Cleanup(func() { saveDir = old })
}
