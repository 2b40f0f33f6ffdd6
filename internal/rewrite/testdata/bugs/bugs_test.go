package bugs_test

import (
	"net"
	"runtime"
	"sync"
	"testing"
)

func TestLockOrder(t *testing.T) {
	var a, b sync.Mutex
	go func() {
		a.Lock()
		defer a.Unlock()
		b.Lock()
		defer b.Unlock()
	}()
	b.Lock()
	defer b.Unlock()
	a.Lock()
	defer a.Unlock()
}

func TestLostUpdate(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			v := n
			mu.Unlock()
			mu.Lock()
			n = v + 1
			mu.Unlock()
		}()
	}
	wg.Wait()
	if n != 2 {
		t.Errorf("%d updates, want 2", n)
	}
}

func TestFatal(t *testing.T) {
	c := make(chan int, 2)
	go func() { c <- 1 }()
	c <- 2
	if v := <-c; v != 2 {
		t.Fatal("the other one came first")
	}
}

func TestSubtest(t *testing.T) {
	for _, n := range []int{1, 2} {
		t.Run("sub", func(t *testing.T) {
			if n == 2 {
				t.Error("two")
			}
		})
	}
}

// The loop variable is shared, as the go.mod of this module wants it.
func TestLoopVariable(t *testing.T) {
	c := make(chan int, 2)
	c <- 1
	c <- 2
	close(c)
	var fs []func() int
	for v := range c {
		fs = append(fs, func() int { return v })
	}
	for i := 0; i < 2; i++ {
		fs = append(fs, func() int { return i })
	}
	if fs[0]() == 2 && fs[2]() == 2 {
		t.Error("shared, as it should be")
	}
}

func TestClosedTwice(t *testing.T) {
	c := make(chan int)
	go close(c)
	close(c)
}

func TestOutside(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	l.Accept()
}

// The goroutine may fail when the test is over.
func TestFailsLate(t *testing.T) {
	c := make(chan int)
	go func() {
		<-c
		t.Log("received")
	}()
	c <- 1
}

func TestFatalElsewhere(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		t.Fatal("not here")
	}()
	<-done
}

func TestExits(t *testing.T) {
	runtime.Goexit()
}
