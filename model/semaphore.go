package model

import (
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
	"golang.org/x/sync/semaphore"
)

// Semaphore is semaphore.Weighted of golang.org/x/sync: a number of tokens, which
// goroutines take and give back. Whoever waits for tokens gets them in order of
// arrival, so one who wants many is not overtaken by those who want few.
//
// Under control Acquire, TryAcquire and Release are the steps of the mutex and the
// channels of which it consists.
type Semaphore struct {
	native *semaphore.Weighted // nil under control

	run     uint64        // serial number of the run
	obj     *sched.Object // of mu
	size    int64
	mu      Mutex
	taken   int64         // guarded by mu
	waiters []*semaWaiter // guarded by mu; in order of arrival
}

// semaWaiter is an Acquire that waits.
type semaWaiter struct {
	n     int64
	ready Chan[struct{}] // closed when it has its tokens
}

// NewSemaphore returns a semaphore of n tokens. It panics with "semaphore: size <
// 0" if n is negative. The semaphore belongs to the world that it was made in.
func NewSemaphore(n int64) *Semaphore {
	g := sched.Current()
	if g == nil {
		return &Semaphore{native: semaphore.NewWeighted(n)}
	}
	if n < 0 {
		panic("semaphore: size < 0")
	}
	s := &Semaphore{run: g.Run(), size: n}
	s.obj = Named(&s.mu, "of a semaphore").object(g)
	return s
}

// Acquire takes n tokens, waiting until there are as many or ctx is done: then it
// takes none and returns ctx.Err(). If ctx was done before the call it fails. It
// panics with "semaphore: n < 0" if n is negative.
func (s *Semaphore) Acquire(ctx Context, n int64) error {
	g := s.enter("semaphore acquire")
	if g == nil {
		return s.native.Acquire(toStd(ctx, "semaphore acquire"), n)
	}
	checkTokens(n)
	done := ctx.Done()
	s.mu.Lock()
	switch {
	case isClosed(done):
		s.mu.Unlock()
		return ctx.Err()
	case s.take(n):
		s.mu.Unlock()
		return nil
	case n > s.size:
		s.mu.Unlock() // it must not keep others waiting
		Select(done.RecvCase(nil), Named(NewChan[struct{}](0), "of more tokens than the semaphore has").RecvCase(nil))
		return ctx.Err()
	}
	w := &semaWaiter{n, Named(NewChan[struct{}](0), "turn at a semaphore")}
	s.waiters = append(s.waiters, w)
	s.mu.Unlock()
	return s.await(ctx, w)
}

// TryAcquire takes n tokens if there are as many and nobody waits, and reports
// whether it did. It panics with "semaphore: n < 0" if n is negative.
func (s *Semaphore) TryAcquire(n int64) bool {
	if s.enter("semaphore try acquire") == nil {
		return s.native.TryAcquire(n)
	}
	checkTokens(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.take(n)
}

// Release gives n tokens back. It panics with "semaphore: released more than held"
// if fewer are taken, and with "semaphore: n < 0" if n is negative.
func (s *Semaphore) Release(n int64) {
	if s.enter("semaphore release") == nil {
		s.native.Release(n)
		return
	}
	checkTokens(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken -= n
	if s.taken < 0 {
		panic("semaphore: released more than held")
	}
	s.serve()
}

// await waits until w has its tokens or ctx is done. When both are, ctx counts.
func (s *Semaphore) await(ctx Context, w *semaWaiter) error {
	if Select(ctx.Done().RecvCase(nil), w.ready.RecvCase(nil)) == 1 {
		if !isClosed(ctx.Done()) {
			return nil
		}
		s.Release(w.n)
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.withdraw(w)
	return ctx.Err()
}

// withdraw ends the waiting of w without success. Its tokens, or its place at the
// head of the queue, may be what others wait for.
func (s *Semaphore) withdraw(w *semaWaiter) {
	i := slices.Index(s.waiters, w)
	if i < 0 {
		s.taken -= w.n
	} else {
		s.waiters = slices.Delete(s.waiters, i, i+1)
	}
	if i <= 0 {
		s.serve()
	}
}

// take takes n tokens if nobody has to be waited for.
func (s *Semaphore) take(n int64) bool {
	if s.size-s.taken < n || len(s.waiters) > 0 {
		return false
	}
	s.taken += n
	return true
}

// serve gives tokens to those who wait, as long as there are enough for the next.
func (s *Semaphore) serve() {
	for len(s.waiters) > 0 && s.size-s.taken >= s.waiters[0].n {
		w := s.waiters[0]
		s.waiters = s.waiters[1:]
		s.taken += w.n
		w.ready.Close()
	}
}

// enter returns the modelled goroutine that calls, and ends the run, or the
// goroutine, if the semaphore is not at home there.
func (s *Semaphore) enter(op string) *sched.G {
	g := sched.Current()
	switch {
	case g == nil:
		if s.native == nil {
			sched.ForeignUse(s.obj, op)
		}
	case s.native != nil:
		g.Misuse("a semaphore that was made outside the controlled run is used in it: make it inside the body")
	case s.run != g.Run():
		g.Misuse("a semaphore that was made in another controlled run is used: make it inside the body")
	}
	return g
}

func (s *Semaphore) object(g *sched.G) *sched.Object {
	s.enter("name")
	return s.mu.object(g)
}

func checkTokens(n int64) {
	if n < 0 {
		panic("semaphore: n < 0")
	}
}

// isClosed reports whether the done channel of a context is closed.
func isClosed(done RecvOnly[struct{}]) bool {
	return done != RecvOnly[struct{}]{} && TrySelect(done.RecvCase(nil)) == 0
}
