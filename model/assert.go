package model

import "github.com/modelcheck-go/modelcheck/sched"

// Assert says that ok has to hold here; msg names the assertion in reports. A
// broken assertion ends the controlled run, and code under test cannot recover it.
// Natively it panics.
func Assert(ok bool, msg string) {
	if g := sched.Current(); g != nil {
		g.Assert(ok, msg)
		return
	}
	if !ok {
		panic("modelcheck: broken assertion: " + msg)
	}
}

// AtEnd registers f to be judged when nothing can happen any more: an error that
// it returns is a finding called name. f may read channels' lengths, contexts and
// the program's variables, and may take locks, but must not change or wait for
// anything. Natively nobody knows when the end has come, and AtEnd does nothing.
func AtEnd(name string, f func() error) {
	if g := sched.Current(); g != nil {
		g.AtEnd(name, f)
	}
}

// Invariant registers f to be judged now and after every step that changes one of
// the objects: an error that it returns ends the run with a finding called name.
// f must depend on nothing but those objects and on variables that change together
// with them, before the goroutine that took the step takes its next one; the same
// rules hold for f as in [AtEnd]. Natively Invariant does nothing.
//
// The objects have to be named because exhaustive search leaves out the orders of
// steps that do not affect each other, and f makes steps affect each other that
// otherwise do not.
func Invariant(name string, objects []Object, f func() error) {
	g := sched.Current()
	if g == nil {
		return
	}
	watched := make([]*sched.Object, len(objects))
	for i, o := range objects {
		watched[i] = o.object(g)
	}
	g.Invariant(name, watched, f)
}

// Sometimes notes that ok held here, under this name. It never fails a run: a
// check that explored many schedules reports the names for which ok never held,
// because then it did not exercise what it was written for. Natively it does
// nothing.
func Sometimes(ok bool, name string) {
	if g := sched.Current(); g != nil {
		g.Sometimes(ok, name)
	}
}

// Log shows args in the report of a failing run at this point of the schedule. It
// is no step and formats nothing while exploring. The text must be the same in
// every run of the same schedule: no addresses, times or map order. Natively it
// does nothing.
func Log(args ...any) {
	if g := sched.Current(); g != nil {
		g.Log(args...)
	}
}
