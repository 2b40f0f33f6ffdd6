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
	for i := uint64(0); s.Begin(i); i++ {
		if m.spent() {
			return false
		}
		known.begin()
		r := m.run(s, sched.RunOptions{Log: true})
		s.End(r)
		known.takeAll(r.Log)
		if known.unsound && s.states != nil {
			s = &bounded{measure: s.measure, limit: s.limit}
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
