package hard

import (
	"errors"
	"testing"
)

func want[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// panics returns what f panics with, as text.
func panics(f func()) (text string) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case error:
			text = v.Error()
		case string:
			text = v
		}
	}()
	f()
	return ""
}

func TestSendConvertsAsAssignment(t *testing.T) {
	anys, errs, floats, funcs := make(chan any, 4), make(chan error, 2), make(chan float64, 2), make(chan func() int, 1)
	anys <- 1
	anys <- nil
	anys <- "s"
	anys <- errors.New("e")
	errs <- nil
	errs <- errors.New("x")
	floats <- 1
	floats <- 1 << 3
	funcs <- func() int { return 7 }
	want(t, <-anys, any(1))
	want(t, <-anys, nil)
	want(t, (<-anys).(string), "s")
	want(t, (<-anys).(error).Error(), "e")
	want(t, <-errs, nil)
	want(t, (<-errs).Error(), "x")
	want(t, <-floats, 1)
	want(t, <-floats+1, 9)
	want(t, (<-funcs)(), 7)
}

type numbers chan int

func (n numbers) put(v int) { n <- v }

type holder struct {
	c   chan<- int
	in  <-chan int
	ptr *chan int
	arr [2]chan string
	m   map[string]chan int
}

func TestChannelsInEveryPlace(t *testing.T) {
	n := make(numbers, 2)
	n.put(1)
	n <- 2
	h := holder{c: n, in: n, ptr: new(chan int), m: map[string]chan int{"a": make(chan int, 1)}}
	*h.ptr = make(chan int, 1)
	*h.ptr <- 5
	h.arr[1] = make(chan string, 1)
	h.arr[1] <- "x"
	h.m["a"] <- 3
	want(t, <-h.in, 1)
	want(t, <-n, 2)
	want(t, <-*h.ptr, 5)
	want(t, <-h.arr[1], "x")
	want(t, <-h.m["a"], 3)
	h.c <- 9
	v, ok := <-h.in
	want(t, v, 9)
	want(t, ok, true)
	want(t, cap(h.c), 2)
	want(t, len(h.c), 0)
	want(t, len(h.in), 0)
	var same <-chan int = n
	want(t, same == h.in, true)
	keyed := map[<-chan int]string{n: "n"}
	want(t, keyed[h.in], "n")
	cc := make(chan chan int, 1)
	cc <- make(chan int, 1)
	inner := <-cc
	inner <- 4
	want(t, <-inner, 4)
}

func TestReceiveForms(t *testing.T) {
	c := make(chan int, 8)
	for i := range 8 {
		c <- i
	}
	close(c)
	<-c
	var a = <-c
	var b, okB = <-c
	d, okD := <-c
	var e int
	var okE bool
	e, okE = <-c
	var f any
	f = <-c
	xs := []int{0, 0}
	xs[<-c-5], _ = <-c // index 1 gets 7
	want(t, a, 1)
	want(t, b, 2)
	want(t, okB, true)
	want(t, d, 3)
	want(t, okD, true)
	want(t, e, 4)
	want(t, okE, true)
	want(t, f, any(5))
	want(t, xs[1], 7)
	v, ok := (<-c)
	want(t, v, 0)
	want(t, ok, false)
	func(v int, w string) { want(t, v, 0) }(<-c, "")
	if v := <-c; v != 0 {
		t.Error("value from a closed channel")
	}
	switch <-c {
	case 0:
	default:
		t.Error("value from a closed channel")
	}
	want(t, !(<-make2(true)), false)
}

func make2(v bool) <-chan bool {
	c := make(chan bool, 1)
	c <- v
	return c
}

func TestNestedOperations(t *testing.T) {
	a, b := make(chan int, 2), make(chan int, 2)
	a <- 1
	b <- <-a
	a <- <-b + 1
	want(t, <-a, 2)
	cc := make(chan chan int, 1)
	cc <- a
	(<-cc) <- 3
	want(t, <-a, 3)
	cc <- a
	a <- 8
	want(t, <-<-cc, 8)
	var x any = a
	x.(chan int) <- 6
	want(t, <-x.(chan int), 6)
}

