package explore

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"pgregory.net/rapid"
)

// step is one operation of an oracle program: what, on which object, and a
// second object or direction where the operation has one.
type step struct {
	op   string
	a, b int
}

// oracleOps are drawn with equal probability.
var oracleOps = []string{
	"send", "send", "recv", "recv", "close", "len", "select", "select", "try", "try",
	"lock", "unlock", "trylock", "rlock", "runlock", "wlock", "wunlock", "trywlock", "tryrlock",
	"locked", "rlocked", "wlocked",
	"add", "done", "wait", "once", "cancel", "cancelled", "err", "derive", "choose", "go", "yield",
	"load", "store", "swap", "cas", "cwait", "cwait", "signal", "broadcast",
	"sleep", "timeout", "tick", "stop", "reset", "now", "ctxtimeout",
	"risksend", "riskclose", "riskdone", "rwait", "rsignal", "rbroadcast", "watch", "poll", "await", "await",
	"spin", "spincas", "spinlock", "spinselect", "retry",
}

// oracleProgram is a list of goroutines, main first, over a few objects of each
// kind; channel 0 and 1 are unbuffered, 2 and 3 have capacity 1 and 2, 4 is nil. The
// operation "eager", which is not drawn, does nothing but say that timers may fire at
// any moment.
type oracleProgram [][]step

func drawOracleProgram(t *rapid.T) oracleProgram {
	return drawProgramOver(t, rapid.SliceOfN(rapid.SampledFrom(oracleOps), 1, 5).Draw(t, "kinds of operations"))
}

func drawProgramOver(t *rapid.T, ops []string) oracleProgram { return drawProgram(t, ops, 4) }

// drawProgram draws a program of the given operations on objects up to last.
func drawProgram(t *rapid.T, ops []string, last int) oracleProgram {
	n := rapid.IntRange(2, 3).Draw(t, "goroutines")
	p := make(oracleProgram, n)
	for i := range p {
		p[i] = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
			return step{rapid.SampledFrom(ops).Draw(t, "op"), rapid.IntRange(0, last).Draw(t, "a"), rapid.IntRange(0, 9).Draw(t, "b")}
		}), 1, 4).Draw(t, "steps")
	}
	return p
}

// String has the goroutines' steps in order, main's first.
func (p oracleProgram) String() string {
	var lists []string
	for _, list := range p {
		var steps []string
		for _, s := range list {
			steps = append(steps, fmt.Sprintf("%s(%d,%d)", s.op, s.a, s.b))
		}
		lists = append(lists, strings.Join(steps, " "))
	}
	return strings.Join(lists, " | ")
}

var stepText = regexp.MustCompile(`^(\w+)\((\d),(\d)\)$`)

// parseOracleProgram is the inverse of String.
func parseOracleProgram(text string) (p oracleProgram, err error) {
	for part := range strings.SplitSeq(text, "|") {
		var list []step
		for s := range strings.FieldsSeq(part) {
			m := stepText.FindStringSubmatch(s)
			if m == nil || m[1] != "eager" && !slices.Contains(oracleOps, m[1]) {
				return nil, fmt.Errorf("step %q: want an operation such as send(2,0)", s)
			}
			list = append(list, step{m[1], int(m[2][0] - '0'), int(m[3][0] - '0')})
		}
		p = append(p, list)
	}
	return p, nil
}

// world has the objects of one run and what its goroutines saw.
type world struct {
	chans  [5]model.Chan[int]
	mus    [2]model.Mutex
	rw     model.RWMutex
	wg     model.WaitGroup
	once   model.Once
	vars   [2]model.Int32
	cond   *model.Cond // on mus[0]
	rcond  *model.Cond // on a read lock
	timer  *model.Timer
	ticker *model.Ticker
	ctx    [2]model.Context
	cancel [2]model.CancelFunc
	saw    [][]string
	states []string // that an invariant saw
}

