package explore

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// swapped returns o with events k and k+1 the other way round.
func (o *order) swapped(k int) order {
	s := order{naming: o.naming, events: append([]sched.Label(nil), o.events...), values: o.values}
	s.events[k], s.events[k+1] = s.events[k+1], s.events[k]
	s.begin()
	return s
}

// TestIndependence swaps events that stand side by side in a random run and do not
// depend on each other: the run that begins so can go on as before, every goroutine
// sees the same, and it is of the same trace class.
func TestIndependence(t *testing.T) {
	want, swaps := oracleChecks(t, 1000), 0
	seeds := rapid.Custom(drawOracleProgram)
	for seed := range want {
		n, wrong := trySwaps(sched.Dependencies, seeds.Example(seed), uint64(seed), 4, false)
		if swaps += n; wrong != "" {
			t.Fatalf("program of seed %d: %v\n%s", seed, seeds.Example(seed), wrong)
		}
	}
	t.Logf("%d programs, %d swaps", want, swaps)
	if swaps < want {
		t.Errorf("%d swaps in runs of %d programs: too few to mean anything", swaps, want)
	}
}

// swapper runs a program and orders its events by a dependency relation.
type swapper struct {
	analysis
	engine *sched.Engine
	walk   *named
	subject
}

// ran is a run with its outcome.
type ran struct {
	order
	class   uint64
	outcome string
	eager   bool // there is no reduction
}

func (s *swapper) run(p sched.Picker) ran {
	r := s.subject.run(s.engine, p)
	if r.Outcome == sched.Misuse {
		panic(r.Misuse)
	}
	s.walk.meet(r.Log)
	s.order(&s.walk.naming, r.Log)
	return ran{orderOf(&s.walk.naming, r.Log), s.class(), s.subject.outcome(r), r.Log.Eager}
}

// trySwaps tries all swaps that the relation allows in a few random runs of p. It
// returns how many there were, and what is wrong with the last one, if anything. Unless it
// is to do so regardless, it leaves out programs that the relation does not cover.
func trySwaps(table *sched.Table, p oracleProgram, seed, runs uint64, regardless bool) (swaps int, wrong string) {
	e := sched.New(sched.Config{MaxSteps: oracleSteps})
	defer e.Close()
	s := swapper{analysis: analysis{table: table}, engine: e, walk: &named{NewRandom(seed), newNaming()}, subject: p.subject()}
	for i := range runs {
		cross := e.CrossUnlocks()
		s.walk.Begin(i)
		whole := s.run(s.walk)
		if e.CrossUnlocks() != cross { // more depends on each other from now on
			s.walk.Begin(i)
			whole = s.run(s.walk)
		}
		if !regardless && s.uncovered() != "" || whole.eager && !s.subject.eager {
			return swaps, ""
		}
		for _, k := range s.swappable(&whole.order) {
			swaps++
			if wrong = s.compare(whole, k); wrong != "" {
				return swaps, fmt.Sprintf("run %d: %s", i, wrong)
			}
		}
	}
	return swaps, ""
}

// swappable lists the k for which events k and k+1 of the run that was ordered last
// do not depend on each other.
func (s *swapper) swappable(o *order) (free []int) {
	for k := range len(o.events) - 1 {
		if !s.happens(o.at[k], o.at[k+1]) {
			free = append(free, k)
		}
	}
	return free
}

// compare runs whole again with events k and k+1 swapped.
func (s *swapper) compare(whole ran, k int) string {
	want := whole.swapped(k)
	got := s.run(&want)
	diff := cmp.Diff(whole.outcome, got.outcome) + cmp.Diff(want.events, got.events) + cmp.Diff(whole.values, got.values)
	if diff == "" && whole.class == got.class && !want.lost {
		return ""
	}
	return fmt.Sprintf("events %d and %d swapped (%v, %v): class %x, then %x, could go on: %v\n%s",
		k, k+1, whole.events[k], whole.events[k+1], whole.class, got.class, !want.lost, diff)
}
