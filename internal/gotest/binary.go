package gotest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modelcheck-go/modelcheck/internal/report"
)

// A Result is what became of the test binary of one package.
type Result struct {
	Package     Package
	Events      []Event // of checks
	Comparisons []Comparison
	Problems    []Problem // what keeps the run from being a success, in order
}

// A Comparison is what a test that compares designs found. The checks that it is made
// of are those of the test's subtests.
type Comparison struct {
	Test   string
	Matrix report.Matrix
}

// Compared reports whether a check is part of a comparison.
func (r Result) Compared(e Event) bool {
	return slices.ContainsFunc(r.Comparisons, func(c Comparison) bool { return strings.HasPrefix(e.Test, c.Test+"/") })
}

// sort takes the events for what they are.
func (r *Result) sort(events []Event) {
	for _, e := range events {
		if e.Matrix != nil {
			r.Comparisons = append(r.Comparisons, Comparison{e.Test, *e.Matrix})
		} else {
			r.Events = append(r.Events, e)
		}
	}
}

// killDelay is how long a test binary may go on after its own timeout, which
// normally ends it with a dump of its goroutines.
const killDelay = 30 * time.Second

// Build builds the test binary of p into the directory dir, for several calls of Run:
// these take the package that Build returns.
func (r *Runner) Build(ctx context.Context, p Package, dir string) (Package, error) {
	binary := filepath.Join(dir, strings.ReplaceAll(p.ImportPath, "/", "_")+".exe") // Windows wants the suffix
	if output, err := r.build(ctx, p, binary); err != nil {
		return p, fmt.Errorf("the tests do not build:\n%s", output)
	}
	p.Binary = binary
	return p, nil
}

// Run builds the test binary of p, unless Build has, and runs it. Whatever goes wrong is
// a problem of the result, so that the other packages can still run.
func (r *Runner) Run(ctx context.Context, p Package) Result {
	result := Result{Package: p}
	dir, err := os.MkdirTemp("", "modelcheck")
	if err != nil {
		result.Problems = []Problem{{Harness: true, What: err.Error()}}
		return result
	}
	defer os.RemoveAll(dir)

	t := newTranscript(r.Log)
	binary := p.Binary
	if binary == "" {
		binary = filepath.Join(dir, "tests.exe")
		if output, err := r.build(ctx, p, binary); ctx.Err() != nil {
			result.Problems = []Problem{{Harness: true, What: "interrupted"}}
			return result
		} else if err != nil {
			t.print(output)
			result.Problems = []Problem{{Harness: true, What: "the tests do not build", Output: output}}
			return result
		}
	}
	flags := r.TestFlags
	if r.Shard.Count > 0 {
		restriction, some, err := r.restrict(ctx, p.Dir, binary)
		if err != nil {
			result.Problems = []Problem{{Harness: true, What: err.Error()}}
			return result
		}
		if !some {
			return result
		}
		flags = append(slices.Clip(flags), restriction)
	}
	events := filepath.Join(dir, "events")
	runErr := r.execute(ctx, p, binary, flags, events, t)
	list, eventErr := readEvents(events)
	slices.SortStableFunc(list, t.byStart)
	result.sort(list)
	result.Problems = problems(result.Events, t, runErr, eventErr)
	return result
}

func (r *Runner) build(ctx context.Context, p Package, binary string) (output string, err error) {
	args := []string{"test", "-c", "-o", binary}
	if r.Unvetted {
		args = append(args, "-vet=off")
	}
	args = slices.Concat(args, r.BuildFlags, []string{p.ImportPath})
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(cmd.Environ(), r.BuildEnv...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return goError(err, string(out)).Error() + "\n", err
	}
	return "", nil
}

// execute runs the test binary as go test does: in the package's directory,
// with standard output and standard error as one stream.
func (r *Runner) execute(ctx context.Context, p Package, binary string, flags []string, events string, t *transcript) error {
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Timeout+killDelay)
		defer cancel()
	}
	args := []string{"-test.v=test2json", "-test.paniconexit0", "-test.timeout=" + r.Timeout.String()}
	cmd := exec.CommandContext(ctx, binary, append(args, flags...)...)
	cmd.Dir = p.Dir
	cmd.Env = slices.Concat(cmd.Environ(), r.Env, []string{"MODELCHECK_EVENTS=" + events})
	if r.Progress != nil {
		file := events + ".progress"
		stop, err := listen(file, r.Progress)
		if err != nil {
			return err
		}
		defer stop()
		cmd.Env = append(cmd.Env, "MODELCHECK_PROGRESS="+file)
	}
	cmd.Stdout, cmd.Stderr = t, t
	cmd.WaitDelay = time.Second // for a child of the tests that holds the stream open
	err := cmd.Run()
	t.close()
	return describeExit(ctx, err, t)
}

// errFailed is the ordinary end of a test binary in which a test failed.
var errFailed = errors.New("failed")

// describeExit says in words why the binary ended with err.
func describeExit(ctx context.Context, err error, t *transcript) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case context.Cause(ctx) == context.Canceled:
		return errors.New("interrupted")
	case context.Cause(ctx) != nil || t.timedOut():
		return errors.New("the tests ran out of time: give them more with -timeout, or less to do with -schedules or -run")
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return errFailed
	}
	return fmt.Errorf("the tests crashed: %w", err)
}

// timedOut reports whether package testing's own time limit ended the binary.
func (t *transcript) timedOut() bool {
	return slices.ContainsFunc(t.tests, func(test *testLog) bool {
		return !test.ended && strings.Contains(test.output.String(), "panic: test timed out after ")
	})
}

// byStart orders events by the start of their tests. The order of the file is
// the order of their ends, which is not the same on every run when tests are
// parallel.
func (t *transcript) byStart(a, b Event) int {
	return t.index(a.Test) - t.index(b.Test)
}

func (t *transcript) index(name string) int {
	return slices.IndexFunc(t.tests, func(test *testLog) bool { return test.name == name })
}
