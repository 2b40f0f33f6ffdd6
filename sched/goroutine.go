package sched

import (
	"runtime"
	"strconv"
	"sync/atomic"
)

// G is a modelled goroutine. Its methods are the operations of the instrumented
// API and may be called only by the goroutine itself; package model is their
// caller. Outside a call its pending operation is unset.
type G struct {
	e    *Engine
	slot *slot         // pull backend: where this goroutine is parked, meaningless while it runs
	way  way           // how it got there or is about to
	wake chan struct{} // channel backend
	id   int32         // creation index within the run; -1 for the driver

	// The pending operation.
	kind  OpKind
	multi bool // there may be several ways to execute it
	self  bool // there is one, without a partner: the goroutine executes it itself
	due   bool // and has to, now that it was chosen
	obj   *Object
	arg   int // Send: value slot; Add: delta; Choose: number of alternatives
	cases []Case

	compared Holder // OpTryWrite: is it that it holds
	old      any    // this value?

	// What executing it produced, read by the goroutine when it goes on.
	result int32 // receive: value slot or -1 for closed; Try...: 1 on success
	index  int32 // select: the case that went, -1 for default
	raise  raise // the operation panics
	sent   bool  // rendezvous: this side was the sender

	ops int32 // operations executed by this goroutine so far

	live       bool // from its go statement to its end
	started    bool // has run its first instruction
	clean      bool // fn returned
	exiting    bool // it has called Exit
	daemon     bool
	timer      *Timer      // set: no goroutine but a timer
	notified   bool        // a Signal has reached it since CondEnter,
	notifiedBy int64       // the one with this number
	cond       func() bool // OpAwait: what it waits for,
	looked     []sight     // what that reads,
	seen       []sight     // and read when it was found not to hold; empty before
	unsure     bool        // it reads objects that are not made yet
	poll       polling
	wakeAt     int64 // OpSleep: end of the sleep
	asleep     bool  // OpWait: pending when the counter was not zero

	pooled  bool // it has a goroutine in the pool
	gone    bool // which has ended
	exits   int  // Goexits that the pooled goroutine's stack still carries
	unwinds int  // times it was unwound in this run
	skips   int  // operations left out since
	fn      func()

	parent   *G
	ordinal  int32 // 1 for the parent's first child
	children int32
	made     int32 // objects made so far
	pathHash uint64
	path     string // cached, "" until asked for

	goid  int64
	chain atomic.Pointer[G] // next in the identity table

	name     string
	born     Site // capture: where it was started, for a timer where it was made
	site     Site // capture: call site of the pending operation
	lastStep int  // capture: step at which it last did something

	clock  clock // kept while the engine tracks
	ticket Sync  // CondPark: where whoever notified it released
}

// unwinding is the panic value that unwinds a goroutine which is still there
// when the run is over. It is not an error: code that recovers it should panic
// with it again.
type unwinding struct{}

func (unwinding) String() string {
	return "modelcheck: the run is over and this goroutine, blocked or stopped, is being unwound; panic again with this value"
}

var errUnwinding any = unwinding{}

// unwindLimit is how often a goroutine may recover the unwinding panic and go on
// before it is ended with runtime.Goexit, which cannot be recovered.
const unwindLimit = 100

// skipLimit is how many operations deferred functions may go through while they
// are unwound before the goroutine is ended likewise.
const skipLimit = 1 << 20

// Path returns the goroutine's spawn path: "main", "main.1" for the first
// goroutine that main started, and so on.
func (g *G) Path() string {
	if g.path == "" {
		if g.parent == nil {
			g.path = "main"
		} else {
			g.path = g.parent.Path() + "." + strconv.Itoa(int(g.ordinal))
		}
	}
	return g.path
}

// comparePaths orders goroutines as a depth-first walk of the spawn tree does.
func comparePaths(a, b *G) int {
	da, db := a.depth(), b.depth()
	x, y := a, b
	for d := da; d > db; d-- {
		x = x.parent
	}
	for d := db; d > da; d-- {
		y = y.parent
	}
	if x == y {
		return da - db
	}
	for x.parent != y.parent {
		x, y = x.parent, y.parent
	}
	return int(x.ordinal - y.ordinal)
}

