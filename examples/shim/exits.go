package shim

import "github.com/modelcheck-go/modelcheck/model"

// processExits handles what the reaper reaps.
func (s *service) processExits() {
	for e := range s.ec.All() {
		s.lifecycleMu.Lock()
		for _, early := range s.exitSubscribers {
			(*early)[e.pid] = append((*early)[e.pid], e)
		}
		tasks := s.take(e.pid)
		for _, t := range tasks {
			if t.isInit() {
				s.containerInitExit[t.c] = e
			}
		}
		s.lifecycleMu.Unlock()

		for _, t := range tasks {
			if t.isInit() {
				s.handleInitExit(t)
			} else {
				s.handleProcessExit(t)
			}
		}
	}
}

// handleInitExit publishes the exit of an init process when no exec of the container
// is left. Those that share the PID namespace with others have to be killed; where
// the container has its own they are dead already.
func (s *service) handleInitExit(t task) {
	t.c.killAll()
	if s.design.await == nil {
		s.handleProcessExit(t)
		return
	}
	s.lifecycleMu.Lock()
	n := s.runningExecs[t.c]
	model.Sometimes(n > 0 || s.env.execs == 0, "the exit of an init process waits for execs")
	if n == 0 {
		delete(s.runningExecs, t.c)
		s.lifecycleMu.Unlock()
		s.handleProcessExit(t)
		return
	}
	wait := s.design.await(s, t.c)
	s.lifecycleMu.Unlock()

	model.GoNamed("init exit", func() {
		wait()
		s.handleProcessExit(t)
		s.lifecycleMu.Lock()
		s.forget(t.c)
		delete(s.runningExecs, t.c)
		s.lifecycleMu.Unlock()
	})
}

// handleProcessExit publishes the exit of a process.
func (s *service) handleProcessExit(t task) {
	defer s.lockMu(t)()
	if t.isInit() {
		t.c.exited.Close() // who waits for it goes on
		t.c.leftovers()
	}
	s.send(event{exited, t.p})
	if !t.isInit() {
		s.lifecycleMu.Lock()
		s.countExecs(t.c, -1)
		s.lifecycleMu.Unlock()
	}
}

// earlyExit returns what to do with exits of a process that came before
// handleStarted. lifecycleMu must be held.
func (s *service) earlyExit(t task, exits []exit) func(task) {
	if s.design.earlyInit && t.isInit() && len(exits) > 0 {
		s.containerInitExit[t.c] = exits[0]
		return s.handleInitExit
	}
	return s.handleProcessExit
}

// send publishes an event.
func (s *service) send(e event) {
	if !s.design.drops {
		s.events.Send(e)
		return
	}
	model.Select(s.events.SendCase(e), s.done.RecvCase(nil))
}

// forward hands events on to containerd.
func (s *service) forward() {
	if !s.design.drops {
		for e := range s.events.All() {
			s.published = append(s.published, e)
		}
		return
	}
	var e event
	for model.Select(s.events.RecvCase(&e), s.done.RecvCase(nil)) == 0 {
		s.published = append(s.published, e)
	}
	for model.TrySelect(s.events.RecvCase(&e)) == 0 {
		s.published = append(s.published, e)
	}
}
