package explore

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/internal/environment"
	"github.com/modelcheck-go/modelcheck/internal/report"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// TB is the part of [testing.TB] that Check needs.
type TB interface {
	Helper()
	Name() string
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	FailNow()
}

// Check explores body as Run does and fails the test when something is found: it
// reports what is wrong, the steps that led there, the seed, the schedule, and
// the command that replays it.
//
// Schedules that failed before are kept in testdata/modelcheck and run first.
// Then seeds are drawn with rapid: each of its cases draws one and explores its
// share of the schedules, so -rapid.checks, -rapid.seed, -rapid.failfile and
// -short have their usual meaning. With Seed or MODELCHECK_SEED nothing is drawn:
// all schedules come from that seed. Within a property of rapid, give Seed a
// number that the property has drawn.
//
// The go command caches tests that pass: go test -count=1 draws new seeds.
//
// Exploring stops early when t has a deadline that comes near; the log says so.
//
// Check must be called on the test's goroutine and not from within body, and
// body must not use t: it runs on other goroutines. It states what it wants with
// model.Assert, model.Invariant and model.AtEnd.
func Check(t TB, body func(), opts ...Option) {
	t.Helper()
	refuseNested("explore.Check")
	checkWith(t, body, settingsOf, opts)
}

// checkWith explores body with the settings that settle makes of the options, and
// reports to t.
func checkWith(t TB, body func(), settle func(func(), []Option) (settings, error), opts []Option) {
	t.Helper()
	set, err := settle(body, opts)
	if err == nil && set.isolate {
		err = set.isolable()
	}
	if set.name == "" {
		set.name = variantOf(t.Name())
	}
	if err != nil {
		publish(t, set, Report{Err: err, Name: set.name, Strategy: set.strategy}, notes{})
		return
	}
	warnOfVariables(t)
	if set.isolate {
		set.test = t.Name()
	}
	c := newCampaign(body, set, deadlineOf(t))
	if file, ok := taskFile(); ok {
		if err := c.answer(t.Name(), file); err != nil {
			t.Errorf("explore: environment variable %s: %v", taskVariable, err)
		}
		c.close()
		return
	}
	r, notes := c.check(t)
	c.close()
	publish(t, set, r, notes)
}

// warnOfVariables tells of environment variables that look like the tool's and are not.
func warnOfVariables(t TB) {
	t.Helper()
	for _, s := range environment.Unknown(os.Environ()) {
		t.Logf("explore: %s", s)
	}
}

// notes are remarks of Check that the report of a campaign does not have.
type notes struct {
	from    string   // the saved schedule that failed again
	lost    bool     // the failing schedule could not be saved, or was not to be
	hint    string   // how to reproduce the failure with rapid
	remarks []string // what one might wonder about
}

// check runs the saved schedules, then explores.
func (c *campaign) check(t TB) (Report, notes) {
	t.Helper()
	if c.set.replay != "" {
		return c.replay(c.set.replay), notes{lost: true}
	}
	if c.ledger == nil {
		if name := c.rerun(t); name != "" {
			c.surveyAll()
			c.set.strategy = replayStrategy
			return c.report(), notes{from: name}
		}
	}
	c.teller = newTeller(t.Name())
	if c.keeper, c.err = newKeeper(&c.set, t.Name()); c.err != nil {
		return c.report(), notes{}
	}
	tb := &rapidTB{TB: t}
	if c.set.seeded {
		c.asked = c.set.budget()
		c.explore(c.set.seed, c.asked)
	} else {
		c.draw(tb)
	}
	c.conclude()
	if c.found != nil || c.set.events != "" { // else nobody sees it
		c.minimize()
	}
	c.surveyAll()
	r := c.report()
	if r.Schedule != "" { // that says more than the seed in rapid's file
		tb.discard()
	}
	return r, notes{lost: c.set.noSave || c.ledger != nil, hint: tb.hint}
}

// rerun runs the schedules that failed before. It returns the file of the first
// that fails again, or cannot be read.
func (c *campaign) rerun(t TB) string {
	t.Helper()
	files, err := saved(saveDir, t.Name())
	if err != nil {
		t.Logf("explore: cannot look for saved schedules: %v", err)
	}
	own := c.set.timers
	for _, f := range files {
		c.set.timers = own
		if f.err != nil {
			c.err = fmt.Errorf("saved schedule %s: %w; mend or delete it", f.name, f.err)
			return f.name
		}
		c.set.timers = c.set.under(f.savedSchedule).timers
		steps, stale := c.follow(f.schedule)
		switch {
		case c.err != nil:
			c.err = fmt.Errorf("saved schedule %s: %w", f.name, c.err)
			return f.name
		case c.found != nil:
			c.schedules, c.steps = 1, steps
			return f.name
		case stale != nil:
			t.Logf("explore: saved schedule %s: %v; delete it if the bug is mended", f.name, stale)
		default:
			t.Logf("explore: saved schedule %s passes now: it can be deleted", f.name)
		}
	}
	c.set.timers = own
	c.alive = false
	return ""
}

