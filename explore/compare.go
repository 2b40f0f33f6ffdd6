package explore

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcheck-go/modelcheck/internal/report"
)

// A Trial is a program to explore with Compare: one design, in one world, at one
// size.
type Trial struct {
	Design string // its name
	World  string // what may happen around it; "" when there is nothing to say
	Size   string // such as "n=2"; "" when there is only one
	Body   func()

	// Want is what is known to be wrong, nothing if it is empty.
	Want []Expectation
	// Sample is how many schedules are sampled where there are too many to run one of
	// every trace class. Otherwise it is 0, and they are.
	Sample int
	// Large says that this takes long. It is done only where the environment has
	// MODELCHECK_PROVE=1, which modelcheck run sees to; else go test samples at most
	// DefaultSchedules, until all that is wanted was found.
	Large   bool
	Options []Option // such as Timers or Steps
}

// An Invariant is what designs are compared by. It is broken by findings that meet
// one of By, or if there are none by the model.Assert, model.Invariant or
// model.AtEnd that has its name.
type Invariant struct {
	Name string
	By   []Expectation
}

// NoLeak is broken by a goroutine that is blocked for ever and by a lock that is held
// for ever.
func NoLeak(name string) Invariant {
	return Invariant{name, []Expectation{Blocked("", "", ""), Held("")}}
}

// NoPanic is broken by a panic and by what Go calls a fatal error.
func NoPanic(name string) Invariant { return Invariant{name, []Expectation{Panics("")}} }

// NoRace is broken by a data race.
func NoRace(name string) Invariant { return Invariant{name, []Expectation{Races("")}} }

func (i Invariant) brokenBy(f Finding) bool {
	by := i.By
	if len(by) == 0 {
		by = []Expectation{Broken(i.Name)}
	}
	return slices.ContainsFunc(by, func(e Expectation) bool { return e.met(f) })
}

// Compare explores designs, each trial in a subtest of its own, and fails those that
// show something else than they should. Unlike Check and Exhaust it goes on to the
// end whatever it finds, so that for every trial it is known which of the invariants
// hold, and of those that do not the shortest schedule that breaks them.
//
// Trials of the same design in the same world make one row of a matrix, from the
// smallest size on. It has a column for each invariant: "proved" where all trace
// classes of all sizes were explored, "proved*" where they were of some, "sampled" of
// none, "broken" with the smallest size at which it is. The matrix is logged, and modelcheck run prints
// it. Findings that concern none of the invariants have a column too.
//
// All schedules come from seed 0 unless an option or the environment says otherwise,
// so a comparison gives the same each time. Failing schedules are not saved.
//
// The subtests run in parallel, after the calling test has returned: what Compare
// returns is complete only then, and to be used in a function given to t.Cleanup.
func Compare(t *testing.T, trials []Trial, invariants ...Invariant) *Comparison {
	t.Helper()
	c := &Comparison{trials: trials, invariants: invariants, results: make([]*trialResult, len(trials))}
	if err := c.validate(); err != nil {
		t.Fatalf("explore.Compare: %v", err)
	}
	t.Cleanup(func() { c.publish(t) })
	for i, trial := range trials {
		t.Run(trial.name(), func(t *testing.T) {
			t.Parallel()
			r := trial.run(t, invariants)
			c.mu.Lock()
			c.results[i] = r
			c.mu.Unlock()
			publish(t, r.set, r.report, notes{lost: true})
		})
	}
	return c
}

// A Comparison is what Compare found.
type Comparison struct {
	trials     []Trial
	invariants []Invariant

	mu      sync.Mutex
	results []*trialResult // nil: not run
}

type trialResult struct {
	test     string
	set      settings
	report   Report
	failed   bool // it could not be explored
	whole    bool // it was explored as the trial says
	breaches []report.Breach
}

func (c *Comparison) validate() error {
	if len(c.trials) == 0 {
		return errors.New("wanted at least one trial, found none")
	}
	names := map[string]bool{}
	for _, t := range c.trials {
		switch name := t.name(); {
		case t.Design == "":
			return errors.New("wanted a name for every design, found a trial without")
		case names[name]:
			return fmt.Errorf("wanted trials that differ in design, world or size, found two called %s", name)
		default:
			names[name] = true
		}
	}
	for _, i := range c.invariants {
		if i.Name == "" {
			return errors.New("wanted a name for every invariant, found one without")
		}
	}
	return nil
}

// name is that of the trial's subtest.
func (t Trial) name() string {
	details := strings.ReplaceAll(strings.Join(nonempty(t.World, t.Size), ","), ", ", ",")
	return strings.ReplaceAll(strings.Join(nonempty(t.Design, details), "/"), " ", "-")
}