// subject returns the program, ready to run.
func (p oracleProgram) subject() subject {
	var w *world
	body := func() {
		w = &world{saw: make([][]string, 2*len(p))}
		w.chans = [5]model.Chan[int]{model.NewChan[int](0), model.NewChan[int](0), model.NewChan[int](1), model.NewChan[int](2), {}}
		w.ctx[0], w.cancel[0] = model.WithCancel(model.Background())
		w.ctx[1], w.cancel[1] = model.WithCancel(w.ctx[0])
		w.cond, w.rcond = model.NewCond(&w.mus[0]), model.NewCond(w.rw.RLocker())
		if p.has("watch") {
			w.watch()
		}
		if p.has("stop", "reset", "timeout", "poll") {
			w.timer = model.NewTimer(20)
		}
		if p.has("tick") {
			w.ticker = model.NewTicker(7)
		}
		for i := range p[1:] {
			model.Go(func() { w.run(i+1, len(p), p[i+1]) })
		}
		w.run(0, len(p), p[0])
	}
	return subject{body: body, eager: p.has("eager"), steps: oracleSteps, out: func() string { return fmt.Sprint(w.saw, w.states) }}
}

// condition returns what an Await waits for: something about a variable, both, or a
// channel and a context.
func (w *world) condition(s step) func() bool {
	switch x := &w.vars[s.a%2]; s.b % 4 {
	case 0:
		return func() bool { return x.Load() != 0 }
	case 1:
		return func() bool { return w.vars[0].Load() == 0 && w.vars[1].Load() != 0 }
	case 2:
		return func() bool { return x.Load()%2 == 1 || w.vars[1-s.a%2].Load() > 10 }
	}
	return func() bool { return w.chans[2].Len() > 0 || w.ctx[0].Err() != nil }
}

// watch registers an invariant that sees the values of a variable and a channel
// together.
func (w *world) watch() {
	objects := []model.Object{&w.vars[0], w.chans[2]}
	model.Invariant("seen", objects, func() error {
		w.states = append(w.states, fmt.Sprint(w.vars[0].Load(), w.chans[2].Len()))
		return nil
	})
}

// panics reports whether f panics as channels and wait groups do.
func panics(f func()) (did bool) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case runtime.Error, string:
			did = true
		default:
			panic(v)
		}
	}()
	f()
	return false
}

// has reports whether the program has one of the operations.
func (p oracleProgram) has(ops ...string) bool {
	for _, list := range p {
		for _, s := range list {
			if slices.Contains(ops, s.op) {
				return true
			}
		}
	}
	return false
}

// run performs the steps of goroutine g; "go" hands the rest to a child, which is
// recorded as number g+n.
func (w *world) run(g, n int, list []step) {
	note := func(v ...any) { w.saw[g] = append(w.saw[g], strings.TrimSpace(fmt.Sprintln(v...))) }
	for i, s := range list {
		if s.op == "go" {
			if g < n {
				model.Go(func() { w.run(g+n, n, list[i+1:]) })
				return
			}
			continue
		}
		w.step(g, s, note)
	}
	note("end")
}

