package explore

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/modelcheck-go/modelcheck/internal/report"
	"github.com/modelcheck-go/modelcheck/sched"
)

// Report says what exploring a program gave.
type Report struct {
	// Findings is what is wrong, empty when nothing was found.
	Findings []Finding
	// Expected is what was found of the findings that Expect names; they are not
	// in Findings.
	Expected []Finding
	// Err is set when the program could not be explored as asked: an option or
	// environment variable is wrong, or the program misuses package model. A
	// *StaleError says that a replayed schedule no longer fits.
	Err error

	// Seed and Index name the schedule that shows the findings (or the first that
	// shows something expected) among all that the strategy makes. Schedule is its
	// text, for Replay; "" when there is none, because nothing was found, or
	// nothing that one schedule shows.
	Seed, Index uint64
	Schedule    string
	// Hash covers the operations of that schedule, in order.
	Hash uint64
	// Trace lists them, and Final says what became of the goroutines.
	Trace []sched.TraceEvent
	Final sched.Final
	// Minimal is set if the schedule was made simpler than the one that was found,
	// which is that of Seed and Index, or if it was tried.
	Minimal *Minimal

	// Workload lists what a property has drawn, such as "workers: 2", and Cases is
	// how many workloads it had tried when one failed. Both are empty for others.
	Workload []string
	Cases    int

	// Name is the variant's (see Name), Strategy the strategy's.
	Name, Strategy string
	// Timers says when timeouts could fire; "" if the program started none.
	Timers TimerRule
	// Schedules is how many schedules were run, the failing one included but not
	// its repetitions, and Steps how many steps they took.
	Schedules, Steps int
	// Asked is how many schedules should have been run. Fewer are run when
	// something is found or time is up, or when there are no others.
	Asked int
	// Complete reports that there are no other schedules than those run.
	Complete bool
	// Coverage is set by Exhaust and RunExhaustive, and by searches with a bound.
	Coverage *Coverage
	whole    bool     // everything was to be explored: by Exhaust or RunExhaustive
	drawn    []uint64 // what the workload was drawn from
	thorough bool     // exploring was to go on to the end whatever it found

	// Stats is set if Stats asks for it.
	Stats *Statistics
	// Elapsed is how long it took. It does not show in String.
	Elapsed time.Duration

	width  int      // of String, 0 for the default
	survey *survey  // what Stats sums up
	passed *failure // the run of a replayed schedule that shows nothing wrong, or nil
}

// Failed reports whether something is wrong.
func (r Report) Failed() bool { return len(r.Findings) > 0 || r.Err != nil || r.incomplete() }

// incomplete reports that a complete search was asked for and did not get there.
func (r Report) incomplete() bool {
	return r.Coverage != nil && !r.Coverage.Complete && (r.whole || r.Coverage.Bound == "") &&
		(r.thorough || len(r.Expected) == 0) && r.Strategy != replayStrategy
}

// Key identifies the failure: reports with equal keys show the same findings at
// the same places, perhaps in different schedules.
func (r Report) Key() string { return keyOf(r.Findings) }

// Verdict says in a word how it went: "pass", "expected" (what Expect names was
// found and nothing else), "fail", "error", or "incomplete" when a complete search
// was asked for and found nothing, but did not come to its end.
func (r Report) Verdict() string {
	switch {
	case len(r.Findings) > 0:
		return "fail"
	case r.Err != nil:
		return "error"
	case r.incomplete():
		return "incomplete"
	case len(r.Expected) > 0:
		return "expected"
	}
	return "pass"
}

// String returns the report as text. It is the same each time: it has no times
// and no addresses.
func (r Report) String() string {
	var b strings.Builder
	if r.Name != "" {
		fmt.Fprintf(&b, "%s: ", r.Name)
	}
	if r.Verdict() == "error" {
		fmt.Fprintf(&b, "error: %v\n", r.Err)
		return b.String()
	}
	fmt.Fprintf(&b, "%s: %s%s\n", r.Verdict(), r.summary(), r.timersText())
	if r.Stats != nil {
		b.WriteString(r.Stats.String())
	}
	if len(r.Workload) > 0 {
		b.WriteString("workload:\n")
	}
	for _, w := range r.Workload {
		fmt.Fprintf(&b, "    %s\n", w)
	}
	b.WriteString(r.doc(report.Origin{}).Text(report.Style{Width: r.width}))
	if r.Err != nil {
		fmt.Fprintf(&b, "%v\n", r.Err)
	}
	if r.Minimal != nil {
		fmt.Fprintf(&b, "%v\n", r.Minimal)
	}
	if r.Schedule != "" {
		fmt.Fprintf(&b, "schedule: %s\n", r.Schedule)
	}
	return b.String()
}

// length is how many steps the schedule that shows the findings takes.
func (r Report) length() int {
	if len(r.Trace) == 0 {
		return 0
	}
	return r.Trace[len(r.Trace)-1].Step
}

// doc is the run of the schedule that shows the findings, for package report.
func (r Report) doc(from report.Origin) *report.Doc {
	shown := r.Findings
	if !r.Failed() {
		shown = r.Expected
	}
	from.Variant, from.Verdict, from.Strategy, from.Timers = r.Name, r.Verdict(), r.Strategy, string(r.Timers)
	from.Seed, from.Index, from.Schedules, from.Schedule = r.Seed, r.Index, r.Schedules, r.Schedule
	if r.Minimal != nil {
		from.Minimal, from.Minimised = r.Minimal.claim(), r.Minimal.String()
	}
	return report.New(report.Run{Origin: from, Findings: shown, Trace: r.Trace, Final: r.Final, Dir: startDir})
}

