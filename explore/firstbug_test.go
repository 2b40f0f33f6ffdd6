package explore

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// Programs that other tools were measured on with the same text: main starts the
// goroutines and waits for them.

// waitFor starts the functions and waits until all have returned.
func waitFor(fs ...func()) {
	var wg model.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// filler returns a function that takes n steps which matter to nobody.
func filler() func(n int) {
	var own model.Int32
	return func(n int) {
		for range n {
			own.Add(1)
		}
	}
}

func threePhilosophers() {
	var forks [3]model.Mutex
	var fs []func()
	for i := range forks {
		fs = append(fs, func() {
			inside(&forks[i], func() { inside(&forks[(i+1)%3], func() {}) })
		})
	}
	waitFor(fs...)
}

func inversion() {
	var a, b, c model.Mutex
	nested := func(x, y *model.Mutex) func() {
		return func() {
			filler()(10)
			inside(x, func() { inside(y, func() {}) })
		}
	}
	other := func() {
		filler()(10)
		inside(&c, func() {})
	}
	waitFor(nested(&a, &b), nested(&b, &a), other, other)
}

func lostWakeup() {
	var flag model.Int32
	var mu model.Mutex
	cond := model.NewCond(&mu)
	noise := func() { filler()(10) }
	waitFor(func() {
		filler()(10)
		if flag.Load() == 0 { // the mistake: it is not tested under the lock
			mu.Lock()
			cond.Wait()
			mu.Unlock()
		}
	}, func() {
		filler()(10)
		inside(&mu, func() {
			flag.Store(1)
			cond.Signal()
		})
	}, noise, noise)
}

func depthThree() {
	var x model.Int32
	waitFor(func() {
		f := filler()
		f(3)
		x.Store(1)
		f(4)
		x.Store(2)
	}, func() {
		f := filler()
		f(3)
		first := x.Load()
		f(4)
		model.Assert(first != 1 || x.Load() != 2, "read between the stores, and after them")
	})
}

// skew: the goroutine that takes the locks at once has to wait for the one that has
// k steps to take before.
func skew(k int) func() {
	return func() {
		var a, b model.Mutex
		noise := func() { filler()(10) }
		waitFor(func() {
			inside(&a, func() { inside(&b, func() {}) })
		}, func() {
			filler()(k)
			inside(&b, func() { inside(&a, func() {}) })
		}, noise, noise)
	}
}

// firstBugProgram is a row of the table.
type firstBugProgram struct {
	name string
	body func()
	// peers has what others need, means over their seeds: the best of those measured.
	peers string
}

var firstBugPrograms = []firstBugProgram{
	{"account", sctAccount, "SURW 6, PCT3 4, POS 4, RW 18"},
	{"circular_buffer", sctRing(7), "SURW 3, PCT3 9, POS 2, RW 4"},
	{"deadlock01", sctDeadlock01, "SURW 2, PCT3 13, POS 4, RW 3"},
	{"lazy01", sctLazy01, "SURW 2, PCT3 5, POS 5, RW 21"},
	{"queue", sctRing(20), "SURW 2, PCT3 3, POS 1, RW 1"},
	{"reorder_3", sctReorder(3), "SURW 7, PCT3 185, POS 86, RW -"},
	{"reorder_4", sctReorder(4), "SURW 7, PCT3 554, POS 533, RW -"},
	{"reorder_5", sctReorder(5), "SURW 10, PCT3 647, POS 2169, RW -"},
	{"reorder_10", sctReorder(10), "SURW 17, PCT3 3225 (16/20), POS -, RW -"},
	{"reorder_20", sctReorder(20), "SURW 6, PCT3 3005, POS -, RW -"},
	{"reorder_50", sctReorder(50), "SURW 13, PCT3 3304 (6/20), POS -, RW -"},
	{"reorder_100", sctReorder(100), "SURW 194, PCT3 -, POS -, RW -"},
	{"stack", sctStack, "SURW 5, PCT3 3, POS 2, RW 176"},
	{"twostage", sctTwostage(2), "SURW 8, PCT3 13, POS 15, RW 464"},
	{"twostage_20", sctTwostage(20), "SURW 6, PCT3 159, POS 156, RW -"},
	{"twostage_50", sctTwostage(50), "SURW 20, PCT3 1676, POS 1637, RW -"},
	{"twostage_100", sctTwostage(100), "SURW 454, PCT3 7466 (3/20), POS 6674 (3/20), RW -"},
	{"wronglock", sctWronglock(7), "SURW 7, PCT3 51, POS 10, RW 36"},
	{"wronglock_3", sctWronglock(3), "SURW 9, PCT3 58, POS 11, RW 36"},
	{"WSQ", sctWSQ, "SURW 6, PCT3 48, POS 12"},
	{"philosophers", threePhilosophers, "RW 8.8, PCT2 55.7, PCT3 21.3, URW 4.2, loom 106 (bound 2: 33)"},
	{"inversion", inversion, "RW 6.6, PCT2 60.2, PCT3 37.8, URW 3.6, loom 1480 (bound 2: 164)"},
	{"lost wake-up", lostWakeup, "RW 8.4, PCT2 43.0, PCT3 25.9, URW 8.1, loom 7153 (bound 2: 471)"},
	{"depth 3", depthThree, "RW 3.9, PCT2 -, PCT3 143, URW 3.6, loom 3801 (bound 2: 367)"},
	{"skew 10", skew(10), "RW 334, PCT2 47.8, PCT3 30.5, URW 10.3, loom bound 2: 494"},
	{"skew 20", skew(20), "RW -, PCT2 53.1, PCT3 42.3, URW 26.6, loom bound 2: 494"},
	{"skew 40", skew(40), "RW -, PCT2 73.3, PCT3 58.3, URW 111.6, loom bound 2: 494"},
	{"SafeStack", sctSafeStack, "SURW 368921 (19/20), PCT3 -, POS -, RW -"},
}

// firstBugStrategies are the columns; the last is the default.
var firstBugStrategies = []string{"random", "pct2", "pct3", "pos", "urw", "surw", "directed", DefaultStrategy}

// firstBugs is a cell: how many schedules each seed needs.
type firstBugs struct {
	needed []int // of the seeds that found the bug
	seeds  int
	limit  int
}

// firstBugsOf counts the schedules to the first that fails, for seeds 0, 1, ... It
// stops early when most seeds would miss the bug, which a few of them show.
func firstBugsOf(body func(), name string, seeds, limit int) firstBugs {
	start, err := namedStrategy(name)
	if err != nil {
		panic(err)
	}
	e := sched.New(sched.Config{})
	defer e.Close()
	c := firstBugs{limit: limit}
	for total := 0; c.seeds < seeds && (c.seeds < 5 || total < 8*limit); c.seeds++ {
		n, found := firstBug(e, body, start, uint64(c.seeds), limit)
		total += n
		if found {
			c.needed = append(c.needed, n)
		}
	}
	return c
}

func firstBug(e *sched.Engine, body func(), start func(Setup) Strategy, seed uint64, limit int) (n int, found bool) {
	s := start(Setup{Seed: seed, Steps: DefaultSteps})
	for n < limit {
		n++
		if runOf(e, body, s, seed, uint64(n-1)).Failed {
			return n, true
		}
	}
	return n, false
}

// runOf is what a worker does with schedule i.
func runOf(e *sched.Engine, body func(), s Strategy, seed, i uint64) *sched.Result {
	if l, ok := s.(learner); ok && i == 0 {
		walk := newScout(seed)
		r := e.Run(body, walk, sched.RunOptions{Log: true, IgnoreRaces: true})
		l.learn(walk.profile(r))
		return r
	}
	s.Begin(i)
	r := e.Run(body, s, sched.RunOptions{IgnoreRaces: true})
	s.End(r)
	return r
}

func (c firstBugs) missed() int { return c.seeds - len(c.needed) }

// mean is over all seeds, those that missed the bug at their limit: then it is too
// small, and String says so.
func (c firstBugs) mean() float64 {
	sum := c.missed() * c.limit
	for _, n := range c.needed {
		sum += n
	}
	return float64(sum) / float64(c.seeds)
}

func (c firstBugs) median() string {
	sorted := slices.Sorted(slices.Values(c.needed))
	if k := c.seeds / 2; k < len(sorted) {
		return fmt.Sprint(sorted[k])
	}
	return "-"
}

func (c firstBugs) String() string {
	switch c.missed() {
	case 0:
		return fmt.Sprintf("%.1f/%s", c.mean(), c.median())
	case c.seeds:
		return fmt.Sprintf("- (0/%d)", c.seeds)
	}
	return fmt.Sprintf(">%.0f/%s (%d/%d)", c.mean(), c.median(), len(c.needed), c.seeds)
}

// firstBugRow is a line of a table in Markdown.
func firstBugRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// BenchmarkFirstBug prints how many schedules the strategies need to find bugs, mean
// and median over the seeds, and what others need. A mean that counts seeds which
// missed the bug as having needed all schedules is marked > and followed by how many
// seeds found it; - stands for none. MODELCHECK_LONG=1 takes 200 seeds of up to
// 10,000 schedules. Cells that need very many have fewer seeds, at least 5; the number
// is shown where bugs were missed. The table of 200 seeds is in doc/strategies.md.
func BenchmarkFirstBug(b *testing.B) {
	seeds, limit := 20, 1000
	if os.Getenv("MODELCHECK_LONG") != "" {
		seeds, limit = 200, 10_000
	}
	fmt.Printf("\nschedules to the first bug, mean/median over %d seeds of up to %d schedules\n\n", seeds, limit)
	columns := slices.Concat([]string{"program"}, firstBugStrategies, []string{"others"})
	fmt.Println(firstBugRow(columns))
	fmt.Println(firstBugRow(slices.Repeat([]string{"---"}, len(columns))))
	cells := firstBugCells(seeds, limit)
	for i, p := range firstBugPrograms {
		row := []string{p.name}
		for j := range firstBugStrategies {
			row = append(row, (<-cells[i][j]).String())
		}
		fmt.Println(firstBugRow(append(row, p.peers)))
	}
	for b.Loop() { // the table is made once, and is no matter of time
	}
}

// firstBugCells computes the cells of the table, by program and strategy, on all cores.
// None depends on another.
func firstBugCells(seeds, limit int) [][]chan firstBugs {
	var jobs []func()
	cells := make([][]chan firstBugs, len(firstBugPrograms))
	for i, p := range firstBugPrograms {
		for _, name := range firstBugStrategies {
			cell := make(chan firstBugs, 1)
			cells[i] = append(cells[i], cell)
			jobs = append(jobs, func() { cell <- firstBugsOf(p.body, name, seeds, limit) })
		}
	}
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for i := next.Add(1) - 1; i < int64(len(jobs)); i = next.Add(1) - 1 {
				jobs[i]()
			}
		}()
	}
	return cells
}

