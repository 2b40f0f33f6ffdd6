// Package shim models the task service of containerd-shim-runc-v2, which watches over
// the processes of containers and has to publish the exit of an init process after
// the exits of all execs: pull request #10651, and what came before and after it.
// README.md tells the story and the verdicts.
//
// This file and exits.go are the program, as it landed. designs.go has the other ways
// to wait for the execs that were proposed, history.go those that came before.
// environment.go is the kernel, runc and the clients, invariants.go what has to hold
// whatever they do. reaper.go is a neighbour with a deadlock of its own.
package shim

import (
	"errors"
	"slices"

	"github.com/modelcheck-go/modelcheck/model"
)

// service is the task service.
type service struct {
	design design
	env    environment

	mu         model.Mutex // guards containers
	containers []*container

	ec     model.Chan[exit]     // from the reaper, in the order in which it reaps
	events model.Chan[event]    // to forward
	done   model.Chan[struct{}] // closed when the service shuts down, see design.drops

	lifecycleMu model.Mutex // guards what follows

	// running are the processes that are known to have started, by pid.
	running map[int][]task
	// exitSubscribers are told of all exits: who starts a process does not know the
	// pid yet.
	exitSubscribers []*subscriber
	// containerInitExit has the exits of init processes, from when they are known
	// until the container is deleted.
	containerInitExit map[*container]exit
	// runningExecs counts the execs of a container that are being started or have
	// not exited yet. It does not grow while containerInitExit has the container.
	runningExecs map[*container]int

	waiters
	pendingExecs map[*container]int // of old designs, see history.go

	inits model.WaitGroup // init processes that have not been reaped, see start

	history
}

// exit says that a process has exited.
type exit struct{ pid int }

// task is a process of a container.
type task struct {
	c *container
	p *process

	muHeld bool // by who handles it, see design.locksMu
}

func (t task) isInit() bool { return t.p == t.c.init }

// subscriber collects exits by pid.
type subscriber map[int][]exit

func newService(d design, env environment) *service {
	s := &service{
		design: d, env: env,
		ec:                model.Named(model.NewChan[exit](32), "ec"),
		events:            model.Named(model.NewChan[event](128), "events"),
		done:              model.Named(model.NewChan[struct{}](0), "done"),
		running:           map[int][]task{},
		containerInitExit: map[*container]exit{},
		runningExecs:      map[*container]int{},
		pendingExecs:      map[*container]int{},
	}
	model.Named(&s.mu, "mu")
	model.Named(&s.lifecycleMu, "lifecycleMu")
	s.waiters = newWaiters(&s.lifecycleMu)
	s.start("processExits", s.processExits)
	model.Daemon("forward", s.forward)
	return s
}

// preStart prepares for the start of a process and for its exit, which may come
// first. If it is the init process of c that is to be started, that is not known to
// run until handleStarted says so.
//
// handleStarted is to be called when the start was published, or has failed.
// lifecycleMu must be held for preStart, and must not be for handleStarted.
func (s *service) preStart(c *container) (handleStarted func(task)) {
	early := &subscriber{}
	s.exitSubscribers = append(s.exitSubscribers, early)
	if c != nil {
		delete(s.running, c.init.pid)
	}
	return func(t task) {
		pid := t.p.Pid()
		s.lifecycleMu.Lock()
		s.exitSubscribers = slices.DeleteFunc(s.exitSubscribers, func(x *subscriber) bool { return x == early })
		exits := (*early)[pid]
		handlePostponed := s.execStarted(t, early)
		if pid != 0 && len(exits) == 0 {
			s.running[pid] = append(s.running[pid], task{c: t.c, p: t.p})
			s.lifecycleMu.Unlock()
			return
		}
		handle := s.earlyExit(t, exits)
		s.lifecycleMu.Unlock()
		for range exits {
			handle(t)
		}
		handlePostponed()
	}
}

var (
	errInitExited = errors.New("the init process is not running")
	errStarted    = errors.New("the process was started before")
	errRunc       = errors.New("runc failed")
)

// Create makes a container, with an init process that waits to be started.
func (s *service) Create(c *container) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.lifecycleMu.Lock()
	handleStarted := s.preStart(nil)
	s.lifecycleMu.Unlock()

	c.create(s)
	s.containers = append(s.containers, c)
	s.send(event{created, c.init})
	handleStarted(task{c: c, p: c.init, muHeld: true})
}

// Start starts the init process or an exec of a container.
func (s *service) Start(t task) error {
	s.lifecycleMu.Lock()
	var cinit *container
	if t.isInit() {
		cinit = t.c
	} else {
		if s.refuses(t.c) {
			s.lifecycleMu.Unlock()
			return errInitExited
		}
		s.countExecs(t.c, +1)
		s.pendingExecs[t.c]++
	}
	handleStarted := s.preStart(cinit)
	s.lifecycleMu.Unlock()

	if err := s.runc(t); err != nil {
		if !t.isInit() {
			s.lifecycleMu.Lock()
			s.countExecs(t.c, -1)
			s.lifecycleMu.Unlock()
		}
		if s.design.forgetsFailed {
			t.p = nil
		}
		handleStarted(t)
		return err
	}
	s.send(event{started, t.p})
	handleStarted(t)
	return nil
}

// refuses reports whether it is too late to start an exec.
func (s *service) refuses(c *container) bool {
	_, exited := s.containerInitExit[c]
	return exited && !s.design.unguarded
}

// countExecs counts n execs of c more. lifecycleMu must be held.
func (s *service) countExecs(c *container, n int) {
	if s.design.await == nil {
		return
	}
	s.runningExecs[c] += n
	if n < 0 {
		s.design.tell(s, c)
	}
}

// Delete deletes a container whose init process has exited.
func (s *service) Delete(c *container) {
	c.exited.Recv()
	s.mu.Lock()
	s.containers = slices.DeleteFunc(s.containers, func(x *container) bool { return x == c })
	s.mu.Unlock()
	s.send(event{deleted, c.init})
	if s.design.retains {
		return
	}
	s.lifecycleMu.Lock()
	delete(s.containerInitExit, c)
	s.lifecycleMu.Unlock()
}

// Shutdown ends the service unless there still are containers.
func (s *service) Shutdown() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.containers) > 0 {
		return
	}
	s.isShutDown = true
	if s.design.drops {
		s.done.Close()
		return
	}
	s.events.Close()
}
