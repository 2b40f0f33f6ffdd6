package shim

import (
	"fmt"

	"github.com/modelcheck-go/modelcheck/model"
)

// environment is what the kernel, runc and the clients may do to the service.
type environment struct {
	containers int  // 0: one
	execs      int  // of each container; a client starts each of them
	sharedPIDs bool // containers have no PID namespace of their own

	creates    bool // a client creates the container, which does not exist before
	neighbour  bool // and there is another, which somebody has created before
	startsInit bool // a client starts the init process, which waits for that
	deletes    bool // a client deletes the container when its init process has exited
	shutsDown  bool // a client tries to shut the service down

	twice     bool // each exec is started by two clients
	fails     bool // runc may fail
	failsLate bool // runc may fail when the process runs
	stubborn  bool // execs do not exit unless they are killed
	settles   bool // init processes exit when no exec is being started any more
}

// serve returns the body to explore: containers from when they run, or are created,
// until nothing can happen any more.
func serve(d design, env environment) func() {
	return func() {
		s := newService(d, env)
		s.require()
		for i := range env.number() {
			c := newContainer(env, i)
			s.all = append(s.all, c)
			if env.creates && !(env.neighbour && i == 0) {
				model.GoNamed("create", func() {
					s.Create(c)
					s.clients(c)
				})
				continue
			}
			s.containers = append(s.containers, c)
			s.running[c.init.pid] = []task{{c: c, p: c.init}}
			c.create(s)
			s.clients(c)
		}
	}
}

// start starts processExits, which goes on for as long as the service. With a neighbour
// it ends with the last exit, and is missed if it does not.
func (s *service) start(name string, processExits func()) {
	if !s.env.neighbour {
		model.Daemon(name, processExits)
		return
	}
	model.GoNamed(name, processExits)
	s.inits.Add(s.env.number())
	model.Named(&s.inits, "inits")
	model.GoNamed("reaper", func() {
		s.inits.Wait()
		s.ec.Close()
	})
}

// number returns how many containers there are.
func (e environment) number() int {
	if e.neighbour {
		return 2
	}
	return max(e.containers, 1)
}

func (s *service) clients(c *container) {
	for _, p := range c.execs {
		s.client("start exec", task{c: c, p: p})
		if s.env.twice {
			s.client("start exec", task{c: c, p: p})
		}
	}
	if s.env.startsInit {
		s.client("start init", task{c: c, p: c.init})
	}
	if s.env.deletes {
		model.GoNamed("delete", func() { s.Delete(c) })
	}
	if s.env.shutsDown {
		model.GoNamed("shut down", s.Shutdown)
	}
}

func (s *service) client(name string, t task) {
	model.GoNamed(name, func() {
		err := s.Start(t)
		model.Sometimes(err == nil, "a process was started")
		t.c.starts.Done()
	})
}

// container is a container as the kernel and runc see it.
type container struct {
	env   environment
	init  *process
	execs []*process

	starts model.WaitGroup // processes that are being started

	// pids is the PID namespace. Each exec that runs holds it for reading, and where
	// the container has it for itself the init process needs it for writing to exit.
	pids model.RWMutex
	gone bool // it takes no more processes; guarded by pids

	killed model.Chan[struct{}]
	exited model.Chan[struct{}] // the service knows that the init process has exited
}

// process is a process, or may become one.
type process struct {
	name   string
	number int // its pid, when it has one

	mu  model.Mutex
	pid int // 0: runc has not said yet; guarded by mu

	exits bool // it has exited, or will

	runs     model.Bool // it is there; kept only where runc fails late, for C3
	outlives bool       // it was there when the exit of the init process was published
}

func newContainer(env environment, i int) *container {
	c := &container{
		env:    env,
		init:   newProcess(i, "init", 1),
		killed: model.Named(model.NewChan[struct{}](0), "killed"),
		exited: model.Named(model.NewChan[struct{}](0), "exited"),
	}
	c.init.pid = c.init.number
	for k := range env.execs {
		c.execs = append(c.execs, newProcess(i, fmt.Sprintf("exec %d", k+1), 10+k))
	}
	c.starts.Add(c.clients())
	model.Named(&c.starts, "starts")
	model.Named(&c.pids, "PID namespace")
	return c
}

// clients returns how many clients start a process of c.
func (c *container) clients() int {
	n := len(c.execs)
	if c.env.twice {
		n *= 2
	}
	if c.env.startsInit {
		n++
	}
	return n
}

func newProcess(container int, name string, number int) *process {
	if container > 0 {
		name = fmt.Sprintf("%s of container %d", name, container+1)
	}
	p := &process{name: name, number: 100*container + number}
	model.Named(&p.mu, name+".mu")
	model.Named(&p.runs, name+" runs")
	return p
}

// Pid returns the pid, as far as runc has said it; 0 if p is nil.
func (p *process) Pid() int {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pid
}

// create makes the init process, which exits at any time.
//
// In a namespace of its own it is the last to go. From when it exits the kernel lets
// no process in and kills those that are there; the init process can be reaped when
// they have been. As an exec may exit at any time anyway, it need not be told to.
func (c *container) create(s *service) {
	model.GoNamed(c.init.name, func() {
		if c.env.settles {
			c.starts.Wait()
		}
		c.die()
		s.ec.Send(exit{c.init.number})
		if s.env.neighbour {
			s.inits.Done()
		}
	})
}

// runc starts the init process, or an exec.
func (s *service) runc(t task) error {
	if t.isInit() {
		return nil
	}
	t.p.mu.Lock()
	defer t.p.mu.Unlock()
	switch {
	case t.p.pid != 0:
		return errStarted
	case s.env.fails && model.Choose(2) == 1, !t.c.fork(s, t.p), s.env.failsLate && model.Choose(2) == 1:
		return errRunc
	}
	t.p.pid = t.p.number
	return nil
}

// fork makes a process that exits at any time, if the namespace lets it in.
func (c *container) fork(s *service, p *process) bool {
	if !c.enter() {
		return false
	}
	if c.env.stubborn && model.TrySelect(c.killed.RecvCase(nil)) == 0 {
		return true // it came after the killer, and stays
	}
	p.exits = true
	p.is(c.env.failsLate, true)
	model.GoNamed(p.name, func() {
		if c.env.stubborn {
			c.killed.Recv()
		}
		p.is(c.env.failsLate, false)
		s.ec.Send(exit{p.number})
		c.leave()
	})
	return true
}

// is notes, if somebody wants to know, whether the process runs.
func (p *process) is(wanted, running bool) {
	if wanted {
		p.runs.Store(running)
	}
}

// enter lets a process into the namespace, unless it is dying or dead.
func (c *container) enter() bool {
	if c.env.sharedPIDs {
		return true
	}
	if !c.pids.TryRLock() {
		return false
	}
	gone := c.gone
	if gone {
		c.pids.RUnlock()
	}
	return !gone
}

// die waits for the namespace to be empty, and closes it.
func (c *container) die() {
	if c.env.sharedPIDs {
		return
	}
	c.pids.Lock()
	c.gone = true
	c.pids.Unlock()
}

func (c *container) leave() {
	if !c.env.sharedPIDs {
		c.pids.RUnlock()
	}
}

// killAll kills all processes that run.
func (c *container) killAll() {
	if c.env.sharedPIDs {
		c.killed.Close()
	}
}
