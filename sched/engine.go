package sched

import (
	"math/bits"
	"sync/atomic"
)

// DefaultMaxSteps bounds a run whose Config names no bound.
const DefaultMaxSteps = 50_000

// pulseSteps is how many steps a run takes between two signs of life.
const pulseSteps = 1 << 14

// Config says how an engine works. The zero value is ready to use.
type Config struct {
	// MaxSteps ends a run after that many operations with outcome StepBound. Zero
	// or less means DefaultMaxSteps.
	MaxSteps int
	// Backend chooses how control is passed on.
	Backend Backend
}

// Engine runs programs under control, one run at a time, and keeps their
// goroutines for the next run. It is made for one worker: its methods, Runs
// excepted, must not be called concurrently.
type Engine struct {
	// Read and written at every step.
	enabled  bitset // goroutines whose pending operation could finish now
	special  bool   // unwinding or judging: operations do not go through the scheduler
	capture  bool
	logging  bool // every event is logged and asked for, forced or not
	over     bool // the outcome is settled; control goes back to the driver
	dirty    bool // a watched object changed since the invariants were judged
	running  *G   // took the last step
	n        int  // goroutines of this run: gs[:n]
	ready    []*G // have local code to run before the next decision, from index first on
	first    int
	steps    int
	maxSteps int
	pulse    int // next number of steps at which bounded has to look
	hash     uint64
	picker   Picker
	choices  []Choice
	point    Point

	gs           []*G
	now          int64    // the run's clock in nanoseconds
	timers       []*Timer // armed, in the order in which they were
	firing       int      // timers among the enabled
	made         int      // timers of this run
	sleepers     []*G     // pending sleeps that are not over
	atQuiescence bool     // no timer is eager
	root         G        // the driver
	objects      []*Object
	switches     int
	preemptions  int
	serial       uint64 // unique number of the current run, 0 between runs
	unwinding    bool
	closing      bool
	backend      Backend

	outcome    Outcome
	crashed    Finding
	misuse     error
	invariants []judgement
	judging    bool // an invariant or AtEnd condition is being evaluated
	broken     []Finding
	nbroken    int // AtEnd conditions that do not hold
	sometimes  []Reach
	atEnd      []judgement
	trace      []TraceEvent
	log        Log

	crossUnlocks bool // see CrossUnlocks
	result       Result

	// Read by goroutines outside the engine.
	runs     atomic.Uint64
	progress atomic.Uint64 // advances with every run and every pulseSteps steps
	current  atomic.Uint64 // serial, 0 between runs
	closed   atomic.Bool
	foreign  atomic.Pointer[foreignUse]
}

// serials numbers the runs of all engines of the process, so that a primitive
// can tell whether it was bound in the current run.
var serials atomic.Uint64

// New returns an engine. Close it when it is no longer needed.
func New(cfg Config) *Engine {
	e := &Engine{maxSteps: cfg.MaxSteps, backend: cfg.Backend}
	if e.maxSteps <= 0 {
		e.maxSteps = DefaultMaxSteps
	}
	if e.backend == BackendAuto {
		e.backend = defaultBackend
	}
	e.root.e, e.root.id, e.root.path = e, -1, "driver"
	e.root.wake = make(chan struct{})
	e.point.e = e
	return e
}

// Picker decides what happens next. Pick is called only when more than one thing
// could; the Point is valid during the call.
type Picker interface {
	Pick(p *Point) Choice
}

// RunOptions says what a run records.
type RunOptions struct {
	// Capture records call sites, names, the trace and the findings' details. It
	// costs about a microsecond a step and changes no decision.
	Capture bool
	// Log records what exhaustive search needs, in Result.Log, and asks the picker
	// even where only one thing can happen.
	Log bool
	// TimersAtQuiescence lets timers fire only when nothing else can happen. By
	// default a timer that competes with other events may fire at any moment
	// once it is armed.
	TimersAtQuiescence bool
}

// Runs returns how many runs have begun. It may be called from any goroutine.
func (e *Engine) Runs() uint64 { return e.runs.Load() }

