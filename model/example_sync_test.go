package model_test

import (
	"fmt"

	"github.com/modelcheck-go/modelcheck/model"
)

func ExampleCond() {
	var (
		mu    model.Mutex
		ready bool
		wg    model.WaitGroup
	)
	c := model.NewCond(&mu)
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		for !ready { // Wait may return late, so the condition is looked at again
			c.Wait()
		}
		fmt.Println("ready")
	})
	mu.Lock()
	ready = true
	mu.Unlock()
	c.Broadcast()
	wg.Wait()
	// Output: ready
}

func ExampleRWMutex_RLocker() {
	var rw model.RWMutex
	read := func(l model.Locker) string {
		l.Lock()
		defer l.Unlock()
		return "read"
	}
	fmt.Println(read(rw.RLocker()))
	// Output: read
}

func ExampleOnceValue() {
	config := model.OnceValue(func() string {
		fmt.Println("loading")
		return "v1"
	})
	fmt.Println(config(), config())
	// Output:
	// loading
	// v1 v1
}

func ExampleOnceFunc() {
	stop := model.OnceFunc(func() { fmt.Println("stopping") })
	stop()
	stop()
	// Output: stopping
}

func ExampleOnceValues() {
	divide := model.OnceValues(func() (int, error) { return 7 / 2, nil })
	fmt.Println(divide())
	fmt.Println(divide())
	// Output:
	// 3 <nil>
	// 3 <nil>
}

func ExampleInt64() {
	var (
		hits model.Int64
		wg   model.WaitGroup
	)
	for range 10 {
		wg.Go(func() { hits.Add(1) })
	}
	wg.Wait()
	fmt.Println(hits.Load())
	// Output: 10
}

func ExampleInt32() {
	// A one-shot: whoever swaps first wins.
	var state model.Int32
	fmt.Println(state.CompareAndSwap(0, 1), state.CompareAndSwap(0, 1))
	// Output: true false
}

func ExampleUint32() {
	var flags model.Uint32
	flags.Or(6)
	fmt.Println(flags.And(3), flags.Load())
	// Output: 6 2
}

func ExampleUint64() {
	var n model.Uint64
	n.Store(5)
	fmt.Println(n.Add(^uint64(0))) // subtracts 1
	// Output: 4
}

func ExampleBool() {
	var closed model.Bool
	fmt.Println(closed.Swap(true), closed.Load())
	// Output: false true
}

func ExamplePointer() {
	type config struct{ name string }
	var current model.Pointer[config]
	current.Store(&config{"old"})
	current.Store(&config{"new"})
	fmt.Println(current.Load().name)
	// Output: new
}

func ExampleValue() {
	var current model.Value
	fmt.Println(current.Load())
	current.Store("on")
	fmt.Println(current.Load())
	// Output:
	// <nil>
	// on
}

func ExampleShared() {
	// A variable that everybody writes without a lock: in a controlled run updates
	// are lost in some schedules, and natively the race detector reports it. With
	// the lock it is fine.
	var (
		n  model.Shared[int]
		mu model.Mutex
		wg model.WaitGroup
	)
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			n.Update(func(n int) int { return n + 1 })
		})
	}
	wg.Wait()
	fmt.Println(n.Get())
	// Output: 3
}

func ExampleMap() {
	var sessions model.Map
	fmt.Println(sessions.LoadOrStore("alice", 1))
	fmt.Println(sessions.LoadOrStore("alice", 2))
	sessions.Range(func(key, value any) bool {
		fmt.Println(key, value)
		return true
	})
	fmt.Println(sessions.LoadAndDelete("alice"))
	// Output:
	// 1 false
	// 1 true
	// alice 1
	// 1 true
}

func ExamplePool() {
	buffers := model.Pool{New: func() any { return new([]byte) }}
	b := buffers.Get().(*[]byte)
	*b = append((*b)[:0], "text"...)
	fmt.Println(string(*b))
	buffers.Put(b)
	// Output: text
}

func ExampleGroup() {
	g, ctx := model.NewGroup(model.Background())
	g.SetLimit(2)
	for i := range 3 {
		g.Go(func() error {
			if i == 1 {
				return fmt.Errorf("part %d failed", i)
			}
			return nil
		})
	}
	fmt.Println(g.Wait())
	fmt.Println(ctx.Err(), "-", model.Cause(ctx))
	// Output:
	// part 1 failed
	// context canceled - part 1 failed
}

func ExampleSemaphore() {
	slots := model.NewSemaphore(2)
	ctx, cancel := model.WithCancel(model.Background())
	fmt.Println(slots.Acquire(ctx, 2))
	fmt.Println(slots.TryAcquire(1))
	cancel()
	fmt.Println(slots.Acquire(ctx, 1))
	slots.Release(2)
	fmt.Println(slots.TryAcquire(1))
	// Output:
	// <nil>
	// false
	// context canceled
	// true
}

func ExampleGroup_TryGo() {
	var g model.Group
	g.SetLimit(1)
	hold := model.NewChan[int](0)
	fmt.Println(g.TryGo(func() error { hold.Recv(); return nil }))
	fmt.Println(g.TryGo(func() error { return nil })) // there is no room
	hold.Close()
	fmt.Println(g.Wait())
	// Output:
	// true
	// false
	// <nil>
}

func ExampleCond_Signal() {
	// Signal wakes the goroutine that has waited longest; with one Cond for all that
	// wait that is right only if each of them can use what it is woken for.
	var (
		mu    model.Mutex
		queue []int
		wg    model.WaitGroup
	)
	c := model.NewCond(&mu)
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		for len(queue) == 0 {
			c.Wait()
		}
		fmt.Println("got", queue[0])
	})
	mu.Lock()
	queue = append(queue, 7)
	c.Signal()
	mu.Unlock()
	wg.Wait()
	// Output: got 7
}

func ExampleMap_LoadOrStore() {
	var m model.Map
	fmt.Println(m.LoadOrStore("leader", "a"))
	fmt.Println(m.LoadOrStore("leader", "b"))
	// Output:
	// a false
	// a true
}

func ExampleWaitGroup_Go() {
	var wg model.WaitGroup
	var sum model.Int64
	for i := range 4 {
		wg.Go(func() { sum.Add(int64(i)) })
	}
	wg.Wait()
	fmt.Println(sum.Load())
	// Output: 6
}

func ExampleNewGroup() {
	g, ctx := model.NewGroup(model.Background())
	g.Go(func() error {
		ctx.Done().Recv() // another one has failed: its result is of no use any more
		return ctx.Err()
	})
	g.Go(func() error { return fmt.Errorf("no route") })
	fmt.Println(g.Wait())
	// Output: no route
}
