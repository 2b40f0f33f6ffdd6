package rewrite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/gotest"
	"github.com/modelcheck-go/modelcheck/internal/rewrite"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// explore runs the tests of the module in dir under control.
func explore(t *testing.T, dir string, env ...string) []gotest.Result {
	t.Helper()
	return exploreWith(t, dir, nil, env...)
}

// exploreWith is explore with other modules under control too.
func exploreWith(t *testing.T, dir string, with []string, env ...string) []gotest.Result {
	t.Helper()
	return buildTests(t, dir, with, "./...").run(t, nil, env...)
}

// built are the test binaries of rewritten packages.
type built struct {
	packages []gotest.Package
}

// buildTests rewrites the packages of the module in dir that the patterns match, and
// builds their tests. The directory stays the current one until the test ends.
func buildTests(t *testing.T, dir string, with []string, patterns ...string) built {
	t.Helper()
	return buildConfig(t, dir, rewrite.Config{Patterns: patterns, With: with})
}

// buildConfig is buildTests with any configuration.
func buildConfig(t *testing.T, dir string, c rewrite.Config) built {
	t.Helper()
	t.Chdir(dir)
	temp := t.TempDir()
	build, err := rewrite.Prepare(t.Context(), c, temp)
	if err != nil {
		t.Fatal(err)
	}
	var b built
	r := &gotest.Runner{BuildFlags: build.Flags, BuildEnv: build.Env, Unvetted: true}
	if b.packages, err = r.List(t.Context(), c.Patterns); err != nil {
		t.Fatal(err)
	}
	for i, p := range b.packages {
		if b.packages[i], err = r.Build(t.Context(), p, temp); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// run runs the tests under control, with the flags and variables given.
func (b built) run(t *testing.T, flags []string, env ...string) []gotest.Result {
	t.Helper()
	r := &gotest.Runner{TestFlags: append([]string{"-test.skip=" + rewrite.Skip}, flags...), Env: append(env, "MODELCHECK_NOSAVE=1", "MODELCHECK_DRIVER=modelcheck test")}
	var results []gotest.Result
	for _, p := range b.packages {
		results = append(results, r.Run(t.Context(), p))
	}
	return results
}

// oddTests are hard cases that gofmt would write otherwise.
const oddTests = `package hard; import ("testing")
func TestOdd(t *testing.T) { c := make(chan int, 1); d := make(chan int)
	select { case c<-1: want(t, len(c), 1) }; select { case (<-c): }
	for v := // several lines
	range /* with comments */ func() chan int { c <- 1; close(c); return c }() { want(t, v, 1) }
	c = make(chan int, 1); c <-
		line()
	want(t, <-
	/* and another comment */ c, 7)
	go func() { for i := range 3 { d<-i }; close(d) }()
	sum := 0; for v := range d { sum += v }; want(t, sum, 3); want(t, line(), 11)
	select { case v, ok :=
		<-d: want(t, v, 0); want(t, ok, false)
	default: t.Error("not closed") }
	if c <- 1; <-c == 1 { want(t, line(), 15) }
	for c <- 0; len(c) > 0; <-c { want(t, line(), 16) }
	c <- 1; switch v := (<-c); v { case 1: want(t, line(), 17) }
}`

// The same assertions hold natively and under control.
func TestHardCases(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/hard")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "odd_test.go"), []byte(oddTests), 0o666); err != nil {
		t.Fatal(err)
	}
	native := exec.Command("go", "test", "-vet=off", "-v", ".")
	native.Dir = dir
	out, err := native.CombinedOutput()
	if err != nil {
		t.Fatalf("natively: %v\n%s", err, out)
	}
	want := map[string]gotest.Verdict{}
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "=== RUN   "); ok && strings.HasPrefix(name, "Test") && !strings.Contains(name, "/") {
			want[name] = gotest.Pass
		}
	}
	got := map[string]gotest.Verdict{}
	for _, r := range explore(t, dir, "MODELCHECK_SCHEDULES=200") {
		for _, e := range r.Events {
			got[e.Test] = e.Verdict
		}
		for _, p := range r.Problems {
			t.Errorf("%s: %s\n%s", p.Test, p.What, p.Output)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 55 {
		t.Errorf("verdicts differ (-native tests +under control)\n%s", diff)
	}
}

func TestFindings(t *testing.T) {
	want := map[string][]string{
		"TestFetch": {"main.1 blocked: send chan at server.go:11 (cap 0) at server.go:13"},
		"TestLockOrder": {
			"main blocked: lock mutex at bugs_test.go:13 at bugs_test.go:20 (deadlock)",
			"main.1 blocked: lock mutex at bugs_test.go:18 at bugs_test.go:15 (deadlock)",
		},
		"TestLostUpdate":     {`broken invariant "the test passes": bugs_test.go:42: 1 updates, want 2`},
		"TestFatal":          {"broken assertion: bugs_test.go:51: the other one came first, main at bugs_test.go:51"},
		"TestSubtest":        {`broken invariant "the test passes": bugs_test.go:59: two`},
		"TestLoopVariable":   {`broken invariant "the test passes": bugs_test.go:79: shared, as it should be`},
		"TestClosedTwice":    {"main.1 panicked: close of closed channel at bugs_test.go:85"},
		"TestFailsLate":      {"main.1 panicked: Log in goroutine after TestFailsLate has completed at bugs_test.go:103"},
		"TestFatalElsewhere": {"broken assertion: bugs_test.go:112: not here (this is another goroutine than the test's: without control FailNow ends that one alone), main.1 at bugs_test.go:112"},
		"TestExits":          {`broken invariant "the test passes": TestExits: test executed panic(nil) or runtime.Goexit`},
		"TestOutside": {"blocked outside the model: one schedule stood still for 1s: a goroutine waits in bugs_test.TestOutside.func1 (IO wait) " +
			"for something that the scheduler does not control: replace it in the test by something that waits for channels, locks or time; " +
			"the schedule could not be ended and was left behind with its goroutines"},
	}
	got := map[string][]string{}
	for _, r := range explore(t, "testdata/bugs", "MODELCHECK_WATCHDOG=1s") {
		for _, e := range r.Events {
			for _, f := range e.Findings {
				got[e.Test] = append(got[e.Test], f.Text)
			}
			if e.Replay != "" && !strings.HasPrefix(e.Replay, "modelcheck test -run='^"+e.Test+"$' -replay='mc1:") {
				t.Errorf("%s: wanted a command that replays it, found %s", e.Test, e.Replay)
			}
		}
		for _, p := range r.Problems {
			if want[p.Test] == nil {
				t.Errorf("%s: %s\n%s", p.Test, p.What, p.Output)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings differ (-want +got)\n%s", diff)
	}
}

func TestRefusesWhatItCannotControl(t *testing.T) {
	want := []string{
		"refused.go:20:11: Run has to do with testing.T, and package testing/slogtest is not under control",
		"refused.go:21:10: runtime.LockOSThread is not supported: goroutines under control share threads",
		"refused.go:22:10: reflect.Select is not supported: use a select statement",
		"refused.go:23:21: operations on channels through reflection are not supported",
		"refused.go:24:10: this makes a channel of which there is one end only: make(chan T) and convert it",
		"refused.go:26:2: the second value of this receive goes into a variable of type refused.yes: use a plain bool",
		"refused.go:28:10: this argument of a go statement becomes a refused.yes only by being passed: put it into a variable first",
		"refused.go:30:7: the second value of this receive goes into a variable of type refused.yes: use a plain bool",
		"refused.go:16:38: package testing/synctest is not supported: the scheduler controls time itself",
		"refused_test.go:7:30: TestOne is used as an ordinary function: move its body into another one that both call",
	}
	t.Chdir("testdata/refused")
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	_, err = rewrite.Prepare(t.Context(), rewrite.Config{Patterns: []string{"."}}, t.TempDir())
	if err == nil {
		t.Fatal("nothing was refused")
	}
	got := strings.Split(strings.ReplaceAll(err.Error(), dir+"/", ""), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems differ (-want +got)\n%s", diff)
	}
}

// What is not under control is told in the words of ordinary programs, and only where a
// test comes to it.
func TestOutsideOfControl(t *testing.T) {
	const stood = "blocked outside the model: one schedule stood still for 3s: a goroutine waits in "
	const instead = " for something that the scheduler does not control: replace it in the test by something that waits for channels, locks or time; " +
		"the schedule could not be ended and was left behind with its goroutines"
	want := map[string]string{
		"TestNotReached":   "",
		"TestShortCommand": "",
		"TestServer":       "",
		"TestNotify":       "modelcheck: Notify takes a channel (chan<- os.Signal), and package os/signal is not under control (goroutine main at outside_test.go:18)",
		"TestNet":          stood + "outside.TestNet.func1 (select)" + instead,
		"TestLongCommand":  stood + "outside.TestLongCommand.func1 (syscall)" + instead,
		"TestServerSends": "modelcheck: chan send on an object of a controlled run by a goroutine that is not modelled, at outside_test.go:79: " +
			"it was started by a package that is not under control: give -with and the path of its module, or let the test do without",
	}
	got := map[string]string{}
	for _, r := range explore(t, "testdata/outside", "MODELCHECK_WATCHDOG=3s", "MODELCHECK_SCHEDULES=3") {
		for _, e := range r.Events {
			got[e.Test] = ""
			for _, f := range e.Findings {
				got[e.Test] += f.Text
			}
			if e.Verdict == gotest.Broken {
				got[e.Test] = e.Message
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is said differs (-want +got)\n%s", diff)
	}
}