func (w *world) step(g int, s step, note func(...any)) {
	c, mu := w.chans[s.a], &w.mus[s.a%2]
	switch s.op {
	case "send":
		c.Send(10*g + s.b)
	case "recv":
		note(c.RecvOK())
	case "close":
		c.Close()
	case "len":
		note(c.Len())
	case "select":
		v, u := 0, 0
		note(model.Select(w.cases(g, s, &v, &u)...), v, u)
	case "try":
		w.try(g, s, note)
	case "lock":
		mu.Lock()
	case "unlock":
		mu.Unlock()
	case "trylock":
		note(mu.TryLock())
	case "locked":
		mu.Lock()
		mu.Unlock()
	case "rlock":
		w.rw.RLock()
	case "runlock":
		w.rw.RUnlock()
	case "rlocked":
		w.rw.RLock()
		w.rw.RUnlock()
	case "wlock":
		w.rw.Lock()
	case "wunlock":
		w.rw.Unlock()
	case "wlocked":
		w.rw.Lock()
		w.rw.Unlock()
	case "trywlock":
		note(w.rw.TryLock())
	case "tryrlock":
		note(w.rw.TryRLock())
	case "add":
		w.wg.Add(1)
	case "done":
		w.wg.Done()
	case "wait":
		w.wg.Wait()
	case "once":
		w.once.Do(func() { note("first"); w.chans[2].Len() })
	case "cancel":
		w.cancel[s.a%2]()
	case "cancelled":
		w.ctx[s.a%2].Done().Recv()
	case "err":
		note(w.ctx[s.a%2].Err())
	case "derive":
		ctx, _ := model.WithCancel(w.ctx[s.a%2])
		note(ctx.Err())
	case "choose":
		note(model.Choose(2))
	case "yield":
		model.Gosched()
	default:
		w.more(g, s, note)
	}
}

// cases are those of a select.
func (w *world) cases(g int, s step, v, u *int) []model.Case {
	c, d := w.chans[s.a], w.chans[s.b%5]
	switch s.b % 3 {
	case 1:
		return []model.Case{c.SendCase(100 + g), d.RecvCase(u)}
	case 2:
		return []model.Case{c.RecvCase(v), d.SendCase(200 + g)}
	}
	return []model.Case{c.RecvCase(v), d.RecvCase(u)}
}

// try is a select with default.
func (w *world) try(g int, s step, note func(...any)) int {
	v, u := 0, 0
	i := model.TrySelect(w.cases(g, s, &v, &u)...)
	note(i, v, u)
	return i
}

// spin looks until done.
func (w *world) spin(done func() bool) {
	for !done() {
		model.Gosched()
	}
}

// more performs the steps on variables, conditions and time.
func (w *world) more(g int, s step, note func(...any)) {
	x := &w.vars[s.a%2]
	switch s.op {
	case "load":
		note(x.Load())
	case "store":
		x.Store(int32(10*g + s.b))
	case "swap":
		note(x.Swap(int32(10*g + s.b)))
	case "cas":
		note(x.CompareAndSwap(int32(s.b%2), int32(s.b)))
	case "cwait":
		w.mus[0].Lock()
		w.cond.Wait()
		w.mus[0].Unlock()
	case "signal":
		w.cond.Signal()
	case "broadcast":
		w.cond.Broadcast()
	case "rwait":
		w.rw.RLock()
		w.rcond.Wait()
		w.rw.RUnlock()
	case "rsignal":
		w.rcond.Signal()
	case "rbroadcast":
		w.rcond.Broadcast()
	case "risksend":
		note(panics(func() { w.chans[s.a].Send(10*g + s.b) }))
	case "riskclose":
		note(panics(w.chans[s.a].Close))
	case "riskdone":
		note(panics(w.wg.Done))
	case "sleep":
		model.Sleep(time.Duration(5 * s.a))
	case "timeout":
		v := 0
		note(model.Select(w.chans[s.a].RecvCase(&v), w.timer.C.RecvCase(nil)), v)
	case "await":
		model.Await(w.condition(s))
		note("went on")
	case "spin":
		w.spin(w.condition(s))
		note("went on")
	case "spincas":
		w.spin(func() bool { return x.CompareAndSwap(int32(s.b%2), int32(s.b)) })
	case "spinlock":
		w.spin([]func() bool{w.mus[0].TryLock, w.rw.TryRLock}[s.b%2])
	case "spinselect":
		w.spin(func() bool { return w.try(g, s, note) >= 0 })
	case "retry":
		for range 5 {
			if x.Load() != 0 {
				note("came")
				return
			}
			model.Gosched()
		}
	case "poll":
		note(model.TrySelect(w.timer.C.RecvCase(nil)))
	case "tick":
		w.ticker.C.Recv()
	case "stop":
		note(w.timer.Stop())
	case "reset":
		note(w.timer.Reset(time.Duration(5 * s.b)))
	case "now":
		note(model.Now().Nanosecond())
	case "ctxtimeout":
		ctx, _ := model.WithTimeout(w.ctx[s.a%2], time.Duration(3*s.b))
		ctx.Done().Recv()
		note(ctx.Err())
	}
}

