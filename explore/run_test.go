package explore

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// TestBadPrograms shows what a program gets that does what no program under
// control should do: a clear word, never a hang and never a crash of the tool.
func TestBadPrograms(t *testing.T) {
	for _, test := range []struct {
		name string
		body func(t *fakeTB)
		want string // a part of the report
	}{
		{"negative capacity", func(*fakeTB) {
			model.Go(func() {})
			model.NewChan[int](-1)
		}, "main panicked: makechan: size out of range at run_test.go:"},
		{"plain go statement", func(*fakeTB) {
			c := model.NewChan[int](0)
			done := make(chan int)
			go func() {
				defer close(done)
				c.Send(1)
			}()
			<-done
		}, "by a goroutine that is not modelled, at run_test.go:"},
		{"FailNow in a goroutine", func(t *fakeTB) {
			model.Go(func() { t.FailNow() })
		}, "main.1 left by Goexit at "},
		{"FailNow of package testing", func(*fakeTB) {
			model.Go(func() { new(testing.T).FailNow() })
		}, "main.1 left by Goexit at run_test.go:"},
		{"Goexit in main", func(*fakeTB) {
			model.Go(func() {})
			runtime.Goexit()
		}, "main left by Goexit at run_test.go:"},
		{"panic(nil)", func(*fakeTB) {
			model.Go(func() {})
			panic(nil)
		}, "main panicked: panic called with nil argument"},
		{"panic with an error", func(*fakeTB) {
			model.Go(func() {})
			panic(fmt.Errorf("line one\nline two"))
		}, `main panicked: line one\nline two at run_test.go:`},
		{"panic with a value whose String panics", func(*fakeTB) {
			model.Go(func() {})
			panic(bomb{})
		}, "main panicked: (explore.bomb whose Error or String method panics)"},
		{"panic with a pointer", func(*fakeTB) {
			model.Go(func() {})
			panic(new(int))
		}, "main panicked: (*int)"},
		{"nil dereference", func(*fakeTB) {
			model.Go(func() {})
			var p *int
			*p = 1
		}, "main panicked: runtime error: invalid memory address or nil pointer dereference"},
		{"nil body", nil, "error: wanted a function to explore, found nil"},
		{"one goroutine", func(*fakeTB) { new(model.Mutex).TryLock() }, "mutex"},
		{"nothing at all", func(*fakeTB) {}, "nothing concurrent explored"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var body func()
			if test.body != nil {
				body = func() { test.body(new(fakeTB)) }
			}
			r := Run(body, Watchdog(soon))
			if !r.Failed() || !strings.Contains(r.String(), test.want) {
				t.Errorf("wanted %q in: %s", test.want, r)
			}
			if again := Run(body, Watchdog(soon)); again.String() != r.String() {
				t.Errorf("the same report twice:\n%s\n%s", r, again)
			}
		})
	}
}

// TestLateGoStatement: a goroutine started with a go statement may come too late for
// the run that it belongs to. Then the repetition of the run tells about it, nearly
// always: nothing controls when the goroutine comes.
func TestLateGoStatement(t *testing.T) {
	const checks = 200
	told := 0
	for range checks {
		r := Run(func() {
			c := model.NewChan[int](0)
			go func() { c.Send(1) }()
			c.Recv()
		})
		if r.Err != nil {
			told++
		}
	}
	if told < checks/10 {
		t.Errorf("wanted an error that tells of the go statement, found what follows from it in all but %d of %d checks", told, checks)
	}
}

type bomb struct{}

func (bomb) String() string { panic("boom") }

func TestNondeterminismIsReported(t *testing.T) {
	runs := 0
	for _, test := range []struct {
		name string
		body func()
		want string
	}{
		{"kept between runs", func() {
			runs++
			var mu model.Mutex
			model.Go(func() {})
			if runs == 1 {
				mu.TryLock()
			}
		}, "and after that always the same: something is kept from one run to the next"},
		{"different each time", func() {
			runs++
			model.Go(func() {})
			for range runs {
				model.Gosched() // @varying
			}
		}, "which differ from step 4 on: it ends; main yield at "},
		{"failing", func() {
			runs++
			model.Go(func() {})
			if runs%2 == 1 {
				panic("odd")
			}
		}, "it ends"},
	} {
		t.Run(test.name, func(t *testing.T) {
			runs = 0
			r := Run(test.body)
			if len(r.Findings) == 0 || r.Findings[0].Kind != Nondeterministic {
				t.Fatalf("wanted the nondeterminism first: %s", r)
			}
			if m := r.Findings[0].Message; !strings.Contains(m, "usual causes are the order of a map's iteration") {
				t.Errorf("no causes in %q", m)
			}
		})
	}
}

