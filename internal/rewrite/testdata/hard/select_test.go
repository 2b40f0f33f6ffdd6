package hard

import (
	"fmt"
	"strings"
	"testing"
)

func TestSelectForms(t *testing.T) {
	c, d := make(chan int, 2), make(chan string, 2)
	select {
	case c <- 1:
	}
	select {
	case d <- "s":
	default:
		t.Error("no room")
	}
	select {
	case v := <-c:
		want(t, v, 1)
	}
	select {
	case v, ok := <-d:
		want(t, v, "s")
		want(t, ok, true)
	}
	select {
	case <-c:
		t.Error("a value from nowhere")
	case (<-d):
		t.Error("a value from nowhere")
	default:
	}
	var nilC chan int
	select {
	case nilC <- 1:
		t.Error("sent on nil")
	case <-nilC:
		t.Error("received from nil")
	default:
	}
	close(c)
	select {
	case v, ok := <-c:
		want(t, v, 0)
		want(t, ok, false)
	}
	select {
	case _, ok := <-c:
		want(t, ok, false)
	case _ = <-d:
	}
	var v any
	var ok bool
	select {
	case v, ok = <-c:
	}
	want(t, v, any(0))
	want(t, ok, false)
	xs := map[string]int{}
	select {
	case xs["a"] = <-c:
	}
	want(t, len(xs), 1)
	anys := make(chan any, 1)
	select {
	case anys <- nil:
	}
	want(t, <-anys, nil)
	select {
	case anys <- struct{ a, b int }{1, 2}:
	}
	want(t, <-anys, any(struct{ a, b int }{1, 2}))
}

// The operands are evaluated once and in order, what is assigned to only when the case
// goes.
func TestSelectEvaluates(t *testing.T) {
	var log []string
	say := func(s string) string { log = append(log, s); return s }
	on := func(name string, c chan int) chan int { say(name); return c }
	index := func(name string) int { say(name); return 0 }
	full, empty := make(chan int, 1), make(chan int)
	xs := []int{0}
	full <- 7
	select {
	case on("a", empty) <- index("av"):
	case xs[index("bi")] = <-on("b", full):
	case v := <-on("c", empty):
		_ = v
	}
	want(t, strings.Join(log, " "), "a av b c bi")
	want(t, xs[0], 7)
}

func TestBreakAndContinue(t *testing.T) {
	c := make(chan int, 10)
	for i := range 10 {
		c <- i
	}
	close(c)
	sum := 0
loop:
	for {
		select {
		case v, ok := <-c:
			if !ok {
				break loop
			}
			if v == 3 {
				break
			}
			if v == 5 {
				continue
			}
			if v == 6 {
				continue loop
			}
			sum += v
		}
		sum += 100
	}
	want(t, sum, 45-3-5-6+800)
again:
	select {
	case _, ok := <-c:
		for {
			if !ok {
				break again
			}
		}
	}
}

func pick(a, b <-chan int) (string, int) {
	select {
	case v := <-a:
		return "a", v
	case v := <-b:
		return "b", v
	}
}

func block(c chan int) int {
	if c != nil {
		return <-c
	}
	select {}
}

func TestTerminatingStatements(t *testing.T) {
	a, b := make(chan int), make(chan int, 1)
	b <- 2
	name, v := pick(a, b)
	want(t, name, "b")
	want(t, v, 2)
	b <- 3
	want(t, block(b), 3)
}

func TestOperandsOfSeveralLines(t *testing.T) {
	c := make(chan func() int, 1)
	d := make(chan int, 1)
	select {
	case c <- func() int { // a comment
		d <- 1
		v := <-d // in it
		return v + 1
	}:
	case v := <-func() chan int {
		return nil
	}():
		_ = v
	}
	want(t, (<-c)(), 2)
	where := ""
	func() {
		defer func() { where = fmt.Sprint(recover()) }()
		var p *holder
		select {
		case <-d:
		case v := <-p.in: // the line of this one
			_ = v
		}
	}()
	want(t, strings.Contains(where, "nil pointer"), true)
}

func TestNestedSelects(t *testing.T) {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	select {
	case v := <-a:
		b <- v
		select {
		case w := <-b:
			want(t, w, v)
		default:
			t.Error("nothing there")
		}
	default:
		t.Error("nothing there")
	}
	cc := make(chan chan int, 1)
	cc <- a
	a <- 4
	select {
	case v := <-<-cc:
		want(t, v, 4)
	}
	select {
	case b <- func() int {
		select {
		case a <- 5:
			return 1
		default:
			return 2
		}
	}():
	}
	want(t, <-b, 1)
	want(t, <-a, 5)
}