// oracleSteps bounds a run: goroutines that poll in vain for ever are given a few rounds.
const oracleSteps = 150

// oracleLimit bounds what brute force may take; larger programs are passed over.
const oracleLimit = 5000

// oracleChecks returns how many programs to try: as many as given, a quarter of them
// under -short, or n with MODELCHECK_LONG=n.
func oracleChecks(t *testing.T, few int) int {
	s := os.Getenv("MODELCHECK_LONG")
	switch {
	case s == "" && testing.Short():
		return few / 4
	case s == "":
		return few
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("MODELCHECK_LONG=%q: want a number of programs", s)
	}
	return n
}

// TestOracle compares exhaustive search with brute force on generated programs:
// the same trace classes, and the same outcomes, of every fifth program with the
// findings.
func TestOracle(t *testing.T) {
	compareWithBrute(t, oracleChecks(t, 400), drawOracleProgram)
}

// TestOracleOfAwaits is TestOracle for programs full of conditions.
func TestOracleOfAwaits(t *testing.T) {
	ops := []string{"await", "await", "await", "load", "store", "store", "swap", "cas", "send", "recv", "cancel", "err", "go", "locked", "choose"}
	compareWithBrute(t, oracleChecks(t, 150), func(t *rapid.T) oracleProgram { return drawProgramOver(t, ops) })
}

// TestOracleOfPolling is TestOracle for programs full of loops that look and yield.
func TestOracleOfPolling(t *testing.T) {
	ops := []string{"spin", "spin", "spincas", "spinlock", "spinselect", "spinselect", "retry", "yield", "load", "store", "store", "cas", "send", "recv", "close", "cancel", "locked", "lock", "rlocked", "wlocked", "runlock", "unlock", "wunlock", "go"}
	compareUpTo(t, oracleChecks(t, 40), oracleLimit/5, func(t *rapid.T) oracleProgram { return drawProgramOver(t, ops) })
}

// TestOracleOfSelects is TestOracle for programs full of selects over two unbuffered
// channels, where the partners and cases that an operation has depend on what others do.
func TestOracleOfSelects(t *testing.T) {
	ops := []string{"select", "select", "try", "try", "send", "recv"}
	compareWithBrute(t, oracleChecks(t, 400), func(t *rapid.T) oracleProgram { return drawProgram(t, ops, 1) })
}

// TestOracleOfCloses is TestOracle for programs full of channels that are closed.
func TestOracleOfCloses(t *testing.T) {
	ops := []string{"select", "select", "try", "send", "recv", "close", "risksend", "riskclose"}
	compareWithBrute(t, oracleChecks(t, 200), func(t *rapid.T) oracleProgram { return drawProgramOver(t, ops) })
}

// TestOracleOfDefaults is TestOracle for programs in which what comes after a select with
// default depends on other goroutines, too.
func TestOracleOfDefaults(t *testing.T) {
	ops := []string{"try", "try", "try", "store", "store", "locked", "close", "send", "recv", "cancel"}
	compareWithBrute(t, oracleChecks(t, 200), func(t *rapid.T) oracleProgram { return drawProgramOver(t, ops) })
}

