package hard

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestGoto(t *testing.T) {
	c := make(chan int, 3)
	i := 0
again:
	if i < 3 {
		c <- i
		i++
		goto again
	}
	n := 0
	for {
		select {
		case v := <-c:
			n += v
			if v == 2 {
				goto done
			}
		}
	}
done:
	want(t, n, 3)
}

func TestLabelledRangeChan(t *testing.T) {
	c := make(chan int, 5)
	for i := range 5 {
		c <- i
	}
	close(c)
	n := 0
L:
	for v := range c {
		switch v {
		case 1:
			continue L
		case 4:
			break L
		}
		select {
		default:
			n += v
		}
	}
	want(t, n, 5)
}

func sequence(c <-chan int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for v := range c {
			if !yield(v) {
				return
			}
		}
	}
}

func TestRangeFunc(t *testing.T) {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range 4 {
			c <- i
		}
	}()
	sum := 0
	for v := range sequence(c) {
		if v == 1 {
			continue
		}
		defer func() { sum += v }()
		sum += v
	}
	want(t, sum, 5)
}

func digits(c <-chan int) (r int) {
	for v := range sequence(c) {
		for w := range sequence(c) {
			select {
			case x := <-c:
				return v*100 + w*10 + x
			}
		}
	}
	return -1
}

func TestRangeFuncReturn(t *testing.T) {
	c := make(chan int, 5)
	c <- 1
	c <- 2
	c <- 3
	want(t, digits(c), 123)
}

type within struct{ C chan int }
type around struct {
	within
	*sync.Mutex
	sync.WaitGroup
}

func TestEmbeddedChan(t *testing.T) {
	o := around{within{make(chan int, 1)}, new(sync.Mutex), sync.WaitGroup{}}
	o.C <- 1
	o.Lock()
	want(t, <-o.C, 1)
	o.Unlock()
	o.Add(1)
	go o.Done()
	o.Wait()
	o.Go(func() { o.C <- 4 })
	o.Wait()
	want(t, <-o.within.C, 4)
}

type chanT[T any] chan T

func (c chanT[T]) Put(v T) { c <- v }
func (c chanT[T]) Get() T  { return <-c }
func (c chanT[T]) All() iter.Seq[T] {
	return func(y func(T) bool) {
		for v := range c {
			if !y(v) {
				return
			}
		}
	}
}
func (c chanT[T]) TryGet() (v T, ok bool) {
	select {
	case v, ok = <-c:
	default:
	}
	return
}

func TestGenericNamed(t *testing.T) {
	c := make(chanT[string], 2)
	c.Put("a")
	c.Put("b")
	want(t, c.Get(), "a")
	close(c)
	for v := range c.All() {
		want(t, v, "b")
	}
	_, ok := c.TryGet()
	want(t, ok, false)
	put := chanT[string].Put
	d := make(chanT[string], 1)
	go put(d, "z")
	want(t, d.Get(), "z")
	get := d.Get
	go d.Put("y")
	want(t, get(), "y")
}

type recvable[T any] interface{ ~chan T | ~<-chan T }
type sendable[T any] interface{ ~chan T | ~chan<- T }

func fanIn[C recvable[T], T any](cs ...C) []T {
	var out []T
	for _, c := range cs {
		for v := range c {
			out = append(out, v)
		}
	}
	return out
}

func sendAll[C sendable[T], T any](c C, vs ...T) {
	for _, v := range vs {
		select {
		case c <- v:
		}
	}
	close(c)
}

func lenOf[C recvable[T], T any](c C) (int, int) { return len(c), cap(c) }

func TestConstraints(t *testing.T) {
	a, b := make(chan int, 4), make(chan int)
	sendAll(a, 1, 2)
	go sendAll((chan<- int)(b), 3)
	l, k := lenOf(a)
	want(t, l, 2)
	want(t, k, 4)
	all := fanIn((<-chan int)(a), b)
	want(t, len(all), 3)
	want(t, all[2], 3)
}

func TestMethodExprs(t *testing.T) {
	var mu sync.Mutex
	lock, unlock := (*sync.Mutex).Lock, (*sync.Mutex).Unlock
	lock(&mu)
	want(t, mu.TryLock(), false)
	unlock(&mu)
	var l sync.Locker = &mu
	f := l.Lock
	f()
	defer l.Unlock()
	var wg sync.WaitGroup
	wg.Add(1)
	go wg.Done()
	w := wg.Wait
	w()
	g := sync.Locker.Lock
	var m2 sync.Mutex
	g(&m2)
	m2.Unlock()
}