// Progress returns a number that grows with every run and every 16,384 steps of
// a run. It may be called from any goroutine: a watchdog that sees it stand
// still knows that a run is stuck between two steps.
func (e *Engine) Progress() uint64 { return e.progress.Load() }

// Sometimes lists the conditions given to G.Sometimes in all runs so far, in
// order of first sight. The slice is the engine's own.
func (e *Engine) Sometimes() []Reach { return e.sometimes }

// Run executes body as the goroutine main of a new run, every choice made by p,
// until nothing can happen any more, and unwinds what is left. The result is
// valid until the next call. Run must not be called from a modelled goroutine.
//
// If body or a goroutine that it started blocks outside the model, Run blocks
// too.
func (e *Engine) Run(body func(), p Picker, opts RunOptions) *Result {
	e.runs.Add(1)
	e.progress.Add(1)
	e.begin(p, opts)
	e.running = e.spawn(nil, body, "", false)
	e.root.decide()
	e.root.viaNext()
	e.root.viaYield()
	e.judgeEnd()
	if e.capture {
		e.explain()
	}
	e.conclude()
	e.unwindAll()
	e.serial = 0
	e.current.Store(0)
	return &e.result
}

func (e *Engine) begin(p Picker, opts RunOptions) {
	e.serial = serials.Add(1)
	e.current.Store(e.serial)
	e.enabled.reset()
	e.picker, e.capture, e.logging = p, opts.Capture, opts.Log
	e.log.reset()
	e.special, e.over, e.dirty, e.unwinding = false, false, false, false
	e.n, e.steps, e.switches, e.preemptions = 0, 0, 0, 0
	e.pulse = min(pulseSteps, e.maxSteps)
	e.hash = hashSeed
	e.ready, e.first = e.ready[:0], 0
	e.choices = e.choices[:0]
	e.objects = e.objects[:0]
	e.invariants, e.atEnd = e.invariants[:0], e.atEnd[:0]
	e.now, e.timers, e.sleepers = 0, e.timers[:0], e.sleepers[:0]
	e.firing, e.made = 0, 0
	e.atQuiescence = opts.TimersAtQuiescence
	e.outcome, e.misuse = Quiescent, nil
	e.broken, e.nbroken = e.broken[:0], 0
	if opts.Capture {
		e.trace = nil
		e.result.Findings = nil
	}
}

// next decides what happens after from has announced an operation or ended, and
// returns the goroutine that is to run now: from itself when its operation was
// executed, the driver when the run is over.
func (e *Engine) next(from *G) *G {
	for {
		if e.over {
			return &e.root
		}
		if e.first < len(e.ready) {
			g := e.ready[e.first]
			e.first++
			if e.first == len(e.ready) {
				e.ready, e.first = e.ready[:0], 0
			}
			return g
		}
		if e.dirty && !e.judgeInvariants() {
			return &e.root
		}
		c, ok := e.choose()
		if !ok {
			continue
		}
		if g := e.take(c, from); g.timer == nil {
			return g
		}
	}
}

// choose returns the next event. It returns false when there is none: the run is
// over, or the clock has moved.
func (e *Engine) choose() (Choice, bool) {
	if e.steps >= e.pulse && e.bounded() {
		return Choice{}, false
	}
	if (e.firing > 0 || e.enabled.empty()) && e.idle() {
		if e.advance() {
			return Choice{}, false
		}
		if e.exhausted() {
			e.over = true
			return Choice{}, false
		}
	}
	c, forced := e.forced()
	if forced && !e.logging {
		return c, true
	}
	return e.ask(!forced)
}

// bounded reports whether the run has reached its step bound. Until then it
// shows the watchdog that the run is getting on.
func (e *Engine) bounded() bool {
	if e.steps >= e.maxSteps {
		e.end(StepBound)
		return true
	}
	e.progress.Add(1)
	e.pulse = min(e.steps+pulseSteps, e.maxSteps)
	return false
}

