package racing

import (
	"fmt"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// A Row is a program whose verdict is known from the text of the Go memory model, or of
// the documentation that it refers to.
type Row struct {
	Name string
	Racy bool
	// Blind says why the race detector disagrees, "" if it does not.
	Blind string
	Body  func()
}

// Find returns the row of that name.
func Find(name string) (Row, error) {
	for _, r := range Litmus {
		if r.Name == name {
			return r, nil
		}
	}
	return Row{}, fmt.Errorf("no row %q", name)
}

// Natively performs the row once, and waits until it is over or seems to be stuck.
func (r Row) Natively() {
	over := make(chan bool)
	go func() {
		r.Body()
		close(over)
	}()
	select {
	case <-over:
	case <-time.After(5 * time.Millisecond):
	}
	time.Sleep(50 * time.Microsecond) // for what main has not waited for
}

const racy, none = true, false

// Litmus has a row for each edge, for what is often taken for one, and the classics.
var Litmus = []Row{
	{"go statement", none, "", func() {
		var x model.Shared[int]
		x.Set(1)
		model.Go(func() { x.Get() })
	}},
	{"end of a goroutine", racy, "", func() {
		var x model.Shared[int]
		model.Go(func() { x.Set(1) })
		model.Gosched()
		x.Get()
	}},
	{"counter in a loop", racy, "", func() {
		var n model.Shared[int]
		var wg model.WaitGroup
		for range 2 {
			wg.Go(func() { n.Update(func(n int) int { return n + 1 }) })
		}
		wg.Wait()
	}},
	{"counter with a mutex", none, "", func() {
		var n model.Shared[int]
		var mu model.Mutex
		var wg model.WaitGroup
		for range 2 {
			wg.Go(func() {
				mu.Lock()
				n.Update(func(n int) int { return n + 1 })
				mu.Unlock()
			})
		}
		wg.Wait()
		n.Get()
	}},
	{"one side without the mutex", racy, "", func() {
		var n model.Shared[int]
		var mu model.Mutex
		model.Go(func() {
			mu.Lock()
			n.Set(1)
			mu.Unlock()
		})
		n.Get()
	}},
	{"two reads", none, "", func() {
		var x model.Shared[int]
		model.Go(func() { x.Get() })
		x.Get()
	}},

	{"send, unbuffered", none, "", func() {
		var x model.Shared[int]
		c := model.NewChan[int](0)
		model.Go(func() { x.Set(1); c.Send(0) })
		c.Recv()
		x.Get()
	}},
	{"receive, unbuffered", none, "", func() {
		var x model.Shared[int]
		c := model.NewChan[int](0)
		model.Go(func() { x.Set(1); c.Recv() })
		c.Send(0)
		x.Get()
	}},
	{"send, buffered", none, "", func() {
		var x model.Shared[int]
		c := model.NewChan[int](1)
		model.Go(func() { x.Set(1); c.Send(0) })
		c.Recv()
		x.Get()
	}},
	{"receive, buffered", racy, "", func() {
		var x model.Shared[int]
		c := model.NewChan[int](1)
		model.Go(func() { x.Set(1); c.Recv() })
		c.Send(0)
		x.Get()
	}},
	{"receive k and send k+C", none, "", func() {
		var x model.Shared[int]
		c := model.NewChan[int](1)
		c.Send(0)
		model.Go(func() { x.Set(1); c.Recv() })
		c.Send(1)
		x.Get()
	}},
	{"receive k and send k+C-1", racy, "", func() {
		var x model.Shared[int]
		c := model.NewChan[int](2)
		c.Send(0)
		model.Go(func() { x.Set(1); c.Recv() })
		c.Send(1)
		x.Get()
	}},
	{"channel as a lock", none, "", func() {
		var x model.Shared[int]
		limit := model.NewChan[int](1)
		for range 2 {
			model.Go(func() { limit.Send(0); x.Set(1); limit.Recv() })
		}
	}},
	{"channel that lets two in", racy, "", func() {
		var x model.Shared[int]
		limit := model.NewChan[int](2)
		for range 2 {
			model.Go(func() { limit.Send(0); x.Set(1); limit.Recv() })
		}
	}},
	{"close", none, "", func() {
		var x model.Shared[int]
		c := model.NewChan[int](0)
		model.Go(func() { x.Set(1); c.Close() })
		c.Recv()
		x.Get()
	}},
	{"close, but what was in the buffer is received", racy, "", func() {
		var x model.Shared[int]
		c := model.NewChan[int](1)
		c.Send(0)
		model.Go(func() { x.Set(1); c.Close() })
		c.Recv()
		x.Get()
	}},
	{"select, the case that goes", none, "", func() {
		var x model.Shared[int]
		c, never := model.NewChan[int](0), model.NewChan[int](0)
		model.Go(func() { x.Set(1); c.Send(0) })
		if model.Select(never.RecvCase(nil), c.RecvCase(nil)) == 1 {
			x.Get()
		}
	}},
	{"select, the default", racy, "", func() {
		var x model.Shared[int]
		c := model.NewChan[int](1)
		model.Go(func() { x.Set(1); c.Send(0) })
		if model.TrySelect(c.RecvCase(nil)) < 0 {
			x.Get()
		}
	}},
	{"len of a channel", racy, "", func() {
		var x model.Shared[int]
		c := model.NewChan[int](1)
		model.Go(func() { x.Set(1); c.Send(0) })
		if c.Len() == 0 {
			model.Gosched()
		}
		if c.Len() == 1 {
			x.Get()
		}
	}},

	{"try lock", none, "", func() {
		var x model.Shared[int]
		var mu model.Mutex
		model.Go(func() { mu.Lock(); x.Set(1); mu.Unlock() })
		if mu.TryLock() {
			x.Get()
			mu.Unlock()
		}
	}},
	{"try lock that fails", racy, "", func() {
		var x model.Shared[int]
		var mu model.Mutex
		model.Go(func() { mu.Lock(); x.Set(1); mu.Unlock() })
		model.Gosched()
		if !mu.TryLock() {
			x.Get()
			return
		}
		mu.Unlock()
	}},
	{"readers and a writer", none, "", func() {
		var x model.Shared[int]
		var rw model.RWMutex
		for range 2 {
			model.Go(func() { rw.RLock(); x.Get(); rw.RUnlock() })
		}
		rw.Lock()
		x.Set(1)
		rw.Unlock()
	}},
	{"a reader that writes", racy, "", func() {
		var x model.Shared[int]
		var rw model.RWMutex
		for range 2 {
			model.Go(func() { rw.RLock(); x.Set(1); rw.RUnlock() })
		}
	}},

	{"wait group", none, "", func() {
		var x model.Shared[int]
		var wg model.WaitGroup
		wg.Add(1)
		model.Go(func() { x.Set(1); wg.Done() })
		wg.Wait()
		x.Get()
	}},
	{"write after Done", racy, "", func() {
		var x model.Shared[int]
		var wg model.WaitGroup
		wg.Add(1)
		model.Go(func() { wg.Done(); x.Set(1) })
		wg.Wait()
		x.Get()
	}},
	{"once", none, "", func() {
		var x model.Shared[int]
		var once model.Once
		for range 2 {
			model.Go(func() {
				once.Do(func() { x.Set(1) })
				x.Get()
			})
		}
	}},
	{"double-checked locking", racy, "", func() {
		var made, x model.Shared[int]
		var mu model.Mutex
		for range 2 {
			model.Go(func() {
				if made.Get() == 0 {
					mu.Lock()
					if made.Get() == 0 {
						x.Set(1)
						made.Set(1)
					}
					mu.Unlock()
				}
				x.Get()
			})
		}
	}},
	{"double-checked locking with an atomic", none, "", func() {
		var x model.Shared[int]
		var made model.Bool
		var mu model.Mutex
		for range 2 {
			model.Go(func() {
				if !made.Load() {
					mu.Lock()
					if !made.Load() {
						x.Set(1)
						made.Store(true)
					}
					mu.Unlock()
				}
				x.Get()
			})
		}
	}},
	{"cond", none, "", func() {
		var x model.Shared[int]
		var mu model.Mutex
		cond := model.NewCond(&mu)
		model.Go(func() {
			mu.Lock()
			x.Set(1)
			mu.Unlock()
			cond.Broadcast()
		})
		mu.Lock()
		for x.Get() == 0 {
			cond.Wait()
		}
		mu.Unlock()
	}},
	{"signal without the lock", none, "package sync tells the race detector nothing of Signal, though its documentation promises the order", func() {
		var x model.Shared[int]
		var mu model.Mutex
		cond := model.NewCond(&mu)
		queued := model.NewChan[int](0)
		model.Go(func() {
			queued.Recv()
			mu.Lock() // the other one waits
			mu.Unlock()
			x.Set(1)
			cond.Signal()
		})
		mu.Lock()
		queued.Send(0)
		cond.Wait()
		x.Get()
		mu.Unlock()
	}},

	{"atomic flag", none, "", func() {
		var x model.Shared[int]
		var ready model.Bool
		model.Go(func() { x.Set(1); ready.Store(true) })
		if ready.Load() {
			x.Get()
		}
	}},
	{"atomic flag, not looked at", racy, "", func() {
		var x model.Shared[int]
		var ready model.Bool
		model.Go(func() { x.Set(1); ready.Store(true) })
		ready.Load()
		x.Get()
	}},
	{"plain flag", racy, "", func() {
		var x, ready model.Shared[int]
		model.Go(func() { x.Set(1); ready.Set(1) })
		model.Gosched()
		if ready.Get() == 1 {
			x.Get()
		}
	}},
	{"a store that another has hidden", racy, "", func() {
		var x model.Shared[int]
		var a model.Int32
		model.Go(func() { x.Set(1); a.Store(1) })
		model.Go(func() { a.Store(2) })
		model.Go(func() {
			if a.Load() == 2 {
				x.Get()
			}
		})
	}},
	{"a store, an add, a load", none, "", func() {
		var x model.Shared[int]
		var a model.Int32
		model.Go(func() { x.Set(1); a.Store(1) })
		model.Go(func() { a.Add(2) })
		model.Go(func() {
			if a.Load() == 3 {
				x.Get()
			}
		})
	}},
	{"spin lock", none, "", func() {
		var x model.Shared[int]
		var a model.Int32
		for range 2 {
			model.Go(func() {
				if a.CompareAndSwap(0, 1) {
					x.Set(1)
					a.Store(0)
				}
			})
		}
	}},
	{"awaited flag", none, "", func() {
		var x model.Shared[int]
		var ready model.Bool
		model.Go(func() { x.Set(1); ready.Store(true) })
		model.Await(ready.Load)
		x.Get()
	}},

	{"context", none, "", func() {
		var x model.Shared[int]
		ctx, cancel := model.WithCancel(model.Background())
		model.Go(func() { x.Set(1); cancel() })
		ctx.Done().Recv()
		x.Get()
	}},
	{"context, derived and asked", none, "", func() {
		var x model.Shared[int]
		parent, cancel := model.WithCancel(model.Background())
		ctx, leave := model.WithCancel(parent)
		defer leave()
		model.Go(func() { x.Set(1); cancel() })
		if ctx.Err() != nil {
			x.Get()
		}
	}},
	{"context that is not done", racy, "", func() {
		var x model.Shared[int]
		ctx, cancel := model.WithCancel(model.Background())
		model.Go(func() { x.Set(1); cancel() })
		if ctx.Err() == nil {
			x.Get()
		}
	}},
	{"function of a context", none, "", func() {
		var x model.Shared[int]
		ctx, cancel := model.WithCancel(model.Background())
		model.ContextAfterFunc(ctx, func() { x.Get() })
		x.Set(1)
		cancel()
	}},
	{"function of a timer", none, "", func() {
		var x model.Shared[int]
		x.Set(1)
		model.AfterFunc(time.Microsecond, func() { x.Get() })
	}},
	{"function of a timer, later write", racy, "", func() {
		var x model.Shared[int]
		model.AfterFunc(time.Microsecond, func() { x.Get() })
		x.Set(1)
	}},
	{"timer", none, "", func() {
		var x model.Shared[int]
		ticks := model.NewChan[model.RecvOnly[time.Time]](1)
		model.Go(func() { x.Set(1); ticks.Send(model.After(time.Microsecond)) })
		ticks.Recv().Recv()
		x.Get()
	}},
	{"timer that is set again", none, "", func() {
		var x model.Shared[int]
		t := model.AfterFunc(time.Hour, func() { x.Get() })
		if t.Stop() {
			model.Go(func() { x.Set(1); t.Reset(time.Microsecond) })
		}
	}},
	{"channel of a timer that is set again", none, "", func() {
		var x model.Shared[int]
		t := model.NewTimer(time.Hour)
		if t.Stop() {
			model.Go(func() { x.Set(1); t.Reset(time.Microsecond) })
			t.C.Recv()
			x.Get()
		}
	}},

	// Operations of the same kind, one after the other in some schedules.
	{"two read locks", racy, "", func() {
		var rw model.RWMutex
		oneAfterTheOther(func() { rw.RLock(); rw.RUnlock() }, func() { rw.RLock(); rw.RUnlock() })
	}},
	{"two sends, buffered", racy, "", func() {
		c := model.NewChan[int](2)
		oneAfterTheOther(func() { c.Send(0) }, func() { c.Send(0) })
	}},
	{"two receives, buffered", racy, "", func() {
		c := model.NewChan[int](2)
		c.Send(0)
		c.Send(0)
		oneAfterTheOther(func() { c.Recv() }, func() { c.Recv() })
	}},
	{"Done and Add", racy, "", func() {
		var wg model.WaitGroup
		wg.Add(2)
		oneAfterTheOther(wg.Done, func() { wg.Add(1) })
	}},
	{"two Waits", racy, "", func() {
		var wg model.WaitGroup
		oneAfterTheOther(wg.Wait, wg.Wait)
	}},
	{"two loads", racy, "", func() {
		var a model.Int32
		oneAfterTheOther(func() { a.Load() }, func() { a.Load() })
	}},
	{"a load and a store", racy, "", func() {
		var a model.Int32
		oneAfterTheOther(func() { a.Load() }, func() { a.Store(1) })
	}},
	{"two stores", racy, "", func() {
		var a model.Int32
		oneAfterTheOther(func() { a.Store(1) }, func() { a.Store(2) })
	}},
	{"two adds", none, "", func() {
		var a model.Int32
		oneAfterTheOther(func() { a.Add(1) }, func() { a.Add(1) })
	}},
	{"a compare and swap that fails, and a load", racy, "", func() {
		var a model.Int32
		oneAfterTheOther(func() { a.CompareAndSwap(5, 6) }, func() { a.Load() })
	}},
	{"a compare and swap of a Value that fails, and a load", racy, "", func() {
		var v model.Value
		v.Store(1)
		oneAfterTheOther(func() { v.CompareAndSwap(5, 6) }, func() { v.Load() })
	}},
	{"a compare and swap of a Value, and a load", none, "", func() {
		var v model.Value
		v.Store(1)
		oneAfterTheOther(func() { v.CompareAndSwap(1, 2) }, func() { v.Load() })
	}},
	{"a store to a Value that panics, and a load", racy, "", func() {
		var v model.Value
		v.Store(1)
		oneAfterTheOther(func() {
			defer func() { _ = recover().(string) }()
			v.Store("of another type")
		}, func() { v.Load() })
	}},
	{"a store to a Value, and one that panics, and a load", none, "", func() {
		var x model.Shared[int]
		var v model.Value
		v.Store(0)
		model.Go(func() { x.Set(1); v.Store(1) })
		model.Go(func() {
			defer func() { _ = recover().(string) }()
			v.Store("of another type")
		})
		if v.Load() == 1 {
			x.Get()
		}
	}},
	{"a context that is asked twice", racy, "", func() {
		ctx, cancel := model.WithCancel(model.Background())
		defer cancel()
		oneAfterTheOther(func() { _ = ctx.Err() }, func() { _ = ctx.Err() })
	}},
	{"a signal that nobody waits for", racy, "package sync has a trap for copies, by which the first uses of a Cond are ordered", func() {
		var mu model.Mutex
		cond := model.NewCond(&mu)
		oneAfterTheOther(cond.Signal, cond.Signal)
	}},

	{"sleep", racy, "", func() {
		var x model.Shared[int]
		model.Go(func() { x.Set(1) })
		model.Sleep(time.Microsecond)
		x.Get()
	}},

	{"map", none, "", func() {
		var x model.Shared[int]
		var m model.Map
		model.Go(func() { x.Set(1); m.Store("k", 1) })
		if _, ok := m.Load("k"); ok {
			x.Get()
		}
	}},
	{"map, another key", racy, "package sync uses locks that order more than its documentation promises", func() {
		var x model.Shared[int]
		var m model.Map
		model.Go(func() { m.Store("other", 1); x.Set(1); m.Store("k", 1) })
		if _, ok := m.Load("other"); ok {
			x.Get()
		}
	}},
	{"pool", none, "", func() {
		var x model.Shared[int]
		var p model.Pool
		model.Go(func() { x.Set(1); p.Put(new(int)) })
		if p.Get() != nil {
			x.Get()
		}
	}},
	{"group", none, "", func() {
		var x model.Shared[int]
		var g model.Group
		g.Go(func() error { x.Set(1); return nil })
		_ = g.Wait()
		x.Get()
	}},
	{"semaphore", none, "", func() {
		var x model.Shared[int]
		s := model.NewSemaphore(1)
		for range 2 {
			model.Go(func() {
				_ = s.Acquire(model.Background(), 1)
				x.Set(1)
				s.Release(1)
			})
		}
	}},
}

// oneAfterTheOther has one goroutine write and call f, and another, if it sees that, call
// g and read. Nothing but f and g can order the two.
func oneAfterTheOther(f, g func()) {
	var x model.Shared[int]
	word := model.NewChan[int](1)
	over := model.NewChan[int](1)
	model.Go(func() { x.Set(1); f(); word.Send(0) })
	model.Go(func() {
		if told(word, sched.Current() == nil) {
			g()
			x.Get()
		}
		over.Send(0)
	})
	over.Recv()
}
