package explore

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// orders counts what note says about each of n schedules of s, whose schedule 0 is a
// walk.
func orders(s learner, body func(), n int, note func() string) map[string]int {
	e := sched.New(sched.Config{})
	defer e.Close()
	walk := newScout(1)
	r := e.Run(body, walk, sched.RunOptions{Log: true, IgnoreRaces: true})
	s.learn(walk.profile(r))
	count := map[string]int{}
	for run := range uint64(n) {
		s.Begin(run + 1)
		s.End(e.Run(body, s, sched.RunOptions{IgnoreRaces: true}))
		count[note()]++
	}
	return count
}

// uniformly fails the test unless the counts are those of equally likely cells. A
// chi-squared statistic is beyond its mean plus 4 standard deviations with a
// probability below 0.001 for the numbers of cells used here.
func uniformly(t *testing.T, count map[string]int, cells int) {
	t.Helper()
	if chi, free := chiSquared(count, cells); len(count) > cells || chi > free+4*math.Sqrt(2*free) {
		t.Errorf("%d of %d orders, chi-squared %.1f, wanted about %.0f: %v", len(count), cells, chi, free, count)
	}
}

// chiSquared returns the statistic and its degrees of freedom.
func chiSquared(count map[string]int, cells int) (chi, free float64) {
	n := 0
	for _, c := range count {
		n += c
	}
	mean := float64(n) / float64(cells)
	chi = float64(cells-len(count)) * mean
	for _, c := range count {
		chi += (float64(c) - mean) * (float64(c) - mean) / mean
	}
	return chi, float64(cells - 1)
}

// family is a program in which main starts two goroutines and the first of them a
// third; note lists the operations of a run in order, go statements included.
func family() (body func(), note func() string) {
	var seen []byte
	body = func() {
		seen = seen[:0]
		var v model.Int32
		step := func(name byte) {
			v.Load()
			seen = append(seen, name)
		}
		start := func(name byte, f func()) {
			model.Go(f)
			seen = append(seen, name)
		}
		start('1', func() {
			start('3', func() { step('c') })
			step('a')
			step('a')
		})
		start('2', func() { step('b') })
		step('m')
	}
	return body, func() string { return string(seen) }
}

// TestURWIsUniform: every interleaving of family's operations is equally likely, go
// statements among them. Below operation 1 (8 operations, itself included) are 3 (4),
// with c and the row a a below it, and 2 (3), with b and m: by the hook length
// formula there are 8!/(8·4·2·3) interleavings.
func TestURWIsUniform(t *testing.T) {
	const cells = 40320 / (8 * 4 * 2 * 3)
	body, note := family()
	n := 40 * cells
	uniformly(t, orders(NewURW(toySetup), body, n, note), cells)
	if chi, free := chiSquared(orders(&unlearned{NewRandom(1)}, body, n, note), cells); chi < 10*free {
		t.Errorf("a random walk seems uniform too: chi-squared %.1f", chi)
	}
}

// unlearned is a strategy that does not want to know the program.
type unlearned struct{ Strategy }

func (unlearned) learn(*profile) {}

// TestSURWIsUniformOnAnObject: whatever else goroutines do, every order of their
// operations on the object that they share is equally likely. Here it is used 3, 1, 1
// and 1 times, by goroutines that have nothing else to do and ones that have a lot,
// before it and after; one of them is started by another.
func TestSURWIsUniformOnAnObject(t *testing.T) {
	var seen []byte
	body := func() {
		seen = seen[:0]
		var common model.Shared[int]
		work := func(name byte, noise, steps, more int) {
			var own model.Shared[int]
			for range noise {
				own.Get()
			}
			for range steps {
				common.Set(0)
				seen = append(seen, name)
			}
			for range more {
				own.Get()
			}
		}
		model.Go(func() { work('a', 0, 3, 0) })
		model.Go(func() {
			work('b', 10, 1, 0)
			model.Go(func() { work('c', 3, 1, 0) })
		})
		work('m', 5, 1, 20)
	}
	const cells = 6 * 5 * 4 * 3 * 2 / (3 * 2) / 2 // c comes after b
	n := 100 * cells
	uniformly(t, orders(NewSURW(toySetup), body, n, func() string { return string(seen) }), cells)
}

