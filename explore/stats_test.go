package explore

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// twoAdders has 20 schedules in 6 trace classes or so: DPOR knows.
func twoAdders() {
	var mu model.Mutex
	for range 3 {
		model.Go(func() {
			mu.Lock()
			mu.Unlock()
		})
	}
}

// TestStatisticsChangeNoSchedule: with statistics or without, with one worker or
// several, the schedules are the same.
func TestStatisticsChangeNoSchedule(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULES", "700")
	for _, name := range []string{"random", "pct2", "pos", "urw", "surw", DefaultStrategy} {
		hashes := func(opts ...Option) map[uint64]uint64 {
			book := &logbook{hashes: map[uint64]uint64{}, ran: map[*scribe]int{}}
			start, err := namedStrategy(name)
			if err != nil {
				t.Fatal(err)
			}
			opts = append(opts, Seed(5), WithSearch("noted", func(s Setup) Strategy {
				l, ok := start(s).(learner)
				if !ok {
					l = unlearned{start(s)}
				}
				return &scribe{learner: l, book: book}
			}))
			if r := Run(races, opts...); r.Failed() {
				t.Fatal(r)
			}
			return book.hashes
		}
		if diff := cmp.Diff(hashes(), hashes(Stats())); diff != "" {
			t.Errorf("%s (-without +with statistics):\n%s", name, diff)
		}
	}
}

func TestStatisticsAreTheSameForAnyWorkers(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULES", "2000")
	want := Run(races, Stats(), Workers(1), Seed(2))
	for _, workers := range []int{2, 3} {
		got := Run(races, Stats(), Workers(workers), Seed(2))
		if diff := cmp.Diff(want.Stats, got.Stats); diff != "" {
			t.Errorf("%d workers (-one +several):\n%s", workers, diff)
		}
	}
	if want.Stats == nil || want.Stats.Schedules != 2000 {
		t.Errorf("no statistics: %s", want)
	}
	if r := Run(races); r.Stats != nil {
		t.Errorf("statistics without being asked: %s", r)
	}
}

// Sampled long enough, a program shows as many classes as an exhaustive search has.
func TestStatisticsCountClasses(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULES", "1200")
	for name, body := range map[string]func(){"adders": twoAdders, "messages": fine} {
		want := RunExhaustive(body).Coverage.Classes
		for _, strategy := range []string{"random", "pos", DefaultStrategy} {
			s := Run(body, Stats(), WithStrategy(strategy)).Stats
			if s.Classes != want || s.New != 0 || s.Recent != 300 || s.Unclassified != "" {
				t.Errorf("%s, %s: %d classes, %d new in the last %d (%s), wanted %d", name, strategy, s.Classes, s.New, s.Recent, s.Unclassified, want)
			}
		}
	}
	timers := func() {
		model.Go(model.Gosched)
		model.NewTimer(1)
	}
	if s := Run(timers, Stats()).Stats; s.Classes != 0 || s.Unclassified != "timers may fire at any moment" {
		t.Errorf("with a timer: %v", s)
	}
}

// Pairs that come in both orders are not listed; one that is kept in order is.
func TestStatisticsOfPairs(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULES", "500")
	s := Run(func() {
		var x, y model.Int32
		var mu model.Mutex
		done := model.NewChan[int](0)
		model.Go(func() {
			x.Store(1) // @pair-x1
			y.Store(1) // @pair-y1
			mu.Lock()
			mu.Unlock()
			done.Send(1)
		})
		y.Store(2) // @pair-y2
		mu.Lock()
		mu.Unlock()
		done.Recv()
		x.Store(2) // @pair-x2
	}, Stats(), WithStrategy("random")).Stats
	line := func(mark string) int { return at(t, mark).Line }
	var got [][2]int
	for _, p := range s.OneOrder {
		got = append(got, [2]int{p.First.Site.Line, p.Then.Site.Line})
		if p.Schedules != s.Inspected {
			t.Errorf("%v: in %d of %d", p, p.Schedules, s.Inspected)
		}
	}
	if want := [][2]int{{line("pair-x1"), line("pair-x2")}}; !slices.Equal(got, want) {
		t.Errorf("in one order only: %v, wanted %v\n%s", got, want, s)
	}
}

