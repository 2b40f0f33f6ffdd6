package uvm

import "github.com/modelcheck-go/modelcheck/model"

// exec is an hcsExec: what a task knows of one process in its container.
type exec struct {
	task    *task
	process *process

	sl     model.Mutex
	status model.Shared[status] // guarded by sl

	processDone     model.Chan[struct{}] // closed when nobody need wait for the container
	processDoneOnce model.Once
	exited          model.Chan[struct{}]
	exitedOnce      model.Once

	published int // TaskExit events of this process, unless it is the init process
}

type execState string

const (
	created execState = "created"
	running execState = "running"
	exited  execState = "exited"
)

// unknown is the exit code of a process that has not ended.
const unknown = 255

// status is what an event says of a process.
type status struct {
	state execState
	code  int // unknown until state is exited
}

func newExec(t *task, name string, life lifetime) *exec {
	e := &exec{
		task:        t,
		process:     newProcess(t.host.machine, life),
		processDone: newDone(name + ".processDone"),
		exited:      newDone(name + ".exited"),
	}
	model.Named(&e.sl, name+".sl")
	model.Named(&e.status, name+".status").Set(status{created, unknown})
	model.Named(&e.processDoneOnce, name+".processDoneOnce")
	model.Named(&e.exitedOnce, name+".exitedOnce")
	return e
}

// Start starts the process, if the exec has not been ended before.
func (e *exec) Start() {
	e.sl.Lock()
	defer e.sl.Unlock()
	if e.status.Get().state != created {
		return
	}
	e.process.start()
	e.status.Set(status{running, unknown})
	model.GoNamed(e.name()+" waitForExit", e.waitForExit)
}

func (e *exec) name() string {
	if e == e.task.init {
		return "init"
	}
	return "exec"
}

// waitForExit notes how the process ended, and tells.
func (e *exec) waitForExit() {
	e.process.exit.Recv()
	e.processDoneOnce.Do(e.processDone.Close)
	e.sl.Lock()
	e.status.Set(status{exited, e.process.code})
	e.sl.Unlock()
	if e != e.task.init { // for which closeHost does it
		e.published++
	}
	e.exitedOnce.Do(e.exited.Close)
}

// waitForContainerExit ends the exec when its container is gone.
func (e *exec) waitForContainerExit() {
	if model.Select(e.task.container.waitBlock.RecvCase(nil), e.processDone.RecvCase(nil)) == 0 {
		e.ForceExit(1)
	}
}

// ForceExit ends the exec, or sees to it that waitForExit does.
func (e *exec) ForceExit(code int) {
	e.sl.Lock()
	defer e.sl.Unlock()
	switch e.status.Get().state {
	case created:
		e.processDoneOnce.Do(e.processDone.Close)
		e.status.Set(status{exited, code})
		e.exitedOnce.Do(e.exited.Close)
	case running:
		e.process.Kill()
	}
}

// Wait waits until the exec has ended.
func (e *exec) Wait() status {
	e.exited.Recv()
	return e.Status()
}

func (e *exec) Status() status {
	e.sl.Lock()
	defer e.sl.Unlock()
	return e.status.Get()
}