func TestSometimes(t *testing.T) {
	body := func() {
		c := model.NewChan[int](2)
		for i := range 2 {
			model.Go(func() { c.Send(i) })
		}
		first := c.Recv()
		model.Sometimes(first == 1, "the second wins")
		model.Sometimes(first == 2, "a third wins") // @third
	}
	r := Run(body, Schedules(100), Name("race"))
	want := []Finding{{
		Kind: NeverReached, Op: "sometimes", Object: "a third wins", Site: at(t, "third"),
		Message: `"a third wins" never held in ` + fmt.Sprint(r.Schedules) + " schedules",
	}}
	if diff := cmp.Diff(want, r.Findings, sameSites); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A search that stops early does not know what it would have reached.
func TestSometimesAfterAnEarlyStop(t *testing.T) {
	body := func() {
		model.Go(func() {})
		model.Sometimes(false, "later")
		model.Select()
	}
	if r := Run(body, Expect(Blocked("main", "select", ""))); r.Verdict() != "expected" {
		t.Errorf("when all is found: %s", r)
	}
	if r := Run(body, Expect(Blocked("main", "select", ""), Never("later"))); r.Verdict() != "expected" || r.Schedules != DefaultSchedules && !testing.Short() {
		t.Errorf("when that is expected: %s", r)
	}
}

func TestReportText(t *testing.T) {
	const n = 50
	tried := budgetOf(n)
	for _, test := range []struct {
		name string
		Report
		want string
	}{
		{"pass", Run(fine, Schedules(n), Seed(2)), fmt.Sprintf("pass: nothing found in %d schedules (portfolio, seed 2), %d steps\n", tried, 4*tried)},
		{"sequential", Run(func() {}, Sequential(), Name("alone")), "alone: pass: nothing found in 1 schedule (portfolio, seed 0), 0 steps, there are no others\n"},
		{"error", Run(fine, Steps(0)), "error: explore.Steps(0): wanted at least 1\n"},
	} {
		if got := test.String(); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestKeysTellFailuresApart(t *testing.T) {
	schedules, keys := map[string]bool{}, map[string]bool{}
	for seed := range uint64(20) {
		r := Run(func() {
			model.Go(model.Gosched)
			leaky()
		}, Seed(seed), Minimize(0))
		schedules[r.Schedule], keys[r.Key()] = true, true
	}
	if len(schedules) < 2 || len(keys) != 1 || keys[""] {
		t.Errorf("one leak in the schedules %v has the keys %v", schedules, keys)
	}
	if k := Run(func() { model.Go(func() {}); model.Select() }).Key(); keys[k] {
		t.Errorf("two failures with the key %q", k)
	}
	if k := Run(fine, Schedules(1)).Key(); k != "" {
		t.Errorf("a pass with the key %q", k)
	}
}

// own is a strategy of a user: it always picks the last alternative of the last
// goroutine, and stops after three schedules.
type own struct{ ends int }

func (o *own) Begin(run uint64) bool { return run < 3 }
func (o *own) Pick(p *sched.Point) sched.Choice {
	g := p.At(p.Len() - 1)
	return sched.Choice{G: g, Alt: int32(p.Alternatives(g) - 1)}
}
func (o *own) End(*sched.Result) { o.ends++ }

func TestOwnStrategy(t *testing.T) {
	s := &own{}
	r := Run(fine, WithSearch("own", func(Setup) Strategy { return s }))
	if r.Failed() || r.Schedules != 3 || s.ends != 3 || r.Strategy != "own" {
		t.Errorf("%d ends, %s", s.ends, r)
	}
	wrong := Run(fine, WithSearch("wrong", func(Setup) Strategy { return wrongStrategy{} }))
	if wrong.Verdict() != "error" || !strings.Contains(wrong.Err.Error(), "the strategy chose") {
		t.Errorf("a strategy that picks what is not enabled: %s", wrong)
	}
}

type wrongStrategy struct{}

func (wrongStrategy) Begin(uint64) bool              { return true }
func (wrongStrategy) Pick(*sched.Point) sched.Choice { return sched.Choice{G: 99} }
func (wrongStrategy) End(*sched.Result)              {}

// quitter gives up the runs that would be repeated to see whether they come back.
type quitter struct {
	*Random
	gives bool
}

func (s *quitter) Begin(run uint64) bool {
	s.gives = run > 0 && isSpotCheck(run)
	return s.Random.Begin(run)
}

func (s *quitter) Pick(p *sched.Point) sched.Choice {
	if s.gives {
		return sched.Abandon
	}
	return s.Random.Pick(p)
}

// A run that its strategy gave up has no end that a repetition could have too.
func TestRunsThatWereGivenUpAreNotRepeated(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULES", "200") // under -short too
	r := Run(fine, WithSearch("quitter", func(s Setup) Strategy { return &quitter{Random: NewRandom(s.Seed)} }))
	if r.Verdict() != "pass" || r.Schedules != 200 {
		t.Error(r)
	}
}
