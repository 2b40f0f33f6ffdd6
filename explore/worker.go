package explore

import (
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/modelcheck-go/modelcheck/sched"
)

// worker explores with an engine of its own on a goroutine of its own. It shares
// nothing with other workers, so any number can work on one campaign.
type worker struct {
	body   func()
	set    *settings
	engine *sched.Engine
	jobs   chan func()
	gone   chan struct{} // closed when the goroutine has ended
	goid   int64         // the goroutine's number in stack dumps

	halt  atomic.Bool   // do not begin another schedule
	index atomic.Uint64 // the schedule being run
	row   atomic.Uint64 // the first schedule of its row
	timed atomic.Bool   // some schedule started a timer
	pace  atomic.Int64  // nanoseconds that a schedule of the last row took, 0 before the first

	// thinking: the search looks for races in a long run that has ended, which takes
	// time that grows with its square, and comes to an end. The watch lets it be.
	thinking atomic.Bool
	lost     bool // it was given up; the campaign's

	// What follows belongs to the worker's goroutine, and while that is idle to the
	// campaign's.
	strategy Strategy // made from seed
	seed     uint64
	lesson   *lesson           // what the strategy has learnt, when runs are isolated
	ledger   *ledger           // what this worker has met, nil when nothing is expected
	sampler  *sampler          // nil when nobody asks for statistics
	known    map[uint64]bool   // hashes of failing runs that are expected
	lengths  map[uint64]length // of the shortest failing runs by their symptoms, see wants
}

func newWorker(body func(), set *settings) *worker {
	w := &worker{
		body: body, set: set,
		engine: sched.New(sched.Config{MaxSteps: set.steps, Advice: adviceOnForeigners()}),
		jobs:   make(chan func()),
		gone:   make(chan struct{}),
		known:  map[uint64]bool{}, lengths: map[uint64]length{},
	}
	if len(set.expect) > 0 || set.tally != nil {
		w.ledger = newLedger(set.expect, nil)
	}
	if set.stats {
		w.sampler = newSampler()
	}
	started := make(chan struct{})
	go func() {
		defer close(w.gone)
		w.goid = goroutineNumber()
		close(started)
		for job := range w.jobs {
			job()
		}
		w.engine.Close()
	}()
	<-started
	return w
}

// close ends the worker, which must be idle.
func (w *worker) close() {
	close(w.jobs)
	<-w.gone
}

// counts counts schedules and sums up what every one of them has.
type counts struct {
	schedules, steps int
	alive            bool // some schedule had a choice or a second goroutine
	timed            bool // some schedule started a timer
}

func (t *counts) add(u counts) {
	t.schedules += u.schedules
	t.steps += u.steps
	t.alive = t.alive || u.alive
	t.timed = t.timed || u.timed
}

// stretch is what exploring a row of schedules gave.
type stretch struct {
	from, next uint64 // the first schedule of the row, and the first not explored
	counts
	samples   []sample   // of its schedules, if statistics are asked for
	incidents []incident // what the campaign has to judge, in order
	coverage  *Coverage  // so far, of a search that does not sample
	ended     bool       // the strategy has no schedule next
	only      bool       // there is no other schedule than the first
}

// incident is a failing schedule, or one that misuses the tool.
type incident struct {
	*failure
	upTo counts // of the row, up to this schedule
}

// explore runs the schedules from..to-1 of q's seed. It returns early at one that
// ends the campaign, at the bound, and when halted.
func (w *worker) explore(q *quota, from, to uint64) stretch {
	if w.strategy == nil || w.seed != q.seed {
		w.prepare(q.seed, from)
	}
	s := stretch{from: from, next: from}
	for s.next < min(to, q.bound.Load()) && !w.halt.Load() {
		i := s.next
		w.index.Store(i)
		r, ok := w.run(i)
		if !ok {
			s.ended = true
			q.lower(i)
			return s
		}
		s.next++
		s.counts.add(counts{1, r.Steps, len(r.Choices) > 0 || r.Goroutines > 1, r.Timers > 0 || r.Hasty})
		unforked := len(r.Choices) == 0
		if w.sampler != nil && r.Outcome != sched.Abandoned {
			s.samples = append(s.samples, w.sample(i, r))
		}
		f := w.look(q, i, r)
		if f != nil {
			news, last := w.weigh(f)
			if news {
				s.incidents = append(s.incidents, incident{f, s.counts})
			}
			if last {
				q.lower(i + 1)
				return s
			}
		}
		if _, whole := w.strategy.(exhaustive); i == 0 && unforked && f == nil && !whole {
			s.only = true
			q.lower(1)
			return s
		}
	}
	return s
}

// look returns what the campaign has to know about schedule i, whose result is r.
func (w *worker) look(q *quota, i uint64, r *sched.Result) *failure {
	switch {
	case r.Outcome == sched.Misuse:
		return &failure{seed: q.seed, index: i, misuse: r.Misuse}
	case r.Failed:
		if !w.known[r.Hash] && w.wants(r) {
			return w.examine(q.seed, i, r)
		}
	case r.Outcome != sched.Abandoned && isSpotCheck(i) && i < q.bound.Load() && !w.halt.Load():
		return w.verify(q.seed, i, r)
	}
	return nil
}

// weigh says whether f is news, and whether it ends the campaign. What is expected,
// and whether all of it was met, the worker judges by what it has seen itself; the
// campaign, which knows more, may end before.
func (w *worker) weigh(f *failure) (news, last bool) {
	if f.misuse != nil || w.ledger == nil {
		return true, true
	}
	unexpected, news := w.ledger.judge(f.findings)
	if len(unexpected) > 0 && w.set.tally == nil {
		return true, true
	}
	if len(w.known) < maxKnown {
		w.known[f.fingerprint.hash] = true
	}
	if t := w.set.tally; t != nil {
		return true, t.brief && w.ledger.settled()
	}
	return news, w.ledger.settled()
}

