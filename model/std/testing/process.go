package testing

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// outcome is what the runs of a test leave behind in the process.
type outcome struct {
	real      *testing.T
	temporary string   // see directory
	skipped   string   // why the last run skipped the test, "" if it did not
	excused   int      // runs given up, see T.excuse
	undo      []func() // what sets right what the last run has changed, if it has not itself
}

// directory is where the temporary directories of all runs are. The original makes it, and
// removes it in the end.
func (o *outcome) directory() string {
	if o.temporary == "" {
		o.temporary = o.real.TempDir()
	}
	return o.temporary
}

// restore makes the process be as it was before the last run.
func (o *outcome) restore() {
	for _, f := range slices.Backward(o.undo) {
		f()
	}
	o.undo = nil
}

// change has f called when the test is over, and at the end of the run if that is cut
// short.
func (t *T) change(f func()) {
	done := false
	once := func() {
		if !done {
			done = true
			f()
		}
	}
	t.outcome.undo = append(t.outcome.undo, once)
	t.Cleanup(once)
}

const parallelConflict = "testing: test using t.Setenv, t.Chdir, or cryptotest.SetGlobalRandom can not use t.Parallel"

// refuseParallel panics when the test or one around it is parallel, and keeps it from
// becoming so.
func (t *T) refuseParallel() {
	for p := t; p != nil; p = p.parent {
		if p.parallel {
			panic(parallelConflict)
		}
	}
	t.alone = true
}

// Setenv is [testing.T.Setenv].
func (t *T) Setenv(key, value string) {
	t.refuseParallel()
	t.setenv(key, value)
}

func (t *T) setenv(key, value string) {
	old, there := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		t.Fatalf("cannot set environment variable: %v", err)
	}
	t.change(func() {
		if there {
			os.Setenv(key, old)
		} else {
			os.Unsetenv(key)
		}
	})
}

// Chdir is [testing.T.Chdir].
func (t *T) Chdir(dir string) {
	t.refuseParallel()
	old, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	t.change(func() {
		if err := os.Chdir(old); err != nil {
			panic("testing.Chdir: " + err.Error())
		}
	})
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		return // nothing there reads PWD
	}
	if dir, err = os.Getwd(); err != nil {
		t.Fatal(err)
	}
	t.setenv("PWD", dir)
}

// TempDir is [testing.T.TempDir]. Every run has directories of its own, by the same names
// as in every other.
func (t *T) TempDir() string {
	if t.temporary == "" {
		t.temporary = filepath.Join(t.outcome.directory(), strings.Map(plain, t.name))
		t.change(func() { os.RemoveAll(t.temporary) })
	}
	t.dirs++
	dir := filepath.Join(t.temporary, fmt.Sprintf("%03d", t.dirs))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatalf("TempDir: %v", err)
	}
	return dir
}

// plain leaves characters that are special in no file system as they are.
func plain(r rune) rune {
	if strings.ContainsRune(`/\:*?"<>|`, r) {
		return '_'
	}
	return r
}

// ArtifactDir is [testing.T.ArtifactDir], but for a temporary directory in place of the
// one of the flag -artifacts: a thousand runs would write to that.
func (t *T) ArtifactDir() string { return t.TempDir() }

// Attr does nothing: there is nobody to tell it to for each run.
func (t *T) Attr(key, value string) {}
