package hard

import (
	"sync"
	"testing"
)

type counter struct {
	sync.Mutex
	n int
}

func (c *counter) add(n int, done *sync.WaitGroup) {
	defer done.Done()
	c.Lock()
	defer c.Unlock()
	c.n += n
}

func (c counter) send(out chan<- int) { out <- c.n }

type adder interface {
	add(n int, done *sync.WaitGroup)
}

func two(c chan int) (chan int, int) { return c, 2 }

func put(c chan int, n int) { c <- n }

func putAll(c chan int, ns ...int) {
	for _, n := range ns {
		c <- n
	}
}

func putAny[T any](c chan T, v T) { c <- v }

func result(c chan int) int { c <- 11; return 1 }

func TestGoForms(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	want(t, <-c, 1)
	go func(n int) { c <- n }(2)
	want(t, <-c, 2)
	go put(c, 3)
	want(t, <-c, 3)
	go put(two(c))
	want(t, <-c, 2)
	go putAll(c)
	go putAll(c, 4, 5)
	want(t, <-c, 4)
	want(t, <-c, 5)
	go putAll(c, []int{6, 7}...)
	want(t, <-c, 6)
	want(t, <-c, 7)
	go putAny(c, 8)
	want(t, <-c, 8)
	go putAny[int](c, 9)
	want(t, <-c, 9)
	go result(c)
	want(t, <-c, 11)
	go func() int { c <- 12; return 0 }()
	want(t, <-c, 12)
	f := put
	go f(c, 13)
	want(t, <-c, 13)
	fs := map[string]func(chan int, int){"f": put}
	go fs["f"](c, 14)
	want(t, <-c, 14)
	go (func() { c <- 15 })()
	want(t, <-c, 15)
	go func(err error, x any, g func()) {
		if err == nil && x == any(1.5) && g == nil {
			c <- 16
		}
	}(nil, 1.5, nil)
	want(t, <-c, 16)
	go func(
		n int,
		g func() int,
	) {
		c <- n + g()
	}(
		10, // ten
		func() int {
			return 7 // seven
		},
	)
	want(t, <-c, 17)
	go counter{n: 18}.send(c)
	want(t, <-c, 18)
	go close(c)
	_, ok := <-c
	want(t, ok, false)
}

// Function, receiver and arguments are those of the time of the go statement.
func TestGoEvaluatesAtOnce(t *testing.T) {
	c := make(chan int, 1)
	n := 1
	f := func(v int) { c <- v }
	x := counter{n: 20}
	var wg sync.WaitGroup
	wg.Add(1)
	go f(n)
	n, f = 2, nil
	want(t, <-c, 1)
	go x.send(c)
	x.n = 30
	want(t, <-c, 20)
	var a adder = &x
	go a.add(5, &wg)
	a = nil
	wg.Wait()
	want(t, x.n, 35)
	add := x.add // a method value
	wg.Add(1)
	go add(1, &wg)
	wg.Wait()
	want(t, x.n, 36)
	wg.Add(1)
	go (*counter).add(&x, 1, &wg)
	wg.Wait()
	want(t, x.n, 37)
}