func TestDeferOps(t *testing.T) {
	c := make(chan int, 3)
	func() {
		defer func(v int) { c <- v }(1)
		defer close(make(chan int))
		defer fmt.Fprint(io.Discard, func() int { c <- 2; return 1 }())
	}()
	want(t, <-c, 2)
	want(t, <-c, 1)
	var mu sync.Mutex
	func() { mu.Lock(); defer mu.Unlock() }()
	want(t, mu.TryLock(), true)
	mu.Unlock()
}

func TestRecover(t *testing.T) {
	c := make(chan int)
	close(c)
	var err error
	func() {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("caught %v", r)
			}
		}()
		c <- 1
	}()
	want(t, fmt.Sprint(err), "caught send on closed channel")
	var re runtime.Error
	func() {
		defer func() { re, _ = recover().(runtime.Error) }()
		close(c)
	}()
	want(t, re != nil, true)
	func() {
		defer func() { want(t, fmt.Sprint(recover()), "sync: negative WaitGroup counter") }()
		var wg sync.WaitGroup
		wg.Done()
	}()
}

func TestPanicInGoroutineRecovered(t *testing.T) {
	errs := make(chan error, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				errs <- fmt.Errorf("%v", v)
			}
		}()
		panic("boom")
	}()
	want(t, (<-errs).Error(), "boom")
}

func TestGoexit(t *testing.T) {
	done := make(chan string, 2)
	go func() {
		defer func() { done <- "end" }()
		defer func() { want(t, recover(), nil) }()
		func() {
			runtime.Goexit()
		}()
		done <- "not reached"
	}()
	want(t, <-done, "end")
	want(t, len(done), 0)
	var wg sync.WaitGroup
	wg.Go(func() { runtime.Goexit() })
	wg.Wait()
	var mu sync.Mutex
	c := make(chan int)
	go func() {
		mu.Lock()
		defer mu.Unlock()
		defer close(c)
		runtime.Goexit()
	}()
	<-c
	mu.Lock()
	mu.Unlock()
	var once sync.Once
	go func() {
		defer func() { done <- "once" }()
		once.Do(runtime.Goexit)
	}()
	<-done
	once.Do(func() { t.Error("again") })
}

func TestIoPipe(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		fmt.Fprintln(w, "one")
		fmt.Fprintln(w, "two")
		w.Close()
	}()
	var lines []string
	s := bufio.NewScanner(r)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	want(t, strings.Join(lines, ","), "one,two")
	r2, w2 := io.Pipe()
	go io.Copy(w2, strings.NewReader("abc"))
	var buf [2]byte
	n, err := io.ReadFull(r2, buf[:])
	want(t, n, 2)
	want(t, err, nil)
	r2.CloseWithError(errors.New("enough"))
	_, err = w2.Write([]byte("x"))
	want(t, err.Error(), "enough")
	var p *io.PipeReader = r
	p.Close()
}

func TestNumGoroutine(t *testing.T) {
	c := make(chan int)
	go func() { <-c }()
	want(t, runtime.NumGoroutine() >= 2, true)
	close(c)
}

func TestIterPull(t *testing.T) {
	c := make(chan int, 3)
	c <- 1
	c <- 2
	close(c)
	next, stop := iter.Pull(sequence(c))
	defer stop()
	v, ok := next()
	want(t, v, 1)
	want(t, ok, true)
	v, _ = next()
	want(t, v, 2)
	_, ok = next()
	want(t, ok, false)
}

func TestBytesLog(t *testing.T) {
	var buf bytes.Buffer
	l := log.New(&buf, "p ", 0)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { l.Print(i) })
	}
	wg.Wait()
	want(t, len(buf.String()), 8)
	fmt.Fprintln(io.Discard, &wg)
}

func TestCtxCause(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("slow"))
	defer cancel()
	<-ctx.Done()
	want(t, context.Cause(ctx).Error(), "slow")
	d, ok := ctx.Deadline()
	want(t, ok, true)
	want(t, !time.Now().Before(d), true)
}

