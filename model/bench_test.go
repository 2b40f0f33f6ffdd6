package model_test

import (
	"context"
	"sync"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// perOperation are bodies that repeat one operation or pair n times.
var perOperation = []struct {
	name string
	body func(n int)
}{
	{"Gosched", func(n int) {
		for range n {
			model.Gosched()
		}
	}},
	{"LockUnlock", func(n int) {
		var mu model.Mutex
		count := 0
		for range n {
			mu.Lock()
			count++
			mu.Unlock()
		}
	}},
	{"RLockRUnlock", func(n int) {
		var mu model.RWMutex
		count := 0
		for range n {
			mu.RLock()
			count++
			mu.RUnlock()
		}
	}},
	{"AddDone", func(n int) {
		var wg model.WaitGroup
		for range n {
			wg.Add(1)
			wg.Done()
		}
	}},
	{"SendRecvBuffered", func(n int) {
		ch := model.NewChan[int](1)
		for i := range n {
			ch.Send(i)
			ch.Recv()
		}
	}},
	{"SendRecvUnbuffered", func(n int) {
		ch := model.NewChan[int](0)
		model.Go(func() {
			for i := range n {
				ch.Send(i)
			}
		})
		for range n {
			ch.Recv()
		}
	}},
	{"SelectSendSelectRecv", func(n int) {
		ch, never := model.NewChan[int](1), model.NewChan[int](0)
		var v int
		for range n {
			model.Select(ch.SendCase(7), never.RecvCase(&v))
			model.Select(never.SendCase(7), ch.RecvCase(&v))
		}
	}},
	{"TrySelect", func(n int) {
		never := model.NewChan[int](0)
		for range n {
			model.TrySelect(never.RecvCase(nil))
		}
	}},
	{"Choose", func(n int) {
		for range n {
			model.Choose(2)
		}
	}},
	{"ContextErr", func(n int) {
		ctx, _ := model.WithCancel(model.Background())
		for range n {
			_ = ctx.Err()
		}
	}},
}

// onward keeps the running goroutine running.
type onward struct{}

func (onward) Pick(p *sched.Point) sched.Choice { return p.Default() }

// BenchmarkControlled is the time per operation under control, without a choice
// of its own to make.
func BenchmarkControlled(b *testing.B) {
	for _, op := range perOperation {
		b.Run(op.name, func(b *testing.B) {
			b.ReportAllocs()
			e := sched.New(sched.Config{MaxSteps: 1 << 62})
			defer e.Close()
			e.Run(func() { op.body(b.N) }, onward{}, sched.RunOptions{})
		})
	}
}

// BenchmarkNative is the same outside a controlled run.
func BenchmarkNative(b *testing.B) {
	for _, op := range perOperation {
		b.Run(op.name, func(b *testing.B) {
			b.ReportAllocs()
			op.body(b.N)
		})
	}
}

// BenchmarkReal is what the native numbers have to be compared with.
func BenchmarkReal(b *testing.B) {
	b.Run("LockUnlock", func(b *testing.B) {
		var mu sync.Mutex
		count := 0
		for range b.N {
			mu.Lock()
			count++
			mu.Unlock()
		}
	})
	b.Run("SendRecvBuffered", func(b *testing.B) {
		ch := make(chan int, 1)
		for i := range b.N {
			ch <- i
			<-ch
		}
	})
	b.Run("TrySelect", func(b *testing.B) {
		ch := make(chan int)
		for range b.N {
			select {
			case <-ch:
			default:
			}
		}
	})
	b.Run("ContextErr", func(b *testing.B) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		for range b.N {
			_ = ctx.Err()
		}
	})
}