// forced returns the only event that can happen, if there is just one: a single
// enabled goroutine, or the two sides of a rendezvous.
func (e *Engine) forced() (Choice, bool) {
	w := e.enabled.lo
	rest := w & (w - 1)
	if w == 0 || rest&(rest-1) != 0 || len(e.enabled.hi) > 0 {
		return Choice{}, false
	}
	a := e.gs[bits.TrailingZeros64(w)]
	if rest == 0 {
		return Choice{G: a.id}, a.alternatives() == 1
	}
	b := e.gs[bits.TrailingZeros64(rest)]
	if !a.multi || !b.multi || a.alternatives() != 1 || b.alternatives() != 1 {
		return Choice{}, false
	}
	return Choice{G: a.id}, a.alternative(0).Partner == b.id
}

// ask lets the picker choose and records the choice if there was one.
func (e *Engine) ask(free bool) (Choice, bool) {
	c := e.picker.Pick(&e.point)
	if c == Abandon {
		e.end(Abandoned)
		return c, false
	}
	if !e.enabled.has(c.G) || c.Alt < 0 || int(c.Alt) >= e.gs[c.G].alternatives() {
		e.misused(errorf("internal error: the strategy chose alternative %d of goroutine %d, which is not enabled: report this", c.Alt, c.G))
		return Choice{}, false
	}
	if free {
		e.choices = append(e.choices, c)
	}
	return c, true
}

// take executes the event c and returns the goroutine that goes on.
func (e *Engine) take(c Choice, from *G) *G {
	g := e.gs[c.G]
	e.steps++
	couldGoOn := e.enabled.has(e.running.id)
	if e.logging {
		e.logEvent(g, c.Alt)
	}
	partner := g.execute(c.Alt)
	if e.logging {
		e.log.shut()
	}
	if partner != nil && !g.sent {
		g, partner = partner, g // one rendezvous, one account of it, whichever side was chosen
	}
	e.count(g, partner, c.Alt)
	switched := e.running != g && e.running != partner
	if e.capture {
		e.record(g, partner, switched, couldGoOn)
	}
	if switched {
		if couldGoOn {
			e.preemptions++
		}
		e.running = g
	}
	switch {
	case partner == nil:
		return g
	case partner == from:
		e.ready = append(e.ready, g)
		return from
	}
	e.ready = append(e.ready, partner)
	return g
}

// count folds the event just executed into the hash: for a rendezvous the sender
// g, the receiver and their cases.
func (e *Engine) count(g, receiver *G, alt int32) {
	if receiver != nil { // alt depends on the side and the order of arrival
		alt = g.index
		e.hash = mix(e.hash, uint64(receiver.id)<<32|uint64(uint32(receiver.index)))
	}
	e.hash = mix(e.hash, uint64(g.id)<<40|uint64(g.kind)<<32|uint64(uint32(alt)))
}

// data lets the picker choose among n values for the running goroutine alone.
func (e *Engine) data(g *G, n int) int {
	if n == 1 || e.over {
		return 0
	}
	e.point.data, e.point.dataN = g, n
	c := e.picker.Pick(&e.point)
	e.point.data = nil
	if c == Abandon {
		e.end(Abandoned)
		g.park()
	}
	if c.G != g.id || c.Alt < 0 || int(c.Alt) >= n {
		e.misused(errorf("internal error: the strategy chose value %d of %d for goroutine %d, asked for %d: report this", c.Alt, n, c.G, g.id))
		g.park()
	}
	e.choices = append(e.choices, c)
	return int(c.Alt)
}

// Abandon is the choice to end the run here: its outcome is Abandoned.
var Abandon = Choice{G: -1, Alt: -1}

// end settles the outcome unless it is settled already.
func (e *Engine) end(o Outcome) {
	if !e.over {
		e.over, e.outcome = true, o
	}
}

// crash ends the run with a finding at g.
func (e *Engine) crash(g *G, f Finding) {
	if e.over {
		return
	}
	e.end(Crashed)
	if n := len(e.log.Events); n > 0 {
		e.log.Events[n-1].Crash = true
	}
	if e.capture {
		f.Goroutine, f.Name = g.Path(), g.name
		if f.Site == (Site{}) {
			f.Site = callSite()
		}
		e.crashed = f
	}
}

// misused ends the run because the tool itself was used wrongly.
func (e *Engine) misused(err error) {
	e.over, e.outcome = true, Misuse
	if e.misuse == nil {
		e.misuse = err
	}
}
