package explore

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// endsOf runs a program under all schedules of a strategy and returns, for every trace
// class, the smallest number of preemptions with which it was run; false if that takes more runs than limit, or states are not known by it, or only
// when the engine has seen more.
func endsOf(body func(), s Strategy, remember *states, limit int) (ends map[uint64]int, runs int, ok bool) {
	e := sched.New(sched.Config{MaxSteps: 1000})
	defer e.Close()
	ends = map[uint64]int{}
	names := newNaming()
	a := analysis{table: sched.Dependencies}
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
		if r.Outcome == sched.Abandoned {
			continue
		}
		names.begin()
		names.meet(r.Log)
		a.order(&names, r.Log)
		class := a.class()
		if n, seen := ends[class]; !seen || r.Preemptions < n {
			ends[class] = r.Preemptions
		}
	}
	return ends, runs, true
}

// compareStates compares a bounded search that remembers states with brute force: the
// same trace classes with as few preemptions. It returns how many runs the two made, 0 if there
// are too many schedules.
func compareStates(t *testing.T, body func()) (schedules, runs int) {
	t.Helper()
	all, schedules, ok := endsOf(body, &brute{}, newStates(), 3000)
	if !ok {
		return 0, 0
	}
	known := newStates()
	s := &bounded{measure: measures[0], limit: maxBound, states: known}
	got, runs, ok := endsOf(body, s, known, 10*3000)
	if diff := cmp.Diff(all, got); diff != "" || !ok {
		t.Errorf("preemptions by class (-brute force +search with states, after %d runs):\n%s", runs, diff)
	}
	return schedules, runs
}

// TestStatesLoseNothing compares on generated programs, whose sends and receives meet
// often in every second one.
func TestStatesLoseNothing(t *testing.T) {
	want := oracleChecks(t, 150)
	if testing.Short() {
		want = 40
	}
	programs := []*rapid.Generator[oracleProgram]{rapid.Custom(drawOracleProgram), rapid.Custom(func(t *rapid.T) oracleProgram {
		return drawProgramOver(t, []string{"send", "recv", "store"})
	})}
	compared, few, many := 0, 0, 0
	for seed := 0; compared < want; seed++ {
		p := programs[seed%2].Example(seed)
		schedules, runs := compareStates(t, p.subject().body)
		if t.Failed() {
			t.Fatalf("program of seed %d%v", seed, p)
		}
		if schedules >= 10 {
			compared++
		}
		many += schedules
		few += runs
	}
	t.Logf("%d programs, %d schedules, %d runs", compared, many, few)
}

// After a rendezvous the one goes on that had run before: who it was is part of the
// state, also while the other one makes a choice.
func TestStatesKnowWhoRunsAfterARendezvous(t *testing.T) {
	for _, chooses := range []bool{false, true} {
		schedules, _ := compareStates(t, func() {
			var a, b, order model.Int32
			meet := model.NewChan[int](0)
			model.Go(func() {
				a.Store(1)
				meet.Recv()
				order.Store(1)
			})
			model.Go(func() {
				b.Store(1)
				meet.Send(1)
				if chooses {
					model.Choose(2)
				}
				order.Store(2)
			})
		})
		if schedules == 0 {
			t.Error("nothing compared")
		}
	}
}