func (g *G) depth() int {
	d := 0
	for p := g.parent; p != nil; p = p.parent {
		d++
	}
	return d
}

// Go starts a modelled goroutine; the go statement is an operation of its own.
// The child's local code up to its first operation runs before anything else is
// decided, so strategies always see what every goroutine wants to do. A daemon
// may be blocked when the run is over without that being a finding.
func (g *G) Go(fn func(), name string, daemon bool) {
	if fn == nil {
		g.kind, g.obj = OpGo, nil
		g.Throw("nil func", "go of nil func value")
	}
	if g.always(OpGo, nil) {
		g.e.spawn(g, fn, name, daemon)
	}
}

func (e *Engine) spawn(parent *G, fn func(), name string, daemon bool) *G {
	g := e.newG(parent, name, daemon)
	if !g.pooled {
		g.pooled = true
		e.start(g)
	}
	g.fn = fn
	g.live = true
	if e.capture {
		g.born = birthplace(parent)
		g.site = g.born
	}
	e.enqueue(g)
	return g
}

// newG takes the next goroutine of the pool into the run.
func (e *Engine) newG(parent *G, name string, daemon bool) *G {
	i := e.n
	e.n++
	if i == len(e.gs) {
		e.gs = append(e.gs, nil)
	}
	g := e.gs[i]
	if g == nil {
		g = &G{e: e, id: int32(i)}
		e.gs[i] = g
	}
	g.parent, g.children, g.path, g.ops, g.made = parent, 0, "", 0, 0
	g.name, g.daemon, g.timer = name, daemon, nil
	g.born = Site{}
	g.live, g.started, g.clean, g.exiting, g.unwinds, g.skips = false, false, false, false, 0, 0
	g.raise = raiseNothing
	g.poll.reset()
	g.kind, g.multi, g.self, g.due, g.obj, g.lastStep = OpNone, false, false, false, nil, 0
	g.pathHash = mainHash
	by := int32(-1)
	if parent != nil {
		parent.children++
		g.ordinal = parent.children
		g.pathHash = mix(parent.pathHash, uint64(g.ordinal))
		by = parent.id
	}
	if e.tracking {
		g.firstEpoch(parent)
	}
	if e.logging {
		e.log.Parents = append(e.log.Parents, by)
		e.log.Born = append(e.log.Born, int32(len(e.log.Events)-1))
		e.log.Paths = append(e.log.Paths, g.pathHash)
	}
	return g
}

// serve is the body of a pooled goroutine: it runs one modelled goroutine after
// another until the engine closes. A Goexit in user code cannot be stopped, but
// a deferred function may go on using the goroutine.
func (g *G) serve() {
	if g.goid == 0 {
		g.register()
	}
	defer func() {
		defer g.depart() // a Goexit that another one's end passes on may strike here
		if g.gone || g.e.closing {
			return
		}
		g.exits++
		g.finish()
		g.ViaNext()
		g.ViaYield()
		g.serve()
	}()
	for !g.e.closing {
		g.run()
		g.finish()
		g.ViaNext()
		g.ViaYield()
	}
}

// depart notes that the pooled goroutine has ended.
func (g *G) depart() {
	if !g.gone {
		g.unregister()
		g.gone = true
	}
}

// run executes the goroutine's function once.
func (g *G) run() {
	defer g.catch()
	g.started = true
	g.fn()
	g.clean = true
}

// catch turns a panic or Goexit of user code into a finding. It is deferred, so
// the stack still has the frames that panicked.
func (g *G) catch() {
	if g.clean {
		return
	}
	v := recover()
	if g.e.unwinding || v == errUnwinding || v == nil && g.exiting {
		return
	}
	if v == nil {
		g.e.crash(g, Finding{Kind: Goexit, Op: "exit", Message: "runtime.Goexit was called (by t.FailNow, t.Fatal or t.Skip, perhaps): report a failed check with model.Assert, or return"})
		return
	}
	f := panicFinding(v)
	if f.Site.Line == 0 {
		f.Site = g.born
	}
	g.e.crash(g, f)
}

// Exit is [runtime.Goexit]: it runs the deferred functions and ends the goroutine,
// whose end is then an ordinary one. It does not return.
func (g *G) Exit() {
	g.exiting = true
	runtime.Goexit()
}

