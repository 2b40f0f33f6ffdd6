package others

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
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

// One call at a time is under way for a key, and whoever comes meanwhile shares it.
func TestFlight(t *testing.T) {
	var g singleflight.Group
	var calls, inside atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			v, err, _ := g.Do("key", func() (any, error) {
				if inside.Add(1) != 1 {
					t.Error("two at once")
				}
				defer inside.Add(-1)
				return calls.Add(1), nil
			})
			if n := v.(int32); err != nil || n < 1 || n > 2 {
				t.Errorf("%v, %v", v, err)
			}
		})
	}
	wg.Wait()
	<-g.DoChan("key", func() (any, error) { return 1, nil })
}

// After Forget a second call may begin while the first goes on.
func TestForgottenFlight(t *testing.T) {
	var g singleflight.Group
	var inside atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			g.Do("key", func() (any, error) {
				if inside.Add(1) != 1 {
					t.Error("two at once")
				}
				g.Forget("key")
				inside.Add(-1)
				return nil, nil
			})
		})
	}
	wg.Wait()
}
