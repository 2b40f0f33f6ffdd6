package explore

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// published is a program whose number of trace classes is known: from the test suites
// of Nidhugg, GenMC, Concuerror, loom, shuttle and relacy, from the papers on optimal
// DPOR (POPL 2014, JACM 2017), or by a formula; and how many of the classes have a
// finding.
//
// What cannot be said here:
//
//   - Nidhugg's n_writes_a_read_two_threads and redundant_co count executions that
//     read from the same writes, which is coarser than trace classes.
//   - GenMC's fib_bench of five rounds with a checker has 218,243 classes: too many
//     for a test. What its lock2inc and wcas do is not published with the numbers.
//   - Concuerror's tests of messages count deliveries to mailboxes, which Go has not.
//   - loom's numbers belong to another memory model and are not minimal.
//   - shuttle's 15 schedules of two threads and a mutex count attempts to lock it.
//   - Numbers of schedules without reduction depend on what is a step; see
//     TestSchedulesOfYields for those that do not.
type published struct {
	name            string
	classes, failed int
	body            func()
}

// spawn starts f(0) to f(n-1) in goroutines of their own.
func spawn(n int, f func(i int)) {
	for i := range n {
		model.Go(func() { f(i) })
	}
}

// rows collects programs that have not too many classes.
type rows struct {
	list []published
	most int
}

func (r *rows) add(classes, failed int, name string, body func()) {
	if classes <= r.most {
		r.list = append(r.list, published{name, classes, failed, body})
	}
}

// family adds programs of growing size, the first of size from, without findings.
func (r *rows) family(name string, from int, classes []int, body func(n int)) {
	for i, c := range classes {
		n := from + i
		r.add(c, 0, fmt.Sprint(name, " ", n), func() { body(n) })
	}
}

var factorials = []int{1, 1, 2, 6, 24, 120, 720, 5040}

func (r *rows) locks() {
	r.family("lockinc", 2, factorials[2:], func(n int) {
		var mu model.Mutex
		x := 0
		spawn(n, func(int) { mu.Lock(); x++; mu.Unlock() })
	})
	for n := 2; n < 5; n++ { // Nidhugg's mutex_deadlock
		r.add(n, n, fmt.Sprint("lock and leave ", n), func() {
			var mu model.Mutex
			spawn(n, func(int) { mu.Lock() })
		})
	}
	r.add(4, 3, "mutex_hard", func() {
		var mu model.Mutex
		var x model.Int32
		spawn(3, func(i int) {
			mu.Lock()
			if int(x.Add(1)) == i+1 {
				mu.Unlock()
			}
		})
	})
	r.add(252, 0, "counter 2x5", func() { // 10 over 5
		var mu model.Mutex
		spawn(2, func(int) {
			for range 5 {
				mu.Lock()
				mu.Unlock()
			}
		})
	})
	for n := 2; n < 8; n++ {
		r.add(1<<n-1, 1, fmt.Sprint("philosophers ", n), func() { philosophers(n, false) })
		r.add(1<<n-2, 0, fmt.Sprint("ordered philosophers ", n), func() { philosophers(n, true) })
	}
	r.add(3, 1, "AB-BA", func() {
		var mus [2]model.Mutex
		spawn(2, func(i int) { mus[i].Lock(); mus[1-i].Lock(); mus[1-i].Unlock(); mus[i].Unlock() })
	})
	r.add(3, 1, "rlock rlock against lock", func() {
		var mu model.RWMutex
		model.Go(func() { mu.RLock(); mu.RLock(); mu.RUnlock(); mu.RUnlock() })
		model.Go(func() { mu.Lock(); mu.Unlock() })
	})
	r.add(1, 0, "3 done wait", func() {
		var wg model.WaitGroup
		wg.Add(3)
		spawn(3, func(int) { wg.Done() })
		wg.Wait()
	})
	r.trylocks()
}

// trylocks has Nidhugg's tests of trylock. It counts two TryLocks that fail as
// dependent, which gives 3, 16, 6 and 24. Here, as an enumeration of all schedules
// confirms that it may, a TryLock that fails only reads, and reads commute.
func (r *rows) trylocks() {
	try := func(mu *model.Mutex) {
		if mu.TryLock() {
			mu.Unlock()
		}
	}
	for n, classes := range []int{1: 3, 2: 15} {
		if n > 0 {
			r.add(classes, 0, fmt.Sprint("mutex_vs_trylock ", n), func() {
				var mu model.Mutex
				spawn(n, func(int) { try(&mu) })
				mu.Lock()
				mu.Unlock()
			})
		}
	}
	r.add(3, 3, "trylock and leave 3", func() {
		var mu model.Mutex
		spawn(3, func(int) { mu.TryLock() })
	})
	r.add(21, 0, "trylock unlock 3", func() {
		var mu model.Mutex
		spawn(3, func(int) { try(&mu) })
	})
}

