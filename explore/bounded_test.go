package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// pricing adds up what the choices of its strategy cost, by a measure written down
// anew.
type pricing struct {
	Strategy
	price func(*sched.Point, sched.Choice) int
	spent int
}

func (s *pricing) Begin(run uint64) bool {
	s.spent = 0
	return s.Strategy.Begin(run)
}

func (s *pricing) Pick(p *sched.Point) sched.Choice {
	c := s.Strategy.Pick(p)
	if s.price != nil {
		s.spent += s.price(p, c)
	}
	return c
}

// passedOver counts the enabled goroutines that the round passes over before it
// comes to one that takes part in c: the goroutines from the running one on, then
// the others, then the timers.
func passedOver(p *sched.Point, c sched.Choice) int {
	r, _ := p.Running()
	var ordinary, timers []int32
	for g := r; g < int32(p.Goroutines()); g++ {
		ordinary = append(ordinary, g)
	}
	for g := int32(0); g < r; g++ {
		ordinary = append(ordinary, g)
	}
	ordinary = slices.DeleteFunc(ordinary, func(g int32) bool { return !p.Enabled(g) })
	for _, g := range ordinary {
		if p.Op(g).Kind == sched.OpFire {
			timers = append(timers, g)
		}
	}
	ordinary = slices.DeleteFunc(ordinary, func(g int32) bool { return p.Op(g).Kind == sched.OpFire })
	ev := p.Event(c)
	return slices.IndexFunc(append(ordinary, timers...), func(g int32) bool { return g == ev.G || g == ev.Partner })
}

// schedulesOf runs a program under all schedules of a strategy and returns, by
// price, how often each was run; false if there are more than limit. Without a price
// it goes by the engine's count of preemptions.
func schedulesOf(body func(), s Strategy, price func(*sched.Point, sched.Choice) int, limit int) ([]map[uint64]int, bool) {
	e := sched.New(sched.Config{MaxSteps: 1000})
	defer e.Close()
	p := &pricing{Strategy: s, price: price}
	var all []map[uint64]int
	for i := 0; p.Begin(uint64(i)); i++ {
		if i == limit {
			return nil, false
		}
		r := e.Run(body, p, sched.RunOptions{})
		p.End(r)
		paid := p.spent
		if price == nil {
			paid = r.Preemptions
		}
		for len(all) <= paid {
			all = append(all, map[uint64]int{})
		}
		all[paid][r.Hash]++
	}
	return all, true
}

// TestBoundedSearchIsBruteForceWithinTheBound compares the two on generated programs:
// the same schedules, each once in every round whose bound admits it.
func TestBoundedSearchIsBruteForceWithinTheBound(t *testing.T) {
	want := oracleChecks(t, 60)
	if testing.Short() {
		want = 15
	}
	const limit, bound = 3000, 2
	prices := []func(*sched.Point, sched.Choice) int{nil, passedOver}
	programs := rapid.Custom(drawOracleProgram)
	compared, complete, runs := 0, 0, 0
	for seed := 0; compared < want; seed++ {
		body := programs.Example(seed).subject().body
		for i, m := range measures {
			all, ok := schedulesOf(body, &brute{}, prices[i], limit)
			if !ok || len(all) == 1 {
				continue
			}
			compared++
			s := &bounded{measure: m, limit: bound}
			got, _ := schedulesOf(body, s, prices[i], limit*(bound+1))
			runs += s.runs
			most := len(all) - 1
			rounds := min(bound, most)
			all = all[:rounds+1]
			for paid, hashes := range all {
				for h := range hashes {
					hashes[h] = rounds - paid + 1
				}
			}
			for len(got) <= rounds {
				got = append(got, map[uint64]int{})
			}
			if diff := cmp.Diff(all, got); diff != "" {
				t.Fatalf("program of seed %d, %s (-brute force +bounded):\n%s", seed, m.noun, diff)
			}
			if cov := s.coverage(); cov.Complete != (most <= bound) {
				t.Fatalf("program of seed %d: schedules need up to %s, but the search says %v", seed, plural(most, m.noun), cov)
			} else if cov.Complete {
				complete++
			}
		}
	}
	t.Logf("%d comparisons, %d of them complete, %d runs", compared, complete, runs)
}

