package hard

import (
	"runtime"
	"testing"
)

func line() int { _, _, n, _ := runtime.Caller(1); return n }

func ch(n int) chan int { c := make(chan int, 1); c <- n; return c }

// Everything is on the line where it stands in the source.
func TestLines(t *testing.T) {
	want(t, line(), 14)
	want(t, <-ch(line()), 15)
	for v := range func() chan int {
		c := ch(line())
		close(c)
		return c
	}() {
		want(t, v, 17)
		want(t, line(), 22)
	}
	want(t, line(), 24)
	select {
	case v := <-ch(line()):
		want(t, v, 26)
		want(t, line(), 28)
	case v := <-func() chan int {
		want(t, line(), 30)
		return nil
	}():
		_ = v
	case func() chan int { want(t, line(), 34); return nil }() <- line():
	}
	want(t, line(), 36)
	xs := []int{0}
	select {
	case xs[func() int {
		want(t, line(), 40)
		return 0
	}()] = <-ch(line()):
		want(t, xs[0], 42)
		want(t, line(), 44)
	}
	want(t, line(), 46)
	c := make(chan int)
	go func(a, b int) { c <- a*100 + b }(
		line(),

		func() int {
			return line()
		}(),
	)
	want(t, <-c, 4952)
	want(t, line(), 56)
	go put(c, line())
	want(t, <-c, 57)
	for xs[line()-59] = range func() chan int { c := ch(2); close(c); return c }() {
	}
	for xs[line()-61] = range func() chan int {
		c := ch(2)
		close(c)
		return c
	}() {
		want(t, line(), 66)
	}
	want(t, line(), 68)
	c = make(chan int,
		1)
	want(t, line(), 71)
	c <- line()
	want(t, <-c, 72)
	want(t, line(), 74)
	defer func() {
		want(t, line(), 76)
	}()
}
