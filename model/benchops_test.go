package model_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
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
		var mu model.Mutex
		lockUnlock(n, &mu)
	}, real: func(n int) {
		var mu sync.Mutex
		lockUnlock(n, &mu)
	}},
	{name: "RLockRUnlock", body: func(n int) {
		var mu model.RWMutex
		lockUnlock(n, mu.RLocker())
	}, real: func(n int) {
		var mu sync.RWMutex
		lockUnlock(n, mu.RLocker())
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

func lockUnlock(n int, l sync.Locker) {
	count := 0
	for range n {
		l.Lock()
		count++
		l.Unlock()
	}
}
