package others

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

var errFirst = errors.New("first")

func TestGroup(t *testing.T) {
	g, ctx := errgroup.WithContext(context.Background())
	g.SetLimit(2)
	c := make(chan int)
	g.Go(func() error { c <- 1; return errFirst })
	g.Go(func() error { <-c; <-ctx.Done(); return ctx.Err() })
	if err := g.Wait(); err != errFirst {
		t.Errorf("%v, want %v", err, errFirst)
	}
}

// The second goroutine waits for a message that the first one, which fails, does not
// send.
func TestGroupLeaks(t *testing.T) {
	var g errgroup.Group
	c := make(chan int)
	first := make(chan bool, 2)
	g.Go(func() error {
		first <- true
		if len(first) == 2 {
			return errFirst
		}
		c <- 1
		return nil
	})
	go func() {
		first <- true
		<-c
	}()
	g.Wait()
}

func TestSemaphore(t *testing.T) {
	s := semaphore.NewWeighted(2)
	var inside, n atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if err := s.Acquire(t.Context(), 2); err != nil {
				t.Error(err)
			}
			defer s.Release(2)
			if inside.Add(1) != 1 {
				t.Error("two at once")
			}
			n.Add(1)
			inside.Add(-1)
		})
	}
	wg.Wait()
	if n.Load() != 2 {
		t.Errorf("%d came in, want 2", n.Load())
	}
}
