package testing

import (
	"flag"
	"fmt"
	"regexp"
	"strings"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// Run runs f as a subtest, in a goroutine of its own, and waits until it is done or
// calls Parallel. It reports whether f has not failed so far.
func (t *T) Run(name string, f func(t *T)) bool {
	sub := &T{
		TB: t.TB, outcome: t.outcome, parent: t, name: t.name + "/" + t.unique(name),
		finished: model.NewChan[bool](1),
	}
	if !selected(sub.name) {
		return true
	}
	if t.released == (model.Chan[struct{}]{}) {
		t.released = model.NewChan[struct{}](0)
	}
	model.GoNamed(sub.name, func() {
		defer sub.tell() // Skip ends the goroutine
		sub.run(f)
	})
	sub.finished.Recv()
	return !sub.failed
}

// tell tells the parent that the subtest is over, unless a panic is about to end the run.
func (t *T) tell() {
	switch {
	case !t.done:
	case t.parallel:
		t.parent.waiting.Done()
	default:
		t.finished.Send(true)
	}
}

// Parallel lets the test go on together with the others that are parallel, once its
// parent's function has returned. Test functions themselves are explored one after
// the other.
func (t *T) Parallel() {
	if t.parallel {
		panic("testing: t.Parallel called multiple times")
	}
	if t.alone {
		panic(parallelConflict)
	}
	t.parallel = true
	if t.parent == nil {
		return
	}
	t.parent.waiting.Add(1)
	t.parent.waits = true
	t.finished.Send(true)
	t.parent.released.Recv()
}

// run runs the function of a test or subtest to its end. When it panics so does run, once
// the cleanup functions have run.
func (t *T) run(f func(*T)) {
	t.routine = sched.Current()
	defer func() {
		v := recover()
		if v != nil {
			t.excuse()
		}
		if v == nil && !t.returned {
			t.note(t.name + ": test executed panic(nil) or runtime.Goexit")
		}
		if t.waits {
			t.released.Close()
			t.waiting.Wait()
		}
		t.cleanup()
		if v != nil {
			panic(v)
		}
		t.done = true
	}()
	f(t)
	t.returned = true
}

// unique returns the name of a subtest as package testing writes it.
func (t *T) unique(name string) string {
	name = strings.ReplaceAll(name, " ", "_")
	if t.names == nil {
		t.names = map[string]int{}
	}
	n, taken := t.names[name]
	t.names[name]++
	switch {
	case name == "":
		return fmt.Sprintf("#%02d", n)
	case taken:
		return fmt.Sprintf("%s#%02d", name, n)
	}
	return name
}

// selected reports whether the flag -test.run asks for the subtest.
func selected(name string) bool {
	f := flag.Lookup("test.run")
	if f == nil {
		return true
	}
	patterns := strings.Split(f.Value.String(), "/")
	for i, part := range strings.Split(name, "/") {
		if i >= len(patterns) {
			break
		}
		if ok, err := regexp.MatchString(patterns[i], part); err == nil && !ok {
			return false
		}
	}
	return true
}
