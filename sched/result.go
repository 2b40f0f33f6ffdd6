package sched

// Outcome says how a run ended.
type Outcome uint8

// The outcomes.
const (
	// Quiescent: nothing can happen any more. Goroutines may be blocked.
	Quiescent Outcome = iota
	// Crashed: a panic, a fatal error, a Goexit, a broken assertion or invariant.
	Crashed
	// StepBound: the run took Config.MaxSteps steps and was cut.
	StepBound
	// Misuse: the tool was used wrongly; Result.Misuse says how.
	Misuse
	// Abandoned: the picker chose Abandon.
	Abandoned
	// Livelock: goroutines poll in vain for ever, and nothing else can happen.
	Livelock
)

var outcomeNames = [...]string{Quiescent: "quiescent", Crashed: "crashed", StepBound: "step bound", Misuse: "misuse", Abandoned: "abandoned", Livelock: "livelock"}

func (o Outcome) String() string { return outcomeNames[o] }

// Result is what one run gave. Its slices are reused by the engine's next run,
// those of a capturing run excepted.
type Result struct {
	Outcome Outcome
	// Failed reports that there is a finding. A run that captures lists them.
	Failed bool
	// Symptoms hashes what is wrong: runs of one program that fail with equal symptoms
	// have equal findings, but for places in the source. 0 unless Failed.
	Symptoms uint64
	// Steps counts operations executed, Switches transfers of control between
	// goroutines, Preemptions choices of another goroutine while the running one
	// could go on.
	Steps, Switches, Preemptions int
	// Goroutines counts the goroutines created, main included, and Timers the
	// timers and tickers.
	Goroutines, Timers int
	// Hasty: time passed at any moment, sleeps included; see Pace.
	Hasty bool
	// HeldBack: a goroutine that polled in vain had to let others go first; schedules
	// in which it goes on polling were not possible. See G.Yield.
	HeldBack bool
	// Choices are the choices made, in order. Made again they repeat the run.
	Choices []Choice
	// Hash covers the executed operations in order: two runs with the same hash
	// did the same.
	Hash uint64
	// Misuse is set if and only if Outcome is Misuse.
	Misuse error

	// Log is set by a run that logs.
	Log *Log

	// Findings, Trace and Final are filled by a run that captures.
	Findings []Finding
	Trace    []TraceEvent
	Final    Final
}

// Reach says whether a condition that ought to hold in some schedule did.
type Reach struct {
	Name    string
	Reached bool
	Site    Site // known once a capturing run has seen it
}

// FindingKind says what kind of thing is wrong.
type FindingKind string

// The kinds that one run can show.
const (
	BlockedForever   FindingKind = "blocked forever"
	LockHeld         FindingKind = "lock held"
	Panic            FindingKind = "panic"
	AssertionBroken  FindingKind = "broken assertion"
	InvariantBroken  FindingKind = "broken invariant"
	Goexit           FindingKind = "goexit"
	StepBoundReached FindingKind = "step bound"
	// DataRace: two goroutines accessed a plain variable, at least one to write it, and
	// nothing orders the two. The finding is about the later access, Other is the
	// earlier one. A run shows one race a variable.
	DataRace     FindingKind = "data race"
	PollsForEver FindingKind = "livelock"
)

// Finding is one thing that is wrong. Nothing in it depends on addresses,
// goroutine numbers or time.
type Finding struct {
	Kind FindingKind
	// Class narrows a panic: "send on closed channel", "close of closed channel",
	// "close of nil channel", "negative WaitGroup counter", "WaitGroup misuse",
	// "unlock of unlocked mutex"; "" for others. For a blocked goroutine it is "deadlock" when it
	// waits in a cycle of lock holders.
	Class string
	// Goroutine is the spawn path and Name the user's name, or "".
	Goroutine, Name string
	// Op and Object say what the goroutine was doing, and to what.
	Op, Object string
	// Site is where it did so.
	Site Site
	// ObjectSite is where the object was created; for a lock that is held, where
	// it was acquired.
	ObjectSite Site
	// Message is the panic value, the assertion's or the error's text.
	Message string
	// Since is the step after which nothing happened to the goroutine or lock.
	Since int
	// Wakers says in words who could have released it.
	Wakers []string
	// Holding lists the locks that a blocked goroutine holds.
	Holding []string
	// Other is the earlier access of a data race, nil for all other kinds.
	Other *OtherAccess
}

// OtherAccess is one of the two accesses of a data race. Its fields are as in Finding;
// Step is when it happened.
type OtherAccess struct {
	Goroutine, Name, Op string
	Site                Site
	Step                int
}

// TraceEvent is one executed operation of a capturing run.
type TraceEvent struct {
	// Step counts from 1.
	Step            int
	Goroutine, Name string
	Op, Object      string
	// Note says what came of it: "case 1", "default", "closed", "failed", the path
	// of the goroutine that a Go started, the value of a Choose, the arguments of a Log (which has no step of its own and
	// shows the step before it).
	Note string
	Site Site
	// Partner is the other goroutine of a rendezvous and PartnerSite its call.
	// PartnerOp and PartnerNote are its Op and Note.
	Partner, PartnerName   string
	PartnerOp, PartnerNote string
	PartnerSite            Site
	// Preemption: the goroutine that ran before could have gone on.
	// Switch: another goroutine ran before.
	Preemption, Switch bool
	// Kind is what was done: for a select what the case that it took does, OpNone
	// for its default and for a Log.
	Kind OpKind
	// ObjectID is the index of the object in Final.Objects, -1 for none.
	ObjectID int

	object *Object
	g      *G
	second *G
}

// conclude fills the result.
func (e *Engine) conclude() {
	if f := e.foreign.Load(); f != nil {
		e.foreign.Store(nil)
		if e.outcome != Misuse {
			e.outcome, e.misuse = Misuse, f.err
		}
	}
	r := &e.result
	r.Outcome, r.Misuse = e.outcome, e.misuse
	r.Steps, r.Switches, r.Preemptions, r.Goroutines = e.steps, e.switches, e.preemptions, e.n-e.made
	r.Timers, r.HeldBack = e.made, e.heldBack
	r.Hasty = e.pace == Hasty
	r.Choices, r.Hash = e.choices, e.hash
	r.Failed = e.outcome == Crashed || e.outcome == StepBound || e.outcome == Livelock || e.nbroken > 0 || len(e.races) > 0 && e.outcome != Abandoned && e.outcome != Misuse || e.outcome == Quiescent && e.leaves()
	r.Symptoms, r.Log = 0, nil
	if r.Failed {
		r.Symptoms = e.symptoms()
	}
	if e.logging {
		e.logBlocked()
		r.Log = &e.log
	}
	if e.capture {
		r.Trace, r.Final = e.trace, e.final()
	} else {
		r.Findings, r.Trace, r.Final = nil, nil, Final{}
	}
}

// leaves reports whether the run came to rest with a goroutine blocked for ever
// or a lock held.
func (e *Engine) leaves() bool {
	for _, g := range e.gs[:e.n] {
		if g.live && !g.daemon {
			return true
		}
	}
	for _, o := range e.objects {
		if (o.kind == KindMutex || o.kind == KindRWMutex) && (o.holder != nil || o.readers > 0) {
			return true
		}
	}
	return false
}
