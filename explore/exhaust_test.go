package explore

import (
	"strings"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// exhaust runs Exhaust as go test would.
func exhaust(name string, body func(), opts ...Option) *fakeTB {
	t := &fakeTB{name: name}
	done := make(chan struct{})
	go func() {
		defer close(done)
		Exhaust(t, body, opts...)
	}()
	<-done
	return t
}

func counter2x5() {
	var mu model.Mutex
	for range 2 {
		model.Go(func() {
			for range 5 {
				mu.Lock()
				mu.Unlock()
			}
		})
	}
}

func TestExhaustVerdicts(t *testing.T) {
	abba := func() { philosophers(2, false) }
	for _, c := range []struct {
		name    string
		verdict string
		classes int
		runs    int
		body    func()
		opts    []Option
	}{
		{"counter", "pass", 252, 252, counter2x5, nil},
		{"counter, brute force", "pass", 0, 2_000, func() { philosophers(2, true) }, []Option{WithStrategy("brute")}},
		{"budget too small", "incomplete", 251, 251, counter2x5, []Option{Schedules(251)}},
		{"budget just enough", "pass", 252, 252, counter2x5, []Option{Schedules(252)}},
		{"deadlock", "fail", 0, 0, abba, nil},
		{"expected deadlock", "expected", 0, 0, abba, []Option{Expect(Blocked("main.1", "lock", "mutex"), Blocked("main.2", "lock", "mutex"))}},
		{"a sampler cannot prove", "pass", 252, 252, counter2x5, []Option{WithStrategy("random")}},
		{"bounded", "fail", 0, 0, func() {
			for range 2 {
				model.Go(func() {
					for {
						model.Gosched()
					}
				})
			}
		}, []Option{Steps(50)}},
		{"nothing concurrent", "fail", 1, 1, func() {}, nil},
		{"begun anew without reduction, though there is no choice", "pass", 0, 1, func() {
			model.NewTimer(time.Second).C.Recv()
		}, []Option{Sequential()}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := RunExhaustive(c.body, c.opts...)
			if r.Verdict() != c.verdict {
				t.Fatalf("%s, want %s:\n%v", r.Verdict(), c.verdict, r)
			}
			if c.verdict != "pass" && c.verdict != "incomplete" {
				return
			}
			cov := r.Coverage
			if cov.Complete != (c.verdict == "pass") || cov.Classes != c.classes || cov.Blocked != 0 || c.classes > 0 && cov.Runs != c.runs || cov.Runs > c.runs {
				t.Errorf("%+v, want %d classes in %d runs", *cov, c.classes, c.runs)
			}
		})
	}
}

func TestExhaustFailsTheTestWhenItIsNotComplete(t *testing.T) {
	inDir(t, t.TempDir())
	tb := exhaust("TestCounter", counter2x5, Schedules(100))
	if !tb.failed {
		t.Fatal("passed")
	}
	tb.mustContain(t, "incomplete: nothing found, not complete: 100 trace classes in 100 runs", "% (estimate)")
	if tb = exhaust("TestCounter", counter2x5); tb.failed {
		t.Fatal(tb.log.String())
	}
	tb.mustContain(t, "nothing found, complete: 252 trace classes in 252 runs, 5544 events")
}

func TestExhaustRefusesAnUnknownStrategy(t *testing.T) {
	t.Setenv("MODELCHECK_STRATEGY", "foo")
	inDir(t, t.TempDir())
	tb := exhaust("TestCounter", counter2x5)
	if !tb.failed {
		t.Fatal("passed")
	}
	tb.mustContain(t, "environment variable MODELCHECK_STRATEGY: wanted ", `found "foo"`)
	if err := RunExhaustive(counter2x5).Err; err == nil {
		t.Error("RunExhaustive: no error")
	}
}

func TestExhaustNoticesAProgramThatIsNotDeterministic(t *testing.T) {
	n := 0
	r := RunExhaustive(func() {
		n++
		var mu model.Mutex
		for i := range 2 {
			model.Go(func() {
				mu.Lock()
				mu.Unlock()
				if i == n%2 {
					model.Gosched()
				}
			})
		}
	})
	if r.Verdict() != "fail" || r.Findings[0].Kind != Nondeterministic {
		t.Errorf("%v", r)
	}
}

// The estimate of progress rises, on the whole, from 0 to 1.
func TestExhaustEstimatesProgress(t *testing.T) {
	var at []string
	for _, n := range []int{1, 60, 120, 180, 251} {
		r := RunExhaustive(counter2x5, Schedules(n))
		p := r.Coverage.Progress
		if p <= 0 || p >= 1 {
			t.Errorf("progress after %d of 252 runs: %v", n, p)
		}
		at = append(at, r.Coverage.String())
	}
	if r := RunExhaustive(counter2x5); r.Coverage.Progress != 1 {
		t.Errorf("progress at the end: %v", r.Coverage.Progress)
	}
	if !strings.Contains(at[4], "99 % (estimate)") && !strings.Contains(at[4], "100 % (estimate)") {
		t.Errorf("after 251 of 252 runs: %s", at[4])
	}
}

// A run that is cut at the step bound leaves something unexplored, whatever is expected:
// the search is bounded and never complete. Waiting with Await instead, which has no
// idle rounds, it ends.
func TestExhaustIsNotCompleteWhenRunsWereCut(t *testing.T) {
	waiting := func(wait func(*model.Bool)) func() {
		return func() {
			var ready model.Bool
			model.Go(func() { ready.Store(true) })
			wait(&ready)
		}
	}
	spin := func(ready *model.Bool) {
		for !ready.Load() {
		}
	}
	for _, strategy := range []string{"dpor", "brute"} {
		r := RunExhaustive(waiting(spin), WithStrategy(strategy), Steps(30), Expect(Endless(), Never("a second thing")))
		cov := r.Coverage
		if cov.Complete || cov.Bounded == 0 || cov.Runs < 10 || !strings.HasPrefix(cov.String(), "bounded: ") || r.Verdict() == "pass" {
			t.Errorf("%s: %s: %+v\n%v", strategy, r.Verdict(), *cov, r)
		}
	}
	await := func(ready *model.Bool) { model.Await(ready.Load) }
	if r := RunExhaustive(waiting(await)); r.Verdict() != "pass" || !r.Coverage.Complete || r.Coverage.Classes != 2 {
		t.Errorf("%s: %+v", r.Verdict(), *r.Coverage)
	}
}

// Looking for the races of a long run takes longer than a schedule may stand still.
func TestExhaustTakesItsTimeOverLongRuns(t *testing.T) {
	lengths := []int{DefaultSteps, longCut}
	if testing.Short() {
		lengths = lengths[:1] // the other takes seconds, many under the race detector
	}
	for _, steps := range lengths {
		r := RunExhaustive(func() {
			var mu model.Mutex
			n := 0
			for range 2 {
				model.Go(func() { mu.Lock(); n++; mu.Unlock() })
			}
			for done := false; !done; model.Gosched() {
				mu.Lock()
				done = n == 2
				mu.Unlock()
			}
		}, Steps(steps), Watchdog(500*time.Millisecond), Minimize(0))
		if len(r.Findings) != 1 || r.Findings[0].Kind != sched.StepBoundReached {
			t.Errorf("%d steps: want the step bound reached, found\n%v", steps, r)
		}
	}
}
