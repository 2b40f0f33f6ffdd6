package testing

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/model/std/context"
	"github.com/modelcheck-go/modelcheck/model/std/lang"
	"github.com/modelcheck-go/modelcheck/sched"
)

// T is [testing.T] of one run.
type T struct {
	testing.TB // makes T one; the test function's own, for what does not matter to the run

	outcome *outcome
	parent  *T
	name    string

	routine         *sched.G // that runs its function
	failed, skipped bool
	returned, done  bool     // its function has; all is over, subtests and cleanup functions too
	messages        []string // why it has failed
	cleanups        []func()
	names           map[string]int // of subtests
	temporary       string         // where its temporary directories are
	dirs            int            // how many these are

	ctx    context.Context
	cancel context.CancelFunc

	alone    bool // it changes what the whole process has
	parallel bool
	finished model.Chan[bool]     // of a subtest: it waits for its parent, or is done
	waits    bool                 // there are parallel subtests
	released model.Chan[struct{}] // for them, closed when the function has returned
	waiting  model.WaitGroup      // until they are done
}

var _ TB = (*T)(nil)

// modelled reports whether the caller is a modelled goroutine. What others say about
// the test goes to the real one.
func modelled() bool { return sched.Current() != nil }

// Name is [testing.T.Name].
func (t *T) Name() string { return t.name }

// Helper is [testing.T.Helper].
func (t *T) Helper() {}

// fail notes a failure. The message begins with the place of the caller's caller.
func (t *T) fail(message string) {
	t.excuse()
	t.refuseLate("Fail")
	_, file, line, _ := runtime.Caller(2)
	t.note(fmt.Sprintf("%s:%d: %s", filepath.Base(file), line, strings.TrimSpace(message)))
}

// note notes why the test has failed, and those around it.
func (t *T) note(why string) {
	for p := t; p != nil; p = p.parent {
		p.failed = true
		p.messages = append(p.messages, why)
	}
	model.Log(why)
}

// refuseLate panics as the original does when a goroutine that the test has left behind
// uses it: a failure is too late once one of the tests around it is over, a log line when
// all are. In other goroutines than the test's it is a step, so that the test may be over
// first.
func (t *T) refuseLate(what string) {
	if sched.Current() != t.routine {
		model.Gosched()
	}
	for p := t; p != nil; p = p.parent {
		switch {
		case p.done && (what == "Fail" || p.parent == nil):
			t.excuse()
			panic(what + " in goroutine after " + p.name + " has completed")
		case !p.done && what == "Log":
			return
		}
	}
}

// Fail is [testing.T.Fail].
func (t *T) Fail() {
	if !modelled() {
		t.TB.Fail()
		return
	}
	t.excuse()
	t.refuseLate("Fail")
	for p := t; p != nil; p = p.parent {
		p.failed = true
	}
}

// excuse gives up a run in which the test is about to fail, or has panicked, though time
// passes at any moment because the run chose so. Many tests rely on a sleep or a timeout being
// long enough; that they may fail for it is no news. Deadlocks and leaks are.
func (t *T) excuse() {
	if g := sched.Current(); g.Chosen() {
		t.outcome.excused++
		g.Abandon()
	}
}

// Failed is [testing.T.Failed].
func (t *T) Failed() bool { return t.failed }

// Error is [testing.T.Error].
func (t *T) Error(args ...any) {
	if !modelled() {
		t.TB.Error(args...)
		return
	}
	t.fail(fmt.Sprintln(args...))
}

// Errorf is [testing.T.Errorf].
func (t *T) Errorf(format string, args ...any) {
	if !modelled() {
		t.TB.Errorf(format, args...)
		return
	}
	t.fail(fmt.Sprintf(format, args...))
}

// Fatal is [testing.T.Fatal].
func (t *T) Fatal(args ...any) {
	if !modelled() {
		t.TB.Fatal(args...)
	}
	t.fail(fmt.Sprintln(args...))
	t.FailNow()
}

// Fatalf is [testing.T.Fatalf].
func (t *T) Fatalf(format string, args ...any) {
	if !modelled() {
		t.TB.Fatalf(format, args...)
	}
	t.fail(fmt.Sprintf(format, args...))
	t.FailNow()
}

// FailNow ends the run, whichever goroutine calls it.
func (t *T) FailNow() {
	if !modelled() {
		t.TB.FailNow()
	}
	t.Fail()
	why := t.failures()
	if sched.Current() != t.routine {
		why += " (this is another goroutine than the test's: without control FailNow ends that one alone)"
	}
	model.Assert(false, why)
}

// Skip is [testing.T.Skip].
func (t *T) Skip(args ...any) {
	t.skipNow(strings.TrimSpace(fmt.Sprintln(args...)))
}

// Skipf is [testing.T.Skipf].
func (t *T) Skipf(format string, args ...any) {
	t.skipNow(fmt.Sprintf(format, args...))
}

// SkipNow is [testing.T.SkipNow].
func (t *T) SkipNow() { t.skipNow("") }

func (t *T) skipNow(why string) {
	if !modelled() {
		t.TB.Skip(why)
	}
	t.skipped = true
	if t.parent == nil {
		t.outcome.skipped = "skipped"
		if why != "" {
			t.outcome.skipped = why
		}
	}
	t.returned = true
	lang.Goexit()
}

// Skipped is [testing.T.Skipped].
func (t *T) Skipped() bool { return t.skipped }

// Log is [testing.T.Log].
func (t *T) Log(args ...any) {
	if !modelled() {
		t.TB.Log(args...)
		return
	}
	t.refuseLate("Log")
	model.Log(strings.TrimSpace(fmt.Sprintln(args...)))
}

// Logf is [testing.T.Logf].
func (t *T) Logf(format string, args ...any) {
	if !modelled() {
		t.TB.Logf(format, args...)
		return
	}
	t.refuseLate("Log")
	model.Log(fmt.Sprintf(format, args...))
}

// Output returns a writer to the log.
func (t *T) Output() io.Writer { return output{t} }

type output struct{ t *T }

func (o output) Write(p []byte) (int, error) {
	o.t.Log(string(p))
	return len(p), nil
}

// Cleanup is [testing.T.Cleanup].
func (t *T) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

// Context returns a context that is cancelled just before the cleanup functions are
// called.
func (t *T) Context() context.Context {
	if t.ctx == nil {
		t.ctx, t.cancel = context.WithCancel(context.Background())
	}
	return t.ctx
}

// Deadline says that there is none: time is that of the run.
func (t *T) Deadline() (deadline time.Time, ok bool) { return }

func (t *T) cleanup() {
	if t.cancel != nil {
		t.cancel()
	}
	for len(t.cleanups) > 0 {
		last := len(t.cleanups) - 1
		f := t.cleanups[last]
		t.cleanups = t.cleanups[:last]
		f()
	}
}