func TestDistributions(t *testing.T) {
	counts := map[int]int{1: 1, 2: 50, 7: 48, 100: 1}
	want := Distribution{Min: 1, Median: 2, P95: 7, Max: 100, Mean: (1 + 100 + 336 + 100) / 100.0}
	if got := distributionOf(counts); got != want {
		t.Errorf("%+v, wanted %+v", got, want)
	}
	if got := distributionOf(nil); got != (Distribution{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

// Tables of binomial confidence limits give these.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		x, n int
		want float64
	}{
		{0, 10, 0.2589}, {1, 10, 0.3942}, {0, 100, 0.0295}, {5, 100, 0.1023}, {10, 10, 1}, {0, 2500, 0.0012},
	} {
		if got := upperBound(c.x, c.n); math.Abs(got-c.want) > 6e-5 {
			t.Errorf("%d of %d: at most %.5f, wanted %.4f", c.x, c.n, got, c.want)
		}
	}
	for _, n := range []int{1, 10, 10_000} {
		if a, b := riskBound(n), upperBound(0, n); math.Abs(a-b) > 1e-9 {
			t.Errorf("nothing in %d: %v and %v", n, a, b)
		}
	}
}

// TestSaturationHolds draws classes of known probability: the bound is too small in
// no more than 5 % of the campaigns, give or take.
func TestSaturationHolds(t *testing.T) {
	const classes, repeats = 100, 400
	mass := func(k int) float64 { // falls from the first class to the last
		return 2 * float64(classes-k) / (classes * (classes + 1))
	}
	for _, n := range []int{40, 200, 1000} {
		wrong := 0
		for seed := range uint64(repeats) {
			rng := streamOf(seed, uint64(n), 0)
			s := newSurvey()
			for range n {
				u, k := float64(rng.next()>>11)/(1<<53), 0
				for u -= mass(k); u > 0 && k < classes-1; u -= mass(k) {
					k++
				}
				s.add(sample{class: uint64(k), independent: true})
			}
			unseen := 1.0
			for k := range classes {
				if at, ok := s.first[uint64(k)]; ok && at < n-n/4 {
					unseen -= mass(k)
				}
			}
			if b, held := s.saturation(); held != n/4 || b < unseen {
				wrong++
			}
		}
		if wrong > repeats*8/100 {
			t.Errorf("%d schedules: the bound was too small in %d of %d campaigns", n, wrong, repeats)
		}
	}
}

// What PCT promises it keeps: bugs of depth 2 are hit at least as often as claimed.
func TestDepthBoundHolds(t *testing.T) {
	const runs = 1000
	body := func() {
		x := 0
		var mu, own model.Mutex
		model.Go(func() { mu.Lock(); x = 1; mu.Unlock() })
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
	hits, claimed := 0, 0.0
	for seed := range uint64(runs) {
		r := Run(body, WithStrategy("pct2"), Seed(seed), Minimize(0), Stats())
		if r.Verdict() == "fail" && r.Index == 1 {
			hits++
		}
		claimed = max(claimed, pctBound(2, 30, 30, 2))
	}
	if float64(hits) < claimed*runs {
		t.Errorf("hit in %d of %d schedules, claimed are %.1f", hits, runs, claimed*runs)
	}
}

// Claims are made where they hold, and nowhere else.
func TestClaims(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULES", "400")
	kinds := func(r Report) string {
		var list []string
		for _, c := range r.Stats.Claims {
			kind, _, _ := strings.Cut(c, ":")
			list = append(list, kind)
		}
		return strings.Join(list, " ")
	}
	rare := func() {
		races()
		model.Assert(model.Choose(50) != 7, "seven")
	}
	yielding := func() { races(); model.Gosched() }
	for _, c := range []struct {
		name   string
		report Report
		want   string
	}{
		{"random walk", Run(races, Stats(), WithStrategy("random")), "risk saturation"},
		{"pos", Run(races, Stats(), WithStrategy("pos")), "risk saturation"},
		{"urw", Run(races, Stats(), WithStrategy("urw")), "risk saturation"},
		{"surw", Run(races, Stats(), WithStrategy("surw")), "risk saturation"},
		{"portfolio", Run(races, Stats()), "risk saturation"},
		{"directed", Run(races, Stats(), WithStrategy("directed")), "risk saturation"},
		{"pct", Run(races, Stats(), WithStrategy("pct2")), "risk saturation depth"},
		{"pct, goroutines yield", Run(yielding, Stats(), WithStrategy("pct2")), "risk saturation"},
		{"a finding", Run(rare, Stats(), WithStrategy("random")), ""},
		{"something expected", Run(rare, Stats(), WithStrategy("random"), Expect(Broken("seven"))), ""},
		{"complete search", RunExhaustive(twoAdders, Stats()), ""},
		{"every schedule", RunExhaustive(twoAdders, Stats(), WithStrategy("brute")), ""},
		{"search bounded by preemptions", Run(races, Stats(), WithStrategy("preempt1")), ""},
		{"search bounded by delays", Run(races, Stats(), WithStrategy("delay1")), ""},
		{"strategy of the caller's", Run(fine, Stats(), WithSearch("own", func(Setup) Strategy { return &own{} })), ""},
		{"nothing else to try", Run(func() { model.Go(func() {}) }, Stats()), ""},
	} {
		if got := kinds(c.report); got != c.want {
			t.Errorf("%s: %q, wanted %q\n%s", c.name, got, c.want, c.report)
		}
	}
}

// What ends a check does not end its statistics: neither a finding, nor a saved schedule
// that fails again, nor that all is found that was expected.
func TestStatisticsOfChecksThatEndEarly(t *testing.T) {
	inDir(t, t.TempDir())
	t.Setenv("MODELCHECK_STATS", "1")
	t.Setenv("MODELCHECK_SCHEDULES", "500") // which -short does not divide
	const wanted = "statistics of 500 schedules: 3 trace classes"
	for _, c := range []struct {
		name string
		opts []Option
	}{{"found", nil}, {"saved", nil}, {"expected", []Option{Expect(Blocked("receiver", "send", "reqCh"))}}} {
		tb := check("TestLeaky", leaky, append(c.opts, Seed(1))...)
		log := tb.log.String()
		if c.name == "saved" && !strings.Contains(log, "it is the saved schedule") {
			t.Errorf("saved: the schedule was not run first:\n%s", log)
		}
		if !strings.Contains(log, wanted) || !strings.Contains(log, "of them fail") {
			t.Errorf("%s: want %q in\n%s", c.name, wanted, log)
		}
	}
}

func TestStatisticsText(t *testing.T) {
	s := &Statistics{
		Schedules: 10_000, Failing: 12, Classes: 1204, Recent: 2500, New: 1,
		Steps: Distribution{1, 2, 3, 4, 2.25}, Inspected: 1562,
		OneOrder: []Pair{{Place{"send chan", sched.Site{File: startDir + "/a.go", Line: 3}}, Place{"close chan", sched.Site{File: startDir + "/a.go", Line: 9}}, 41}},
		Claims:   []string{"risk: " + percent(riskBound(10_000))},
	}
	const want = `statistics of 10000 schedules: 1204 trace classes, new in the last 2500 schedules: 1; 12 of them fail
    steps:       1 to 4, mean 2.2, median 2, 95 % at most 3
    switches:    0 to 0, mean 0.0, median 0, 95 % at most 0
    preemptions: 0 to 0, mean 0.0, median 0, 95 % at most 0
    one order only: send chan a.go:3 before close chan a.go:9 in 41 of 1562, never after it
    risk: 0.030 %
`
	if diff := cmp.Diff(want, s.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for p, want := range map[float64]string{0.5: "50 %", 0.0123: "1.2 %", 0.00012: "0.012 %", 2e-9: "2.0e-09"} {
		if got := percent(p); got != want {
			t.Errorf("percent(%v) = %s, wanted %s", p, got, want)
		}
	}
}

// TestIndependentSchedules: flips are not drawn, what comes after them is.
func TestIndependentSchedules(t *testing.T) {
	for _, name := range []string{"directed", DefaultStrategy} {
		set := mustSettings(t, WithStrategy(name))
		w := newWorker(leaky, &set)
		known := map[uint64]bool{}
		w.prepare(1, 1)
		from, ok := independentFrom(w.strategy)
		for i := uint64(1); i < 200; i++ {
			w.run(i)
			d, _ := w.strategy.(*directed)
			if p, ok := w.strategy.(*portfolio); ok {
				if d = nil; p.turn == Strategy(p.first) {
					d = p.first
				}
			}
			known[i] = d != nil && i-1 < uint64(len(d.flips)) || d != nil && name == DefaultStrategy
		}
		w.close()
		last := uint64(0)
		for i, flipped := range known {
			if flipped {
				last = max(last, i)
			}
		}
		if !ok || last == 0 || from != last+1 {
			t.Errorf("%s: independent from %d (%v), the last flip was schedule %d", name, from, ok, last)
		}
	}
}
