package testing

import (
	"flag"
	"fmt"
	"regexp"
	"strings"

	"github.com/modelcheck-go/modelcheck/model"
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
		sub.run(f)
		if sub.parallel {
			t.waiting.Done()
		} else {
			sub.finished.Send(true)
		}
	})
	sub.finished.Recv()
	return !sub.failed
}

// Parallel lets the test go on together with the others that are parallel, once its
// parent's function has returned. Test functions themselves are explored one after
// the other.
func (t *T) Parallel() {
	if t.parallel {
		panic("testing: t.Parallel called multiple times")
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

// run runs the function of a test or subtest to its end.
func (t *T) run(f func(*T)) {
	defer func() {
		if v := recover(); v != nil {
			if s, ok := v.(skip); !ok || s.t != t {
				panic(v)
			}
		}
		if t.waits {
			t.released.Close()
			t.waiting.Wait()
		}
		t.cleanup()
	}()
	f(t)
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
