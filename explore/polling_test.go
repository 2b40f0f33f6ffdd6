package explore

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// polls are programs with loops that look and yield, and what is to be said of them.
var polls = []struct {
	name    string
	verdict string // of a complete search and of samplers
	expect  []Expectation
	body    func()
}{
	{"load", "pass", nil, func() {
		var ready model.Bool
		model.Go(func() { ready.Store(true) })
		for !ready.Load() {
			model.Gosched()
		}
	}},
	{"two that poll", "pass", nil, func() {
		var a, b model.Bool
		model.Go(func() {
			for !a.Load() {
				model.Gosched()
			}
			b.Store(true)
		})
		a.Store(true)
		for !b.Load() {
			model.Gosched()
		}
	}},
	{"spin lock", "pass", nil, func() {
		var held model.Int32
		x := 0
		spawn(2, func(int) {
			for !held.CompareAndSwap(0, 1) {
				model.Gosched()
			}
			x++
			held.Store(0)
		})
	}},
	{"try lock", "pass", nil, func() {
		var mu model.Mutex
		spawn(2, func(int) {
			for !mu.TryLock() {
				model.Gosched()
			}
			mu.Unlock()
		})
	}},
	{"select with default", "pass", nil, func() {
		done := model.NewChan[int](0)
		model.Go(done.Close)
		for model.TrySelect(done.RecvCase(nil)) < 0 {
			model.Gosched()
		}
	}},
	{"select with default, no yield", "pass", nil, func() {
		c := model.NewChan[int](0)
		model.Go(func() { c.Send(1) })
		for model.TrySelect(c.RecvCase(nil)) < 0 {
		}
	}},
	{"the clock goes on meanwhile", "pass", nil, func() {
		var ready model.Bool
		model.Go(func() { model.Sleep(1000); ready.Store(true) })
		for !ready.Load() {
			model.Gosched()
		}
	}},
	{"gives up", "expected", []Expectation{Broken("gave up")}, func() {
		var ready model.Bool
		model.Go(func() { ready.Store(true) })
		for range 3 {
			if ready.Load() {
				return
			}
			model.Gosched()
		}
		model.Assert(false, "gave up")
	}},
	{"gives up after many rounds that nobody ends", "pass", nil, func() {
		var ready model.Bool
		model.Go(func() {})
		for range 80 {
			if ready.Load() {
				return
			}
			model.Gosched()
		}
	}},
	{"nobody stores", "expected", []Expectation{Livelocked("main")}, func() {
		var ready model.Bool
		model.Go(func() { ready.Store(false) })
		for !ready.Load() {
			model.Gosched()
		}
	}},
	{"stored too early", "expected", []Expectation{Livelocked("main.1")}, func() {
		var x model.Int32
		model.Go(func() {
			for x.Load() != 1 {
				model.Gosched()
			}
		})
		x.Store(1)
		x.Store(2)
	}},
	{"two wait for each other", "expected", []Expectation{Livelocked("main.1"), Livelocked("main.2")}, func() {
		var turn [2]model.Bool
		spawn(2, func(i int) {
			for !turn[i].Load() {
				model.Gosched()
			}
			turn[1-i].Store(true)
		})
	}},
	{"never unlocked", "expected", []Expectation{Livelocked("main.1")}, func() {
		var mu model.Mutex
		mu.Lock()
		model.Go(func() {
			for !mu.TryLock() {
				model.Gosched()
			}
		})
	}},
	{"never closed", "expected", []Expectation{Livelocked("main"), Blocked("main.1", "receive", "")}, func() {
		done, other := model.NewChan[int](0), model.NewChan[int](0)
		model.Go(func() { other.Recv() })
		for model.TrySelect(done.RecvCase(nil)) < 0 {
			model.Gosched()
		}
		other.Send(1)
	}},
	{"a daemon may poll for ever", "pass", nil, func() {
		var x model.Bool
		model.Daemon("poller", func() {
			for !x.Load() {
				model.Gosched()
			}
		})
		model.Go(func() {})
	}},
}

