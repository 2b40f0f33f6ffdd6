package explore

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

// DefaultMinimize is how many runs looking for a simpler failing schedule may take
// unless Minimize says otherwise.
const DefaultMinimize = 10_000

// Minimal says how the schedule of a report came to be as simple as it is.
type Minimal struct {
	// Preemptions is how many it has. If Certified, no schedule with fewer shows the same
	// findings at the same places: all of them were run, or one of every trace class and
	// all of those classes that show the findings. Else nobody knows whether there is one.
	Preemptions int
	Certified   bool
	// FoundPreemptions and FoundSteps describe the schedule that was found.
	FoundPreemptions, FoundSteps int
	// Runs is how many runs it took to get from there to here, and CertifyRuns how many
	// to run the schedules with fewer preemptions, or those for which there was time.
	Runs, CertifyRuns int

	asFound bool // nothing simpler was seen
}

// String says what was made simpler, and whether it is certain that it is minimal.
func (m *Minimal) String() string {
	s := fmt.Sprintf("minimised from %s in %s (%s)", plural(m.FoundPreemptions, "preemption"), plural(m.FoundSteps, "step"), plural(m.Runs, "run"))
	if m.asFound {
		s = fmt.Sprintf("shown as it was found: nothing simpler in %s", plural(m.Runs, "run"))
	}
	switch {
	case m.Preemptions == 0:
		return s
	case m.Certified:
		return s + fmt.Sprintf("; no schedule with fewer preemptions shows this (%s)", plural(m.CertifyRuns, "more run"))
	}
	return s + fmt.Sprintf("; whether fewer preemptions would do is not known (%s)", plural(m.CertifyRuns, "more run"))
}

// claim is what reports may say.
func (m *Minimal) claim() string {
	if m.Certified {
		return "yes"
	}
	return "unknown"
}

// Minimize sets how many runs may be spent on making a failing schedule simpler,
// DefaultMinimize if it is not given; 0 leaves it as it was found.
func Minimize(runs int) Option {
	return Option{func(s *settings) error {
		if runs < 0 {
			return fmt.Errorf("explore.Minimize(%d): wanted 0 or more", runs)
		}
		s.minimize = runs
		return nil
	}}
}

// breachMinimize bounds the runs for each of the many schedules that a comparison shows.
const breachMinimize = 2_000

// isolatedMinimize bounds the runs where each takes a process. Those whose choices are not
// in a schedule's text are left out then.
const isolatedMinimize = 200

// expectedMinimize bounds the runs for what was expected and is shown in passing.
const expectedMinimize = 200

// minimize makes the schedule that is to be shown as simple as it can.
func (c *campaign) minimize() {
	f, runs, keep := c.found, c.set.minimize, func(fs []Finding) []Finding { return fs }
	if c.set.isolated() {
		runs = min(runs, isolatedMinimize)
	}
	switch {
	case f == nil && c.ledger != nil && c.ledger.tally == nil:
		f, runs = c.ledger.first, min(runs, expectedMinimize)
	case c.ledger != nil:
		keep = c.ledger.unexpected
	}
	c.shrink(f, keep, runs)
}

// shrink makes f as simple as it can in so many runs, as long as it shows the findings
// that keep returns. It leaves f as it is where there is no schedule, or none that
// decides alone.
func (c *campaign) shrink(f *failure, keep func([]Finding) []Finding, runs int) {
	if f == nil || c.err != nil || runs == 0 || f.schedule == "" || c.worker.lost || f.nondeterministic() {
		return
	}
	m, stuck := supervise(c.worker, c.deadline, func() *minimizer { return c.worker.minimize(f, keep, runs) })
	if stuck != nil {
		return // the program does something else in some schedule; what was found stands
	}
	m.best.minimal = &Minimal{
		Preemptions: m.size.preemptions, Certified: m.certified,
		FoundPreemptions: f.preemptions(), FoundSteps: f.steps,
		Runs: m.runs - m.certifying, CertifyRuns: m.certifying, asFound: m.best.schedule == f.schedule,
	}
	*f = *m.best
}