func TestPanics(t *testing.T) {
	want(t, panics(func() {
		c := make(chan int)
		close(c)
		close(c)
	}), "close of closed channel")
	want(t, panics(func() {
		c := make(chan int, 1)
		close(c)
		c <- 1
	}), "send on closed channel")
	want(t, panics(func() {
		var c chan int
		close(c)
	}), "close of nil channel")
	want(t, panics(func() {
		n := -1
		_ = make(chan int, n)
	}), "makechan: size out of range")
	want(t, panics(func() {
		c := make(chan int, 1)
		close(c)
		select {
		case c <- 1:
		default:
		}
	}), "send on closed channel")
}

func TestRange(t *testing.T) {
	fill := func() chan int {
		c := make(chan int, 5)
		for i := range 5 {
			c <- i
		}
		close(c)
		return c
	}
	sum := 0
	for v := range fill() {
		v := v
		sum += v
	}
	want(t, sum, 10)
	n := 0
	for range fill() {
		n++
	}
	want(t, n, 5)
	for _ = range fill() {
		n++
	}
	want(t, n, 10)
	var v int
	for v = range fill() {
		if v == 3 {
			break
		}
	}
	want(t, v, 3)
	xs := make([]int, 1)
	for xs[0] = range fill() {
	}
	want(t, xs[0], 4)
	var fs []func() int
	for v := range fill() {
		fs = append(fs, func() int { v *= 2; return v })
	}
	want(t, fs[3](), 6)
	want(t, fs[4](), 8)
	odd := 0
outer:
	for v := range fill() {
		for {
			if v%2 == 0 {
				continue outer
			}
			if v > 3 {
				break outer
			}
			break
		}
		odd += v
	}
	want(t, odd, 4)
}

func first(c <-chan int) (v int, ok bool) {
	for v := range c {
		return v, true
	}
	return 0, false
}

func TestReturnFromRange(t *testing.T) {
	c := make(chan int, 1)
	c <- 4
	v, ok := first(c)
	want(t, v, 4)
	want(t, ok, true)
	close(c)
	_, ok = first(c)
	want(t, ok, false)
}

// Generic code over channels.

func drain[T any](c <-chan T) (all []T) {
	for v := range c {
		all = append(all, v)
	}
	return all
}

func push[T any, C ~chan T | ~chan<- T](c C, v T) { c <- v }

func pair[C chan int](c C) int {
	c <- 1
	c <- 2
	n := len(c)
	close(c)
	return <-c + <-c + n
}

type queue[T any] struct{ c chan T }

func newQueue[T any](n int) *queue[T] { return &queue[T]{make(chan T, n)} }

func (q *queue[T]) put(v T) bool {
	select {
	case q.c <- v:
		return true
	default:
		return false
	}
}

func (q *queue[T]) get() (v T, ok bool) {
	select {
	case v, ok = <-q.c:
		return v, ok
	default:
		return
	}
}

func makeOf[C ~chan T, T any](n int) C { return make(C, n) }

func TestGenerics(t *testing.T) {
	c := make(chan string, 2)
	push(c, "a")
	push((chan<- string)(c), "b")
	close(c)
	all := drain(c)
	want(t, len(all), 2)
	want(t, all[1], "b")
	want(t, pair(make(chan int, 2)), 5)
	q := newQueue[error](1)
	want(t, q.put(nil), true)
	want(t, q.put(nil), false)
	_, ok := q.get()
	want(t, ok, true)
	_, ok = q.get()
	want(t, ok, false)
	n := makeOf[numbers](3)
	n <- 1
	want(t, cap(n), 3)
	want(t, <-n, 1)
}

func TestShadowedBuiltins(t *testing.T) {
	c := make(chan int, 3)
	c <- 1
	len := func(chan int) int { return 42 }
	close := func(chan int) string { return "not closed" }
	want(t, len(c), 42)
	want(t, close(c), "not closed")
	make := func(n int) chan int { return c }
	want(t, <-make(1), 1)
	c <- 5
	v, ok := <-c
	want(t, v, 5)
	want(t, ok, true)
}

func TestDeferredClose(t *testing.T) {
	c := make(chan int, 1)
	func() {
		defer close(c)
		defer func() { c <- 1 }()
	}()
	want(t, len(c), 1)
	want(t, <-c, 1)
	_, ok := <-c
	want(t, ok, false)
}
