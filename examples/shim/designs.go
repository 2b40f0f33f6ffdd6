package shim

import (
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

// design is one way to publish the exit of an init process last. Each differs from
// landed in one or two things.
type design struct {
	// await prepares to wait until no exec of the container is left, and returns what
	// waits; tell is told of each exec that is no more. lifecycleMu is held for both,
	// but not while waiting. Without await nobody waits.
	await func(s *service, c *container) (wait func())
	tell  func(s *service, c *container)

	unguarded bool // an exec may be started when the init process is known to have exited

	forgetsFailed bool // handleStarted is not told of an exec that failed to start
	earlyInit     bool // an early exit of an init process waits for execs as any other
	retains       bool // Delete leaves containerInitExit alone
	drops         bool // Shutdown leaves events open, and what comes late is dropped

	postpones func(task) bool // whose exits wait for execs that are being started
	locksMu   func(task) bool // for whose exits mu is locked
}

// landed is pull request #10651: an exec that is no more sends the count of those
// that are left.
var landed = design{await: awaitCount(capacityOfExecs), tell: tellCount}

// but returns landed with a change.
func but(change func(*design)) design {
	d := landed
	change(&d)
	return d
}

// The thread of #10651 asks whether to send under lifecycleMu may block. It
// discusses the capacity of the channel, the guard in Start, and other ways to wait.
var (
	unbuffered          = but(func(d *design) { d.await = awaitCount(noCapacity) })
	unguarded           = but(func(d *design) { d.unguarded = true })
	unguardedUnbuffered = but(func(d *design) { d.unguarded, d.await = true, awaitCount(noCapacity) })

	// watchdog is pull request #10647: wait, but not for ever.
	watchdog = but(func(d *design) { d.await = awaitCountOrTimeout })

	// notify sends no count, but that there is news; then lifecycleMu must be locked to
	// look. offer drops the news if there is no room for it.
	notify           = but(func(d *design) { d.await, d.tell = awaitNews(capacityOfExecs), tellNews })
	notifyUnbuffered = but(func(d *design) { d.await, d.tell = awaitNews(noCapacity), tellNews })
	offer            = but(func(d *design) { d.await, d.tell = awaitNews(capacityOfOne), offerNews })
	offerUnbuffered  = but(func(d *design) { d.await, d.tell = awaitNews(noCapacity), offerNews })

	// broadcasts is a condition variable; signals wakes one waiter instead of all, looksOnce
	// does not look again when it was woken.
	broadcasts = but(func(d *design) { d.await, d.tell = awaitCondition, broadcast })
	signals    = but(func(d *design) { d.await, d.tell = awaitCondition, signal })
	looksOnce  = but(func(d *design) { d.await, d.tell = awaitConditionOnce, broadcast })
)

// What came before.
var (
	// unordered is commit 5cd6210ad: exits are published as they come.
	unordered = but(func(d *design) { d.await, d.unguarded = nil, true })

	// postponesAll is commit 892dc54bd: exits wait for execs that are being started;
	// postponesInit is 6d00c3ada: only those of init processes do.
	postponesAll  = but(func(d *design) { d.await, d.unguarded, d.postpones = nil, true, anyTask })
	postponesInit = but(func(d *design) { d.await, d.unguarded, d.postpones = nil, true, task.isInit })

	// locksMu is issue #9103: handleProcessExit locks mu, which Create holds. locksMuOnce
	// is commit 68dd47ef7: unless the caller holds it.
	locksMu     = but(func(d *design) { d.locksMu = anyTask })
	locksMuOnce = but(func(d *design) { d.locksMu = func(t task) bool { return !t.muHeld } })

	// retains is what pull request #11161 mended.
	retains = but(func(d *design) { d.retains = true })
)

// What came after, or might.
var (
	// drops is pull request #13052.
	drops = but(func(d *design) { d.drops = true })

	// forgetsFailed does not take an exec for running that failed to start.
	forgetsFailed = but(func(d *design) { d.forgetsFailed = true })

	// earlyInit treats the exit of an init process alike whether it comes early or not.
	earlyInit = but(func(d *design) { d.earlyInit = true })

	mended = but(func(d *design) { d.drops, d.forgetsFailed, d.earlyInit = true, true, true })
)

func anyTask(task) bool { return true }

// waiters is what the designs wait with, guarded by lifecycleMu.
type waiters struct {
	execCountSubscribers map[*container]model.Chan[int]
	newsSubscribers      map[*container]model.Chan[struct{}]
	execsChanged         *model.Cond
}

func newWaiters(lifecycleMu *model.Mutex) waiters {
	return waiters{
		execCountSubscribers: map[*container]model.Chan[int]{},
		newsSubscribers:      map[*container]model.Chan[struct{}]{},
		execsChanged:         model.Named(model.NewCond(lifecycleMu), "execsChanged"),
	}
}

func (w waiters) forget(c *container) {
	delete(w.execCountSubscribers, c)
	delete(w.newsSubscribers, c)
}

// Capacities of the channel, for a number of execs that are left.
func capacityOfExecs(execs int) int { return execs }
func capacityOfOne(int) int         { return 1 }
func noCapacity(int) int            { return 0 }

func awaitCount(capacity func(execs int) int) func(*service, *container) func() {
	return func(s *service, c *container) func() {
		left := s.subscribeCount(c, capacity)
		return func() {
			for left.Recv() != 0 {
			}
		}
	}
}

func awaitCountOrTimeout(s *service, c *container) func() {
	left := s.subscribeCount(c, capacityOfExecs)
	return func() {
		timeout := model.After(time.Second)
		for n := -1; n != 0; {
			if model.Select(left.RecvCase(&n), timeout.RecvCase(nil)) == 1 {
				return
			}
		}
	}
}

func (s *service) subscribeCount(c *container, capacity func(execs int) int) model.Chan[int] {
	left := model.Named(model.NewChan[int](capacity(s.runningExecs[c])), "count")
	s.execCountSubscribers[c] = left
	return left
}

func tellCount(s *service, c *container) {
	if left, ok := s.execCountSubscribers[c]; ok {
		left.Send(s.runningExecs[c])
	}
}

func awaitNews(capacity func(execs int) int) func(*service, *container) func() {
	return func(s *service, c *container) func() {
		news := model.Named(model.NewChan[struct{}](capacity(s.runningExecs[c])), "news")
		s.newsSubscribers[c] = news
		return func() {
			for left := -1; left != 0; {
				news.Recv()
				s.lifecycleMu.Lock()
				left = s.runningExecs[c]
				s.lifecycleMu.Unlock()
			}
		}
	}
}

func tellNews(s *service, c *container) {
	if news, ok := s.newsSubscribers[c]; ok {
		news.Send(struct{}{})
	}
}

func offerNews(s *service, c *container) {
	if news, ok := s.newsSubscribers[c]; ok {
		model.TrySelect(news.SendCase(struct{}{}))
	}
}

func awaitCondition(s *service, c *container) func() {
	return func() {
		s.lifecycleMu.Lock()
		for s.runningExecs[c] != 0 {
			s.execsChanged.Wait()
		}
		s.lifecycleMu.Unlock()
	}
}

func awaitConditionOnce(s *service, c *container) func() {
	return func() {
		s.lifecycleMu.Lock()
		if s.runningExecs[c] != 0 {
			s.execsChanged.Wait()
		}
		s.lifecycleMu.Unlock()
	}
}

func broadcast(s *service, _ *container) { s.execsChanged.Broadcast() }
func signal(s *service, _ *container)    { s.execsChanged.Signal() }
