package hard_test

import (
	"fmt"
	. "sync"
	tst "testing"
	"time"
	. "time"

	ctx "context"
	_ "sync/atomic"
)

func TestDot(t *tst.T) {
	var mu Mutex
	var wg WaitGroup
	n := 0
	for range 2 {
		wg.Go(func() { mu.Lock(); n++; mu.Unlock() })
	}
	wg.Wait()
	if n != 2 {
		t.Error(n)
	}
	Sleep(Millisecond)
	time.Sleep(time.Millisecond)
	c, cancel := ctx.WithTimeout(ctx.Background(), Second)
	defer cancel()
	select {
	case <-After(Hour):
	case <-c.Done():
	}
}

func helper(tb tst.TB, c chan int) { tb.Helper(); c <- 1 }

func TestTB(t *tst.T) {
	c := make(chan int, 1)
	helper(t, c)
	<-c
	t.Run("sub", func(t *tst.T) { helper(t, c); <-c })
	if d, ok := t.Deadline(); ok && d.IsZero() {
		t.Error("zero deadline")
	}
	_ = tst.Short()
	_ = tst.Verbose()
}

func BenchmarkX(b *tst.B) {
	c := make(chan int, 1)
	for b.Loop() {
		c <- 1
		<-c
	}
}
func BenchmarkPar(b *tst.B) {
	var mu Mutex
	b.RunParallel(func(pb *tst.PB) {
		for pb.Next() {
			mu.Lock()
			mu.Unlock()
		}
	})
}
func FuzzX(f *tst.F) {
	f.Add(1)
	f.Fuzz(func(t *tst.T, n int) {
		c := make(chan int, 1)
		c <- n
		if <-c != n {
			t.Error("x")
		}
	})
}
func Example() {
	c := make(chan int, 1)
	c <- 1
	fmt.Println(<-c)
	// Output: 1
}
