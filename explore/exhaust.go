package explore

import "fmt"

// DefaultRuns is how many runs Exhaust makes at most unless Schedules says
// otherwise.
const DefaultRuns = 1_000_000

// Exhaust explores body completely: one schedule of every trace class, that is,
// of all schedules that differ only in the order of operations that do not depend
// on each other. If it passes, no schedule of body fails: for the inputs that
// body has, and in the model that package model describes.
//
// It fails the test like Check when there is a finding, and also when the search
// did not come to its end within the number of runs that Schedules allows
// (DefaultRuns unless given) or before the test's deadline: then nothing is
// proved. A run that reaches the step bound is a finding.
//
// The strategy is optimal dynamic partial order reduction; the report says how
// many classes there are. WithStrategy("brute") runs every schedule instead, and
// serves to check the reduction. A bounded search (see WithStrategy) is complete
// only if its bound excludes nothing; else the test fails even if it finds nothing.
// Seeds and strategies that sample have no meaning here. With Expect the search ends when everything expected was found.
func Exhaust(t TB, body func(), opts ...Option) {
	t.Helper()
	refuseNested("explore.Exhaust")
	checkWith(t, body, exhaustSettings, opts)
}

// RunExhaustive is Exhaust without a test: see Run.
func RunExhaustive(body func(), opts ...Option) Report {
	refuseNested("explore.RunExhaustive")
	set, err := exhaustSettings(body, opts)
	if err != nil {
		return Report{Err: err}
	}
	return runCampaign(body, set)
}

// exhaustSettings are the settings for a complete search.
func exhaustSettings(body func(), opts []Option) (settings, error) {
	whole := Option{func(s *settings) error {
		s.schedules, s.exact, s.whole = DefaultRuns, true, true
		return nil
	}}
	set, err := settingsOf(body, append([]Option{whole, WithStrategy("dpor")}, opts...))
	set.seed, set.seeded = 0, true
	if err != nil {
		return set, err
	}
	if _, ok := set.start(Setup{}).(exhaustive); !ok {
		set.strategy = "dpor"
		set.start, _ = namedStrategy("dpor")
	}
	return set, nil
}

// Coverage says how far a complete search came.
type Coverage struct {
	// Complete: everything was explored. Bounded is how many runs were cut at the
	// step bound; it is zero if Complete.
	Complete bool
	Bounded  int
	// Classes counts the trace classes seen, Runs the runs made to their end (as
	// many, if none was wasted), Blocked the runs given up because what was left
	// had been explored, and Events the operations executed in Runs. Brute force
	// does not know classes.
	Classes, Runs, Blocked, Events int
	// Fair: a goroutine that polled in vain, with a Gosched between its looks, had to let
	// others go first. Explored were only schedules in which that goes on for no more
	// than a few rounds while others can go on.
	Fair bool
	// Unreduced says why every schedule was to be run, "" if not: because timers may
	// fire at any moment (with Timers(AtQuiescence) they may not), because a wait
	// group is used again while somebody may still wait, or because an RWMutex is tried
	// to lock while others lock or unlock it for writing.
	Unreduced string
	// Bound says what a bounded search is restricted to, such as "at most 2
	// preemptions", and Covered up to what it has run every schedule; they are equal
	// if it came to its end. Both are "" for other searches and if Complete: then the
	// bound excluded nothing. Repeated counts the runs that rounds with a smaller
	// bound had made before; they are not in Runs.
	Bound, Covered string
	Repeated       int
	// Progress is the estimated share of the search that is done, from 0 to 1.
	Progress float64
}

func (s *dpor) coverage() Coverage {
	if s.unreduced != nil {
		c := s.unreduced.coverage()
		c.Unreduced = s.reason
		return c
	}
	return Coverage{
		Complete: s.done && s.err == nil && s.cut == 0, Bounded: s.cut,
		Classes: len(s.classes), Runs: s.runs, Blocked: s.blocked, Events: s.events,
		Fair: s.fair, Progress: s.progress(),
	}
}

// String says it in words, the estimate only where it means something.
func (c Coverage) String() string {
	what := fmt.Sprintf("%s in %s", plural(c.Classes, "trace class"), plural(c.Runs, "run"))
	if c.Classes == 0 {
		what = plural(c.Runs, "run")
	}
	if c.Unreduced != "" {
		what += " without reduction, since " + c.Unreduced
	}
	if c.Blocked > 0 {
		what += fmt.Sprintf(" (and %d given up as explored)", c.Blocked)
	}
	if c.Repeated > 0 {
		what += fmt.Sprintf(" (and %d repeated)", c.Repeated)
	}
	what += ", " + plural(c.Events, "event")
	if c.Fair {
		what += " (fair schedules: who polls in vain lets others go first)"
	}
	switch {
	case c.Complete:
		return "complete: " + what
	case c.Bounded > 0:
		return fmt.Sprintf("bounded: %s, %d cut at the step bound", what, c.Bounded)
	case c.Bound != "" && c.Covered == c.Bound:
		return fmt.Sprintf("bounded: every schedule with %s, %s", c.Bound, what)
	case c.Covered != "":
		return fmt.Sprintf("not complete: %s, among them every schedule with %s", what, c.Covered)
	case c.Progress >= 0.01:
		return fmt.Sprintf("not complete: %s, about %.0f %% (estimate)", what, 100*c.Progress)
	}
	return "not complete: " + what
}

// diverged is the finding of a search whose prefix did not repeat itself.
func diverged(err error) Finding {
	return Finding{Kind: Nondeterministic, Op: "search", Message: err.Error()}
}

// coverage returns how far the campaign came, false if it samples.
func (c *campaign) coverage() (Coverage, bool) {
	s, ok := c.worker.strategy.(exhaustive)
	if !ok {
		return Coverage{}, false
	}
	return s.coverage(), true
}