// minimizer looks for the simplest schedule that fails as a given one does: with the
// fewest preemptions, then the fewest deviations from the default policy (so that
// partners, cases and values are the first that are possible, where that will do),
// then the fewest steps. It goes about it in this order:
//
//   - other orders of the same trace class (reorder),
//   - leaving out deviations, at first many at a time, as in delta debugging (Choi,
//     Zeller, "Isolating failure-inducing thread schedules", ISSTA 2002),
//   - one deviation at a time: leaving it out, or moving a switch to a place where it
//     is no preemption (simplify),
//   - running every schedule with fewer preemptions, or every trace class (certify). If
//     that comes to its end the number is known to be minimal.
//
// Nothing is assumed about the schedules that it makes up: each is run, and kept only
// if it is simpler and shows the same findings at the same places.
type minimizer struct {
	w    *worker
	keep func([]Finding) []Finding // the findings that the failure is about
	key  string                    // of those
	best *failure
	size size

	reordered *failure // there is no simpler order of its events

	runs, steps int
	certifying  int // of these runs
	maxRuns     int
	seen        map[uint64]bool // hashes of failing runs that were looked at
	certified   bool
	unreliable  bool // a run could not be repeated
}

// size is what is minimised, in this order.
type size struct{ preemptions, deviations, steps, switches int }

func (s size) compare(t size) int {
	return cmp.Or(
		cmp.Compare(s.preemptions, t.preemptions), cmp.Compare(s.deviations, t.deviations),
		cmp.Compare(s.steps, t.steps), cmp.Compare(s.switches, t.switches),
	)
}

func sizeOf(f *failure) size {
	s := size{preemptions: f.preemptions(), deviations: len(f.deviations), steps: f.steps}
	for _, ev := range f.trace {
		if ev.Switch {
			s.switches++
		}
	}
	return s
}

// stepsPerRun bounds what minimising may take in steps too: a program of few runs
// may have long ones.
const stepsPerRun = 500

// spent reports whether the budget is used up.
func (m *minimizer) spent() bool {
	return m.runs >= m.maxRuns || m.steps >= stepsPerRun*m.maxRuns || m.unreliable || m.w.halt.Load()
}

// minimize makes f as simple as it can. It is called on the worker's goroutine.
func (w *worker) minimize(f *failure, keep func([]Finding) []Finding, maxRuns int) *minimizer {
	m := w.newMinimizer(f, keep, maxRuns)
	m.follow(nil)
	m.keepLast()
	m.reduce()
	if !w.set.isolated() && m.certify() {
		m.reduce()
	}
	m.best.findings = keep(m.best.findings)
	return m
}

func (w *worker) newMinimizer(f *failure, keep func([]Finding) []Finding, maxRuns int) *minimizer {
	return &minimizer{
		w: w, keep: keep, key: keyOf(keep(f.findings)), best: f, size: sizeOf(f),
		maxRuns: maxRuns, seen: map[uint64]bool{},
	}
}

// reduce repeats what makes schedules simpler until nothing does.
func (m *minimizer) reduce() {
	for before := m.size; ; before = m.size {
		if !m.w.set.isolated() {
			m.reorder()
		}
		m.leaveOut()
		m.simplify()
		if m.size == before {
			return
		}
	}
}

// run runs the program once.
func (m *minimizer) run(p sched.Picker, o sched.RunOptions) *sched.Result {
	r := m.w.perform(p, o)
	m.runs++
	m.steps += r.Steps
	return r
}

// follow tries the schedule s.
func (m *minimizer) follow(s schedule) bool {
	return m.try(&willing{newFollower(s)}, sched.RunOptions{})
}

// willing follows a schedule, and where it asks for something impossible does the next
// best: it lets the wanted goroutine go on in another way, or else leaves the running
// one, if that was the point, for whoever can go on.
type willing struct{ *follower }

func (s *willing) Pick(p *sched.Point) sched.Choice {
	a, ok := s.wanted[placeOf(p)]
	if !ok {
		return p.Default()
	}
	c := s.follower.Pick(p)
	if s.stale == nil || p.IsData() {
		return c
	}
	s.stale = nil
	if g, ok := p.Lookup(a.goroutine); ok && p.Enabled(g) {
		return sched.Choice{G: g}
	}
	r, enabled := p.Running()
	for i := 0; enabled && i < p.Len(); i++ {
		if g := p.At(i); g != r && !p.Op(g).Kind.MovesClock() {
			return sched.Choice{G: g}
		}
	}
	return c
}

// try reports whether p makes a simpler schedule, which then is the best.
func (m *minimizer) try(p sched.Picker, o sched.RunOptions) bool {
	return !m.spent() && m.consider(m.run(p, o))
}

