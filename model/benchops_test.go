package model_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/sasha-s/go-deadlock"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// perOperation are bodies that repeat one operation or pair n times, and the same
// with the real thing.
var perOperation = []struct {
	name      string
	allocates bool // something new every time
	body      func(n int)
	real      func(n int)
	between   func(n int) // the same with what is between the two: go-deadlock
}{
	{name: "Gosched", body: func(n int) {
		for range n {
			model.Gosched()
		}
	}, real: func(n int) {
		for range n {
			runtime.Gosched()
		}
	}},
	{name: "LockUnlock", body: func(n int) {
		lockUnlock(n, new(model.Mutex))
	}, real: func(n int) {
		lockUnlock(n, new(sync.Mutex))
	}, between: func(n int) {
		lockUnlock(n, new(deadlock.Mutex))
	}},
	{name: "TryLockUnlock", body: func(n int) {
		var mu model.Mutex
		for range n {
			mu.TryLock()
			mu.Unlock()
		}
	}, real: func(n int) {
		var mu sync.Mutex
		for range n {
			mu.TryLock()
			mu.Unlock()
		}
	}, between: func(n int) {
		var mu deadlock.Mutex
		for range n {
			mu.TryLock()
			mu.Unlock()
		}
	}},
	{name: "WLockUnlock", body: func(n int) {
		lockUnlock(n, new(model.RWMutex))
	}, real: func(n int) {
		lockUnlock(n, new(sync.RWMutex))
	}, between: func(n int) {
		lockUnlock(n, new(deadlock.RWMutex))
	}},
	{name: "RLockRUnlock", body: func(n int) {
		lockUnlock(n, new(model.RWMutex).RLocker())
	}, real: func(n int) {
		lockUnlock(n, new(sync.RWMutex).RLocker())
	}, between: func(n int) {
		lockUnlock(n, new(deadlock.RWMutex).RLocker())
	}},
	{name: "WaitGroup", body: func(n int) {
		var wg model.WaitGroup
		for range n {
			wg.Add(1)
			wg.Done()
			wg.Wait()
		}
	}, real: func(n int) {
		var wg sync.WaitGroup
		for range n {
			wg.Add(1)
			wg.Done()
			wg.Wait()
		}
	}},
	{name: "OnceDo", body: func(n int) {
		var once model.Once
		for range n {
			once.Do(func() {})
		}
	}, real: func(n int) {
		var once sync.Once
		for range n {
			once.Do(func() {})
		}
	}},
	{name: "OnceFunc", body: func(n int) {
		f := model.OnceFunc(func() {})
		for range n {
			f()
		}
	}, real: func(n int) {
		f := sync.OnceFunc(func() {})
		for range n {
			f()
		}
	}},
	{name: "CondWaitSignal", body: func(n int) { // there and back again
		waitSignal(n, new(model.Mutex), func(l sync.Locker) cond { return model.NewCond(l) }, model.Go)
	}, real: func(n int) {
		waitSignal(n, new(sync.Mutex), func(l sync.Locker) cond { return sync.NewCond(l) }, func(f func()) { go f() })
	}, between: func(n int) {
		waitSignal(n, new(deadlock.Mutex), func(l sync.Locker) cond { return sync.NewCond(l) }, func(f func()) { go f() })
	}},
	{name: "CondSignal", body: func(n int) {
		c := model.NewCond(new(model.Mutex))
		for range n {
			c.Signal()
		}
	}, real: func(n int) {
		c := sync.NewCond(new(sync.Mutex))
		for range n {
			c.Signal()
		}
	}},
	{name: "AtomicLoadAdd", body: func(n int) {
		var x model.Int64
		for range n {
			x.Add(x.Load())
		}
	}, real: func(n int) {
		var x atomic.Int64
		for range n {
			x.Add(x.Load())
		}
	}},
	{name: "AtomicCompareAndSwap", body: func(n int) {
		var x model.Int64
		for range n {
			x.CompareAndSwap(0, 0)
		}
	}, real: func(n int) {
		var x atomic.Int64
		for range n {
			x.CompareAndSwap(0, 0)
		}
	}},
	{name: "BoolSwap", body: func(n int) {
		var x model.Bool
		for range n {
			x.Swap(true)
		}
	}, real: func(n int) {
		var x atomic.Bool
		for range n {
			x.Swap(true)
		}
	}},
	{name: "PointerLoadStore", body: func(n int) {
		var x model.Pointer[int]
		for range n {
			x.Store(x.Load())
		}
	}, real: func(n int) {
		var x atomic.Pointer[int]
		for range n {
			x.Store(x.Load())
		}
	}},
	{name: "ValueLoadStore", body: func(n int) {
		var x model.Value
		x.Store("a")
		for range n {
			x.Store(x.Load())
		}
	}, real: func(n int) {
		var x atomic.Value
		x.Store("a")
		for range n {
			x.Store(x.Load())
		}
	}},
	{name: "SharedUpdate", body: func(n int) {
		var s model.Shared[int]
		for range n {
			s.Update(func(v int) int { return v + 1 })
		}
	}},
	{name: "MapStoreLoad", body: func(n int) {
		var m model.Map
		for range n {
			m.Store(1, 2)
			m.Load(1)
		}
	}, real: func(n int) {
		var m sync.Map
		for range n {
			m.Store(1, 2)
			m.Load(1)
		}
	}, allocates: true},
	{name: "PoolPutGet", body: func(n int) {
		var p model.Pool
		v := new(int)
		for range n {
			p.Put(v)
			p.Get()
		}
	}, real: func(n int) {
		var p sync.Pool
		v := new(int)
		for range n {
			p.Put(v)
			p.Get()
		}
	}},
	{name: "SendRecvBuffered", body: func(n int) {
		ch := model.NewChan[int](1)
		for i := range n {
			ch.Send(i)
			ch.Recv()
		}
	}, real: func(n int) {
		ch := make(chan int, 1)
		for i := range n {
			ch <- i
			<-ch
		}
	}},
	{name: "SendRecvUnbuffered", body: func(n int) {
		ch := model.NewChan[int](0)
		model.Go(func() {
			for i := range n {
				ch.Send(i)
			}
		})
		for range n {
			ch.Recv()
		}
	}, real: func(n int) {
		ch := make(chan int)
		go func() {
			for i := range n {
				ch <- i
			}
		}()
		for range n {
			<-ch
		}
	}},
	{name: "SelectSendSelectRecv", body: func(n int) {
		ch, never := model.NewChan[int](1), model.NewChan[int](0)
		var v int
		for range n {
			model.Select(ch.SendCase(7), never.RecvCase(&v))
			model.Select(never.SendCase(7), ch.RecvCase(&v))
		}
	}, real: func(n int) {
		ch, never := make(chan int, 1), make(chan int)
		for range n {
			select {
			case ch <- 7:
			case <-never:
			}
			select {
			case never <- 7:
			case <-ch:
			}
		}
	}},
	{name: "TrySelect", body: func(n int) {
		never := model.NewChan[int](0)
		for range n {
			model.TrySelect(never.RecvCase(nil))
		}
	}, real: func(n int) {
		never := make(chan int)
		for range n {
			select {
			case <-never:
			default:
			}
		}
	}},
	{name: "Len", body: func(n int) {
		ch := model.NewChan[int](1)
		for range n {
			ch.Len()
		}
	}, real: func(n int) {
		ch := make(chan int, 1)
		for range n {
			_ = len(ch)
		}
	}},
	{name: "MakeClose", body: func(n int) {
		for range n {
			model.NewChan[int](1).Close()
		}
	}, real: func(n int) {
		for range n {
			close(make(chan int, 1))
		}
	}, allocates: true},
	{name: "Go", body: func(n int) {
		for range n {
			model.Go(func() {})
		}
	}, real: func(n int) {
		for range n {
			go func() {}()
		}
	}, allocates: true},
	{name: "Choose", body: func(n int) {
		for range n {
			model.Choose(2)
		}
	}},
	{name: "ContextErr", body: func(n int) {
		ctx, cancel := model.WithCancel(model.Background())
		for range n {
			_ = ctx.Err()
		}
		cancel()
	}, real: func(n int) {
		ctx, cancel := context.WithCancel(context.Background())
		for range n {
			_ = ctx.Err()
		}
		cancel()
	}},
	{name: "WithCancelCancel", body: func(n int) {
		for range n {
			_, cancel := model.WithCancel(model.Background())
			cancel()
		}
	}, real: func(n int) {
		for range n {
			_, cancel := context.WithCancel(context.Background())
			cancel()
		}
	}, allocates: true},
	{name: "ContextValue", body: func(n int) {
		ctx := model.WithValue(model.WithValue(model.Background(), ctxKey(1), 2), ctxKey(3), 4)
		for range n {
			ctx.Value(ctxKey(1))
		}
	}, real: func(n int) {
		ctx := context.WithValue(context.WithValue(context.Background(), ctxKey(1), 2), ctxKey(3), 4)
		for range n {
			ctx.Value(ctxKey(1))
		}
	}},
	{name: "ContextAfterFuncStop", body: func(n int) {
		ctx, cancel := model.WithCancel(model.Background())
		for range n {
			model.ContextAfterFunc(ctx, func() {})()
		}
		cancel()
	}, real: func(n int) {
		ctx, cancel := context.WithCancel(context.Background())
		for range n {
			context.AfterFunc(ctx, func() {})()
		}
		cancel()
	}, allocates: true},
	{name: "WithTimeoutCancel", body: func(n int) {
		for range n {
			_, cancel := model.WithTimeout(model.Background(), time.Hour)
			cancel()
		}
	}, real: func(n int) {
		for range n {
			_, cancel := context.WithTimeout(context.Background(), time.Hour)
			cancel()
		}
	}, allocates: true},
	{name: "Now", body: func(n int) {
		for range n {
			model.Now()
		}
	}, real: func(n int) {
		for range n {
			_ = time.Now()
		}
	}},
	{name: "Sleep", body: func(n int) {
		for range n {
			model.Sleep(time.Nanosecond)
		}
	}, real: func(n int) {
		for range n {
			time.Sleep(time.Nanosecond)
		}
	}},
	{name: "Tick", body: func(n int) {
		t := model.NewTicker(1)
		for range n {
			t.C.Recv()
		}
		t.Stop()
	}, real: func(n int) {
		t := time.NewTicker(1)
		for range n {
			<-t.C
		}
		t.Stop()
	}},
	{name: "TickerStopReset", body: func(n int) {
		t := model.NewTicker(time.Hour)
		for range n {
			t.Stop()
			t.Reset(time.Hour)
		}
		t.Stop()
	}, real: func(n int) {
		t := time.NewTicker(time.Hour)
		for range n {
			t.Stop()
			t.Reset(time.Hour)
		}
		t.Stop()
	}},
	{name: "TimerStopReset", body: func(n int) {
		t := model.NewTimer(time.Hour)
		for range n {
			t.Stop()
			t.Reset(time.Hour)
		}
		t.Stop()
	}, real: func(n int) {
		t := time.NewTimer(time.Hour)
		for range n {
			t.Stop()
			t.Reset(time.Hour)
		}
		t.Stop()
	}},
	{name: "GroupGoWait", body: func(n int) {
		var g model.Group
		for range n {
			g.Go(func() error { return nil })
			_ = g.Wait()
		}
	}, real: func(n int) {
		var g errgroup.Group
		for range n {
			g.Go(func() error { return nil })
			_ = g.Wait()
		}
	}, allocates: true},
	{name: "SemaphoreAcquireRelease", body: func(n int) {
		s, ctx := model.NewSemaphore(1), model.Background()
		for range n {
			_ = s.Acquire(ctx, 1)
			s.Release(1)
		}
	}, real: func(n int) {
		s, ctx := semaphore.NewWeighted(1), context.Background()
		for range n {
			_ = s.Acquire(ctx, 1)
			s.Release(1)
		}
	}},
}

// cond is what model.Cond and sync.Cond have in common.
type cond interface {
	Wait()
	Signal()
}

// waitSignal hands a turn to another goroutine and back n times.
func waitSignal(n int, mu sync.Locker, newCond func(sync.Locker) cond, start func(func())) {
	c, turn := newCond(mu), 0
	play := func(mine int) {
		mu.Lock()
		defer mu.Unlock()
		for range n {
			for turn != mine {
				c.Wait()
			}
			turn = 1 - mine
			c.Signal()
		}
	}
	start(func() { play(1) })
	play(0)
}

func lockUnlock(n int, l sync.Locker) {
	count := 0
	for range n {
		l.Lock()
		count++
		l.Unlock()
	}
}