// oneLine says what is wrong, in short.
func (r Report) oneLine() string {
	if len(r.Findings) > 0 {
		return stableLine(r.Findings[0])
	}
	return r.Err.Error()
}

// timersText says when timeouts could fire, after the summary; "" if there were none.
func (r Report) timersText() string {
	if r.Timers == "" {
		return ""
	}
	return fmt.Sprintf(", timeouts %s", r.Timers)
}

func (r Report) summary() string {
	if r.Strategy == replayStrategy {
		return fmt.Sprintf("%s in the given schedule, %s", plural(len(r.Findings), "finding"), plural(r.Steps, "step"))
	}
	if c := r.Coverage; c != nil {
		switch {
		case len(r.Findings) > 0:
			return fmt.Sprintf("%s, search %v", plural(len(r.Findings), "finding"), c)
		case len(r.Expected) > 0 && c.Complete:
			return fmt.Sprintf("found what is expected and nothing else, %v", c)
		case len(r.Expected) > 0:
			return fmt.Sprintf("found what is expected after %s", plural(r.Schedules, "run"))
		}
		return fmt.Sprintf("nothing found, %v", c)
	}
	if r.Cases > 0 {
		return r.summaryOfCases()
	}
	tried := fmt.Sprintf("%s (%s, seed %d), %s", plural(r.Schedules, "schedule"), r.Strategy, r.Seed, plural(r.Steps, "step"))
	switch {
	case len(r.Findings) > 0:
		return fmt.Sprintf("%s in %s", plural(len(r.Findings), "finding"), tried)
	case len(r.Expected) > 0:
		return "found what is expected in " + tried
	case r.Complete:
		return "nothing found in " + tried + ", there are no others"
	case r.Schedules < r.Asked:
		return fmt.Sprintf("nothing found in %s, stopped early of %d", tried, r.Asked)
	}
	return "nothing found in " + tried
}

// summaryOfCases is the summary of a property.
func (r Report) summaryOfCases() string {
	tried := fmt.Sprintf("%s, %s (%s), %s", plural(r.Cases, "case"), plural(r.Schedules, "schedule"), r.Strategy, plural(r.Steps, "step"))
	switch {
	case len(r.Workload) > 0:
		return fmt.Sprintf("%s in case %d (%s, seed %d), after %s, %s",
			plural(len(r.Findings), "finding"), r.Cases, r.Strategy, r.Seed, plural(r.Schedules, "schedule"), plural(r.Steps, "step"))
	case len(r.Findings) > 0:
		return fmt.Sprintf("%s in %s", plural(len(r.Findings), "finding"), tried)
	case len(r.Expected) > 0:
		return "found what is expected in " + tried
	case r.Schedules < r.Asked:
		return fmt.Sprintf("nothing found in %s, stopped early of %d", tried, r.Asked)
	}
	return "nothing found in " + tried
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// startDir is the directory that the process was started in: under go test that
// of the package. The program under test may change its own later.
var startDir, _ = os.Getwd()

// saveDir is the directory below which failing schedules are kept.
var saveDir = startDir

// Run explores body: it executes it many times, each time as the goroutine main
// of a new controlled run and with other choices, until a finding shows or the
// schedules that the options allow are used up. Body must make everything that
// it uses anew each time: several runs of it go on at the same time, see Workers.
//
// Run may be called from several goroutines at once, but not from within body.
// It returns when it is done and leaves no goroutine behind, unless the report
// says that one is blocked outside the model.
func Run(body func(), opts ...Option) Report {
	refuseNested("explore.Run")
	set, err := settingsOf(body, opts)
	if err != nil {
		return Report{Err: err}
	}
	return runCampaign(body, set)
}

func runCampaign(body func(), set settings) Report {
	c := newCampaign(body, set, time.Time{})
	defer c.close()
	if set.replay != "" {
		return c.replay(set.replay)
	}
	if c.keeper, c.err = newKeeper(&c.set, ""); c.err != nil {
		return c.report()
	}
	c.asked = set.budget()
	c.explore(set.seed, c.asked)
	c.conclude()
	c.minimize()
	return c.report()
}

// refuseNested ends the run that calls it: engines do not nest, because a body
// that explores would have to be explored itself.
func refuseNested(function string) {
	if g := sched.Current(); g != nil {
		g.Misuse(function + " was called inside a controlled run: call it from an ordinary test or program, not from the body of another check")
	}
}

// report sums the campaign up.
func (c *campaign) report() Report {
	r := Report{
		Err:  c.err,
		Seed: c.seed,
		Name: c.set.name, Strategy: c.set.strategy, width: c.set.width,
		Schedules: c.schedules, Steps: c.steps, Asked: c.asked,
		Complete: c.complete, thorough: c.set.tally != nil,
		Elapsed: time.Since(c.began),
	}
	if c.timed {
		r.Timers = c.set.timers
	}
	if cov, ok := c.coverage(); ok {
		r.Coverage, r.Complete, r.whole = &cov, cov.Complete, c.set.whole
	}
	if c.survey != nil && c.survey.n > 0 {
		r.Stats, r.survey = c.survey.statistics(), c.survey
		r.Stats.Claims = c.claims(c.survey, r.Stats)
	}
	f := c.found
	if f != nil {
		r.Findings = f.findings
	} else if c.ledger != nil {
		r.Expected, f = c.ledger.found, c.ledger.first
	}
	if f == nil && r.Strategy == replayStrategy {
		r.passed = c.followed
	}
	if f != nil {
		r.Trace, r.Final, r.Schedule, r.Hash = f.trace, f.final, f.schedule, f.fingerprint.hash
		r.Seed, r.Index, r.Minimal = f.seed, f.index, f.minimal
	}
	return r
}