// consider repeats a failing run with all details, and keeps it if it is simpler and
// shows the same.
func (m *minimizer) consider(r *sched.Result) bool {
	if !r.Failed || r.Outcome == sched.Misuse || r.Preemptions > m.size.preemptions || m.seen[r.Hash] {
		return false
	}
	m.seen[r.Hash] = true
	want := fingerprintOf(r)
	f := m.w.repeat(slices.Clone(r.Choices))
	m.runs++
	m.steps += f.steps
	m.unreliable = f.fingerprint != want
	size := sizeOf(f)
	if m.unreliable || keyOf(m.keep(f.findings)) != m.key || size.compare(m.size) >= 0 {
		return false
	}
	f.seed, f.index = m.best.seed, m.best.index
	m.best, m.size = f, size
	return true
}

// keepLast keeps only what was decided when the goroutines that the findings are about
// had executed their last operations: what left them there is often all that matters.
func (m *minimizer) keepLast() {
	last := map[string]int{}
	for _, ev := range m.best.trace {
		if ev.Op != "log" {
			last[ev.Goroutine]++
			last[ev.Partner]++
		}
	}
	concerned := map[string]bool{}
	for _, f := range m.best.findings {
		concerned[f.Goroutine] = true
	}
	all := m.best.deviations
	for n := range 3 {
		if m.follow(slices.DeleteFunc(slices.Clone(all), func(d deviation) bool {
			return !concerned[d.place.goroutine] || d.place.op < last[d.place.goroutine]-n
		})) {
			return
		}
	}
}

// leaveOut leaves out as many deviations at a time as it can: half of them, a
// quarter, and so on to a single one.
func (m *minimizer) leaveOut() {
	for n := len(m.best.deviations) / 2; n > 1; n /= 2 {
		for i := 0; i < len(m.best.deviations); {
			s := m.best.deviations
			if !m.follow(slices.Delete(slices.Clone(s), i, min(i+n, len(s)))) {
				i += n
			}
		}
	}
}

// simplify tries, for each deviation, the last first, to do without it or to make it
// where it is no preemption.
func (m *minimizer) simplify() {
	for i := len(m.best.deviations) - 1; i >= 0; i-- {
		i = min(i, len(m.best.deviations)-1)
		if i < 0 {
			return
		}
		s := m.best.deviations
		without := slices.Delete(slices.Clone(s), i, i+1)
		if m.follow(without) {
			continue
		}
		if d := s[i]; d.action.value < 0 && !m.w.set.isolated() {
			if !m.try(postpone(without, d), sched.RunOptions{}) {
				m.advance(without, d)
			}
		}
	}
}

// postponer follows a schedule and makes one deviation later: where the goroutine
// that was to be left cannot go on by itself.
type postponer struct {
	*follower
	late deviation
	due  bool
}

func postpone(s schedule, d deviation) *postponer { return &postponer{newFollower(s), d, false} }

func (s *postponer) Pick(p *sched.Point) sched.Choice {
	if placeOf(p) == s.late.place {
		s.due = true
		return p.Default()
	}
	if _, enabled := p.Running(); s.due && !enabled {
		s.due = false
		if c, ok := s.late.action.find(p); ok {
			return c
		}
	}
	return s.follower.Pick(p)
}

// advance tries to make deviation d where the goroutine that it leaves was chosen, in
// its place.
func (m *minimizer) advance(without schedule, d deviation) bool {
	if m.spent() {
		return false
	}
	diary := &diary{Picker: newFollower(m.best.deviations)}
	m.run(diary, sched.RunOptions{})
	at, ok := diary.arrival(d.place)
	if !ok {
		return false
	}
	s := slices.DeleteFunc(slices.Clone(without), func(e deviation) bool { return e.place == at })
	return m.follow(append(s, deviation{at, d.action}))
}

// diary notes all decisions of a run.
type diary struct {
	sched.Picker
	decisions []decision
}

type decision struct {
	place  place
	chosen string // spawn path
}

func (s *diary) Pick(p *sched.Point) sched.Choice {
	c := s.Picker.Pick(p)
	s.decisions = append(s.decisions, decision{placeOf(p), p.Path(c.G)})
	return c
}

// arrival returns the place of the last decision before the given one at which the
// goroutine that had just run there was chosen and another one had been running.
func (s *diary) arrival(before place) (place, bool) {
	end := slices.IndexFunc(s.decisions, func(d decision) bool { return d.place == before })
	for i := end - 1; i >= 0; i-- {
		if d := s.decisions[i]; d.chosen == before.goroutine && d.place.goroutine != d.chosen {
			return d.place, true
		}
	}
	return place{}, false
}
