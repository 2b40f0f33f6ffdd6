// Package rewrite puts ordinary Go programs under the control of the scheduler: it is
// what "modelcheck test" does before it builds tests.
//
// It type-checks the packages and replaces ranges of bytes in their sources; what it
// does not touch stays as it is, and everything stays on its line. Nothing on disk
// changes: the go command gets the new texts in an overlay, and a copy of go.mod that
// requires this module too.
//
// Channels keep their types. Go statements and operations on channels become calls of
// package model/std/lang, and so do loops over maps. The packages sync, sync/atomic,
// time, context, math/rand and testing are replaced by those of the same name below
// model/std, which have the same interface: an import of the one becomes an import of
// the other. A test function becomes one that explores its body.
//
// # Limits
//
// Under control are the packages of the main module and of those that are asked for, which
// are copied and get other import paths. Packages of other modules and of the standard
// library are not, and share with those that are only what the two see
// alike. What they do not is refused, with its place:
//
//   - functions and variables of such packages that have to do with the types of package
//     sync and others that have a counterpart under control; functions that take a channel
//     are refused only when a run calls them;
//   - operations on channels through reflection, runtime.LockOSThread,
//     package testing/synctest, cgo;
//   - tests that call other test functions, and tests that explore schedules themselves;
//   - v, ok = <-c with an ok of a boolean type of its own, and make of a channel type
//     with one direction;
//   - arguments of a go statement that are untyped comparisons or shifts and become
//     something else than a bool or int by being passed.
//
// Packages of a main module that this module is itself built with are refused, since they
// would import what imports them.
//
// A run in which it shows that something is not under control ends with an error that
// says so: a channel that other code has made (also that of a context with a deadline
// which a package-level variable or an init function holds; other contexts made there are
// adopted, but not to be cancelled in a run), an object of the
// run that is used by a goroutine that is not modelled, a goroutine that waits for
// something outside. What cannot be seen is that such code waits for a channel or context
// of the program, in a goroutine of its own: it waits in vain.
//
// Every schedule begins with package-level channels, locks and sync.Once as they were
// before the first; other package-level variables, atomic ones too, stay as the last
// schedule left them. The order of a map whose keys are or contain pointers, interfaces or
// floating-point numbers is not under control, nor that of one whose type is a type
// parameter, nor of any map before go1.23; nor are addresses, and random numbers that
// packages outside draw. A finding that depends on one of them does not
// show again, and is reported as nondeterminism, or as one that does not show in a
// process of its own.
//
// With MODELCHECK_ISOLATE=1 every schedule has a process of its own, and all that is as at
// the begin of one.
//
// Of packages that stay as they are, single functions and types have counterparts:
// runtime.Gosched, Goexit and NumGoroutine,
// io.Pipe, and iter.Pull, whose coroutine is the goroutine that asks for the next value.
//
// Time is that of package model, under explore.Either: in some schedules it passes
// when no goroutine can go on, in others at any moment, sleeps and tickers included. A
// test whose own assertions fail in one of the latter is not blamed, because many rely
// on a sleep or a timeout to be long enough: the schedule is given up. What else is found there
// counts, goroutines that are blocked above all.
//
// # Data races
//
// With Config.Races accesses to ordinary variables are told to the scheduler, which looks
// for data races among them as it does for a model.Shared, by the same edges. They are no
// steps: a variable is read and written with the step before. Which accesses are told of
// is said in variable.go. Those told of happen, so what is found is a race unless code
// that is not under control orders the two, with a lock of its own for example.
//
// Go's race detector is not used, although it would see every access. It takes the
// scheduler's own passing on of control, of which there is one at each step, for
// synchronisation; that can be hidden from it only by compiling all of the scheduler
// without instrumentation, generic code that is compiled with the program included, and
// the maps in it cannot be hidden at all, since the runtime itself reports accesses to
// them. And it forgets accesses at random, so that a race would not always show again.
//
// # Why not through the standard library
//
// The other way is to patch package sync, time and context themselves in the overlay.
// That would also reach packages of other modules, but it rebuilds the standard
// library, which takes the first build from seconds to half a minute, and makes every
// lock inside fmt or os a scheduling point. The rewriter's output for the language
// itself would be the same.
package rewrite
