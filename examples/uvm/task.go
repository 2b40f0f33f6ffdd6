// Package uvm models the task of hcsshim, the containerd shim for Windows, for a
// container in a utility VM, and the goroutine that it leaks whenever a container
// ends before its VM: pull request #2354. README.md tells the story and the verdicts.
//
// This file and exec.go are the program: a task and the processes in its container.
// vm.go is the utility VM, with the ways to wait for it that the review of the pull
// request brought up. designs.go has every way in which a task has watched, or might
// watch, its VM. environment.go is what containers and machines do, and invariants.go
// what has to hold whatever they do.
package uvm

import (
	"errors"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

// task is an hcsTask: a container in a utility VM and the processes in it.
type task struct {
	design    design
	host      *utilityVM
	ownsHost  bool
	container *container
	init      *exec   // the container's first process
	execs     []*exec // others

	closed        model.Chan[struct{}]
	closeOnce     once
	closeHostOnce once // to close the host, and to publish the end, once

	history
}

// once is what a task needs of a sync.Once.
type once interface{ Do(func()) }

// lifecycle returns the body to explore: a utility VM with tasks in it, from their
// beginning until nothing can happen any more.
func (d design) lifecycle(env environment) func() {
	return func() {
		host := newUtilityVM(d.vm, env)
		ctx := callerContext(env)
		if env.early {
			model.GoNamed("starter", func() { host.Start(ctx) })
		} else {
			host.Start(ctx)
		}
		for i := range max(env.tasks, 1) {
			t := newTask(d, env, host, env.ownsHost && i == 0)
			t.require()
			model.GoNamed("containerd", t.containerd)
		}
	}
}

func newTask(d design, env environment, host *utilityVM, ownsHost bool) *task {
	t := &task{
		design: d, host: host, ownsHost: ownsHost,
		closed:        newDone("closed"),
		closeOnce:     d.newOnce("closeOnce"),
		closeHostOnce: d.newOnce("closeHostOnce"),
	}
	t.init = newExec(t, "init", env.init)
	t.container = newContainer(env, host.machine, t.init.process)
	model.GoNamed("init waitForContainerExit", t.init.waitForContainerExit)
	for range env.execs {
		e := newExec(t, "exec", endless)
		t.execs = append(t.execs, e)
		if !d.leavesExecs {
			model.GoNamed("exec waitForContainerExit", e.waitForContainerExit)
		}
	}
	model.GoNamed("waitForHostExit", t.waitForHostExit)
	model.GoNamed("waitInitExit", t.waitInitExit)
	return t
}

// newDone makes a channel that is closed to say that something is over.
func newDone(name string) model.Chan[struct{}] {
	return model.Named(model.NewChan[struct{}](0), name)
}

// waitForHostExit ends the task when the machine is gone, which nobody else notices
// if it crashes.
func (t *task) waitForHostExit() {
	if t.design.await(t) {
		t.forcedAlive = !t.host.machine.isOff()
	} else if !t.design.fallsThrough {
		return
	}
	for _, e := range t.execs {
		e.ForceExit(1)
	}
	t.init.ForceExit(1)
	t.design.end(t)
}

// waitInitExit ends the task when its first process has ended, as they mostly do.
func (t *task) waitInitExit() {
	t.init.Wait()
	t.close()
}

// close shuts the container down, then lets go of all that it used, then of the host.
func (t *task) close() {
	t.closeOnce.Do(func() {
		gone := newDone("gone")
		model.GoNamed("waitContainer", func() {
			t.container.waitBlock.Recv()
			gone.Close()
		})
		err := t.container.Shutdown()
		if err == nil && !t.design.hasty {
			err = waitFor(gone)
		}
		if err != nil {
			t.container.Terminate()
			err = waitFor(gone)
		}
		t.releaseResources(err)
		t.container.Close()
		t.closeHost()
	})
}

var errTimeout = errors.New("timed out")

// waitFor waits for 30 seconds at most.
func waitFor(gone model.Chan[struct{}]) error {
	timer := model.NewTimer(30 * time.Second)
	if model.Select(gone.RecvCase(nil), timer.C.RecvCase(nil)) == 1 {
		return errTimeout
	}
	timer.Stop()
	return nil
}

// closeHost publishes that the task is over, after closing the machine if it is the
// task's own.
func (t *task) closeHost() {
	t.closeHostOnce.Do(func() {
		if t.ownsHost && !t.design.leavesHost {
			t.host.Close()
		}
		t.publishTaskExit(t.init.Status())
		t.closed.Close()
	})
}

// Wait is what containerd calls to learn how the task ended. After that it may delete
// the task and end the shim, and whatever the task still holds stays locked.
func (t *task) Wait() status {
	t.closed.Recv()
	return t.init.Wait()
}

// Delete is DeleteExec of a first process that has ended. It waits for the task, but not
// for ever, and whether it fails then or not containerd may end the shim.
func (t *task) Delete() {
	t.init.Wait()
	if err := waitFor(t.closed); err != nil {
		model.Log("Delete:", err)
	}
}