func TestMapsPkg(t *testing.T) {
	m := map[string]chan int{"a": make(chan int, 1), "b": nil}
	keys := slices.Sorted(maps.Keys(m))
	want(t, strings.Join(keys, ""), "ab")
	for k, c := range m {
		if k == "a" {
			c <- 1
		}
	}
	want(t, len(m["a"]), 1)
	var sm sync.Map
	for k, v := range m {
		sm.Store(k, v)
	}
	n := 0
	sm.Range(func(k, v any) bool { n++; return true })
	want(t, n, 2)
	_, loaded := sm.LoadOrStore("z", 1)
	want(t, loaded, false)
	_, loaded = sm.LoadAndDelete("z")
	want(t, loaded, true)
	sm.Clear()
	type st struct{ a, b int }
	x := map[st]int{{1, 2}: 1}
	for k := range x {
		want(t, k, st{1, 2})
	}
	_ = cmp.Compare(1, 2)
}

func TestAtomicValue(t *testing.T) {
	var v atomic.Value
	v.Store([]int{1})
	want(t, v.Load().([]int)[0], 1)
	var b atomic.Bool
	var wg sync.WaitGroup
	wins := atomic.Int32{}
	for range 3 {
		wg.Go(func() {
			if b.CompareAndSwap(false, true) {
				wins.Add(1)
			}
		})
	}
	wg.Wait()
	want(t, wins.Load(), 1)
	var u atomic.Uint64
	want(t, u.Or(6), 0)
	want(t, u.And(3), 6)
	want(t, u.Load(), 2)
	var arr [3]atomic.Int64
	arr[1].Add(2)
	want(t, arr[1].Load(), 2)
	type node struct{ next atomic.Pointer[int] }
	nn := &node{}
	want(t, nn.next.Load() == nil, true)
	want(t, nn.next.CompareAndSwap(nil, new(int)), true)
}

func TestAnyChan(t *testing.T) {
	var x any = make(chan int, 1)
	switch c := x.(type) {
	case <-chan int:
		t.Error("recv only")
	case chan int:
		c <- 3
		want(t, <-c, 3)
	}
	var recv <-chan int = x.(chan int)
	x = recv
	_, ok := x.(<-chan int)
	want(t, ok, true)
	want(t, fmt.Sprintf("%T", x), "<-chan int")
}

func TestChanOfFunc(t *testing.T) {
	reqs := make(chan func(), 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for f := range reqs {
			f()
		}
	}()
	n := 0
	reqs <- func() { n++ }
	reqs <- func() { n++ }
	close(reqs)
	<-done
	want(t, n, 2)
	chs := [...]chan int{make(chan int, 1), make(chan int, 1)}
	for i := range chs {
		chs[i] <- i
	}
	for i, c := range chs {
		want(t, <-c, i)
	}
	var ro [2]<-chan int
	for i := range ro {
		ro[i] = chs[i]
	}
	chs[1] <- 5
	select {
	case v := <-ro[0]:
		t.Error(v)
	case v := <-ro[1]:
		want(t, v, 5)
	}
}

func TestTimerLoop(t *testing.T) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	stop := time.After(5 * time.Millisecond)
	n := 0
	for n < 3 {
		select {
		case <-tick.C:
			n++
		case <-stop:
			n = 3
		}
	}
	tm := time.AfterFunc(time.Hour, func() {})
	want(t, tm.C == nil, true)
	tm.Stop()
	timer := time.NewTimer(0)
	<-timer.C
	want(t, timer.Reset(time.Hour), false)
	timer.Stop()
	for range time.Tick(time.Millisecond) {
		break
	}
	var tt *time.Timer = time.NewTimer(1)
	ch := tt.C
	<-ch
}

func TestCloseOnce(t *testing.T) {
	var once sync.Once
	c := make(chan struct{})
	stop := sync.OnceFunc(func() { close(c) })
	for range 2 {
		go once.Do(func() { stop() })
		go stop()
	}
	<-c
	v, err := sync.OnceValues(func() (int, error) { return 1, nil })()
	want(t, v, 1)
	want(t, err, nil)
}