// TestPolling has the verdict of a complete search, with and without reduction, and of
// every sampler.
func TestPolling(t *testing.T) {
	for _, c := range polls {
		t.Run(c.name, func(t *testing.T) {
			opts := []Option{Steps(5000)}
			if c.expect != nil {
				opts = append(opts, Expect(c.expect...))
			}
			for _, strategy := range []string{"dpor", "brute"} {
				r := RunExhaustive(c.body, append(opts, WithStrategy(strategy))...)
				if r.Verdict() != c.verdict || c.expect == nil && !r.Coverage.Complete {
					t.Errorf("%s: wanted %s: %v", strategy, c.verdict, r)
				}
			}
			for _, strategy := range []string{"random", "pos", "surw", "portfolio"} {
				r := Run(c.body, append(opts, WithStrategy(strategy), Schedules(300))...)
				if r.Verdict() != c.verdict {
					t.Errorf("%s: wanted %s: %v", strategy, c.verdict, r)
				}
			}
		})
	}
}

// A loop that polls in vain has the outcomes of an Await for the same, if a look is one
// step, and else more; and whatever a loop comes to that nobody treats fairly, if it
// comes to an end, is among them.
func TestPollingIsAwaiting(t *testing.T) {
	conditions := []func(x, y *model.Int32) bool{
		func(x, y *model.Int32) bool { return x.Load() != 0 },
		func(x, y *model.Int32) bool { return x.Load() == 0 && y.Load() != 0 },
		func(x, y *model.Int32) bool { return x.Load()%2 == 1 || y.Load() > 1 },
	}
	fair := func(cond func() bool) {
		for !cond() {
			model.Gosched()
		}
	}
	unfair := func(cond func() bool) {
		for !cond() {
		}
	}
	for _, pair := range [][2]int{{0, 0}, {1, 0}} {
		c, d := conditions[pair[0]], conditions[pair[1]]
		var saw [2]string
		with := func(wait func(func() bool)) subject {
			p := silent(func() {
				saw = [2]string{}
				var x, y model.Int32
				model.Go(func() {
					wait(func() bool { return c(&x, &y) })
					saw[0] = fmt.Sprint("A", x.Load(), y.Load())
					y.Store(4)
				})
				model.Go(func() {
					wait(func() bool { return d(&y, &x) })
					saw[1] = fmt.Sprint("B", x.Load(), y.Load())
					x.Store(3)
				})
				x.Store(1)
				y.Store(2)
			})
			p.out = func() string { return fmt.Sprint(saw) }
			p.steps = 100
			return p
		}
		awaited, polled := endings(t, with(model.Await)), endings(t, with(fair))
		for end := range awaited {
			if !polled[end] {
				t.Errorf("conditions %v: %s of Await, not among %v", pair, end, polled)
			}
		}
		if pair == [2]int{} && !cmp.Equal(awaited, polled) { // else a look is several steps
			t.Errorf("conditions %v (-await +poll):\n%s", pair, cmp.Diff(awaited, polled))
		}
		e := newEngineFor(t)
		p, walk := with(unfair), NewRandom(1)
		for n := range uint64(500) {
			walk.Begin(n)
			r := p.run(e, walk)
			if r.Outcome == sched.Quiescent && !polled[p.out()] {
				t.Errorf("conditions %v: %s without fairness, not among %v", pair, p.out(), polled)
			}
		}
	}
}

// endings are the ends that exhaustive search finds of a program, whether its
// goroutines are then blocked or poll for ever.
func endings(t *testing.T, p subject) map[string]bool {
	t.Helper()
	e := sched.New(sched.Config{MaxSteps: p.steps})
	defer e.Close()
	s := newDPOR(sched.Dependencies)
	list := map[string]bool{}
	for i := uint64(0); s.Begin(i); i++ {
		r := p.run(e, s)
		if s.End(r); r.Outcome == sched.Quiescent || r.Outcome == sched.Livelock {
			list[p.out()] = true
		}
	}
	if cov := s.coverage(); !cov.Complete {
		t.Errorf("not complete: %v", cov)
	}
	return list
}
