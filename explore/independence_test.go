package explore

import (
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
		swaps += checkSwaps(t, seed, seeds.Example(seed))
	}
	t.Logf("%d programs, %d swaps", want, swaps)
	if swaps < want {
		t.Errorf("%d swaps in runs of %d programs: too few to mean anything", swaps, want)
	}
}

// checkSwaps tries all swaps in a few random runs of p and returns how many there
// were.
func checkSwaps(t *testing.T, seed int, p oracleProgram) (swaps int) {
	t.Helper()
	e := sched.New(sched.Config{MaxSteps: 1000})
	defer e.Close()
	body, out := p.program()
	walk := &named{NewRandom(uint64(seed)), newNaming()}
	for i := range uint64(3) {
		a := analysis{table: sched.Dependencies}
		eager := false
		run := func(p sched.Picker) (class uint64, outcome string, o order) {
			r := e.Run(body, p, logged)
			if r.Outcome == sched.Misuse {
				t.Fatalf("program of seed %d%v\n%v", seed, p, r.Misuse)
			}
			walk.meet(r.Log)
			a.order(&walk.naming, r.Log)
			eager = r.Log.Eager
			return a.class(), outcomeOf(r, out), orderOf(&walk.naming, r.Log)
		}
		again := func() (uint64, string, order) {
			walk.Begin(i)
			return run(walk)
		}
		class, outcome, o := again()
		if e.CrossUnlocks() { // more depends on each other from now on
			class, outcome, o = again()
		}
		if a.reuses() || eager {
			return swaps
		}
		var free []int
		for k := range len(o.events) - 1 {
			if !a.happens(o.at[k], o.at[k+1]) {
				free = append(free, k)
			}
		}
		for _, k := range free {
			s := o.swapped(k)
			class2, outcome2, o2 := run(&s)
			diff := cmp.Diff(outcome, outcome2) + cmp.Diff(s.events, o2.events) + cmp.Diff(o.values, o2.values)
			if diff != "" || class != class2 || s.lost {
				t.Fatalf("program of seed %d, run %d\n%v\nevents %d and %d swapped (%v, %v): class %x, then %x, could go on: %v\n%s",
					seed, i, p, k, k+1, o.events[k], o.events[k+1], class, class2, !s.lost, diff)
			}
		}
		swaps += len(free)
	}
	return swaps
}