// TestOracleOfRarities compares exhaustive search with brute force on programs of which
// it once missed a class, because of something that random programs seldom have.
func TestOracleOfRarities(t *testing.T) {
	for _, c := range []struct {
		classes int
		program string
	}{
		// What seems to be covered by something that sleeps is not when that can go in
		// another way in the end.
		{4, "select(1,1) | select(2,1) try(1,9) | select(1,8)"},
		{4, "send(0,1) | select(0,8) select(1,3) try(0,3) | select(0,2)"},
		{10, "try(0,5) | select(0,2) recv(0,3) | try(0,1) recv(0,0)"},
		{6, "try(0,1) | select(0,8) select(0,2) | try(1,2)"},
		{6, "try(1,4) | try(1,5) send(1,1) | select(1,2) select(1,5) select(1,9)"},
		{7, "try(1,1) | try(1,0) | select(1,8) select(0,1) select(0,1)"},
		{7, "send(1,0) | select(3,2) | try(4,1) | select(3,1)"},
		{8, "select(2,9) send(0,6) | select(0,8) | select(2,2) | select(2,4) select(0,1)"},
		{9, "select(1,3) | try(1,1) | try(1,7) select(1,2) select(1,1)"},
		{27, "select(1,7) select(0,0) | select(1,2) try(0,1) | try(0,5) select(1,1)"},
		// The values of a Choose that a planned sequence does not need.
		{14, "recv(2,1) choose(1,3) select(0,1) | select(3,2) load(2,4) | select(0,8) store(0,0)"},
		// A send that finds the channel closed had waited for room before.
		{2, "risksend(2,9) close(2,2) | send(2,3)"},
		{2, "select(3,2) close(2,8) | send(2,4)"},
		{2, "send(2,0) close(2,9) | select(1,2)"},
		{5, "select(4,2) select(0,7) | select(2,1) close(2,1) | select(2,1)"},
	} {
		p, err := parseOracleProgram(c.program)
		if err != nil {
			t.Fatal(err)
		}
		s := p.subject()
		s.findings = true
		all, ok := bruteAll(oracleLimit, s, nil)
		got := searchAll(t, oracleLimit, s)
		if !ok || got.gaveUp != "" || len(all.byHash) != c.classes {
			t.Errorf("%v: %d classes, complete: %v, reduction given up: %q; want %d", p, len(all.byHash), ok, got.gaveUp, c.classes)
		}
		if diff := cmp.Diff(sortedKeys(all.byHash), sortedKeys(got.byHash)) + cmp.Diff(sortedKeys(all.outcomes), sortedKeys(got.outcomes)); diff != "" {
			t.Errorf("%v: brute force has %d classes, DPOR %d\n%s", p, len(all.byHash), len(got.byHash), diff)
		}
	}
}

func compareWithBrute(t *testing.T, want int, draw func(*rapid.T) oracleProgram) {
	t.Helper()
	compareUpTo(t, want, oracleLimit, draw)
}

// compareUpTo does so for programs of which brute force makes at most limit runs.
func compareUpTo(t *testing.T, want, limit int, draw func(*rapid.T) oracleProgram) {
	t.Helper()
	compared, passed, wasted, runs, blocked := 0, 0, 0, 0, 0
	seeds := rapid.Custom(draw)
	for seed := 0; compared < want; seed++ {
		p := seeds.Example(seed)
		s := p.subject()
		s.findings = seed%5 == 0
		all, ok := bruteAll(limit, s, nil)
		if !ok {
			continue
		}
		got := searchAll(t, 4*limit, s)
		if got.gaveUp != "" {
			passed++
			continue
		}
		compared++
		runs += got.runs
		wasted += got.runs - len(got.byHash)
		blocked += got.blocked
		diff := cmp.Diff(sortedKeys(all.byHash), sortedKeys(got.byHash)) + cmp.Diff(sortedKeys(all.outcomes), sortedKeys(got.outcomes))
		if diff != "" {
			t.Fatalf("program of seed %d: brute force has %d classes in %d runs, DPOR %d in %d\n%v\n%s", seed, len(all.byHash), all.runs, len(got.byHash), got.runs, p, diff)
		}
	}
	t.Logf("%d programs, %d runs: %d of a class seen before, %d given up; %d programs more are searched without reduction", compared, runs, wasted, blocked, passed)
}

func sortedKeys[K interface{ ~uint64 | ~string }, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
