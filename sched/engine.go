package sched

import (
	"cmp"
	"sync/atomic"
	"unsafe"
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
	// Advice says what to do about goroutines that are not modelled and use objects of
	// a run; "" is to use package model.
	Advice string
}

const defaultAdvice = "start it with model.Go, not with a go statement, and keep objects inside the body that made them"

// Engine runs programs under control, one run at a time, and keeps their
// goroutines for the next run. It is made for one worker: its methods, Runs
// excepted, must not be called concurrently.
type Engine struct {
	// Read and written at every step.
	enabled  bitset // goroutines whose pending operation could finish now
	special  bool   // unwinding or judging: operations do not go through the scheduler
	capture  bool
	logging  bool // every event is logged and asked for, forced or not
	tracking bool // clocks are kept; see track
	noted    bool // one of the last three: an event is more than its hash
	over     bool // the outcome is settled; control goes back to the driver
	dirty    bool // a watched object changed since the invariants were judged
	running  *G   // took the last step
	n        int  // goroutines of this run: gs[:n]
	ready    []*G // have local code to run before the next decision, from index next on
	next     int
	steps    int
	maxSteps int
	// While steps is below pulse there is nothing to look after but the choice of
	// the next event. Whoever makes it otherwise sets pulse to 0; see attend.
	pulse   int
	beat    int // next number of steps at which bounded has to look
	hash    uint64
	picker  Picker
	choices []Choice
	point   Point
	chooser bitset // the goroutine that makes a data choice

	gs          []*G
	claiming    []*G     // see claimants
	now         int64    // the run's clock in nanoseconds
	timers      []*Timer // armed, in the order in which they were
	firing      int      // timers and sleepers among the enabled
	dozing      int      // see Timer.dozes
	made        int      // timers of this run
	sleepers    []*G     // pending sleeps that are not over
	pace        Pace
	chosen      bool // pace is the run's own choice; see settle
	root        G    // the driver
	objects     []*Object
	switches    int
	preemptions int
	switched    bool   // the last step was another goroutine's than the one before,
	preempted   bool   // which could have gone on
	serial      uint64 // number of the latest run, unique in the process
	unwinding   bool
	closing     bool
	advice      string // what foreign uses are told
	backend     Backend

	outcome    Outcome
	crashed    Finding
	misuse     error
	invariants []judgement
	lookers    []*G   // wait for news; see Await
	pollers    []*G   // and these, who poll; see Yield
	heldBack   bool   // there was one of them
	looking    *G     // a condition of Await is being evaluated, this goroutine's,
	ownLook    bool   // by itself
	unmade     Object // stands for objects that are not made yet
	judging    bool   // an invariant or AtEnd condition is being evaluated
	broken     []Finding
	nbroken    int    // AtEnd conditions that do not hold
	told       uint64 // hash of what crashed the run or is broken at its end
	sometimes  []Reach
	atEnd      []judgement
	trace      []TraceEvent
	log        Log

	ignoreRaces bool
	races       []race // one a variable at most
	// ordinary variables, by their addresses: as pointers, so that none is used again
	// while it is one.
	ordinary map[unsafe.Pointer]*history
	looks    bool // the look of Await that goes on is its event

	crossUnlocks bool // see CrossUnlocks
	result       Result

	// Read by goroutines outside the engine. phase is twice the serial number of the
	// latest run, plus 1 while it goes on: all that a run tells them, in one word.
	phase   atomic.Uint64
	base    uint64        // the serial number before that of the first run
	beats   atomic.Uint64 // how often pulseSteps steps were taken in one run
	closed  atomic.Bool
	foreign atomic.Pointer[foreignUse]
	numbers map[int64]bool // of all goroutines that were ever pooled; fixed once closed
}

// engines numbers the engines of the process. Each has 2^32 serial numbers for its
// runs, so that a primitive can tell whether it was bound in the current run, and
// engines that work at the same time share nothing.
var engines atomic.Uint64