func nonempty(parts ...string) []string {
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// run explores the trial.
func (t Trial) run(tb TB, invariants []Invariant) *trialResult {
	r := &trialResult{test: tb.Name()}
	tally := newTally()
	opts := append([]Option{Seed(0), {func(s *settings) error { s.tally = tally; return nil }}}, t.Options...)
	if len(t.Want) > 0 {
		opts = append(opts, Expect(t.Want...))
	}
	settle := exhaustSettings
	if t.Sample > 0 {
		settle, opts = settingsOf, append(opts, Schedules(t.Sample))
	}
	var err error
	if r.set, err = settle(t.Body, opts); t.Large && !r.set.prove {
		r.set, err = settingsOf(t.Body, opts)
		r.set.schedules, tally.brief = DefaultSchedules, len(t.Want) > 0
	}
	if r.set.name == "" {
		r.set.name = variantOf(tb.Name())
	}
	r.whole = !(t.Large && !r.set.prove) && !(t.Sample > 0 && testing.Short()) && !searchOverridden()
	if err != nil {
		r.report, r.failed = Report{Err: err, Name: r.set.name, Strategy: r.set.strategy}, true
		return r
	}
	c := newCampaign(t.Body, r.set, deadlineOf(tb))
	r.report, _ = c.check(tb)
	r.failed = c.found != nil && c.found.stuck || c.err != nil
	r.breaches = c.breaches(tally, invariants)
	c.close()
	return r
}

// searchVariables change what is explored.
var searchVariables = []string{"MODELCHECK_SEED", "MODELCHECK_SCHEDULES", "MODELCHECK_STRATEGY", "MODELCHECK_STEPS", timersVariable, "MODELCHECK_REPLAY", "MODELCHECK_MINIMIZE"}

func searchOverridden() bool {
	return slices.ContainsFunc(searchVariables, func(name string) bool { return os.Getenv(name) != "" })
}

// Whole reports whether every trial was explored as it says: none was left out by
// -run, shortened by -short or because it is large, and no environment variable had a
// say.
func (c *Comparison) Whole() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !slices.ContainsFunc(c.results, func(r *trialResult) bool { return r == nil || !r.whole })
}

// String returns the matrix as text, and below what breaks the invariants.
func (c *Comparison) String() string { return c.matrix().Text(report.Plain) }

// Markdown returns the matrix as a table in Markdown. In a cell "broken" is followed
// by the smallest size and by the length of the shortest schedule: steps/preemptions,
// with ≤ where fewer preemptions may show the same finding. Another finding that breaks
// the invariant as well may need fewer all the same. At sizes that were sampled the
// length is left out.
func (c *Comparison) Markdown() string { return c.matrix().Markdown() }

// WholeRows returns those rows of Markdown all of whose trials were explored as they
// say. They are the same each time.
func (c *Comparison) WholeRows() []string {
	lines := strings.Split(c.Markdown(), "\n")
	m := c.matrix()
	var rows []string
	for i, row := range m.Rows {
		if c.whole(row.Design, row.World) {
			rows = append(rows, lines[markdownHead+i])
		}
	}
	return rows
}

// markdownHead is how many lines of a table in Markdown come before the rows.
const markdownHead = 2

func (c *Comparison) whole(design, world string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, t := range c.trials {
		if r := c.results[i]; t.Design == design && t.World == world && (r == nil || !r.whole) {
			return false
		}
	}
	return true
}

// publish writes the matrix to the event file, whose reader shows it, or else logs it.
func (c *Comparison) publish(t *testing.T) {
	m := c.matrix()
	if len(m.Rows) == 0 {
		return
	}
	file := os.Getenv("MODELCHECK_EVENTS")
	if file == "" {
		t.Logf("explore: designs compared:\n%s", m.Text(report.Plain))
	} else if err := appendMatrix(file, t.Name(), m); err != nil {
		t.Errorf("explore: environment variable MODELCHECK_EVENTS: %v", err)
	}
}

// matrix sums up the trials that were run.
func (c *Comparison) matrix() report.Matrix {
	c.mu.Lock()
	defer c.mu.Unlock()
	var m report.Matrix
	for _, i := range c.invariants {
		m.Invariants = append(m.Invariants, i.Name)
	}
	for i, t := range c.trials {
		r := c.results[i]
		if r == nil || r.report.Strategy == replayStrategy {
			continue
		}
		row := m.Row(t.Design, t.World)
		row.Trials = append(row.Trials, r.trial(t.Size))
		for _, b := range r.breaches {
			b.Size, b.Replay = t.Size, replayCommand(r.test, b.Schedule, nil)
			row.Add(b)
		}
	}
	return m
}

func (r *trialResult) trial(size string) report.Trial {
	t := report.Trial{
		Size: size, Complete: r.report.Complete, Sampled: r.report.Coverage == nil,
		Schedules: r.report.Schedules, Failed: r.failed, Elapsed: r.report.Elapsed,
	}
	if c := r.report.Coverage; c != nil {
		t.Classes = c.Classes
	}
	return t
}

// breaches returns the shortest schedule for each invariant that is broken, and the
// shortest that shows something else, each made as simple as it can be.
func (c *campaign) breaches(t *tally, invariants []Invariant) []report.Breach {
	var out []report.Breach
	add := func(name string, met func(Finding) bool) {
		s, ok := t.shortest(met)
		if !ok {
			return
		}
		b := report.Breach{Invariant: name, Finding: report.Line(s.finding, startDir)}
		if s.failure != nil {
			f := *s.failure
			c.shrink(&f, func(fs []Finding) []Finding {
				return slices.DeleteFunc(slices.Clone(fs), func(f Finding) bool { return !met(f) })
			}, min(c.set.minimize, breachMinimize))
			b.Steps, b.Preemptions, b.Schedule = f.steps, f.preemptions(), f.schedule
			b.AtMost = b.Preemptions > 0 && (f.minimal == nil || !f.minimal.Certified)
		}
		out = append(out, b)
	}
	for _, i := range invariants {
		add(i.Name, i.brokenBy)
	}
	add("", func(f Finding) bool {
		return !slices.ContainsFunc(invariants, func(i Invariant) bool { return i.brokenBy(f) })
	})
	return out
}
