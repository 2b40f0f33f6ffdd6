package hard

import (
	"context"
	"errors"
	"math/rand"
	randv2 "math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

type guarded struct {
	sync.RWMutex
	m map[string]int
}

type locked interface {
	sync.Locker
	RLock()
	RUnlock()
}

func with(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

func TestEmbeddedLocks(t *testing.T) {
	g := &guarded{m: map[string]int{}}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			with(g, func() { g.m["a"] += i + 1 })
		}()
	}
	wg.Wait()
	var l locked = g
	l.RLock()
	want(t, g.m["a"], 3)
	l.RUnlock()
	lock, unlock := g.Lock, g.Unlock // method values
	lock()
	want(t, g.TryLock(), false)
	want(t, g.TryRLock(), false)
	unlock()
	r := g.RLocker()
	with(r, func() { want(t, g.TryLock(), false) })
	var mu sync.Mutex
	want(t, mu.TryLock(), true)
	mu.Unlock()
	copied := guarded{}
	copied.Lock()
	copied.Unlock()
	wg.Go(func() { copied.RLock(); copied.RUnlock() })
	wg.Wait()
}

func TestCondOncePool(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := 0
	for range 2 {
		go func() {
			mu.Lock()
			ready++
			c.Signal()
			mu.Unlock()
		}()
	}
	mu.Lock()
	for ready < 2 {
		c.Wait()
	}
	mu.Unlock()
	var once sync.Once
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { once.Do(func() { n++ }) })
	}
	wg.Wait()
	want(t, n, 1)
	want(t, sync.OnceValue(func() int { return 4 })(), 4)
	p := sync.Pool{New: func() any { return 1 }}
	p.Put(1)
	want(t, p.Get(), any(1))
	var m sync.Map
	m.Store("a", 1)
	v, ok := m.Load("a")
	want(t, v, any(1))
	want(t, ok, true)
}

func TestAtomics(t *testing.T) {
	var n int32
	var m atomic.Int64
	var p atomic.Pointer[int]
	var flag uint32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			atomic.AddInt32(&n, 2)
			m.Add(3)
			for {
				old := atomic.LoadUint32(&flag)
				if atomic.CompareAndSwapUint32(&flag, old, old+1) {
					return
				}
			}
		})
	}
	wg.Wait()
	want(t, atomic.LoadInt32(&n), 4)
	want(t, m.Load(), 6)
	want(t, flag, 2)
	x := 1
	p.Store(&x)
	want(t, *p.Load(), 1)
	want(t, atomic.SwapInt32(&n, 9), 4)
	want(t, atomic.CompareAndSwapInt32(&n, 1, 2), false)
	want(t, n, 9)
}

func TestTime(t *testing.T) {
	start := time.Now()
	time.Sleep(20 * time.Millisecond)
	want(t, time.Since(start) >= 20*time.Millisecond, true)
	<-time.After(time.Millisecond)
	timer := time.NewTimer(time.Hour)
	want(t, timer.Stop() || true, true) // may fire at any moment under control
	timer.Reset(time.Millisecond)
	<-timer.C
	ticker := time.NewTicker(time.Millisecond)
	<-ticker.C
	<-ticker.C
	ticker.Stop()
	done := make(chan bool)
	time.AfterFunc(time.Millisecond, func() { close(done) })
	select {
	case <-done:
	}
	want(t, time.Duration(1500)*time.Millisecond, 1500*time.Millisecond)
	want(t, time.Date(2000, time.March, 1, 0, 0, 0, 0, time.UTC).Weekday(), time.Wednesday)
	runtime.Gosched()
	yield := runtime.Gosched
	yield()
}

type named struct {
	context.Context
	name string
}

type key int

func TestContexts(t *testing.T) {
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key(1), "v"))
	child, cancelChild := context.WithTimeout(named{ctx, "n"}, time.Hour)
	defer cancelChild()
	go cancel()
	<-ctx.Done()
	<-child.Done()
	want(t, ctx.Err(), context.Canceled)
	want(t, child.Value(key(1)), any("v"))
	want(t, context.WithoutCancel(child).Err(), nil)
	short, stop := context.WithTimeout(context.Background(), time.Millisecond)
	defer stop()
	<-short.Done()
	want(t, errors.Is(short.Err(), context.DeadlineExceeded), true)
	because, fail := context.WithCancelCause(t.Context())
	cause := errors.New("cause")
	after := make(chan bool)
	context.AfterFunc(because, func() { close(after) })
	fail(cause)
	<-after
	want(t, context.Cause(because), cause)
	select {
	case <-because.Done():
	default:
		t.Error("not done")
	}
	var none context.Context = context.TODO()
	want(t, none.Done() == nil, true)
	want(t, ctx.Done() == ctx.Done(), true)
}

var (
	queued = make(chan int, 2)
	gone   = make(chan bool)
	global sync.Mutex
	onces  sync.Once
	times  int
)

func init() {
	queued <- 1
	close(gone)
	global.Lock()
	global.Unlock()
	onces.Do(func() { times++ })
}

// What was made before the test is the same at the begin of every run.
func TestStateFromInit(t *testing.T) {
	want(t, len(queued), 1)
	queued <- 2
	want(t, <-queued, 1)
	want(t, <-queued, 2)
	_, ok := <-gone
	want(t, ok, false)
	global.Lock()
	defer global.Unlock()
	onces.Do(func() { times++ })
	want(t, times, 1)
	queued <- 1 // for the next native run
}

type ids map[[2]int]string

func TestMapsAndRandomNumbers(t *testing.T) {
	m := ids{{1, 2}: "b", {0, 5}: "a", {1, 3}: "c"}
	n, all := 0, ""
	for k, v := range m {
		n += k[1]
		all += v
		if v == "a" {
			delete(m, k)
		}
	}
	want(t, n, 10)
	want(t, len(all), 3)
	for k := range m {
		want(t, k[0], 1)
	}
	var k [2]int
	var v string
	for k, v = range m {
		if v == "c" {
			break
		}
	}
	want(t, k[1], 3)
	turns := 0
loop:
	for range map[string]int{"x": 1, "y": 2} {
		for range m {
			turns++
			continue loop
		}
	}
	want(t, turns, 2)
	func() {
		for k := range map[any]int{1: 1, "y": 2} {
			defer func() { turns++ }()
			_ = k
		}
		want(t, turns, 2)
	}()
	want(t, turns, 4)
	want(t, rand.Intn(10) < 10, true)
	want(t, rand.New(rand.NewSource(1)).Intn(100), 81)
	want(t, randv2.N(5) < 5, true)
	want(t, len(randv2.Perm(3)), 3)
}
