package explore

import "github.com/modelcheck-go/modelcheck/model"

// Programs of SCTBench (Thomson, Donaldson and Betts, "Concurrency testing using
// controlled schedulers: an empirical study", TOPC 2016) in Go: what its CS programs
// do, every access to a shared variable a step. In all of them main starts the
// goroutines, the checker of reorder and twostage last, those of account and lazy01
// first.

// cell is a shared variable of a C program.
type cell = model.Shared[int]

func addTo(v *cell, n int) { v.Set(v.Get() + n) }

// inside runs f holding mu.
func inside(mu *model.Mutex, f func()) {
	mu.Lock()
	f()
	mu.Unlock()
}

// sctReorder: n-1 setters change two variables one after the other, and a checker sees
// one without the other.
func sctReorder(n int) func() {
	return func() {
		var a, b cell
		for range n - 1 {
			model.Go(func() {
				a.Set(1)
				b.Set(-1)
			})
		}
		model.Go(func() {
			x, y := a.Get(), b.Get()
			model.Assert(x == 0 && y == 0 || x == 1 && y == -1, "both or none")
		})
	}
}

// sctTwostage: n-1 writers change two variables under a lock each, and a reader comes
// between.
func sctTwostage(n int) func() {
	return func() {
		var d1, d2 cell
		var l1, l2 model.Mutex
		for range n - 1 {
			model.Go(func() {
				inside(&l1, func() { d1.Set(1) })
				inside(&l2, func() { d2.Set(d1.Get() + 1) })
			})
		}
		model.Go(func() {
			t, u := 0, 0
			inside(&l1, func() { t = d1.Get() })
			if t == 0 {
				return
			}
			inside(&l2, func() { u = d2.Get() })
			model.Assert(u == t+1, "the second stage is behind")
		})
	}
}

// sctAccount: a balance is wrong when it is looked at last.
func sctAccount() {
	var balance, deposited, withdrawn cell
	balance.Set(1)
	var mu model.Mutex
	model.Go(func() {
		inside(&mu, func() {
			if deposited.Get() == 1 && withdrawn.Get() == 1 {
				model.Assert(balance.Get() == 1-2-4, "the balance is right")
			}
		})
	})
	model.Go(func() {
		inside(&mu, func() {
			addTo(&balance, 2)
			deposited.Set(1)
		})
	})
	model.Go(func() {
		inside(&mu, func() {
			addTo(&balance, -4)
			withdrawn.Set(1)
		})
	})
}

// sctLazy01: three goroutines under one lock; the sum is too large for the one that
// comes last.
func sctLazy01() {
	var data cell
	var mu model.Mutex
	model.Go(func() {
		inside(&mu, func() { model.Assert(data.Get() < 3, "data is small") })
	})
	model.Go(func() { inside(&mu, func() { addTo(&data, 2) }) })
	model.Go(func() { inside(&mu, func() { addTo(&data, 1) }) })
}

// sctDeadlock01: two locks in opposite orders.
func sctDeadlock01() {
	var counter cell
	var a, b model.Mutex
	model.Go(func() {
		inside(&a, func() { inside(&b, func() { addTo(&counter, 1) }) })
	})
	model.Go(func() {
		inside(&b, func() { inside(&a, func() { addTo(&counter, -1) }) })
	})
}

// sctWronglock: one goroutine adds under one lock, n under another.
func sctWronglock(n int) func() {
	return func() {
		var v cell
		var data, this model.Mutex
		model.Go(func() {
			inside(&data, func() {
				x := v.Get()
				addTo(&v, 1)
				model.Assert(v.Get() == x+1, "nobody else adds")
			})
		})
		for range n {
			model.Go(func() { inside(&this, func() { addTo(&v, 1) }) })
		}
	}
}

// sctStack: pushes and pops take turns only by chance.
func sctStack() {
	const size = 10
	var top, flag cell
	var mu model.Mutex
	model.Go(func() {
		for range size {
			inside(&mu, func() {
				addTo(&top, 1)
				flag.Set(1)
			})
		}
	})
	model.Go(func() {
		for range size {
			inside(&mu, func() {
				if flag.Get() == 1 {
					model.Assert(top.Get() > 0, "there is something to pop")
					addTo(&top, -1)
				}
			})
		}
	})
}