// finish ends the goroutine's part in the run and gets it ready for the switch to
// whoever runs now; it comes back when it is given new work or has to end.
func (g *G) finish() {
	e := g.e
	g.live, g.fn = false, nil
	if e.unwinding {
		g.aim(&e.root)
		return
	}
	g.lastStep = e.steps
	g.decide()
}

// step lets the pending operation happen: it returns when the scheduler has
// executed it.
func (g *G) step() {
	g.decide()
	g.ViaNext()
	g.ViaYield()
	if g.due {
		g.own()
	}
	g.goOn()
}

// goOn ends an operation, now that its goroutine runs again.
func (g *G) goOn() {
	if g.raise != raiseNothing {
		g.panics()
	}
}

// always announces an operation that is enabled at all times and lets it happen.
// It reports false when the operation is to be skipped: releases during
// unwinding, and operations of an invariant.
func (g *G) always(k OpKind, o *Object) bool {
	e := g.e
	if e.special {
		return g.specialOp(k, o)
	}
	g.kind, g.obj, g.multi, g.self = k, o, false, k != OpAdd && k != OpTryWLock
	if e.alone(g) && (k != OpTryWLock || g.tryAlternatives() == 1) {
		g.goAlone()
		g.own()
		g.goOn()
		return true
	}
	e.enabled.add(g.id)
	if e.capture {
		g.site = g.callSite()
	}
	g.decide()
	g.ViaNext()
	g.ViaYield()
	if g.due {
		g.own()
	}
	g.goOn()
	return true
}

// alone reports whether nobody but g, which runs, could take the next step and
// nothing is to be noted about it: then an operation of g that is enabled and
// has a single outcome needs no announcement.
func (e *Engine) alone(g *G) bool {
	return e.steps < e.pulse && e.enabled.lo == 0 && e.running == g
}

// goAlone chooses the pending operation of g, which is alone.
func (g *G) goAlone() {
	g.e.steps++
	g.due = true
}

// park ends the goroutine's part in the run for good without ending the
// goroutine: it is unwound when the run is over.
func (g *G) park() {
	g.kind = OpNone
	g.e.transfer(g, &g.e.root)
	g.unwind()
}

// unwind makes user code leave the goroutine.
func (g *G) unwind() {
	if g.unwinds++; g.unwinds > unwindLimit {
		runtime.Goexit()
	}
	panic(errUnwinding)
}

// skip counts an operation that is left out because the goroutine is being unwound.
// A deferred function that loops until something happens would do so for ever.
func (g *G) skip() {
	if g.skips++; g.skips > skipLimit {
		runtime.Goexit()
	}
}

// specialOp handles an operation outside normal execution: it reports whether
// the caller should go on as if it had been executed.
func (g *G) specialOp(k OpKind, o *Object) bool {
	if g.e.unwinding {
		if k.releases() {
			g.skip()
			return false
		}
		g.unwind()
	}
	if g.e.looking != nil {
		return g.e.see(k, o)
	}
	switch k {
	case OpRead, OpLen, OpNow:
		return true // nothing else runs meanwhile
	case OpLock, OpUnlock, OpAnnounce, OpAcquire, OpWUnlock, OpRLock, OpRUnlock, OpJoin:
		return false // exclusive already
	}
	g.Misuse(k.String() + " in a function that judges the state (Invariant, AtEnd): such a function may only read")
	return false
}

// releases reports whether deferred functions may call the operation while their
// goroutine is unwound; it then does nothing.
func (k OpKind) releases() bool {
	switch k {
	case OpClose, OpLen, OpUnlock, OpWUnlock, OpRUnlock, OpAdd, OpOnceExit, OpCancel, OpJoin, OpUnhold, OpRead, OpWrite, OpTryWrite,
		OpSignal, OpBroadcast, OpDisarm, OpNow:
		return true
	}
	return false
}

// Goroutines returns how many goroutines of the run have started and not ended. It is no
// step.
func (g *G) Goroutines() int {
	g.e.log.Counted = true
	n := 0
	for _, h := range g.e.gs[:g.e.n] {
		if h.live && h.timer == nil {
			n++
		}
	}
	return n
}

// Run returns the serial number of the run, unique in the process. An object
// that remembers it can tell when it is used by a later run.
func (g *G) Run() uint64 { return g.e.serial }
