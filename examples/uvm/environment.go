package uvm

import (
	"errors"

	"github.com/modelcheck-go/modelcheck/model"
)

// environment is what the world may do to a utility VM and the tasks in it.
type environment struct {
	tasks    int      // in the same VM; 0 means 1
	ownsHost bool     // the VM is the first task's own
	execs    int      // processes in each container besides the first, which run until they are killed
	init     lifetime // of the first process in each container
	outlives bool     // a container is there until it is shut down, not just until its first process ends

	crash    bool   // the machine crashes, at any time
	output   output // of the machine
	cancel   bool   // the caller of Start may cancel its context when Start has returned
	timeouts bool   // timeouts fire at any moment, not only when nothing else happens
	failing  bool   // containers may refuse to be shut down, or not care

	unstarted bool // Start is never called
	early     bool // Start is called when others wait already
	closes    bool // Close is called when others wait
	deletes   bool // containerd deletes the task when its first process has ended, and then ends the shim
}

// lifetime says how long a process runs.
type lifetime int

const (
	endsItself lifetime = iota // at any time
	endless                    // until it is killed or the machine is off
)

// output is what becomes of the output of a machine.
type output int

const (
	logged   output = iota
	hangs           // the relay is never done with it
	unwanted        // there is no relay
)

// machine is the virtual machine itself.
type machine struct {
	off       model.Chan[struct{}] // closed when it is
	terminate model.Chan[struct{}]
	logged    model.Bool // all that it wrote is in the log
}

func newMachine(env environment) *machine {
	m := &machine{off: newDone("off"), terminate: model.Named(model.NewChan[struct{}](1), "terminate")}
	model.Named(&m.logged, "logged")
	model.Daemon("machine", func() {
		if !env.crash {
			m.terminate.Recv()
		}
		m.off.Close()
	})
	return m
}

// isOff reports whether the machine is off. It is for invariants: the program is told
// later.
func (m *machine) isOff() bool { return model.TrySelect(m.off.RecvCase(nil)) == 0 }

func (m *machine) Terminate() { model.TrySelect(m.terminate.SendCase(struct{}{})) }

// process is a process in a container.
type process struct {
	life    lifetime
	machine *machine
	kill    model.Chan[struct{}]
	exit    model.Chan[struct{}] // closed when HCS says that the process has ended
	code    int                  // then, its exit code
	started bool
}

const (
	success = 0
	killed  = 137
)

func newProcess(m *machine, life lifetime) *process {
	return &process{
		life: life, machine: m,
		kill: model.Named(model.NewChan[struct{}](1), "kill"),
		exit: newDone("p.exit"),
	}
}

func (p *process) start() {
	p.started = true
	model.Daemon("process", func() {
		p.code = success
		if p.life == endless {
			model.Select(p.kill.RecvCase(nil), p.machine.off.RecvCase(nil))
			p.code = killed
		}
		p.exit.Close()
	})
}

func (p *process) Kill() { model.TrySelect(p.kill.SendCase(struct{}{})) }

// container is a cow.Container: the container and the program's side of it.
type container struct {
	env       environment
	stop      model.Chan[struct{}]
	waitBlock model.Chan[struct{}] // closed when HCS says that the container is gone
	waitOnce  model.Once
}

func newContainer(env environment, m *machine, init *process) *container {
	c := &container{
		env:       env,
		stop:      model.Named(model.NewChan[struct{}](1), "stop"),
		waitBlock: newDone("c.waitBlock"),
	}
	model.Named(&c.waitOnce, "c.waitOnce")
	ends := init.exit
	if env.outlives {
		ends = model.Chan[struct{}]{}
	}
	model.Daemon("container", func() {
		model.Select(ends.RecvCase(nil), c.stop.RecvCase(nil), m.off.RecvCase(nil))
		c.waitOnce.Do(c.waitBlock.Close)
	})
	return c
}

func (c *container) isGone() bool { return model.TrySelect(c.waitBlock.RecvCase(nil)) == 0 }

var errShutdown = errors.New("failed to shut down")

// Shutdown asks the container to end.
func (c *container) Shutdown() error {
	if c.env.failing {
		refused := model.Choose(2) == 1
		model.Sometimes(refused, "a container refused to be shut down")
		if refused {
			return errShutdown
		}
	}
	c.Terminate()
	return nil
}

// Terminate ends the container, or should.
func (c *container) Terminate() {
	if c.env.failing {
		ignored := model.Choose(2) == 1
		model.Sometimes(ignored, "a container did not end")
		if ignored {
			return
		}
	}
	model.TrySelect(c.stop.SendCase(struct{}{}))
}

// Close lets go of the container. Whoever waits for it need wait no longer.
func (c *container) Close() { c.waitOnce.Do(c.waitBlock.Close) }

// callerContext is the context that Start is called with.
func callerContext(env environment) model.Context {
	ctx, cancel := model.WithCancel(model.Background())
	model.Named(ctx.Done(), "caller's ctx")
	if env.cancel {
		model.GoNamed("caller", cancel)
	}
	return ctx
}

// containerd starts a task, and waits for its end.
func (t *task) containerd() {
	t.init.Start()
	if t.host.env.crash {
		model.Sometimes(t.init.process.started, "the task was started")
		model.Sometimes(!t.init.process.started, "the machine was gone before the task was started")
	}
	for _, e := range t.execs {
		e.Start()
	}
	if t.host.env.deletes {
		t.Delete()
	} else {
		t.Wait()
	}
	t.heldAtEnd = !t.released.Load()
}