// sctRing is what circular_buffer and queue do: a writer and a reader are to take
// turns, but a turn that comes too early is lost.
func sctRing(rounds int) func() {
	return func() {
		var written, full cell
		var mu model.Mutex
		model.Go(func() {
			for i := range rounds {
				inside(&mu, func() {
					if full.Get() == 0 {
						written.Set(i)
						full.Set(1)
					}
				})
			}
		})
		model.Go(func() {
			for i := range rounds {
				inside(&mu, func() {
					if full.Get() == 1 {
						model.Assert(written.Get() == i, "the reader is in step")
						full.Set(0)
					}
				})
			}
		})
	}
}

// deque is a work-stealing queue in the style of the THE protocol. Owner and thief
// agree on the last item because each announces what it takes before it looks at
// what the other took; this owner looks too early.
type deque struct {
	head, tail model.Int32
	mu         model.Mutex
	items      [2]cell
}

func (d *deque) slot(i int32) *cell { return &d.items[i&1] }

// push reports false when the queue is full.
func (d *deque) push(item int) bool {
	t := d.tail.Load()
	if t-d.head.Load() == int32(len(d.items)) {
		return false
	}
	d.slot(t).Set(item)
	d.tail.Store(t + 1)
	return true
}

func (d *deque) pop() (item int, ok bool) {
	t := d.tail.Load() - 1
	h := d.head.Load() // the mistake: it comes before the store
	d.tail.Store(t)
	if h < t {
		return d.slot(t).Get(), true
	}
	d.tail.Store(t + 1)
	return d.lastItem()
}

// lastItem pops under the lock.
func (d *deque) lastItem() (item int, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.tail.Load() - 1
	d.tail.Store(t)
	if d.head.Load() <= t {
		return d.slot(t).Get(), true
	}
	d.tail.Store(t + 1)
	return 0, false
}

func (d *deque) steal() (item int, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	h := d.head.Load()
	d.head.Store(h + 1)
	if h < d.tail.Load() {
		return d.slot(h).Get(), true
	}
	d.head.Store(h)
	return 0, false
}

// sctWSQ: the owner pushes four items and pops, a thief steals twice; no item
// may be taken twice.
func sctWSQ() {
	var d deque
	var taken [4]cell
	take := func(item int, ok bool) {
		if ok {
			addTo(&taken[item], 1)
			model.Assert(taken[item].Get() == 1, "taken once")
		}
	}
	model.Go(func() {
		for range 2 {
			take(d.steal())
		}
	})
	next := 0
	for range 2 {
		for range 2 {
			if d.push(next) {
				next++
			}
		}
		take(d.pop())
	}
	for range 2 {
		take(d.pop())
	}
}

// safeStack is a lock-free stack of three cells whose mistake takes five
// preemptions to show (D. Vyukov, posted 2010 as "a bug with a context switch bound
// 5").
type safeStack struct {
	head, count model.Int32
	next        [3]model.Int32
}

func (s *safeStack) pop() int32 {
	for s.count.Load() > 1 {
		first := s.head.Load()
		if second := s.next[first].Swap(-1); second >= 0 {
			if s.head.CompareAndSwap(first, second) {
				s.count.Add(-1)
				return first
			}
			s.next[first].Swap(second)
		}
	}
	return -1
}

func (s *safeStack) push(c int32) {
	for {
		first := s.head.Load()
		s.next[c].Store(first)
		if s.head.CompareAndSwap(first, c) {
			break
		}
	}
	s.count.Add(1)
}

// sctSafeStack: three goroutines each take a cell twice and put it back; nobody may have
// a cell that another one has.
func sctSafeStack() {
	var s safeStack
	s.count.Store(3)
	for i, next := range []int32{1, 2, -1} {
		s.next[i].Store(next)
	}
	var owner [3]cell
	for id := 1; id <= 3; id++ {
		model.Go(func() {
			for range 2 {
				c := s.pop()
				for c < 0 {
					model.Gosched()
					c = s.pop()
				}
				owner[c].Set(id)
				model.Assert(owner[c].Get() == id, "nobody else has the cell")
				s.push(c)
			}
		})
	}
}
