package explore

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
)

// runsSoFar is what a program that is not made for exploring keeps.
var runsSoFar int

// Isolated runs are those of the same seed without isolation, each in a process that has
// seen no other.
func TestIsolated(t *testing.T) {
	race := func() {
		c := model.NewChan[int](4)
		for i := range 4 {
			model.Go(func() { c.Send(i) })
		}
		order := [4]int{c.Recv(), c.Recv(), c.Recv(), c.Recv()}
		model.Assert(order != [4]int{3, 0, 2, 1}, "another order")
	}
	set := []Option{Schedules(100), Seed(3)}
	want := Run(race, set...)

	t.Setenv("MODELCHECK_ISOLATE", "1")
	isolated := func() {
		runsSoFar++
		model.Assert(runsSoFar == 1, "alone")
		race()
	}
	s, err := settingsOf(isolated, set)
	if err != nil {
		t.Fatal(err)
	}
	if s.isolate {
		s.test = t.Name()
	}
	got := checkIsolated(t, isolated, s)
	if len(got.Findings) == 0 || len(want.Findings) == 0 {
		t.Fatalf("want a finding of both, found %v and %v", got.Findings, want.Findings)
	}
	if want.Index < 10 {
		t.Errorf("found in schedule %d, want one that strategies have chosen by what they learnt", want.Index)
	}
	if diff := cmp.Diff([]any{want.Index, want.Schedules, want.Steps, want.Findings[0].Message},
		[]any{got.Index, got.Schedules, got.Steps, got.Findings[0].Message}); diff != "" {
		t.Errorf("isolation changes what is found (-without +with)\n%s", diff)
	}
	if runsSoFar != 0 {
		t.Errorf("%d runs in this process, want none", runsSoFar)
	}
}

// checkIsolated is Check, but that its report comes back. In a process with a task, it
// does not return.
func checkIsolated(t *testing.T, body func(), s settings) Report {
	t.Helper()
	c := newCampaign(body, s, time.Time{})
	defer c.close()
	if file, ok := taskFile(); ok {
		if err := c.answer(t.Name(), file); err != nil {
			t.Fatal(err)
		}
		t.SkipNow()
	}
	r, _ := c.check(t)
	return r
}

func TestIsolationRefusesWhatItCannotDo(t *testing.T) {
	t.Setenv("MODELCHECK_ISOLATE", "1")
	for strategy, want := range map[string]string{"surw": "", "preempt1": "needs a strategy that samples, found preempt1", "dpor": "needs a strategy that samples, found dpor"} {
		set, err := settingsOf(func() {}, []Option{WithStrategy(strategy)})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := set.isolable(); err != nil {
			got = err.Error()
		}
		if (got == "") != (want == "") || !strings.HasSuffix(got, want) {
			t.Errorf("%s: want %q, found %q", strategy, want, got)
		}
	}
}
