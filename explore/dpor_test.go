package explore

import (
	"fmt"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// classes is what a search of the whole program found.
type classes struct {
	byHash  map[uint64]int // runs of each trace class
	runs    int
	outcome map[string]bool
	dporStats
}

// outcomeOf describes the end of a run.
func outcomeOf(r *sched.Result, out func() string) string {
	return fmt.Sprint(r.Outcome, r.Failed, out())
}

// logged is how the runs compared here are run: the relation does not cover timers
// that may fire at any moment.
var logged = sched.RunOptions{Log: true, TimersAtQuiescence: true}

// searchAll explores body with DPOR until it is done.
func searchAll(t *testing.T, limit int, body func(), out func() string) classes {
	t.Helper()
	e := sched.New(sched.Config{})
	defer e.Close()
	s := newDPOR()
	c := classes{byHash: map[uint64]int{}, outcome: map[string]bool{}}
	for i := uint64(0); s.Begin(i); i++ {
		before := s.runs
		r := e.Run(body, s, logged)
		if r.Outcome == sched.Misuse {
			t.Fatal(r.Misuse)
		}
		s.End(r)
		if s.err != nil {
			t.Fatal(s.err)
		}
		if s.runs < before { // it began anew
			c.byHash, c.outcome = map[uint64]int{}, map[string]bool{}
		}
		if s.runs > before {
			c.byHash[s.trace]++
			c.outcome[outcomeOf(r, out)] = true
		}
		if int(i) > limit {
			t.Fatalf("more than %d runs", limit)
		}
	}
	c.dporStats = s.dporStats
	c.runs = s.runs
	return c
}

// named is a strategy that keeps the names of goroutines while another picks.
type named struct {
	Strategy
	naming
}

func (n *named) Begin(run uint64) bool { n.naming.begin(); return n.Strategy.Begin(run) }
func (n *named) Pick(p *sched.Point) sched.Choice {
	n.meet(p.Log())
	return n.Strategy.Pick(p)
}

// bruteAll explores body by brute force; ok is false when that takes too long.
func bruteAll(t *testing.T, limit int, body func(), out func() string) (c classes, ok bool) {
	t.Helper()
	e := sched.New(sched.Config{})
	defer e.Close()
	s := &named{&brute{}, newNaming()}
	var a analysis
	c = classes{byHash: map[uint64]int{}, outcome: map[string]bool{}}
	careful := false
	for i := uint64(0); s.Begin(i); i++ {
		if int(i) > limit {
			return c, false
		}
		r := e.Run(body, s, logged)
		if r.Outcome == sched.Misuse {
			t.Fatal(r.Misuse)
		}
		if e.CrossUnlocks() && !careful { // more depends on each other from now on
			careful = true
			s = &named{&brute{}, newNaming()}
			c = classes{byHash: map[uint64]int{}, outcome: map[string]bool{}}
			continue
		}
		s.meet(r.Log)
		a.order(&s.naming, r.Log)
		c.byHash[a.class()]++
		c.outcome[outcomeOf(r, out)] = true
		c.runs++
		s.End(r)
	}
	return c, true
}

func nothing() string { return "" }

// counted is a program with a published or computed number of trace classes.
type counted struct {
	name    string
	classes int
	body    func()
}

func countedPrograms() []counted {
	var list []counted
	add := func(classes int, name string, args string, body func()) {
		list = append(list, counted{name + args, classes, body})
	}
	for n, want := range map[int]int{2: 2, 3: 6, 4: 24, 5: 120} {
		add(want, "lockinc", fmt.Sprint(n), func() {
			var mu model.Mutex
			for range n {
				model.Go(func() { mu.Lock(); mu.Unlock() })
			}
		})
	}
	add(252, "counter", "2x5", func() {
		var mu model.Mutex
		for range 2 {
			model.Go(func() {
				for range 5 {
					mu.Lock()
					mu.Unlock()
				}
			})
		}
	})
	for n, want := range map[int]int{2: 3, 3: 7, 4: 15, 5: 31} {
		add(want, "philosophers", fmt.Sprint(n), func() { philosophers(n, false) })
		add(want-1, "ordered philosophers", fmt.Sprint(n), func() { philosophers(n, true) })
	}
	add(3, "AB-BA", "", func() {
		a, b := new(model.Mutex), new(model.Mutex)
		for _, p := range [][2]*model.Mutex{{a, b}, {b, a}} {
			model.Go(func() { p[0].Lock(); p[1].Lock(); p[1].Unlock(); p[0].Unlock() })
		}
	})
	add(3, "lock and leave", "3", func() {
		var mu model.Mutex
		for range 3 {
			model.Go(mu.Lock)
		}
	})
	add(1, "ping-pong", "3", func() {
		a, b := model.NewChan[int](0), model.NewChan[int](0)
		model.Go(func() {
			for range 3 {
				b.Send(a.Recv())
			}
		})
		for range 3 {
			a.Send(1)
			b.Recv()
		}
	})
	for n, want := range map[int]int{2: 2, 3: 6, 4: 24} {
		add(want, "senders to one receiver", fmt.Sprint(n), func() {
			c := model.NewChan[int](0)
			for range n {
				model.Go(func() { c.Send(1) })
			}
			for range n {
				c.Recv()
			}
		})
	}
	for n, want := range map[int]int{2: 2, 3: 6} {
		add(want, "senders and receivers", fmt.Sprint(n), func() {
			c := model.NewChan[int](0)
			for range n {
				model.Go(func() { c.Send(1) })
				model.Go(func() { c.Recv() })
			}
		})
	}
	for n, want := range map[int]int{2: 2, 3: 3, 4: 4} {
		add(want, "workers leak", fmt.Sprint(n), func() {
			c := model.NewChan[int](0)
			for range n {
				model.Go(func() { c.Send(1) })
			}
			c.Recv()
		})
	}
	for _, kc := range [][2]int{{4, 2}, {6, 3}} {
		add(1, "producer consumer", fmt.Sprint(kc), func() {
			c := model.NewChan[int](kc[1])
			model.Go(func() {
				for range kc[0] {
					c.Send(1)
				}
			})
			for range kc[0] {
				c.Recv()
			}
		})
	}
	add(6, "two producers one consumer", "", func() {
		c := model.NewChan[int](2)
		for range 2 {
			model.Go(func() { c.Send(1); c.Send(1) })
		}
		for range 4 {
			c.Recv()
		}
	})
	add(36, "two producers two consumers", "", func() {
		c := model.NewChan[int](2)
		for range 2 {
			model.Go(func() { c.Send(1); c.Send(1) })
			model.Go(func() { c.Recv(); c.Recv() })
		}
	})
	add(2, "send close", "", func() {
		c := model.NewChan[int](1)
		model.Go(func() { c.Send(1) })
		model.Go(c.Close)
	})
	add(2, "close close", "", func() {
		c := model.NewChan[int](1)
		model.Go(c.Close)
		model.Go(c.Close)
	})
	add(1, "recv close", "", func() {
		c := model.NewChan[int](1)
		model.Go(func() { c.Recv() })
		model.Go(c.Close)
	})
	add(2, "select unbuffered one shot", "", func() {
		a, b := model.NewChan[int](0), model.NewChan[int](0)
		model.Go(func() { a.Send(1) })
		model.Go(func() { b.Send(1) })
		model.Select(a.RecvCase(nil), b.RecvCase(nil))
	})
	add(2, "select unbuffered twice", "", func() {
		a, b := model.NewChan[int](0), model.NewChan[int](0)
		model.Go(func() { a.Send(1) })
		model.Go(func() { b.Send(1) })
		model.Select(a.RecvCase(nil), b.RecvCase(nil))
		model.Select(a.RecvCase(nil), b.RecvCase(nil))
	})
	add(4, "select buffered", "", func() {
		a, b := model.NewChan[int](1), model.NewChan[int](1)
		model.Go(func() { a.Send(1) })
		model.Go(func() { b.Send(1) })
		model.Select(a.RecvCase(nil), b.RecvCase(nil))
	})
	add(2, "try-send recv", "", func() {
		c := model.NewChan[int](0)
		model.Go(func() { c.Recv() })
		model.TrySelect(c.SendCase(1))
	})
	add(2, "try-recv send buffered", "", func() {
		c := model.NewChan[int](1)
		model.Go(func() { c.Send(1) })
		model.TrySelect(c.RecvCase(nil))
	})
	add(1, "3 done wait", "", func() {
		var wg model.WaitGroup
		wg.Add(3)
		for range 3 {
			model.Go(wg.Done)
		}
		wg.Wait()
	})
	add(3, "rlock rlock lock", "", func() {
		var mu model.RWMutex
		model.Go(func() { mu.RLock(); mu.RLock(); mu.RUnlock(); mu.RUnlock() })
		model.Go(func() { mu.Lock(); mu.Unlock() })
	})
	return list
}

func philosophers(n int, ordered bool) {
	forks := make([]model.Mutex, n)
	for i := range n {
		l, r := i, (i+1)%n
		if ordered && l > r {
			l, r = r, l
		}
		model.Go(func() {
			forks[l].Lock()
			forks[r].Lock()
			forks[r].Unlock()
			forks[l].Unlock()
		})
	}
}

func TestPublishedCounts(t *testing.T) {
	for _, c := range countedPrograms() {
		t.Run(c.name, func(t *testing.T) {
			got := searchAll(t, 20000, c.body, nothing)
			if got.runs != c.classes || len(got.byHash) != c.classes || got.blocked != 0 || got.misfits != 0 {
				b, _ := bruteAll(t, 100000, c.body, nothing)
				t.Errorf("%d runs of %d classes, %d blocked, %d misfits; want %d; brute force: %d classes in %d runs", got.runs, len(got.byHash), got.blocked, got.misfits, c.classes, len(b.byHash), b.runs)
			}
		})
	}
}

func newEngineFor(t *testing.T) *sched.Engine {
	e := sched.New(sched.Config{})
	t.Cleanup(e.Close)
	return e
}
