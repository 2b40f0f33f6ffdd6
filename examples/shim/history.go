package shim

// Before #10651 the service did not count the execs that run, but those that are
// being started: processExits postponed an exit while there were any, and the last
// one to be started handled it. These are the places where that showed.

// postpones reports whether the exit of t has to wait for execs that are being
// started.
func (s *service) postpones(t task) bool {
	return s.design.postpones != nil && s.design.postpones(t) && s.pendingExecs[t.c] > 0
}

// take takes the tasks with the given pid whose exits can be handled now. lifecycleMu
// must be held.
func (s *service) take(pid int) (now []task) {
	var later []task
	for _, t := range s.running[pid] {
		if s.postpones(t) {
			later = append(later, t)
		} else {
			now = append(now, t)
		}
	}
	s.running[pid] = later
	if len(later) == 0 {
		delete(s.running, pid)
	}
	return now
}

// execStarted notes that t has started, or failed to, and returns what has to be done
// with the exit of the init process if this was the last exec to be started and saw
// it. lifecycleMu must be held.
func (s *service) execStarted(t task, early *subscriber) (handlePostponed func()) {
	if t.isInit() {
		return func() {}
	}
	s.pendingExecs[t.c]--
	if s.pendingExecs[t.c] > 0 {
		return func() {}
	}
	delete(s.pendingExecs, t.c)
	if s.design.postpones == nil || len((*early)[t.c.init.pid]) == 0 {
		return func() {}
	}
	inits := s.take(t.c.init.pid)
	return func() {
		for _, t := range inits {
			s.handleProcessExit(t)
		}
	}
}

// lockMu locks mu, as handleProcessExit once did, and returns what unlocks it.
func (s *service) lockMu(t task) (unlock func()) {
	if s.design.locksMu == nil || !s.design.locksMu(t) {
		return func() {}
	}
	s.mu.Lock()
	return s.mu.Unlock
}
