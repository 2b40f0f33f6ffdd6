package explore

import "github.com/modelcheck-go/modelcheck/sched"

// certify runs every schedule with fewer preemptions than the best one, those with
// the fewest first, until one fails in the same way. Then, or if it comes to the end,
// no schedule has fewer than the best. Of schedules that come to the same state it
// runs on with one: see states. It reports whether it found a better one.
func (m *minimizer) certify() (found bool) {
	if m.size.preemptions == 0 {
		m.certified = true
		return false
	}
	defer func(before int) { m.certifying = m.runs - before }(m.runs)
	known := newStates()
	s := &bounded{measure: measures[0], limit: m.size.preemptions - 1, states: known}
	ends := map[uint64]bool{} // looked at, by what happened
	careful := m.w.engine.CrossUnlocks()
	for i := uint64(0); s.Begin(i); i++ {
		if m.spent() {
			return false
		}
		known.begin()
		r := m.run(s, sched.RunOptions{Log: true})
		s.End(r)
		known.takeAll(r.Log)
		switch {
		case known.unsound && s.states != nil:
			s = &bounded{measure: s.measure, limit: s.limit}
			continue
		case r.Log.CrossUnlocks && !careful: // the engine sees more dependencies from now on
			careful = true
			known, ends = newStates(), map[uint64]bool{}
			s = &bounded{measure: s.measure, limit: s.limit, states: known}
			continue
		}
		if s.states != nil && r.Failed && ends[known.sum] {
			continue
		}
		ends[known.sum] = true
		if m.consider(r) {
			m.certified = true
			return true
		}
	}
	m.certified = !s.diverged && !m.unreliable
	return false
}
