package model_test

import (
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// The conformance tests go through the documentation of Go: each sentence that says
// something about blocking, waking, order or panics has a small program that would
// come to something else if the sentence did not hold. It runs under every schedule,
// and natively, where this package is the real one under other names (where it is
// not, in the tests of Group and OnceFunc, the real one runs too). A third time it is
// explored with reduction, which leaves out what cannot matter and must not leave out
// more.

// clause is such a sentence, in our words.
type clause struct {
	says string
	want []string // what body can come to, sorted
	body body
}

// checkClauses runs clauses in both worlds.
func checkClauses(t *testing.T, opts sched.RunOptions, clauses []clause) {
	t.Helper()
	for _, c := range clauses {
		t.Run(c.says, func(t *testing.T) {
			checkOutcomesOf(t, c.want, opts, c.body)
			checkNatively(t, c.want, c.body)
			if opts.Pace == sched.Calm { // else there is no reduction
				checkExhaustively(t, c.want, c.body)
			}
		})
	}
}

// checkExhaustively compares what exhaustive search, with its reduction, finds b to
// come to with want.
func checkExhaustively(t *testing.T, want []string, b body) {
	t.Helper()
	found := map[string]bool{}
	r := explore.RunExhaustive(func() {
		n := &noter{}
		model.AtEnd("noted", func() error {
			found[strings.Join(n.notes, "; ")] = true
			return nil
		})
		b(n.note)
	}, explore.Timers(explore.AtQuiescence), explore.Sequential())
	if r.Verdict() != "pass" {
		t.Errorf("exhaustively: %v", r)
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(found))); diff != "" {
		t.Errorf("exhaustively: outcomes (-want +got):\n%s", diff)
	}
}

// checkNatively runs b natively a few times: it comes to something that is wanted.
// It runs in a bubble, where time passes at once and goroutines that are left are a
// failure.
func checkNatively(t *testing.T, want []string, b body) {
	t.Helper()
	for range 20 {
		n := &noter{}
		synctest.Test(t, func(*testing.T) {
			b(func(args ...any) {
				n.note(args...)
				runtime.Gosched()
			})
			synctest.Wait()
		})
		if got := strings.Join(n.notes, "; "); !slices.Contains(want, got) {
			t.Fatalf("natively it comes to %q, want one of %q", got, want)
		}
	}
}

// text describes what f panics with.
func text(f func()) string {
	_, s, _ := strings.Cut(panicOf(f), ": ")
	return s
}

// settle lets every other goroutine go as far as it can.
func settle() {
	if sched.Current() == nil {
		synctest.Wait()
	} else {
		model.Sleep(1)
	}
}
