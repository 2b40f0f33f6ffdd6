package explore

import (
	"slices"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

func keepAll(fs []Finding) []Finding { return fs }

// simplest minimises the first failing schedule of a sampler, and returns that too.
func simplest(t testing.TB, body func(), maxRuns int, opts ...Option) (m *minimizer, before *failure) {
	t.Helper()
	set, err := settingsOf(body, opts)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker(body, &set)
	defer w.close()
	n := uint64(set.schedules)
	s := w.explore(newQuota(set.seed, 0, n), 0, n)
	if len(s.incidents) == 0 {
		return nil, nil
	}
	before = s.incidents[0].failure
	return w.minimize(before, keepAll, maxRuns), before
}

// oppositeLocks has two goroutines that take two locks in opposite order, somewhere
// in a run of many steps, and others that have nothing to do with it. All use another
// lock in rounds, a common one or each their own.
func oppositeLocks(bystanders, rounds int, common bool) func() {
	return func() {
		var a, b, c model.Mutex
		noise := func(c *model.Mutex) {
			if !common {
				c = new(model.Mutex)
			}
			for range rounds {
				c.Lock()
				c.Unlock()
			}
		}
		for range bystanders {
			model.Go(func() { noise(&c) })
		}
		for _, locks := range [][2]*model.Mutex{{&a, &b}, {&b, &a}} {
			model.Go(func() {
				noise(&c)
				locks[0].Lock()
				locks[1].Lock()
				locks[1].Unlock()
				locks[0].Unlock()
				noise(&c)
			})
		}
	}
}

// lostWakeUp misses a signal when it comes between the look at the flag and Wait.
func lostWakeUp() {
	var mu model.Mutex
	var ready model.Bool
	cond := model.NewCond(&mu)
	model.Go(func() {
		ready.Store(true)
		cond.Signal()
	})
	if !ready.Load() {
		mu.Lock()
		cond.Wait()
		mu.Unlock()
	}
}

func TestMinimal(t *testing.T) {
	for _, c := range []struct {
		name        string
		body        func()
		preemptions int // at most
		runs        int // at most, but for certifying
		budget      int
		certified   bool
	}{
		{"opposite locks", oppositeLocks(0, 0, false), 1, 100, 2_000, true},
		{"opposite locks, bystanders", oppositeLocks(6, 3, false), 1, 100, 2_000, true},
		{"opposite locks, 1,600 steps, bystanders", oppositeLocks(6, 100, false), 1, 100, 100, false},
		{"opposite locks, 1,600 steps, bystanders in each other's way", oppositeLocks(6, 100, true), 1, 100, 400, false},
		{"3 philosophers", func() { philosophers(3, false) }, 2, 100, 2_000, true},
		{"5 philosophers", func() { philosophers(5, false) }, 4, 100, 5_000, true},
		{"7 philosophers", func() { philosophers(7, false) }, 6, 150, 20_000, true},
		{"lost wake-up", lostWakeUp, 1, 100, 2_000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			seeds := uint64(5)
			if testing.Short() {
				seeds = 1
			}
			for seed := range seeds {
				m, before := simplest(t, c.body, c.budget, Seed(seed), WithStrategy("random"))
				t.Logf("seed %d: %+v -> %+v in %d runs, %d to certify, certified %v: %s", seed, sizeOf(before), m.size, m.runs, m.certifying, m.certified, m.best.schedule)
				if m.certified != c.certified || m.size.preemptions > c.preemptions || m.runs-m.certifying > c.runs {
					t.Errorf("seed %d: wanted at most %s, certified %v, in at most %d runs before that", seed, plural(c.preemptions, "preemption"), c.certified, c.runs)
				}
			}
		})
	}
}