// philosophers have a fork each and take their own and the next, ordered in the order
// of the forks.
func philosophers(n int, ordered bool) {
	forks := make([]model.Mutex, n)
	spawn(n, func(l int) {
		r := (l + 1) % n
		if ordered && l > r {
			l, r = r, l
		}
		forks[l].Lock()
		forks[r].Lock()
		forks[r].Unlock()
		forks[l].Unlock()
	})
}

func (r *rows) variables() {
	r.family("readers", 1, []int{2, 4, 8, 16, 32, 64, 128, 256}, readers)
	r.add(1024, 0, "readers 10", func() { readers(10) })
	r.add(8192, 0, "readers 13", func() { readers(13) })
	r.family("N-writers", 2, factorials[2:7], func(n int) {
		var x model.Int32
		spawn(n, func(i int) { x.Store(int32(i)) })
	})
	r.family("n_writers_a_reader", 1, factorials[2:6], func(n int) { // in Mazurkiewicz's sense
		var x model.Int32
		spawn(n, func(i int) { x.Store(int32(i)) })
		x.Load()
	})
	r.family("last zero", 1, []int{2, 5, 12, 28, 64, 144}, lastZero)
	r.add(3328, 0, "last zero 10", func() { lastZero(10) })
	r.add(147456, 0, "last zero 15", func() { lastZero(15) })
	r.family("indexer", 10, []int{1, 1, 8, 64, 512, 4096}, indexer)
	r.family("ainc", 2, factorials[2:], func(n int) { increments(n, 1) })
	r.family("binc", 2, []int{4, 36, 576}, func(n int) { increments(n, 2) })
	r.family("cinc", 2, []int{8, 216, 13824}, func(n int) { increments(n, 3) })
	r.family("casrot", 2, []int{2, 5, 14, 43}, func(n int) {
		var x model.Int32
		spawn(n, func(i int) { x.CompareAndSwap(int32(i), int32(i+1)) })
	})
	r.family("casw", 2, []int{6, 66, 1200, 32880}, func(n int) {
		var x model.Int32
		spawn(n, func(i int) { x.CompareAndSwap(0, 1); x.Store(int32(i + 3)) })
	})
	r.family("fib_bench, two threads", 1, []int{3, 19, 141}, func(n int) { fibonacci(n) })
	r.family("fib_bench_true", 1, []int{11, 140}, func(n int) {
		x, y := fibonacci(n)
		x.Load()
		y.Load()
	})
	r.family("reorder", 3, []int{36, 576, 14400}, func(n int) {
		var a, b model.Int32
		spawn(n-1, func(int) { a.Store(1); b.Store(-1) })
		model.Go(func() { a.Load(); b.Load() })
	})
	r.family("twostage, writers", 1, []int{3, 40, 1080}, twostage)
	r.examples()
}

func readers(n int) {
	var x model.Int32
	model.Go(func() { x.Store(1) })
	spawn(n, func(int) { x.Load() })
}

// examples are the programs that papers and Concuerror use to show where reduction
// without wakeup trees begins runs that it has to give up.
func (r *rows) examples() {
	r.add(5, 0, "POPL example", func() {
		var x, y, z model.Int32
		model.Go(func() { x.Store(1) })
		model.Go(func() { y.Store(1) })
		model.Go(func() {
			if y.Load() == 0 {
				z.Store(1)
			}
		})
		model.Go(func() {
			if z.Load() == 1 && y.Load() == 0 {
				x.Store(2)
			}
		})
	})
	r.add(6, 0, "combination_lock_1", func() {
		var v, w, x, y, z model.Int32
		model.Go(func() { z.Store(1) })
		model.Go(func() {
			x.Store(1)
			if y.Load() == 1 {
				w.Store(1)
			}
		})
		model.Go(func() {
			if x.Load() == 1 {
				y.Store(1)
				if v.Load() == 1 {
					z.Load()
				}
			}
		})
		model.Go(func() {
			if w.Load() == 1 {
				v.Store(1)
			}
		})
	})
	r.add(10, 0, "sleeping_races_6", func() {
		var w, x, y, z model.Int32
		model.Go(func() { w.Store(1) })
		model.Go(func() { x.Store(1) })
		model.Go(func() { y.Store(1) })
		model.Go(func() { y.Load(); z.Store(1) })
		model.Go(func() {
			if y.Load() == 1 && z.Load() == 1 && x.Load() == 1 {
				w.Load()
			}
		})
	})
}

// lastZero: writer j sets a[j] = a[j-1] + 1; the reader looks from the end for the
// last element that is zero.
func lastZero(n int) {
	a := make([]model.Int32, n+1)
	for j := 1; j <= n; j++ {
		model.Go(func() { a[j].Store(a[j-1].Load() + 1) })
	}
	model.Go(func() {
		for i := n; a[i].Load() != 0; i-- {
		}
	})
}

