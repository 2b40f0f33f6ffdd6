package explore

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/racing"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// Brute force and reduction find the same data races, and all schedules of a trace class
// show the same ones: those of its only run under reduction.
func TestReductionKeepsDataRaces(t *testing.T) {
	programs, limit := 40, 500
	if n, err := strconv.Atoi(os.Getenv("MODELCHECK_LONG")); err == nil {
		programs, limit = n, 5000
	}
	r := rand.New(rand.NewPCG(7, 0))
	compared, racy, schedules := 0, 0, 0
	for compared < programs {
		s := racing.Draw(r)
		p := subject{body: func() { s.Perform(0) }, out: func() string { return "" }, findings: true}
		brute, ok := racesByClass(t, &named{&brute{}, newNaming()}, limit, p)
		if !ok {
			continue
		}
		reduced, ok := racesByClass(t, &named{newDPOR(sched.Dependencies), newNaming()}, limit, p)
		if !ok {
			t.Fatalf("%v: reduction takes more runs than brute force", s)
		}
		if diff := cmp.Diff(brute.races, reduced.races); diff != "" {
			t.Fatalf("%v: races by class (-brute force +reduction):\n%s", s, diff)
		}
		compared++
		schedules += brute.runs
		for _, key := range brute.races {
			if key != "" {
				racy++
				break
			}
		}
	}
	t.Logf("%d programs, %d of them with a data race, %d schedules", compared, racy, schedules)
}

type racesOfClasses struct {
	races map[uint64]string // keys by class
	runs  int
}

// racesByClass explores p to the end. It reports false when that takes too long, or the
// relation does not cover p.
func racesByClass(t *testing.T, s *named, limit int, p subject) (racesOfClasses, bool) {
	t.Helper()
	e := newEngineFor(t)
	a := analysis{table: sched.Dependencies}
	found := racesOfClasses{races: map[uint64]string{}}
	for i := uint64(0); s.Begin(i); i++ {
		res := p.run(e, s)
		if int(i) > limit || res.Log.Eager || unsettled(res.Log) || e.CrossUnlocks() {
			return found, false
		}
		if res.Outcome != sched.Abandoned {
			s.meet(res.Log)
			a.order(&s.naming, res.Log)
			key, class := keyOf(racesAmong(res.Findings)), a.class()
			if known, ok := found.races[class]; ok && known != key {
				t.Fatalf("two schedules of one class show %q and %q", known, key)
			}
			found.races[class] = key
			found.runs++
		}
		s.End(res)
	}
	return found, true
}

func racesAmong(fs []Finding) (races []Finding) {
	for _, f := range fs {
		if f.Kind == sched.DataRace {
			races = append(races, f)
		}
	}
	return races
}

// raced has a race on one variable whatever the schedule, and then ends badly in some.
func raced() {
	x := model.Named(new(model.Shared[int]), "x")
	done := model.Named(model.NewChan[int](0), "done")
	model.GoNamed("writer", func() {
		x.Set(1)
		if model.Choose(2) == 1 {
			done.Send(0)
		}
	})
	x.Get()
	done.Recv()
}

// A data race does not end the run, so what comes after it is found too, and expecting
// or ignoring it leaves the rest.
func TestDataRaceOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		opts []Option
		want []string // kinds of findings, and the verdict
	}{
		{"reported", nil, []string{"fail", "data race", "blocked forever"}},
		{"ignored", []Option{IgnoreRaces()}, []string{"fail", "blocked forever"}},
		{"expected", []Option{Expect(Races("x"))}, []string{"fail", "blocked forever"}},
		{"expected with the rest", []Option{Expect(Races("x"), Blocked("main", "receive", "done"))}, []string{"expected"}},
		{"of another variable", []Option{Expect(Races("y"))}, []string{"fail", "data race", "blocked forever"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := RunExhaustive(raced, c.opts...)
			got := []string{r.Verdict()}
			for _, f := range r.Findings {
				got = append(got, string(f.Kind))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%v", diff, r)
			}
		})
	}
}

// A data race comes back from its seed and from its schedule, minimised or not.
func TestDataRaceReplays(t *testing.T) {
	for seed := range uint64(20) {
		r := Run(raced, Seed(seed))
		again := Replay(raced, r.Schedule)
		if len(racesAmong(r.Findings)) != 1 || again.Key() != r.Key() || again.Hash != r.Hash {
			t.Errorf("seed %d: found\n%v\nand again\n%v", seed, r, again)
		}
	}
}

// Keeping clocks allocates nothing once the engine has run the program before.
func TestDataRacesAllocateNothing(t *testing.T) {
	e := newEngineFor(t)
	var x, y *model.Shared[int]
	var mu *model.Mutex
	body := func() {
		ch := model.NewChan[int](2)
		for range 3 {
			model.Go(func() {
				mu.Lock()
				x.Set(x.Get() + 1)
				mu.Unlock()
				y.Set(1)
				ch.Send(1)
			})
		}
		for range 3 {
			ch.Recv()
		}
	}
	run := func(opts sched.RunOptions) float64 {
		return testing.AllocsPerRun(20, func() {
			x, y, mu = new(model.Shared[int]), new(model.Shared[int]), new(model.Mutex)
			e.Run(body, NewRandom(1), opts)
		})
	}
	without := run(sched.RunOptions{IgnoreRaces: true})
	if with := run(sched.RunOptions{}); with != without {
		t.Errorf("%.0f allocations a run with clocks, %.0f without", with, without)
	}
}