// fewest returns the smallest number of preemptions with which a program shows the
// findings of the given key, by brute force; false if it has more schedules than limit.
func fewest(t testing.TB, body func(), key string, limit int) (preemptions int, ok bool) {
	t.Helper()
	set, err := settingsOf(body, []Option{Steps(1000)})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker(body, &set)
	defer w.close()
	b := &brute{}
	best := -1
	for i := 0; b.Begin(uint64(i)); i++ {
		if i == limit {
			return 0, false
		}
		r := w.perform(b, sched.RunOptions{})
		b.End(r)
		if r.Failed && (best < 0 || r.Preemptions < best) {
			n := r.Preemptions
			if f := w.repeat(slices.Clone(r.Choices)); keyOf(f.findings) == key {
				best = n
			}
		}
	}
	return best, true
}

// decided lets one proof alone look for the fewest preemptions with which a program fails
// as in f.
func decided(t testing.TB, body func(), f *failure, budget int, search func(*minimizer) proof) *minimizer {
	t.Helper()
	set, err := settingsOf(body, []Option{Steps(1000)})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker(body, &set)
	defer w.close()
	m := w.newMinimizer(f, keepAll, budget)
	m.decide(0, search(m))
	return m
}

// proofs are the searches that can show a minimum, each to do it alone.
var proofs = map[string]func(*minimizer) proof{
	"frugal":    func(m *minimizer) proof { return newFrugal(m, nil) },
	"classwise": func(m *minimizer) proof { return newClasswise(m) },
}

// TestMinimalIsMinimal minimises failures of generated programs: the schedule shows
// the same, replays, is no worse than the one that was found, and when it is called
// minimal brute force finds no better one.
func TestMinimalIsMinimal(t *testing.T) {
	want := oracleChecks(t, 60)
	if testing.Short() {
		want = 30
	}
	programs := rapid.Custom(drawOracleProgram)
	compared, certified, fewer, tried, settled := 0, 0, 0, 0, map[string]int{}
	for seed := 0; compared < want; seed++ {
		body := programs.Example(seed).subject().body
		m, before := simplest(t, body, 3000, Seed(uint64(seed)), Schedules(20), WithStrategy("random"), Steps(1000))
		if before == nil || before.misuse != nil || before.nondeterministic() {
			continue
		}
		if m.size.preemptions > before.preemptions() || keyOf(m.best.findings) != keyOf(before.findings) {
			t.Fatalf("program of seed %d: from %+v to %+v\n%v\n%v", seed, sizeOf(before), m.size, before.findings, m.best.findings)
		}
		r := Replay(body, m.best.schedule, Steps(1000))
		if r.Err != nil || r.Key() != m.key || r.Hash != m.best.fingerprint.hash {
			t.Fatalf("program of seed %d: the schedule does not replay: %v", seed, r)
		}
		least, ok := fewest(t, body, m.key, 3000)
		if !ok {
			continue
		}
		compared++
		if before.preemptions() > 0 {
			tried++
			for name, search := range proofs {
				p := decided(t, body, before, 6000, search)
				if p.certified && p.size.preemptions != least || p.size.preemptions < least {
					t.Fatalf("program of seed %d: %s: %s, certified %v, but brute force finds %d", seed, name, plural(p.size.preemptions, "preemption"), p.certified, least)
				}
				if p.certified {
					settled[name]++
				}
			}
		}
		if m.size.preemptions < before.preemptions() {
			fewer++
		}
		if m.certified {
			certified++
		}
		if m.size.preemptions < least || m.certified && m.size.preemptions > least {
			t.Fatalf("program of seed %d: %s, certified %v, but brute force finds %d\n%v", seed, plural(m.size.preemptions, "preemption"), m.certified, least, r)
		}
	}
	for name, n := range settled {
		if n < tried*3/4 {
			t.Errorf("%s: only %d of %d settled", name, n, tried)
		}
	}
	t.Logf("%d programs, searches that alone settled one of %d schedules with preemptions: %v", compared, tried, settled)
	t.Logf("%d programs, %d schedules with fewer preemptions than found, %d certified", compared, fewer, certified)
	if certified < compared*9/10 {
		t.Errorf("only %d of %d certified", certified, compared)
	}
}
