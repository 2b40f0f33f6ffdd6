package uvm

import (
	"fmt"

	"github.com/modelcheck-go/modelcheck/model"
)

// history is what the invariants judge in the end. Nothing in a task depends on it.
type history struct {
	taskExits []status // the TaskExit events of the init process
	released  model.Bool

	heldAtEnd     bool // resources were held when Wait, or Delete, had returned
	forcedAlive   bool // the task was ended for want of a host that was there
	releasedUnder bool // resources were released under a container that might have ended
	releasedAfter bool // resources were released when the task had closed its host
	leftOn        bool // the task's own host was on when the end of the task was published
}

func (t *task) publishTaskExit(s status) {
	model.Log("TaskExit:", string(s.state), s.code)
	t.taskExits = append(t.taskExits, s)
	t.leftOn = t.ownsHost && !t.host.machine.isOff()
}

// releaseResources takes away what the container used on the machine, such as its
// layers, which takes a machine that is there. Err says that the container was waited
// for in vain.
func (t *task) releaseResources(err error) {
	t.releasedUnder = err == nil && !t.container.isGone()
	t.releasedAfter = t.ownsHost && t.host.closing.Load()
	t.released.Store(true)
}

// require states what has to hold when nothing can happen any more. I0, that no
// goroutine is left then, need not be stated.
func (t *task) require() {
	model.Named(&t.released, "released")
	model.AtEnd("I1: one TaskExit, with the exit code of the init process", t.exitPublished)
	model.AtEnd("I2: Wait or Delete returns when the resources are released", func() error {
		return unless(t.heldAtEnd, "they were held")
	})
	model.AtEnd("I3: the host is closed when the resources are released", func() error {
		return unless(t.releasedAfter, "it was closed before")
	})
	model.AtEnd("I4: every exec ends as exited", t.allExited)
	model.AtEnd("I5: nobody is told that the machine is gone while it is there", func() error {
		return unless(t.forcedAlive, "the task was ended")
	})
	model.AtEnd("I8: the host that a task owns is off when the task is over", func() error {
		return unless(t.leftOn, "it was on")
	})
	model.AtEnd("I7: the resources are released when the container is gone, if it goes", func() error {
		return unless(t.releasedUnder, "it was there")
	})
}

func unless(broken bool, how string) error {
	if broken {
		return fmt.Errorf("%s", how)
	}
	return nil
}

func (t *task) exitPublished() error {
	want := status{exited, 1} // of ForceExit, if it was never started
	if t.init.process.started {
		want.code = t.init.process.code
	}
	if len(t.taskExits) != 1 || t.taskExits[0] != want {
		return fmt.Errorf("wanted %v, found %v", want, t.taskExits)
	}
	return nil
}

func (t *task) allExited() error {
	for _, e := range append([]*exec{t.init}, t.execs...) {
		if s := e.status.Get().state; s != exited {
			return fmt.Errorf("found one %v", s)
		}
	}
	for _, e := range t.execs {
		if e.process.started && e.published != 1 {
			return fmt.Errorf("wanted 1 TaskExit of an exec, found %d", e.published)
		}
	}
	return nil
}

// clients wait for a utility VM.
type clients struct {
	vm *utilityVM

	waitedAlive, waitedUnlogged bool // the machine was there, or output missing, when Wait had returned
	observedAlive               bool // the machine was there when exitCh was closed
}

func newClients(vm *utilityVM) *clients { return &clients{vm: vm} }

func (c *clients) wait() {
	c.vm.Wait()
	c.waitedAlive = !c.vm.machine.isOff()
	c.waitedUnlogged = !c.vm.machine.logged.Load()
}

func (c *clients) observe() {
	c.vm.exitCh.Recv()
	c.observedAlive = !c.vm.machine.isOff()
}

func (c *clients) require() {
	model.AtEnd("I5: nobody is told that the machine is gone while it is there", func() error {
		return unless(c.waitedAlive || c.observedAlive, "it was there")
	})
	model.AtEnd("I6: Wait returns when all output is in the log", func() error {
		return unless(c.waitedUnlogged && c.vm.env.output == logged && c.vm.started, "some was missing")
	})
}
