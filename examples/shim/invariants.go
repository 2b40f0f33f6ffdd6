package shim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/modelcheck-go/modelcheck/model"
)

// event is what the service publishes.
type event struct {
	what what
	p    *process
}

type what int

const (
	created what = iota
	started
	exited
	deleted
)

// history is what the invariants judge in the end. Nothing in the service depends on
// it.
type history struct {
	all        []*container
	published  []event
	isShutDown bool // and events may be lost
}

// require states what has to hold when nothing can happen any more. C5, that nothing
// is blocked and no lock held, and C7, that nothing panics, need not be stated.
func (s *service) require() {
	s.each("C1: the exit of the init process is published once", func(c *container) error {
		return s.once(c.init)
	})
	s.eachExec("C2: the exit of an exec is published once", func(_ *container, p *process) error {
		if !p.exits {
			return nil
		}
		return s.once(p)
	})
	s.eachExec("C3: the exit of the init process is published after those of execs", func(c *container, p *process) error {
		if p.outlives {
			return fmt.Errorf("%s is there when the exit of %s is published", p.name, c.init.name)
		}
		return s.ordered(event{exited, p}, event{exited, c.init})
	})
	s.eachExec("C4: the start of an exec is published before its exit", func(_ *container, p *process) error {
		return s.ordered(event{started, p}, event{exited, p})
	})
	s.each("C6: nothing is left of a container", s.cleared)
	s.each("C8: the exit of the init process is published before the container is deleted", func(c *container) error {
		return s.ordered(event{exited, c.init}, event{deleted, c.init})
	})
}

func (s *service) each(name string, holds func(*container) error) {
	model.AtEnd(name, func() error {
		for _, c := range s.all {
			if err := holds(c); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *service) eachExec(name string, holds func(*container, *process) error) {
	s.each(name, func(c *container) error {
		for _, p := range c.execs {
			if err := holds(c, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// leftovers notes which execs are there when the exit of the init process is published.
// Only where runc fails late need that be asked: else the service knows of all execs, and
// publishes no exit before there is one.
func (c *container) leftovers() {
	if !c.env.failsLate {
		return
	}
	for _, p := range c.execs {
		p.outlives = p.runs.Load()
	}
}

func (s *service) once(p *process) error {
	n := 0
	for _, e := range s.published {
		if e == (event{exited, p}) {
			n++
		}
	}
	if n != 1 && !(s.isShutDown && n == 0) {
		return fmt.Errorf("wanted 1 exit of %s, found %d", p.name, n)
	}
	return nil
}

// ordered fails if first was published after last.
func (s *service) ordered(first, last event) error {
	late := false
	for _, e := range s.published {
		late = late || e == last
		if late && e == first {
			return fmt.Errorf("found %v after %v", first, last)
		}
	}
	return nil
}

// cleared judges C6. As long as the exit of the init process has not been published
// something has to be left.
func (s *service) cleared(c *container) error {
	if s.once(c.init) != nil {
		return nil
	}
	if n, ok := s.runningExecs[c]; ok {
		return fmt.Errorf("runningExecs is %d", n)
	}
	if len(s.execCountSubscribers)+len(s.newsSubscribers)+len(s.exitSubscribers) > 0 {
		return errors.New("there are subscribers")
	}
	if _, ok := s.containerInitExit[c]; ok && !slices.Contains(s.containers, c) {
		return errors.New("containerInitExit has a container that was deleted")
	}
	return nil
}

func (e event) String() string { return fmt.Sprintf("%v of %s", e.what, e.p.name) }

func (w what) String() string {
	return [...]string{created: "creation", started: "start", exited: "exit", deleted: "deletion"}[w]
}
