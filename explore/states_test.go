package explore

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// endsOf runs a program under all schedules of a strategy and returns, for everything
// that can have happened at the end, the smallest number of preemptions with which it
// did; false if that takes more runs than limit, or states are not known by it, or only
// when the engine has seen more.
func endsOf(body func(), s Strategy, remember *states, limit int) (ends map[uint64]int, runs int, ok bool) {
	e := sched.New(sched.Config{MaxSteps: 1000})
	defer e.Close()
	ends = map[uint64]int{}
	for ; s.Begin(uint64(runs)); runs++ {
		if runs == limit {
			return nil, runs, false
		}
		remember.begin()
		r := e.Run(body, s, sched.RunOptions{Log: true})
		s.End(r)
		remember.takeAll(r.Log)
		if remember.unsound || r.Log.CrossUnlocks {
			return nil, runs, false
		}
		if n, seen := ends[remember.sum]; r.Outcome != sched.Abandoned && (!seen || r.Preemptions < n) {
			ends[remember.sum] = r.Preemptions
		}
	}
	return ends, runs, true
}

// TestStatesLoseNothing compares a bounded search that remembers states with brute
// force on generated programs: the same ends with as few preemptions.
func TestStatesLoseNothing(t *testing.T) {
	want := oracleChecks(t, 150)
	if testing.Short() {
		want = 40
	}
	programs := rapid.Custom(drawOracleProgram)
	compared, few, many := 0, 0, 0
	for seed := 0; compared < want; seed++ {
		body := programs.Example(seed).subject().body
		all, runs, ok := endsOf(body, &brute{}, newStates(), 3000)
		if !ok || runs < 10 {
			continue
		}
		known := newStates()
		s := &bounded{measure: measures[0], limit: maxBound, states: known}
		got, fewer, ok := endsOf(body, s, known, 3000*10)
		if !ok {
			t.Fatalf("program of seed %d: %d schedules, and the search did not end", seed, runs)
		}
		if diff := cmp.Diff(all, got); diff != "" {
			t.Fatalf("program of seed %d: preemptions by end (-brute force +search with states):\n%s\n%v", seed, diff, programs.Example(seed))
		}
		compared++
		many += runs
		few += fewer
	}
	t.Logf("%d programs, %d schedules, %d runs", compared, many, few)
}