func TestBoundedVerdicts(t *testing.T) {
	abba := func() { philosophers(2, false) }
	ordered := func() { philosophers(2, true) }
	for _, c := range []struct {
		name     string
		explore  func(func(), ...Option) Report
		body     func()
		opts     []Option
		verdict  string
		coverage string
	}{
		{"within the bound", Run, ordered, []Option{WithStrategy("preempt1")}, "pass", "bounded: every schedule with at most 1 preemption, 3 runs (and 2 repeated), 50 events"},
		{"delays", Run, ordered, []Option{WithStrategy("delay1")}, "pass", "bounded: every schedule with at most 1 delay, 3 runs (and 1 repeated), 40 events"},
		{"budget used up", RunExhaustive, counter2x5, []Option{WithStrategy("preempt2"), Schedules(20)}, "incomplete", "not complete: 15 runs (and 5 repeated), 440 events, among them every schedule with at most 1 preemption"},
		{"budget used up in the first round", Run, counter2x5, []Option{WithStrategy("preempt2"), Schedules(1)}, "pass", "not complete: 1 run, 22 events"},
		{"fewest first", Run, abba, []Option{WithStrategy("preempt9")}, "fail", "not complete: 4 runs (and 1 repeated), 44 events, among them every schedule with at most 0 preemptions"},
		{"too few", Run, abba, []Option{WithStrategy("preempt0")}, "pass", "bounded: every schedule with at most 0 preemptions, 2 runs, 20 events"},
		{"no proof", RunExhaustive, counter2x5, []Option{WithStrategy("preempt1")}, "incomplete", "bounded: every schedule with at most 1 preemption, 11 runs (and 2 repeated), 286 events"},
		{"a proof", RunExhaustive, ordered, []Option{WithStrategy("preempt20")}, "pass", "complete: 6 runs (and 5 repeated), 110 events"},
		{"expected", RunExhaustive, abba, []Option{WithStrategy("preempt1"), Expect(Blocked("main.1", "lock", "mutex"), Blocked("main.2", "lock", "mutex"))}, "expected", "not complete: 4 runs (and 1 repeated), 44 events, among them every schedule with at most 0 preemptions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.explore(c.body, c.opts...)
			if got := fmt.Sprint(r.Coverage); r.Verdict() != c.verdict || got != c.coverage {
				t.Errorf("%s, %s\nwanted %s, %s\n%v", r.Verdict(), got, c.verdict, c.coverage, r)
			}
		})
	}
}

// A check with a bounded search does not draw seeds: it makes one search.
func TestCheckWithABound(t *testing.T) {
	tb := check("TestBound", func() { philosophers(2, true) }, WithStrategy("preempt1"))
	const want = "explore: nothing found, bounded: every schedule with at most 1 preemption, 3 runs (and 2 repeated), 50 events\n"
	if tb.failed || tb.log.String() != want {
		t.Errorf("failed %v\n%s\nwanted\n%s", tb.failed, tb.log.String(), want)
	}
}

func TestNamesOfBounds(t *testing.T) {
	for name, want := range map[string]int{
		"preempt0": 0, "preempt2": 2, "delay99": 99,
		"preempt": -1, "preempt01": -1, "preempt100": -1, "delay-1": -1, "delay+1": -1, "delays1": -1,
	} {
		made, ok := namedBounded(name)
		if ok != (want >= 0) || ok && (made().limit != want || !strings.HasPrefix(name, made().prefix)) {
			t.Errorf("%s: %v", name, ok)
		}
	}
}