// maxKnown bounds the memory for runs that need not be looked at again; one that
// is not remembered only costs time.
const maxKnown = 1 << 16

// prepare makes the strategy for seed. Strategies may learn from schedule 0, so
// it is run first even if it is another worker's to report.
func (w *worker) prepare(seed, from uint64) {
	w.seed, w.strategy = seed, w.set.start(Setup{Seed: seed, Steps: w.set.steps})
	if from > 0 {
		w.run(0)
	}
}

// run runs one schedule; false when the strategy has no more.
func (w *worker) run(i uint64) (*sched.Result, bool) {
	if s, ok := w.strategy.(learner); ok && i == 0 {
		walk := newScout(w.seed)
		r := w.execute(walk, false)
		if r.Log == nil && walk.learned == nil {
			return r, true // another process did not come to the end of it
		}
		w.lesson = walk.learned
		s.learn(walk.profile(r))
		return r, true
	}
	if !w.strategy.Begin(i) {
		return nil, false
	}
	r := w.execute(w.observed(i))
	w.end(r)
	return r, true
}

// longRun is how many steps a run has for which a search may think long.
const longRun = 1000

// end lets the strategy look at the run r.
func (w *worker) end(r *sched.Result) {
	if _, whole := w.strategy.(exhaustive); whole && r.Steps >= longRun {
		w.thinking.Store(true)
		defer w.thinking.Store(false)
	}
	w.strategy.End(r)
}

// observed returns the strategy for schedule i, and whether its run is to capture.
func (w *worker) observed(i uint64) (p sched.Picker, capture bool) {
	_, whole := w.strategy.(exhaustive)
	switch {
	case w.sampler == nil:
		return w.strategy, false
	case whole:
		return w.strategy, inspected(i)
	}
	return attentive{w.strategy}, inspected(i)
}

// sample describes schedule i, whose result is r, for the statistics.
func (w *worker) sample(i uint64, r *sched.Result) sample {
	x := w.sampler.take(r)
	from, known := independentFrom(w.strategy)
	x.independent = known && i >= from
	if p, ok := w.strategy.(*PCT); ok {
		x.length = p.length
	}
	return x
}

// execute runs the program once.
func (w *worker) execute(p sched.Picker, capture bool) *sched.Result {
	_, all := p.(exhaustive)
	_, first := p.(*scout)
	_, stats := p.(attentive)
	return w.perform(p, sched.RunOptions{Capture: capture, Log: all || first || stats})
}

// perform runs the program once, with the campaign's rule for timers.
func (w *worker) perform(p sched.Picker, o sched.RunOptions) *sched.Result {
	if w.set.isolated() {
		return w.delegate(p, o)
	}
	o.Pace, _ = w.set.timers.pace()
	o.IgnoreRaces = w.set.ignoreRaces
	r := w.engine.Run(w.body, p, o)
	if r.Timers > 0 || r.Hasty {
		w.timed.Store(true)
	}
	return r
}

// isSpotCheck reports whether schedule i is run twice to see whether the
// program is deterministic: the first, and some later ones, ever rarer.
func isSpotCheck(i uint64) bool { return i == 0 || i >= 64 && i&(i-1) == 0 }

// fingerprint is what a run and its repetition have in common.
type fingerprint struct {
	hash   uint64
	failed bool
	misuse bool
}

func fingerprintOf(r *sched.Result) fingerprint {
	return fingerprint{r.Hash, r.Failed, r.Outcome == sched.Misuse}
}

// examine repeats the failing run r, with all details, and describes it.
func (w *worker) examine(seed, index uint64, r *sched.Result) *failure {
	want, choices := fingerprintOf(r), slices.Clone(r.Choices)
	f := w.repeat(choices)
	if f.fingerprint != want {
		f.blame(w.repeat(choices))
	}
	f.seed, f.index = seed, index
	return f
}

// verify repeats the passing run r; it returns nil when the repetition is the
// same.
func (w *worker) verify(seed, index uint64, r *sched.Result) *failure {
	want, choices := fingerprintOf(r), slices.Clone(r.Choices)
	letIntrude()
	if fingerprintOf(w.execute(&repeater{choices: choices}, false)) == want {
		return nil
	}
	f := w.repeat(choices)
	f.blame(w.repeat(choices))
	f.seed, f.index = seed, index
	return f
}

// repeat makes the choices again in a capturing run.
func (w *worker) repeat(choices []sched.Choice) *failure {
	letIntrude()
	return w.capture(&repeater{choices: choices})
}

// letIntrude lets goroutines that the run before started with a go statement reach
// the object that they use: the repetition is then reported for the misuse that it
// is, and not for what follows from their being late.
func letIntrude() { runtime.Gosched() }

// capture runs the program under p with all details recorded.
func (w *worker) capture(p sched.Picker) *failure {
	rec := &recorder{Picker: p}
	r := w.execute(rec, true)
	if rec.lost {
		return &failure{findings: r.Findings, stuck: true, fingerprint: fingerprintOf(r)}
	}
	return &failure{
		findings: r.Findings, trace: r.Trace, final: r.Final, steps: r.Steps, timed: r.Timers > 0 || r.Hasty, misuse: r.Misuse,
		deviations: rec.schedule, schedule: rec.schedule.String(), fingerprint: fingerprintOf(r),
	}
}

// followed is what following a schedule gave.
type followed struct {
	*failure
	stale *StaleError
}

// follow runs the program under a schedule, as far as it fits.
func (w *worker) follow(s schedule) followed {
	p := newFollower(s)
	f := w.capture(p)
	return followed{f, p.staleness()}
}