// New returns an engine. Close it when it is no longer needed.
func New(cfg Config) *Engine {
	e := &Engine{maxSteps: cfg.MaxSteps, backend: cfg.Backend, advice: cmp.Or(cfg.Advice, defaultAdvice)}
	if e.maxSteps <= 0 {
		e.maxSteps = DefaultMaxSteps
	}
	if e.backend == BackendAuto {
		e.backend = defaultBackend
	}
	e.root.e, e.root.id, e.root.path = e, -1, "driver"
	e.root.wake = make(chan struct{})
	e.point.e, e.point.set = e, &e.enabled
	e.base = engines.Add(1) << 32
	e.serial = e.base
	e.phase.Store(e.serial << 1)
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
	// Pace says when time passes.
	Pace Pace
	// IgnoreRaces: data races are no findings, and are not looked for.
	IgnoreRaces bool
}

// Runs returns how many runs have begun. It may be called from any goroutine.
func (e *Engine) Runs() uint64 { return e.phase.Load()>>1 - e.base }

// Progress returns a number that grows with every run and every 16,384 steps of
// a run. It may be called from any goroutine: a watchdog that sees it stand
// still knows that a run is stuck between two steps.
func (e *Engine) Progress() uint64 { return e.phase.Load() + e.beats.Load() }

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
	e.begin(p, opts)
	e.running = e.spawn(nil, body, "", false)
	e.root.decide()
	e.root.ViaNext()
	e.root.ViaYield()
	e.judgeEnd()
	if e.capture {
		e.explain()
	}
	e.conclude()
	e.unwindAll()
	e.phase.Store(e.serial << 1)
	return &e.result
}

func (e *Engine) begin(p Picker, opts RunOptions) {
	e.serial++
	e.phase.Store(e.serial<<1 | 1)
	e.enabled.reset()
	e.picker, e.capture, e.logging = p, opts.Capture, opts.Log
	e.tracking, e.noted, e.ignoreRaces = false, opts.Capture || opts.Log, opts.IgnoreRaces
	e.races = e.races[:0]
	clear(e.ordinary)
	e.log.reset()
	e.special, e.over, e.dirty, e.unwinding = false, false, false, false
	e.n, e.steps, e.switches, e.preemptions = 0, 0, 0, 0
	e.pulse = 0
	e.pace, e.chosen = opts.Pace, false
	e.nextBeat()
	e.hash = hashSeed
	e.ready, e.next = e.ready[:0], 0
	e.choices = e.choices[:0]
	e.objects = e.objects[:0]
	e.invariants, e.atEnd = e.invariants[:0], e.atEnd[:0]
	e.now, e.timers, e.sleepers = 0, e.timers[:0], e.sleepers[:0]
	e.firing, e.dozing, e.made = 0, 0, 0
	e.lookers, e.pollers, e.heldBack = e.lookers[:0], e.pollers[:0], false
	e.outcome, e.misuse = Quiescent, nil
	e.broken, e.nbroken, e.told = e.broken[:0], 0, hashSeed
	if opts.Capture {
		e.trace = nil
		e.result.Findings = nil
	}
}

// data lets the picker choose among n values for the running goroutine alone.
func (e *Engine) data(g *G, n int) int {
	if n == 1 || e.over {
		return 0
	}
	g.kind, g.arg, g.self = OpChoose, n, false
	e.chooser.reset()
	e.chooser.add(g.id)
	ran := e.running
	e.running, e.point.data, e.point.set = g, g, &e.chooser
	c := e.picker.Pick(&e.point)
	e.running, e.point.data, e.point.set = ran, nil, &e.enabled
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
		e.over, e.outcome, e.pulse = true, o, 0
	}
}

// crash ends the run with a finding at g.
func (e *Engine) crash(g *G, f Finding) {
	if e.over {
		return
	}
	e.end(Crashed)
	e.tell(g, f)
	if n := len(e.log.Events); n > 0 {
		e.log.Events[n-1].Crash = true
	}
	if e.capture {
		f.Goroutine, f.Name = g.Path(), g.name
		if f.Site == (Site{}) {
			f.Site = g.callSite()
		}
		e.crashed = f
	}
}

// misused ends the run because the tool itself was used wrongly.
func (e *Engine) misused(err error) {
	e.over, e.outcome, e.pulse = true, Misuse, 0
	if e.misuse == nil {
		e.misuse = err
	}
}