func TestIfInit(t *testing.T) {
	c := make(chan int, 2)
	c <- 1
	c <- 2
	if v, ok := <-c; !ok || v != 1 {
		t.Error(v)
	} else if v := <-c; v != 2 {
		t.Error(v)
	}
	switch c <- 5; {
	case len(c) == 1:
	default:
		t.Error("len")
	}
	for v, ok := <-c; ok && v > 0; v, ok = func() (int, bool) {
		select {
		case v := <-c:
			return v, true
		default:
			return 0, false
		}
	}() {
		want(t, v, 5)
	}
	var e1, e2 = <-of(1), <-of(2)
	want(t, e1+e2, 3)
	arr := []int{<-of(1), 1: <-of(4)}
	want(t, arr[1], 4)
	m := map[int]int{<-of(1): <-of(2)}
	want(t, m[1], 2)
	s := struct{ a, b int }{a: <-of(3), b: 1}
	want(t, s.a, 3)
	x := -<-of(1)
	want(t, x, -1)
	x += <-of(10)
	want(t, x, 9)
	arr[<-of(0)]++
	want(t, arr[0], 2)
	p := &[]int{1}
	(*p)[0] = <-of(7)
	want(t, (*p)[<-of(0)], 7)
	want(t, (<-of(1))+(<-of(2))*<-of(3), 7)
	f := func(vs ...int) int { return len(vs) }
	want(t, f(<-of(1), <-of(2)), 2)
	want(t, func() int { return <-of(9) }(), 9)
	b := <-ofBool(true) && !<-ofBool(false) || <-ofBool(true)
	want(t, b, true)
	<-of(1)
	<-of(2)
}

func ofBool(b bool) chan bool { c := make(chan bool, 1); c <- b; return c }
func of(n int) <-chan int     { c := make(chan int, 1); c <- n; return c }

func TestSendExprs(t *testing.T) {
	c := make(chan any, 10)
	d := make(chan int, 10)
	c <- func() {}
	c <- struct{}{}
	c <- [2]int{1, 2}
	c <- &d
	c <- map[string]int{"a": 1}
	c <- 'x'
	c <- 1.5
	c <- nil
	d <- 1<<3 | 2
	d <- -1
	d <- len(c)
	d <- <-of(4) + <-of(1)
	want(t, <-d, 10)
	want(t, <-d, -1)
	want(t, <-d, 8)
	want(t, <-d, 5)
	var i8 = make(chan int8, 1)
	i8 <- 'a'
	want(t, <-i8, 97)
	e := make(chan error, 2)
	var perr *os.PathError
	e <- perr
	want(t, (<-e) == nil, false)
	e <- io.EOF
	want(t, errors.Is(<-e, io.EOF), true)
	r := make(chan io.Reader, 1)
	r <- strings.NewReader("x")
	_, isSR := (<-r).(*strings.Reader)
	want(t, isSR, true)
	var big uint8 = 3
	sh := make(chan uint64, 1)
	sh <- 1 << big
	want(t, <-sh, 8)
	fl := make(chan float32, 1)
	fl <- 1
	want(t, <-fl, 1)
	bo := make(chan myBool, 2)
	bo <- 1 < 2
	bo <- len(c) == 8
	want(t, bool(<-bo), true)
}

type myBool bool

func TestCond(t *testing.T) {
	var mu sync.RWMutex
	c := sync.NewCond(mu.RLocker())
	n := 0
	go func() { mu.Lock(); n = 1; mu.Unlock(); c.Broadcast() }()
	c.L.Lock()
	for n == 0 {
		c.Wait()
	}
	c.L.Unlock()
	type q struct {
		sync.Cond
		mu sync.Mutex
	}
	var x q
	x.L = &x.mu
	x.L.Lock()
	go x.Signal()
	x.L.Unlock()
}

func TestPullModes(t *testing.T) {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range 3 {
			c <- i
		}
	}()
	next, stop := iter.Pull2(func(yield func(int, int) bool) {
		i := 0
		for v := range c {
			if !yield(i, v) {
				for range c {
				}
				return
			}
			i++
		}
	})
	_, v, ok := next()
	want(t, v, 0)
	want(t, ok, true)
	var wg sync.WaitGroup
	wg.Go(func() { _, v, _ := next(); want(t, v, 1) })
	wg.Wait()
	stop()
	func() {
		defer func() { want(t, recover(), any("x")) }()
		n, s := iter.Pull(func(yield func(int) bool) { d := make(chan int, 1); d <- 1; panic("x") })
		defer s()
		n()
	}()
	done := make(chan int)
	go func() {
		defer close(done)
		n, _ := iter.Pull(func(yield func(int) bool) { runtime.Goexit() })
		n()
		t.Error("not here")
	}()
	<-done
	var mu sync.Mutex
	n, s := iter.Pull(func(yield func(int) bool) { mu.Lock(); defer mu.Unlock(); yield(1) })
	n()
	want(t, mu.TryLock(), false)
	s()
}
