// Package model is the API that programs under test are written against:
// goroutines, channels, select, locks, atomics, contexts and time with the names and
// the semantics of Go, of packages sync, sync/atomic, context and time, and of
// errgroup and semaphore of golang.org/x/sync. Zero values work where they do there,
// and what panics there panics here with the same text.
//
// A program says model.Go(f) for go f(), ch.Send(v) for ch <- v, and so on:
//
//	func pipeline() {
//		jobs := model.Named(model.NewChan[int](1), "jobs")
//		done := model.NewChan[struct{}](0)
//		model.Go(func() {
//			defer done.Close()
//			for j := range jobs.All() {
//				model.Assert(j > 0, "jobs are positive")
//			}
//		})
//		jobs.Send(1)
//		jobs.Close()
//		done.Recv()
//	}
//
// No handle is passed around. The calls find out by themselves whether they are
// made in a controlled run or not, which makes two worlds for the same text.
//
// # From Go to model
//
// Most names are those of Go with model in place of the package. The others:
//
//	go f()                     Go(f), or GoNamed, Daemon
//	make(chan T, n)            NewChan[T](n)
//	chan<- T, <-chan T         SendOnly[T], RecvOnly[T]
//	ch <- v                    ch.Send(v)
//	<-ch; v, ok := <-ch        ch.Recv(); v, ok := ch.RecvOK()
//	close(ch), for range ch    ch.Close(), for range ch.All()
//	select                     Select, TrySelect
//	a variable without a lock  Shared[T]
//	atomic.Int64               Int64, and so on
//	context.AfterFunc          ContextAfterFunc
//	errgroup.Group             Group, and NewGroup for WithContext
//	semaphore.Weighted         Semaphore
//	what the environment does  Choose
//	for !cond() { Gosched() }  Await(cond)
//
// # The controlled world
//
// Package explore runs a function, the body, many times, each time under another
// schedule. In such a run one goroutine moves at a time. Each call that others can
// notice is a step: the goroutine announces it, and the scheduler decides whose
// announced step happens next, among those that can happen. So a Send on a full
// channel is not made and then blocked; it waits to be chosen until there is room.
// Where a step can happen in several ways - which of two receivers takes the value,
// which case of a [Select] goes, what [Choose] returns - that is decided too. From
// one step to the goroutine's next nothing else happens.
//
// The run is over when no step can happen any more, whether or not the body has
// returned. A goroutine that is still there then is blocked for ever, which is a
// finding unless it is a [Daemon], and a lock that is still held is one too. Panics,
// broken assertions ([Assert]), invariants ([Invariant]) and conditions at the end
// ([AtEnd]) are the others. Goroutines that are left are unwound by a panic, so
// their deferred functions run, without effect on anything modelled. Code that
// recovers from every panic should panic again with a value that it does not know.
//
// # Time
//
// A run has a clock of its own, which begins in the year 2000 and takes no time to
// move. It stands still while a goroutine can go on: however much a program
// computes, that takes no time. When no goroutine can, it moves to the next moment
// for which one sleeps or waits for a tick.
//
// Timeouts - timers, [After], deadlines of contexts - are the exception: one may fire
// at any moment once it is started, and then the clock moves there. For a timeout is
// a guess about how long work takes, and work may always be slower. So the timeout
// of an hour does win against work of five steps in some schedules; but not against
// a timeout that ends before it. With explore.Timers(explore.AtQuiescence) timeouts
// fire like everything else, when no goroutine can go on. That world is smaller, and
// it is the world of package testing/synctest. explore.Hasty goes the other way, and lets
// sleeps end and tickers tick at any moment too.
//
// # What a body must keep to
//
// The same choices must lead to the same run:
//
//   - Everything that goroutines share is made in the body, or is a zero-value
//     primitive. Package-level variables keep what the run before left in them.
//   - Goroutines are started with [Go] and its relatives, not with a go statement,
//     and block in calls of this package only.
//   - Nothing is decided by the clock, a random number, an address or the order of a
//     map. What the environment decides, [Choose] decides.
//
// Variables that are shared without a lock or channel are read and written between
// steps, as one with the step before. If a race on such a variable is what you look
// for, make it a [Shared]: its accesses are steps, and a data race on it is a finding.
//
// # Mistakes
//
// What Go forbids is a finding, in Go's words: the close of a closed channel, a wait group
// below zero or used again too early, an unlock of what is not locked, more tokens released
// than were taken. What Go calls a fatal error ends the run, whatever recovers. What only
// hangs, such as a receive from the nil channel, a lock twice by the same goroutine or a
// Once within itself, is found when the run is over, and the report says who could have
// helped. What looks odd and is allowed is no finding: unlocking what another goroutine has
// locked, cancelling twice, stopping a timer that has fired, [Cond.Signal] without the lock.
//
// A primitive that was copied after its first use, or that belongs to another run, would
// be two things under one name: then the tool refuses to go on and says what to do.
//
// # The native world
//
// Outside a controlled run the same types are the real things: a [Chan] is a
// channel, a [Mutex] is a Mutex of package github.com/sasha-s/go-deadlock, a [Timer]
// is a Timer of package time, and so on. So a model can also be run at full
// speed, with the race detector, or be the program itself. What speaks to the
// checker alone ([AtEnd], [Invariant], [Sometimes], [Log], [Named]) does nothing
// there.
//
// A call costs a few ns more than the real one, because it first asks in which world it
// is. Some cost more. Making a channel takes a second allocation, since a [Chan] stands for
// a channel of either world: about 70 ns. So does a context, 30 to 40 ns, for its Done
// channel is a [RecvOnly]. A [Group] adds about 40 ns for each goroutine, a send and a
// receive that meet without a buffer 15 to 20 ns together, a [TrySelect] and a store and
// load of a [Map] 15 ns. Locks are those of go-deadlock, which is most of their price: see
// [Mutex].
//
// An object belongs to the world that it was made in, and in the controlled world
// to its run. A call from elsewhere is reported as a misuse, never carried out:
// a goroutine that is not modelled is ended by it. A zero-value primitive belongs
// to the run that uses it first, until that run is over.
package model
