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
	timed atomic.Bool   // some schedule started a timer
	index atomic.Uint64 // the schedule being run

	// What follows belongs to the worker's goroutine, and while that is idle to the
	// campaign's.
	strategy Strategy // made from seed
	seed     uint64
	known    map[uint64]bool // hashes of failing runs that are expected
}

func newWorker(body func(), set *settings) *worker {
	w := &worker{
		body: body, set: set,
		engine: sched.New(sched.Config{MaxSteps: set.steps}),
		jobs:   make(chan func()),
		gone:   make(chan struct{}),
		known:  map[uint64]bool{},
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

// stretch is what exploring a row of schedules gave.
type stretch struct {
	next    uint64 // the first schedule not explored
	steps   int
	alive   bool     // some schedule had a choice or a second goroutine
	ended   bool     // the strategy has no more schedules
	only    bool     // there is no other schedule than the first
	failure *failure // of schedule next-1
	misuse  error    // in schedule next-1
}

// explore runs the schedules from..to-1 of the campaign with the given seed. It
// returns early at a failure that is not known, and when halted.
func (w *worker) explore(seed, from, to uint64) stretch {
	if w.strategy == nil || w.seed != seed {
		w.prepare(seed, from)
	}
	s := stretch{next: from}
	for s.next < to && !w.halt.Load() {
		i := s.next
		w.index.Store(i)
		r, ok := w.run(i)
		if !ok {
			s.ended = true
			return s
		}
		s.next++
		s.steps += r.Steps
		s.alive = s.alive || len(r.Choices) > 0 || r.Goroutines > 1
		unforked := len(r.Choices) == 0
		switch {
		case r.Outcome == sched.Misuse:
			s.misuse = r.Misuse
		case r.Failed:
			if !w.known[r.Hash] {
				s.failure = w.examine(seed, i, r)
			}
		case isCheckpoint(i) && !w.halt.Load():
			s.failure = w.verify(seed, i, r)
		}
		if s.failure != nil || s.misuse != nil {
			return s
		}
		if _, itself := w.strategy.(exhaustive); i == 0 && unforked && !itself {
			s.only = true
			return s
		}
	}
	return s
}

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
	if s, ok := w.strategy.(sized); ok && i == 0 {
		walk := &walkAndCount{Random: *NewRandom(w.seed)}
		walk.Begin(0)
		r := w.execute(walk, false)
		s.setLength(walk.decisions)
		return r, true
	}
	if !w.strategy.Begin(i) {
		return nil, false
	}
	r := w.execute(w.strategy, false)
	w.strategy.End(r)
	return r, true
}

// execute runs the program once.
func (w *worker) execute(p sched.Picker, capture bool) *sched.Result {
	_, log := p.(exhaustive)
	r := w.engine.Run(w.body, p, sched.RunOptions{
		Capture:            capture,
		Log:                log,
		TimersAtQuiescence: w.set.timers == AtQuiescence,
	})
	if r.Timers > 0 {
		w.timed.Store(true)
	}
	return r
}

// isCheckpoint reports whether schedule i is run twice to see whether the
// program is deterministic: the first, and some later ones, ever rarer.
func isCheckpoint(i uint64) bool { return i == 0 || i >= 64 && i&(i-1) == 0 }

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
	return &failure{
		findings: r.Findings, trace: r.Trace, final: r.Final, steps: r.Steps, misuse: r.Misuse,
		schedule: rec.schedule.String(), fingerprint: fingerprintOf(r),
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
