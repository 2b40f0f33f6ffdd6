// Package model is the API that programs under test are written against:
// goroutines, channels, select, locks and contexts with the names and the
// semantics of Go, of package sync and of package context. Zero values work where
// they do there, and what panics there panics here with the same text.
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
// for, put a [Gosched] where others may come in between.
//
// # The native world
//
// Outside a controlled run the same types are the real things: a [Chan] is a
// channel, a [Mutex] is a Mutex of package github.com/sasha-s/go-deadlock, the
// others are those of packages sync and context. So a model can also be run at full
// speed, with the race detector, or be the program itself. What speaks to the
// checker alone ([AtEnd], [Invariant], [Sometimes], [Log], [Named]) does nothing
// there.
//
// An object belongs to the world that it was made in, and in the controlled world
// to its run. A call from elsewhere is reported as a misuse, never carried out:
// a goroutine that is not modelled is ended by it. A zero-value primitive belongs
// to the run that uses it first, until that run is over.
package model
