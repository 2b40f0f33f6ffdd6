package explore

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// spy notes the hash of every schedule that its strategy chose.
type spy struct {
	learner
	run    uint64
	hashes map[uint64]uint64
}

func (s *spy) Begin(run uint64) bool {
	s.run = run
	return s.learner.Begin(run)
}

func (s *spy) End(r *sched.Result) {
	s.hashes[s.run] = r.Hash
	s.learner.End(r)
}

func TestSchedulesDependOnSeedAndIndexAlone(t *testing.T) {
	for _, name := range []string{"pct3", "pos", "urw", "surw", "directed", DefaultStrategy} {
		t.Run(name, func(t *testing.T) { dependOnSeedAndIndexAlone(t, name) })
	}
}

func dependOnSeedAndIndexAlone(t *testing.T, name string) {
	const n = 150
	explored := func(parts ...uint64) map[uint64]uint64 {
		hashes := map[uint64]uint64{}
		for i := range parts[:len(parts)-1] {
			set, err := settingsOf(races, []Option{WithSearch("spied", func(s Setup) Strategy {
				start, err := namedStrategy(name)
				if err != nil {
					t.Fatal(err)
				}
				return &spy{learner: start(s).(learner), hashes: hashes}
			})})
			if err != nil {
				t.Fatal(err)
			}
			w := newWorker(races, &set)
			if s := w.explore(newQuota(7, 0, n), parts[i], parts[i+1]); s.next != parts[i+1] {
				t.Fatalf("stopped at schedule %d: %v", s.next, s)
			}
			w.close()
		}
		return hashes
	}
	whole := explored(0, n)
	if len(whole) != n-1 { // schedule 0 is a walk of the campaign's own
		t.Fatalf("saw %d schedules, wanted %d", len(whole), n-1)
	}
	rapid.Check(t, func(rt *rapid.T) {
		cuts := rapid.SliceOfNDistinct(rapid.Uint64Range(1, n-1), 0, 5, rapid.ID[uint64]).Draw(rt, "cuts")
		slices.Sort(cuts)
		parts := slices.Concat([]uint64{0}, cuts, []uint64{n})
		if diff := cmp.Diff(whole, explored(parts...)); diff != "" {
			rt.Fatalf("divided at %v (-whole +parts):\n%s", cuts, diff)
		}
	})
}

// skewed needs its second goroutine to wait while the first takes n steps.
func skewed(n int) func() {
	return func() {
		flag := 0
		var mu model.Mutex
		model.Go(func() {
			for range n {
				mu.Lock()
				flag++
				mu.Unlock()
			}
		})
		mu.Lock()
		seen := flag
		mu.Unlock()
		model.Assert(seen < n, "overtaken")
	}
}

func TestStrategiesFindWhatTheyAreGoodFor(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULES", "300")
	for _, test := range []struct {
		strategy string
		steps    int
		found    bool
	}{
		{"random", 2, true},
		{"random", 30, false},
		{"pct1", 30, true},
		{"pct2", 30, true},
		{"pct3", 30, true},
		{"pos", 30, false}, // its first of 30 races has to be lost, and then each next one
		{"urw", 30, true},
		{"surw", 30, true},
		{"portfolio", 30, true},
	} {
		for seed := range uint64(10) {
			r := Run(skewed(test.steps), WithStrategy(test.strategy), Seed(seed))
			if found := r.Verdict() == "fail"; found != test.found {
				t.Errorf("%s, %d steps, seed %d: found %v, wanted %v: %s", test.strategy, test.steps, seed, found, test.found, r)
			}
		}
	}
}

// A bug of depth d is hit by PCT(d) at least once in n·k^(d-1)·2 schedules on
// average, the 2 for lengths other than the one measured; never by PCT(d-1).
func TestPCTKeepsItsPromise(t *testing.T) {
	// main has to be preempted between its two sections, and the other goroutine
	// to run to its end there: depth 2.
	body := func() {
		x := 0
		var mu, own model.Mutex
		model.Go(func() {
			mu.Lock()
			x = 1
			mu.Unlock()
		})
		mu.Lock()
		before := x
		mu.Unlock()
		for range 10 {
			own.Lock()
			own.Unlock()
		}
		mu.Lock()
		after := x
		mu.Unlock()
		model.Assert(before == after, "changed meanwhile")
	}
	t.Setenv("MODELCHECK_SCHEDULES", "2")
	const runs = 1000
	hits := map[string]int{}
	for seed := range uint64(runs) {
		for _, name := range []string{"pct1", "pct2"} {
			if r := Run(body, WithStrategy(name), Seed(seed)); r.Verdict() == "fail" && r.Index == 1 {
				hits[name]++
			}
		}
	}
	const promised = runs / (2 * 2 * 30) // n = 2, k at most 30
	if hits["pct1"] > 0 || hits["pct2"] < promised {
		t.Errorf("hits %v in %d schedules, wanted none with pct1 and at least %d with pct2", hits, runs, promised)
	}
}

// A loop that waits for others ends under every strategy, whether it yields or
// not.
func TestWaitingLoopsEnd(t *testing.T) {
	for _, yield := range []bool{true, false} {
		body := func() {
			ready := false
			var mu model.Mutex
			model.Go(func() {
				mu.Lock()
				ready = true
				mu.Unlock()
			})
			for done := false; !done; {
				mu.Lock()
				done = ready
				mu.Unlock()
				if yield {
					model.Gosched()
				}
			}
		}
		for _, name := range []string{"random", "pct1", "pct3", "pos", "urw", "surw", "directed", "portfolio"} {
			r := Run(body, WithStrategy(name), Schedules(200), Steps(2000))
			if r.Failed() {
				t.Errorf("%s, yield %v: %s", name, yield, r)
			}
			if mean := r.Steps / r.Schedules; yield && mean > 50 {
				t.Errorf("%s: %d steps per schedule, as if yielding did not help", name, mean)
			}
		}
	}
}

func TestNamedStrategies(t *testing.T) {
	for name, known := range map[string]bool{
		"random": true, "portfolio": true, "pct1": true, "pct2": true, "pct99": true,
		"pos": true, "urw": true, "surw": true, "directed": true,
		"": false, "pct": false, "pct0": false, "pct02": false, "pct100": false, "pct-1": false, "Random": false,
	} {
		if _, err := namedStrategy(name); (err == nil) != known {
			t.Errorf("strategy %q: error %v, wanted known to be %v", name, err, known)
		}
	}
}

// The chi-squared statistic of 10 cells exceeds 27.9 with probability 0.001.
func TestStreamIsUniform(t *testing.T) {
	const cells, draws, bound = 10, 100_000, 27.9
	for index := range uint64(5) {
		s := streamOf(1, index, purposeWalk)
		var count [cells]float64
		for range draws {
			count[s.below(cells)]++
		}
		chi := 0.0
		for _, c := range count {
			chi += (c - draws/cells) * (c - draws/cells) / (draws / cells)
		}
		if chi > bound {
			t.Errorf("schedule %d: chi-squared %.1f above %v: %v", index, chi, bound, count)
		}
	}
}
