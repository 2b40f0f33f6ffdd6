package explore

import (
	"fmt"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

// atomicPrograms are the programs over shared variables whose numbers of trace
// classes are published: Nidhugg's and GenMC's test suites (RFSC, SC models), the
// POPL'14 and JACM'17 papers on optimal DPOR, and Concuerror's suite.
func atomicPrograms() []counted {
	var list []counted
	add := func(name string, want int, body func()) {
		list = append(list, counted{name, want, body})
	}
	for n, want := range map[int]int{2: 4, 6: 64, 8: 256} {
		add(fmt.Sprintf("readers %d", n), want, func() {
			var x model.Int32
			model.Go(func() { x.Store(1) })
			for range n {
				model.Go(func() { x.Load() })
			}
		})
	}
	for n, want := range map[int]int{1: 2, 2: 5, 3: 12, 4: 28, 5: 64} {
		add(fmt.Sprintf("last zero %d", n), want, func() { lastZero(n) })
	}
	for n, want := range map[int]int{11: 1, 12: 8} {
		add(fmt.Sprintf("indexer %d", n), want, func() { indexer(n) })
	}
	for n, want := range map[int]int{2: 2, 3: 6, 4: 24, 5: 120} {
		add(fmt.Sprintf("ainc %d", n), want, func() { increments(n, 1) })
	}
	for n, want := range map[int]int{2: 4, 3: 36} {
		add(fmt.Sprintf("binc %d", n), want, func() { increments(n, 2) })
	}
	for n, want := range map[int]int{2: 8, 3: 216} {
		add(fmt.Sprintf("cinc %d", n), want, func() { increments(n, 3) })
	}
	for n, want := range map[int]int{2: 2, 3: 5, 4: 14, 5: 43} {
		add(fmt.Sprintf("casrot %d", n), want, func() {
			var x model.Int32
			for i := range int32(n) {
				model.Go(func() { x.CompareAndSwap(i, i+1) })
			}
		})
	}
	for n, want := range map[int]int{2: 6, 3: 66} {
		add(fmt.Sprintf("casw %d", n), want, func() {
			var x model.Int32
			for i := range int32(n) {
				model.Go(func() { x.CompareAndSwap(0, 1); x.Store(i + 3) })
			}
		})
	}
	for n, want := range map[int]int{1: 3, 2: 19, 3: 141} {
		add(fmt.Sprintf("fib_bench, two threads, %d", n), want, func() {
			var x, y model.Int32
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
					a := y.Load()
					y.Store(a + x.Load())
				}
			})
		})
	}
	for n, want := range map[int]int{3: 36, 4: 576} {
		add(fmt.Sprintf("reorder %d", n), want, func() {
			var a, b model.Int32
			for range n - 1 {
				model.Go(func() { a.Store(1); b.Store(-1) })
			}
			model.Go(func() { a.Load(); b.Load() })
		})
	}
	for n, want := range map[int]int{1: 3, 2: 40} {
		add(fmt.Sprintf("twostage %d+1", n), want, func() { twostage(n) })
	}
	// Nidhugg counts two failed TryLocks as dependent; here a failed try is a read,
	// and reads commute. An enumeration of all schedules confirms these numbers.
	add("trylock against mutex", 3, func() {
		var mu model.Mutex
		model.Go(func() { mu.Lock(); mu.Unlock() })
		model.Go(func() {
			if mu.TryLock() {
				mu.Unlock()
			}
		})
	})
	return list
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
	for tid := range n {
		model.Go(func() {
			for m := 0; m < keys; {
				m++
				w := int32(m*11 + tid)
				for h := w * 7 % size; !table[h].CompareAndSwap(0, w); h = (h + 1) % size {
				}
			}
		})
	}
}

// increments: each thread adds one to each of k variables.
func increments(threads, k int) {
	vars := make([]model.Int32, k)
	for range threads {
		model.Go(func() {
			for i := range vars {
				vars[i].Add(1)
			}
		})
	}
}

func twostage(writers int) {
	var l1, l2 model.Mutex
	var d1, d2 model.Int32
	for range writers {
		model.Go(func() {
			l1.Lock()
			d1.Store(1)
			l1.Unlock()
			l2.Lock()
			d2.Store(d1.Load() + 1)
			l2.Unlock()
		})
	}
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

func TestPublishedCountsOfVariables(t *testing.T) {
	for _, c := range atomicPrograms() {
		t.Run(c.name, func(t *testing.T) {
			got := searchAll(t, 200_000, c.body, nothing)
			if got.runs != c.classes || len(got.byHash) != c.classes || got.blocked != 0 || got.misfits != 0 {
				t.Errorf("%d runs of %d classes, %d blocked, %d misfits; want %d", got.runs, len(got.byHash), got.blocked, got.misfits, c.classes)
			}
		})
	}
}

// T1: load x || T2: load x; store x. A checker that compares a store with the last
// access only misses that T1 may see it (loom issues 166 and 392), depending on
// which thread is started first.
func TestLoadAgainstLoadAndStore(t *testing.T) {
	for _, c := range []struct {
		name    string
		readers int
		lock    bool
		swapped bool
		want    []string
	}{
		{"as written", 1, false, false, []string{"[0]", "[1]"}},
		{"swapped", 1, false, true, []string{"[0]", "[1]"}},
		{"two readers", 2, false, false, []string{"[0 0]", "[0 1]", "[1 0]", "[1 1]"}},
		{"two readers, swapped", 2, false, true, []string{"[0 0]", "[0 1]", "[1 0]", "[1 1]"}},
		{"under a mutex", 2, true, false, []string{"[0 0]", "[0 1]", "[1 0]", "[1 1]"}},
		{"under a mutex, swapped", 2, true, true, []string{"[0 0]", "[0 1]", "[1 0]", "[1 1]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var saw []int32
			body := func() {
				var x model.Int32
				var mu model.Mutex
				guard := func(f func()) {
					if c.lock {
						mu.Lock()
						defer mu.Unlock()
					}
					f()
				}
				saw = make([]int32, c.readers)
				readers := func() {
					for i := range c.readers {
						model.Go(func() { guard(func() { saw[i] = x.Load() }) })
					}
				}
				if !c.swapped {
					readers()
				}
				model.Go(func() { guard(func() { x.Load(); x.Store(1) }) })
				if c.swapped {
					readers()
				}
			}
			got := map[string]bool{}
			e := newEngineFor(t)
			s := newDPOR()
			for i := uint64(0); s.Begin(i); i++ {
				s.End(e.Run(body, s, logged))
				got[fmt.Sprint(saw)] = true
			}
			if fmt.Sprint(sortedKeys(got)) != fmt.Sprint(c.want) {
				t.Errorf("saw %v, want %v", sortedKeys(got), c.want)
			}
		})
	}
}
