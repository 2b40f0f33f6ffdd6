package explore

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
)

// handover is a receiver that hands n requests to a handler, which may stop at any of
// them. What does not stop with it leaks.
func handover(n int, stops func(stopped model.Chan[struct{}]) model.Case) func() {
	return func() {
		reqCh := model.Named(model.NewChan[int](0), "reqCh")
		stopped := model.Named(model.NewChan[struct{}](0), "stopped")
		taken := 0
		model.AtEnd("D4: nothing is taken twice", func() error {
			if taken > n {
				return errTest
			}
			return nil
		})
		model.GoNamed("receiver", func() {
			for i := range n {
				if model.Select(reqCh.SendCase(i), stops(stopped)) == 1 { // @compared
					return
				}
			}
			reqCh.Close()
		})
		for range reqCh.All() {
			taken++
			if model.Choose(2) == 1 {
				break
			}
		}
		stopped.Close()
	}
}

func never(model.Chan[struct{}]) model.Case    { return model.Case{} }
func onStop(c model.Chan[struct{}]) model.Case { return c.RecvCase(nil) }
func trialOf(design string, n int, stops func(model.Chan[struct{}]) model.Case) Trial {
	return Trial{Design: design, Size: fmt.Sprintf("n=%d", n), Body: handover(n, stops)}
}

// compared returns the comparison of the trials, each explored as by Compare, and what
// their tests logged.
func compared(trials []Trial, invariants ...Invariant) (*Comparison, []*fakeTB) {
	c := &Comparison{trials: trials, invariants: invariants}
	var tests []*fakeTB
	for _, trial := range trials {
		tb := &fakeTB{name: "TestDesigns/" + trial.name()}
		done := make(chan struct{})
		go func() {
			defer close(done)
			r := trial.run(tb, invariants)
			c.results = append(c.results, r)
			publish(tb, r.set, r.report, notes{lost: true})
		}()
		<-done
		tests = append(tests, tb)
	}
	return c, tests
}

// Compare goes on whatever it finds, finds the smallest size that breaks an
// invariant, and keeps what concerns none.
func TestComparisonIsCompleteWhateverIsFound(t *testing.T) {
	leak := Blocked("receiver", "select", "reqCh")
	panicking := func() {
		model.Go(func() {})
		model.Assert(model.Choose(2) == 0, "something else") // @noise
	}
	buggy1, buggy2, buggy3 := trialOf("buggy", 1, never), trialOf("buggy", 2, never), trialOf("buggy", 3, never)
	buggy3.Want = []Expectation{leak}
	sampled := trialOf("fixed", 2, onStop)
	sampled.Sample = 50
	cut := trialOf("cut", 3, onStop)
	cut.Options = []Option{Schedules(2)}
	mistaken := trialOf("mistaken", 1, onStop)
	mistaken.Options = []Option{Steps(0)}
	c, tests := compared([]Trial{
		buggy1, buggy2, buggy3,
		trialOf("fixed", 1, onStop), sampled,
		{Design: "other", World: "loud", Body: panicking},
		cut, mistaken,
	}, NoLeak("D0"), Invariant{Name: "D4"})

	place := at(t, "compared").String()
	want := `DESIGN    WORLD  D0       D4       OTHER   EXPLORED
buggy            BROKEN   proved           n=1: 2 classes; n=2: 3 classes; n=3: 4 classes
fixed            proved*  proved*          n=1: 2 classes; n=2: ` + fmt.Sprint(budgetOf(50)) + ` sampled
other     loud   proved   proved   BROKEN  2 classes
cut              ?        ?                n=3: not complete after 2 runs
mistaken         ?        ?                n=1: failed
* at the sizes with a number of classes, else sampled

buggy, n=2: breaks D0 (4 steps, 0 preemptions): receiver (main.1) blocked: select send chan reqCh (cap 0) | receive nil channel at ` + place + `
other, loud: shows something else (2 steps, 0 preemptions): broken assertion: something else, main at ` + at(t, "noise").String() + `
`
	if diff := cmp.Diff(want, c.String()); diff != "" {
		t.Errorf("matrix (-want +found):\n%s", diff)
	}
	var failed []string
	for _, tb := range tests {
		if tb.failed {
			failed = append(failed, tb.name)
		}
	}
	if diff := cmp.Diff([]string{"TestDesigns/buggy/n=2", "TestDesigns/other/loud", "TestDesigns/cut/n=3", "TestDesigns/mistaken/n=1"}, failed); diff != "" {
		t.Errorf("trials that fail (-want +found):\n%s", diff)
	}
}

// Of the schedules that show a finding the one with the fewest preemptions is kept,
// then the one with the fewest steps, wherever in the search it comes.
func TestComparisonKeepsTheShortestSchedule(t *testing.T) {
	body := func() {
		mu := model.Named(new(model.Mutex), "mu")
		model.Go(func() {
			mu.Lock()
			mu.Unlock()
		})
		for range 2 + model.Choose(3) {
			mu.Lock()
			mu.Unlock()
		}
		model.AtEnd("never right", func() error { return errTest })
	}
	c, _ := compared([]Trial{{Design: "d", Body: body}}, Invariant{Name: "never right"})
	const want = `DESIGN  never right  EXPLORED
d       BROKEN       12 classes

d: breaks "never right" (8 steps, 0 preemptions): broken invariant "never right": not right
`
	if diff := cmp.Diff(want, c.String()); diff != "" {
		t.Errorf("matrix (-want +found):\n%s", diff)
	}
}

// A test that compares gets the matrix when its subtests are done.
func TestCompare(t *testing.T) {
	leaks := trialOf("buggy", 2, never)
	leaks.Want = []Expectation{Blocked("receiver", "select", "reqCh")}
	c := Compare(t, []Trial{leaks, trialOf("fixed", 2, onStop)}, NoLeak("D0"), NoPanic("no panic"))
	t.Cleanup(func() {
		const want = `| design | world | D0 | no panic | explored |
|---|---|---|---|---|
| buggy |  | **broken** n=2 (4/0) | proved | n=2: 3 classes |
| fixed |  | proved | proved | n=2: 3 classes |
`
		if diff := cmp.Diff(want, c.Markdown()); diff != "" && c.Whole() {
			t.Errorf("matrix (-want +found):\n%s", diff)
		}
	})
}

func TestComparisonsNeedNames(t *testing.T) {
	good := trialOf("buggy", 1, never)
	for want, c := range map[string]*Comparison{
		"wanted at least one trial, found none":                                                  {},
		"wanted a name for every design, found a trial without":                                  {trials: []Trial{{Body: fine}}},
		"wanted trials that differ in design, world or size, found two called buggy/n=1":         {trials: []Trial{good, good}},
		"wanted a name for every invariant, found one without":                                   {trials: []Trial{good}, invariants: []Invariant{{}}},
		"wanted trials that differ in design, world or size, found two called a-b/the-world,n=1": {trials: []Trial{{Design: "a b", World: "the world", Size: "n=1"}, {Design: "a-b", World: "the world", Size: "n=1"}}},
	} {
		if err := c.validate(); err == nil || err.Error() != want {
			t.Errorf("wanted %q, found %v", want, err)
		}
	}
}