// draw lets rapid draw the seeds. All draws, and the one Fatalf, happen on the
// property's own goroutine, and what Fatalf says depends on the seed alone.
//
// Once a seed has failed every other one passes at once, whatever it would show:
// to rapid the property is then "the seed is not that one". It is deterministic,
// and it is all that rapid may shrink: smaller seeds are not simpler schedules.
func (c *campaign) draw(t *rapidTB) {
	t.Helper()
	cases := rapidCases()
	each, total := (c.set.schedules+fullCases-1)/fullCases, max(1, c.set.schedules*cases/fullCases)
	if c.set.exact {
		each, total = (c.set.schedules+cases-1)/max(1, cases), c.set.schedules
	}
	c.asked = total
	rapid.Check(t, func(rt *rapid.T) {
		rt.Helper()
		seed := seeds.Draw(rt, "seed")
		c.explore(seed, min(each, total-c.schedules))
		if f := c.found; f != nil && f.seed == seed {
			fail(rt, f.findings[0].Kind, report.Line(f.findings[0], startDir))
		}
	})
}

// fullCases is the number of cases that rapid tries unless told otherwise:
// together they try all schedules.
const fullCases = 100

// rapidCases is how many cases rapid is going to try.
func rapidCases() int {
	n := fullCases
	if f := flag.Lookup("rapid.checks"); f != nil {
		if g, ok := f.Value.(flag.Getter); ok {
			n, _ = g.Get().(int)
		}
	}
	if testing.Short() {
		n /= shortFactor
	}
	return n
}

// seeds draws a seed bit by bit. Integers of rapid favour small ones, which would
// try the same schedules again and again.
var seeds = rapid.Custom(func(rt *rapid.T) uint64 { return drawBits(rt, 64) })

func drawBits(rt *rapid.T, n int) (bits uint64) {
	for range n {
		bits <<= 1
		if bit.Draw(rt, "bit") {
			bits |= 1
		}
	}
	return bits
}

var bit = rapid.Bool()

// fail fails the property on a line of its own for each kind of finding: rapid
// tells failures apart by where they are reported.
func fail(rt *rapid.T, kind sched.FindingKind, text string) {
	rt.Helper()
	switch kind {
	case sched.BlockedForever:
		rt.Fatalf("%s", text)
	case sched.LockHeld:
		rt.Fatalf("%s", text)
	case sched.Panic:
		rt.Fatalf("%s", text)
	case sched.AssertionBroken:
		rt.Fatalf("%s", text)
	case sched.InvariantBroken:
		rt.Fatalf("%s", text)
	case sched.Goexit:
		rt.Fatalf("%s", text)
	case sched.StepBoundReached:
		rt.Fatalf("%s", text)
	case sched.DataRace:
		rt.Fatalf("%s", text)
	case sched.PollsForEver:
		rt.Fatalf("%s", text)
	case Nondeterministic:
		rt.Fatalf("%s", text)
	default:
		rt.Fatalf("%s", text)
	}
}

// publish reports the result to the test, the event file and, if it is a new
// failure, to a schedule file.
func publish(t TB, set settings, r Report, n notes) {
	t.Helper()
	command := replayCommand(t.Name(), r.Schedule, r.drawn)
	if r.Cases > 0 && len(r.drawn) == 0 { // a property without its workload
		command = ""
	}
	if command != "" && r.Timers != "" && r.Timers != set.timers { // a saved schedule has a rule of its own
		command = timersVariable + "=" + quote(r.Timers.name()) + " " + command
	}
	if set.events != "" {
		if err := appendEvent(set.events, t.Name(), r, command); err != nil {
			t.Errorf("explore: environment variable MODELCHECK_EVENTS: %v", err)
		}
	}
	if !r.Failed() {
		stats := ""
		if r.Stats != nil {
			stats = "\n" + strings.TrimSuffix(r.Stats.String(), "\n")
		}
		t.Logf("explore: %s%s%s", r.summary(), r.timersText(), stats)
		return
	}
	where := ""
	switch {
	case n.from != "" && r.Err == nil:
		where = "it is the saved schedule " + n.from + "\n"
		if r.Timers != "" && r.Timers != set.timers {
			where += fmt.Sprintf("note: timeouts happen %s, as when it was saved; when the test explores, %s\n", r.Timers, set.timers)
		}
	case r.Schedule != "" && !n.lost:
		where = keep(t.Name(), r)
	}
	for _, text := range n.remarks {
		where += "note: " + text + "\n"
	}
	switch {
	case command != "":
		where += "To reproduce: " + command + "\n"
	case n.hint != "":
		where += n.hint + "\n"
	}
	t.Errorf("explore: %s%s", r, where)
	t.FailNow()
}

// keep saves the failing schedule and says where.
func keep(test string, r Report) string {
	name, err := save(saveDir, savedSchedule{
		test: test, pkg: packageDir(startDir), driver: os.Getenv(driverVariable), strategy: r.Strategy,
		seed: r.Seed, index: r.Index, timers: r.Timers, findings: lines(r.Findings), schedule: r.Schedule,
		workload: r.Workload, drawn: r.drawn, steps: r.length(), hash: r.Hash,
	})
	if err != nil {
		return fmt.Sprintf("note: %v\n", err)
	}
	return "saved as " + filepath.ToSlash(name) + ", and run first from now on\n"
}

// deadlineOf returns when to stop exploring, some time before t's own deadline;
// zero when it has none.
func deadlineOf(t TB) time.Time {
	d, ok := t.(interface{ Deadline() (time.Time, bool) })
	if !ok {
		return time.Time{}
	}
	end, ok := d.Deadline()
	if !ok {
		return time.Time{}
	}
	return end.Add(-time.Until(end) / 10)
}