// indexer: threads insert four keys each into a hash table of 128 slots.
func indexer(n int) {
	const size, keys = 128, 4
	table := make([]model.Int32, size)
	spawn(n, func(tid int) {
		for m := range keys {
			w := int32((m+1)*11 + tid)
			for h := w * 7 % size; !table[h].CompareAndSwap(0, w); h = (h + 1) % size {
			}
		}
	})
}

// increments: each thread adds one to each of k variables.
func increments(threads, k int) {
	vars := make([]model.Int32, k)
	spawn(threads, func(int) {
		for i := range vars {
			vars[i].Add(1)
		}
	})
}

// fibonacci: two threads add each other's variable to their own, n times.
func fibonacci(n int) (x, y *model.Int32) {
	x, y = new(model.Int32), new(model.Int32)
	x.Store(1)
	y.Store(1)
	model.Go(func() {
		for range n {
			a := x.Load()
			x.Store(a + y.Load())
		}
	})
	model.Go(func() {
		for range n {
			a := x.Load()
			y.Store(a + y.Load())
		}
	})
	return x, y
}

func twostage(writers int) {
	var l1, l2 model.Mutex
	var d1, d2 model.Int32
	spawn(writers, func(int) {
		l1.Lock()
		d1.Store(1)
		l1.Unlock()
		l2.Lock()
		d2.Store(d1.Load() + 1)
		l2.Unlock()
	})
	model.Go(func() {
		l1.Lock()
		t := d1.Load()
		l1.Unlock()
		if t == 0 {
			return
		}
		l2.Lock()
		d2.Load()
		l2.Unlock()
	})
}

// channels has what follows from a rendezvous being one event and from sends and
// receives on a buffered channel being numbered.
func (r *rows) channels() {
	r.add(1, 0, "ping-pong 3", func() {
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
	r.family("senders to one receiver", 2, factorials[2:5], func(n int) {
		c := model.NewChan[int](0)
		spawn(n, func(i int) { c.Send(i) })
		for range n {
			c.Recv()
		}
	})
	r.family("senders and receivers", 2, factorials[2:4], func(n int) {
		c := model.NewChan[int](0)
		spawn(n, func(i int) { c.Send(i) })
		spawn(n, func(int) { c.Recv() })
	})
	for n := 2; n < 5; n++ {
		r.add(n, n, fmt.Sprint("workers leak ", n), func() {
			c := model.NewChan[int](0)
			spawn(n, func(i int) { c.Send(i) })
			c.Recv()
		})
	}
	for _, kc := range [][2]int{{4, 2}, {6, 3}} {
		r.add(1, 0, fmt.Sprint("producer and consumer ", kc), func() {
			c := model.NewChan[int](kc[1])
			model.Go(func() {
				for i := range kc[0] {
					c.Send(i)
				}
			})
			for range kc[0] {
				c.Recv()
			}
		})
	}
	r.add(6, 0, "two producers, one consumer", func() {
		c := model.NewChan[int](2)
		spawn(2, func(i int) { c.Send(i); c.Send(i) })
		for range 4 {
			c.Recv()
		}
	})
	r.add(36, 0, "two producers, two consumers", func() {
		c := model.NewChan[int](2)
		spawn(2, func(i int) { c.Send(i); c.Send(i) })
		spawn(2, func(int) { c.Recv(); c.Recv() })
	})
	for closes, name := range []string{"send close", "close close"} {
		r.add(2, 1+closes, name, func() {
			c := model.NewChan[int](1)
			if closes == 0 {
				model.Go(func() { c.Send(1) })
			} else {
				model.Go(c.Close)
			}
			model.Go(c.Close)
		})
	}
	r.add(1, 0, "receive close", func() {
		c := model.NewChan[int](1)
		model.Go(func() { c.Recv() })
		model.Go(c.Close)
	})
	r.selects()
}

func (r *rows) selects() {
	two := func(capacity, times int) func() {
		return func() {
			a, b := model.NewChan[int](capacity), model.NewChan[int](capacity)
			model.Go(func() { a.Send(1) })
			model.Go(func() { b.Send(1) })
			for range times {
				model.Select(a.RecvCase(nil), b.RecvCase(nil))
			}
		}
	}
	r.add(2, 2, "select, unbuffered, once", two(0, 1))
	r.add(2, 0, "select, unbuffered, twice", two(0, 2))
	r.add(4, 0, "select, buffered", two(1, 1))
	// The timeout is a value in a buffer that comes when it likes. Published are 2
	// classes, of which 1 leaks the worker, and 4; the first becomes 3 where, as
	// here, the rendezvous depends on whether the timeout is there already.
	timeout := func(capacity int) func() {
		return func() {
			c, timer := model.NewChan[int](capacity), model.NewChan[int](1)
			model.Go(func() { c.Send(1) })
			model.Go(func() { timer.Send(1) })
			model.Select(c.RecvCase(nil), timer.RecvCase(nil))
		}
	}
	r.add(3, 1, "select, timeout", timeout(0))
	r.add(4, 0, "select, timeout, buffered", timeout(1))
	r.add(2, 1, "try-send receive", func() {
		c := model.NewChan[int](0)
		model.Go(func() { c.Recv() })
		model.TrySelect(c.SendCase(1))
	})
	r.add(2, 0, "try-receive send", func() {
		c := model.NewChan[int](1)
		model.Go(func() { c.Send(1) })
		model.TrySelect(c.RecvCase(nil))
	})
}

// TestPublishedCounts holds exhaustive search against the numbers: as many runs as
// classes, none given up. MODELCHECK_LONG=n adds the programs with more than 5,040
// classes.
func TestPublishedCounts(t *testing.T) {
	r := rows{most: 5040}
	switch {
	case oracleChecks(t, 0) > 0:
		r.most = 1 << 20
	case testing.Short():
		r.most = 300
	}
	r.locks()
	r.variables()
	r.channels()
	for _, c := range r.list {
		t.Run(c.name, func(t *testing.T) {
			got := searchAll(t, 2*c.classes+100, silent(c.body))
			if got.runs != c.classes || len(got.byHash) != c.classes || got.failed != c.failed || got.blocked != 0 || got.misfits != 0 {
				all, _ := bruteAll(100_000, silent(c.body), nil)
				t.Errorf("%d runs of %d classes, %d failed, %d given up, %d misfits; want %d and %d failed; brute force: %d classes in %d runs",
					got.runs, len(got.byHash), got.failed, got.blocked, got.misfits, c.classes, c.failed, len(all.byHash), all.runs)
			}
		})
	}
}

// Schedules without reduction, where yields are the only steps that commute with
// nothing: shuttle's yield_loop tests.
func TestSchedulesOfYields(t *testing.T) {
	for _, c := range []struct {
		name string
		runs int
		body func()
	}{
		{"one goroutine", 1, func() { yields(5) }},
		{"two goroutines", 252, func() { // 10 over 5
			model.Go(func() { yields(5) })
			yields(5)
		}},
		// k steps of the first goroutine come before the second is started, then main
		// has 4 left: the sum of (12-k)!/((4-k)! 4! 4!) for k from 0 to 4.
		{"three goroutines", 50050, func() {
			model.Go(func() { yields(4) })
			model.Go(func() { yields(4) })
			yields(4)
		}},
	} {
		if testing.Short() && c.runs > 5000 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			r := RunExhaustive(c.body, WithStrategy("brute"), Sequential())
			if !r.Coverage.Complete || r.Coverage.Runs != c.runs {
				t.Errorf("%v, want %d runs", r.Coverage, c.runs)
			}
		})
	}
}