// documentedFirstBugs reads the table in doc/strategies.md: by program, and strategy.
func documentedFirstBugs(t *testing.T) map[string]map[string]string {
	t.Helper()
	text, err := os.ReadFile("../doc/strategies.md")
	if err != nil {
		t.Fatal(err)
	}
	columns := slices.Concat([]string{"program"}, firstBugStrategies, []string{"others"})
	_, rest, found := strings.Cut(string(text), firstBugRow(columns)+"\n")
	if !found {
		t.Fatalf("no table with the columns %v", columns)
	}
	rows := map[string]map[string]string{}
	for line := range strings.Lines(rest) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) != len(columns) {
			break
		}
		row := map[string]string{}
		for i, name := range columns {
			row[name] = cells[i]
		}
		rows[row["program"]] = row
	}
	return rows
}

// meanOf reads the mean of a cell, false if bugs were missed.
func meanOf(cell string) (mean float64, ok bool) {
	text, _, _ := strings.Cut(cell, "/")
	mean, err := strconv.ParseFloat(text, 64)
	return mean, err == nil
}

// TestDocumentedFirstBugs holds the table of the documents to what it says of it, and
// recomputes the cells that take few schedules.
func TestDocumentedFirstBugs(t *testing.T) {
	few := 8.0
	if testing.Short() {
		few = 3
	}
	rows, recomputed := documentedFirstBugs(t), 0
	for _, p := range firstBugPrograms {
		row := rows[p.name]
		if row["others"] != p.peers {
			t.Errorf("%s: others %q, wanted %q", p.name, row["others"], p.peers)
		}
		best := math.Inf(1)
		for _, name := range firstBugStrategies {
			mean, ok := meanOf(row[name])
			if ok {
				best = min(best, mean)
			}
			if ok && mean <= few {
				recomputed++
				if got := firstBugsOf(p.body, name, 200, 10_000).String(); got != row[name] {
					t.Errorf("%s, %s: documented %s, found %s", p.name, name, row[name], got)
				}
			}
		}
		if mean, ok := meanOf(row[DefaultStrategy]); p.name != "SafeStack" && (!ok || mean > 2*best) {
			t.Errorf("%s: the portfolio needs %s, the best strategy %.1f", p.name, row[DefaultStrategy], best)
		}
	}
	for name, most := range map[string]float64{"reorder_100": 200, "twostage_100": 450} {
		if mean, ok := meanOf(rows[name]["surw"]); !ok || mean > most {
			t.Errorf("%s: SURW needs %s, wanted at most %v", name, rows[name]["surw"], most)
		}
	}
	t.Logf("%d cells recomputed", recomputed)
}