// TestProfile: what schedule 0 tells, of goroutines and timers, select and rendezvous.
func TestProfile(t *testing.T) {
	body := func() {
		var mu model.Mutex
		c := model.NewChan[int](0)
		model.Go(func() { // main.1
			mu.Lock()
			model.Go(func() { c.Send(1) }) // main.1.1
			mu.Unlock()
		})
		mu.Lock()
		mu.Unlock()
		model.Select(c.RecvCase(nil))
	}
	e := sched.New(sched.Config{})
	defer e.Close()
	for seed := range uint64(20) {
		walk := newScout(seed)
		r := e.Run(body, walk, sched.RunOptions{Log: true, IgnoreRaces: true})
		p := walk.profile(r)
		lock, c := p.routines[0].objects[1], p.routines[0].objects[3]
		want := []routine{
			{parent: -1, objects: []int32{-1, lock, -1, c}},
			{parent: 0, born: 1, objects: []int32{lock, -1, -1}},
			{parent: 1, born: 2, objects: []int32{c}},
		}
		if lock < 0 || c < 0 || lock == c {
			t.Fatalf("seed %d: the lock is %d, the channel %d", seed, lock, c)
		}
		if diff := cmp.Diff(want, p.routines, cmp.AllowUnexported(routine{})); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
		wantLeft := countdown{{8, 3, 2, 1, 0}, {4, 3, 1, 0}, {1, 0}}
		if diff := cmp.Diff(wantLeft, p.countDown(nil, everything)); diff != "" {
			t.Fatalf("seed %d: operations left (-want +got):\n%s", seed, diff)
		}
		wantLeft = countdown{{2, 1, 0, 0, 0}, {1, 0, 0, 0}, {0, 0}}
		if diff := cmp.Diff(wantLeft, p.countDown(nil, lock)); diff != "" {
			t.Fatalf("seed %d: locks left (-want +got):\n%s", seed, diff)
		}
		if n := len(p.shared); n != 4 {
			t.Fatalf("seed %d: %d uses of shared objects, wanted 4", seed, n)
		}
	}
}

// TestWhatIsShared: of the objects that several goroutines use those that a lock
// guards do not count, nor do wait groups; that main sets things up alone needs no
// lock.
func TestWhatIsShared(t *testing.T) {
	var mu, other model.Mutex
	var guarded, halfGuarded, unguarded model.Shared[int]
	var wg model.WaitGroup
	names := map[int32]string{}
	body := func() {
		clear(names)
		use := func(v *model.Shared[int], name string) {
			names[int32(len(names))] = name
			v.Set(0)
		}
		use(&guarded, "guarded")
		use(&halfGuarded, "halfGuarded")
		use(&unguarded, "unguarded")
		work := func(mu2 *model.Mutex) func() {
			return func() {
				inside(&mu, func() { guarded.Set(1) })
				inside(mu2, func() { halfGuarded.Set(1) })
				unguarded.Set(1)
			}
		}
		wg.Go(work(&mu))
		wg.Go(work(&other))
		wg.Wait()
	}
	e := sched.New(sched.Config{})
	defer e.Close()
	for seed := range uint64(20) {
		walk := newScout(seed)
		r := e.Run(body, walk, sched.RunOptions{Log: true, IgnoreRaces: true})
		got := map[string]int{}
		for _, u := range walk.profile(r).shared {
			name, ok := names[u.object]
			if !ok {
				name = "other"
			}
			got[name]++
		}
		// The other object is mu; the other mutex is used by one goroutine alone.
		want := map[string]int{"halfGuarded": 2, "unguarded": 2, "other": 2}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: uses by name (-want +got):\n%s", seed, diff)
		}
	}
}

// TestScoutIsRandom: schedule 0 of a strategy that learns is that of Random.
func TestScoutIsRandom(t *testing.T) {
	e := sched.New(sched.Config{})
	defer e.Close()
	for n := range 50 {
		body := programs.Example(n).body()
		walk := NewRandom(uint64(n))
		walk.Begin(0)
		want := fingerprintOf(e.Run(body, walk, sched.RunOptions{IgnoreRaces: true}))
		got := fingerprintOf(e.Run(body, newScout(uint64(n)), sched.RunOptions{Log: true, IgnoreRaces: true}))
		if want != got {
			t.Errorf("program %d: %v, wanted %v", n, got, want)
		}
	}
}

// TestUnfairStrategiesLetOthersGo: loops that wait for one goroutine end, although
// strategies would rather have another one go on.
func TestUnfairStrategiesLetOthersGo(t *testing.T) {
	spin := func(until *bool) {
		var own model.Shared[int]
		for !*until {
			own.Get()
		}
	}
	for _, test := range []struct {
		name      string
		strategy  func(Setup) learner
		schedules int
		body      func()
	}{
		// The one who is waited for may have the lowest of thousands of priorities.
		{"pos", func(s Setup) learner { return NewPOS(s) }, 10_000, func() {
			var x model.Shared[int]
			ready := false
			model.Go(func() {
				x.Set(1)
				ready = true
			})
			spin(&ready)
		}},
		// The one who is waited for is held for the one who waits for it otherwise.
		{"surw", func(s Setup) learner { return NewSURW(s) }, 100, func() {
			var x model.Shared[int]
			ready := false
			c := model.NewChan[int](1)
			model.Go(func() {
				x.Set(1)
				ready = true
				c.Send(1)
			})
			model.Go(func() {
				busy(3)
				c.Recv()
				x.Set(2)
			})
			spin(&ready)
		}},
	} {
		const steps = 2000
		e := sched.New(sched.Config{MaxSteps: steps})
		walk := newScout(1)
		s := test.strategy(Setup{Seed: 1, Steps: steps})
		s.learn(walk.profile(e.Run(test.body, walk, sched.RunOptions{Log: true, IgnoreRaces: true})))
		if n := hits(e, test.body, s, test.schedules); n > 0 {
			t.Errorf("%s: %d of %d schedules do not end", test.name, n, test.schedules)
		}
		e.Close()
	}
}