func yields(n int) {
	for range n {
		model.Gosched()
	}
}

// T1: load x || T2: load x; store x. A checker that compares a store with the last
// access only misses that T1 may see it (loom issues 166 and 392), depending on
// which thread is started first.
func TestLoadAgainstLoadAndStore(t *testing.T) {
	one, two := []string{"[0]", "[1]"}, []string{"[0 0]", "[0 1]", "[1 0]", "[1 1]"}
	for _, c := range []struct {
		name    string
		readers int
		lock    bool
		want    []string
	}{
		{"one reader", 1, false, one},
		{"two readers", 2, false, two},
		{"one reader, a mutex", 1, true, one},
		{"two readers, a mutex", 2, true, two},
	} {
		for before := range c.readers + 1 {
			t.Run(fmt.Sprintf("%s, %d before the writer", c.name, before), func(t *testing.T) {
				var saw []int32
				p := silent(func() {
					var x model.Int32
					var mu model.Mutex
					guarded := func(f func()) {
						if c.lock {
							mu.Lock()
							defer mu.Unlock()
						}
						f()
					}
					saw = make([]int32, c.readers)
					for i := range c.readers + 1 {
						if i == before {
							model.Go(func() { guarded(func() { x.Load(); x.Store(1) }) })
						}
						if i < c.readers {
							model.Go(func() { guarded(func() { saw[i] = x.Load() }) })
						}
					}
				})
				p.out = func() string { return fmt.Sprint(saw) }
				got := map[string]bool{}
				e := newEngineFor(t)
				s := newDPOR(sched.Dependencies)
				for i := uint64(0); s.Begin(i); i++ {
					s.End(p.run(e, s))
					got[p.out()] = true
				}
				if diff := cmp.Diff(c.want, sortedKeys(got)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}
