package explore

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/modelcheck-go/modelcheck/internal/report"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// Property checks a program whose workload is drawn with rapid: how many workers
// there are, what is sent, who fails. For each of rapid's cases prop draws one and
// returns the program, which is then explored as Check does it:
//
//	explore.Property(t, func(rt *rapid.T) func() {
//		workers := rapid.IntRange(1, 4).Draw(rt, "workers")
//		return func() { serve(workers) }
//	})
//
// Prop does all the drawing, on the test's goroutine, and uses rt and not t. It may
// be called at any time and must do the same for the same draws. The function that
// it returns runs many times and on other goroutines: it must use neither rt nor t,
// make its state anew, and not change what prop has drawn.
//
// A hundredth of the schedules is tried for each case, so rapid's 100 cases try all
// of them, -rapid.checks=1000 ten times as many, and go test -short, in which rapid
// tries 20 cases, a fifth. MODELCHECK_SCHEDULES are divided over the cases. The seed
// of a case's schedules is drawn after the workload, unless Seed or MODELCHECK_SEED
// fixes it.
//
// When a case fails, rapid shrinks the workload; the schedule that failed is tried
// first with each smaller one. Then the schedule for the smallest workload is made
// simpler in its turn. The report has both, and a command that runs this one schedule
// of this workload. It is also saved below testdata/modelcheck, with the workload, and
// run first by the next go test, unless MODELCHECK_NOSAVE=1. Rapid's fail file has the
// workload and the seed of its schedules: it is written, and tried by later runs, as
// without this package; -rapid.nofailfile is about that file alone. A program that
// stands still (see Watchdog) is not shrunk: each try would take the watchdog's time
// and leave goroutines behind. The report says so.
//
// What is judged over all schedules is judged over all cases together: that
// something concurrent was explored, model.Sometimes, and Expect.
func Property(t TB, prop func(rt *rapid.T) func(), opts ...Option) {
	t.Helper()
	refuseNested("explore.Property")
	p := &property{prop: prop, began: time.Now(), deadline: deadlineOf(t), reached: map[string]sched.Reach{}}
	p.tb.TB = t
	if err := p.configure(opts); err != nil {
		publish(t, p.set, Report{Err: err, Name: p.set.name, Strategy: p.set.strategy}, notes{})
		return
	}
	theCollector.relax()
	defer theCollector.restore()
	r, notes := p.check()
	publish(t, p.set, r, notes)
}

// property is a check with a workload.
type property struct {
	tb       rapidTB
	prop     func(*rapid.T) func()
	set      settings
	each     int // schedules for each case
	deadline time.Time
	began    time.Time
	ledger   *ledger // nil when nothing is expected
	teller   *teller

	cases   int // explored until the first that failed
	asked   int // schedules that were to be explored for them
	sum     counts
	reached map[string]sched.Reach // conditions that ought to hold, from all cases
	survey  *survey                // nil when nobody asks for statistics

	last  outcome // of rapid's last call; its very last one is about the smallest case
	first *failure
	hint  string // the last schedule that failed as the first one did
	stuck int    // cases in which the program stood still
}

// outcome is what one case gave.
type outcome struct {
	drawn []uint64 // what rapid draws it from; nil while that is random
	body  func()
	seed  uint64
	found *failure
	err   error
}

func (p *property) configure(opts []Option) error {
	body := func() {}
	if p.prop == nil {
		body = nil
	}
	var err error
	p.set, err = settingsOf(body, opts)
	if p.set.name == "" {
		p.set.name = variantOf(p.tb.Name())
	}
	if p.set.stats {
		p.survey = newSurvey()
	}
	if len(p.set.expect) > 0 {
		p.ledger = newLedger(p.set.expect, nil)
	}
	p.each = (p.set.schedules + fullCases - 1) / fullCases
	if p.set.exact {
		p.each = (p.set.schedules + rapidCases() - 1) / max(1, rapidCases())
	}
	return err
}

// check runs the saved schedules, then lets rapid try workloads.
func (p *property) check() (Report, notes) {
	p.tb.Helper()
	if p.set.replay != "" {
		return p.replay(), notes{lost: true}
	}
	if p.ledger == nil {
		if r, from := p.rerun(); from != "" {
			return r, notes{from: from}
		}
	}
	warnOfVariables(&p.tb)
	p.teller = newTeller(p.tb.Name())
	p.letRapidTry()
	if p.stuck > 0 && p.tb.failed && p.last.found == nil {
		p.last.found = p.first // the case was not changed
	}
	if p.last.found == nil && p.last.err == nil && p.tb.failed {
		return p.errored(errors.New("the property failed before there was anything to explore, or rapid could not try it: see above")), notes{hint: p.tb.hint}
	}
	return p.conclude()
}

// letRapidTry has rapid call try. A property that ends the goroutine fails the test
// here: rapid does not notice, a t.SkipNow in it would count as a pass, and
// runtime.Goexit would end the process.
func (p *property) letRapidTry() {
	p.tb.Helper()
	returned := false
	defer func() {
		if e := recover(); e != nil {
			panic(e)
		}
		if !returned {
			p.tb.TB.Errorf("explore: the property has ended the test's goroutine: within it use rt, not t, and no runtime.Goexit")
			p.tb.TB.FailNow()
		}
	}()
	rapid.Check(&p.tb, p.try)
	returned = true
}

// try is what rapid checks. All draws, and the one Fatalf, happen on this goroutine
// and at this depth, and what Fatalf says depends on the draws alone.
func (p *property) try(rt *rapid.T) {
	rt.Helper()
	p.last = outcome{drawn: wordsOf(rt)}
	p.tb.drawn = nil
	body := p.prop(rt)
	if rt.Failed() {
		return // rapid reports it
	}
	seed := p.set.seed
	if !p.set.seeded && !p.set.unseeded {
		seed = caseSeeds.Draw(rt, seedLabel)
	}
	p.last.body, p.last.seed = body, seed
	if body == nil {
		p.last.err = errNoBody
	} else if p.worthTrying() {
		p.explore(rt)
	}
	switch o := p.last; {
	case o.err != nil:
		fail(rt, "", o.err.Error())
	case o.found != nil:
		fail(rt, o.found.findings[0].Kind, stableLine(o.found.findings[0]))
	}
}

var errNoBody = errors.New("wanted the property to return a function to explore, found nil: call rt.Skip for a workload that is of no use")

const seedLabel = "seed of its schedules"

// caseSeeds draws the seed of a case's schedules: bit by bit, because all have to be
// equally likely, and few bits, because rapid tries to get rid of each.
var caseSeeds = rapid.Custom(func(rt *rapid.T) uint64 { return drawBits(rt, 20) })

// stableLine is what rapid is told about a finding: always the same for the same
// draws, else rapid thinks that the property is flaky.
func stableLine(f Finding) string {
	switch f.Kind {
	case Nondeterministic, OutsideModel, EndlessLoop:
		return string(f.Kind)
	}
	return report.Line(f, startDir)
}

// worthTrying reports whether the case is to be explored at all. A program that
// stands still is seen twice, as rapid wants it, and not shrunk: each try would cost
// the watchdog's time.
func (p *property) worthTrying() bool {
	return p.stuck < 2 && (p.ledger == nil || !p.ledger.settled())
}

// explore explores the case of the last outcome.
func (p *property) explore(rt *rapid.T) {
	o := &p.last
	draws := drawsOf(rt)
	set := p.set
	set.stats = set.stats && p.first == nil // cases that rapid makes up to shrink are not counted
	c := newCampaign(o.body, set, p.deadline)
	defer c.close()
	c.ledger, c.teller, c.asked = p.ledger, p.teller, p.each*rapidCases()
	if p.hint != "" {
		if c.follow(p.hint); c.found != nil && !p.likeFirst(c.found) {
			c.found = nil
		}
	}
	c.explore(o.seed, p.each)
	if drawsOf(rt) != draws || rt.Failed() || c.found != nil && fromRapid(c.found) {
		c.found, c.err = nil, errors.New("the function to explore uses rt, which only the property itself may do: draw before returning it")
	}
	o.found, o.err = c.found, c.err
	if o.found != nil && o.found.stuck {
		p.stuck++
	}
	if o.found != nil {
		if p.first == nil {
			p.first = o.found
			p.count(c)
		}
		if p.likeFirst(o.found) {
			p.hint = o.found.schedule
		}
	} else if p.first == nil {
		p.count(c)
	}
}

func (p *property) count(c *campaign) {
	p.cases++
	p.asked += p.each
	if c.complete || c.ended {
		p.asked += c.schedules - p.each
	}
	p.sum.add(c.counts)
	if c.survey != nil {
		p.survey.addCase(c.survey)
	}
	if p.teller != nil {
		p.teller.before = p.sum.schedules
	}
	c.mergeReached(p.reached)
}

// likeFirst reports whether rapid takes f for the failure that it has found first.
func (p *property) likeFirst(f *failure) bool {
	return p.first != nil && f.findings[0].Kind == p.first.findings[0].Kind
}

// fromRapid reports whether the failure is a panic by which rapid ends a case.
func fromRapid(f *failure) bool {
	for _, g := range f.findings {
		if g.Kind == sched.Panic && (strings.Contains(g.Message, "(rapid.stopTest)") || strings.Contains(g.Message, "(rapid.invalidData)")) {
			return true
		}
	}
	return false
}

// conclude reports what rapid has found, or what all cases together show.
func (p *property) conclude() (Report, notes) {
	o := p.last
	if o.body == nil {
		o.body = func() {}
	}
	c := newCampaign(o.body, p.set, p.deadline)
	defer c.close()
	c.began, c.counts, c.asked, c.ledger, c.reached, c.survey = p.began, p.sum, p.asked, p.ledger, maps.Clone(p.reached), p.survey
	c.seed, c.found, c.err = o.seed, o.found, o.err
	c.late = c.isLate(time.Now())
	c.conclude()
	if o.found != nil {
		c.minimize()
	}
	r := c.report()
	r.Cases, r.Seed = p.cases, o.seed
	if r.Stats != nil && c.silent() {
		r.Stats.Claims = claimsOfCases(min(p.cases, rapidCases()), p.each)
	}
	n := notes{lost: true, hint: p.tb.hint}
	if o.found != nil {
		r.Workload, r.drawn = p.tb.workload(), o.drawn
		n.remarks = p.remarks(r)
		n.lost = p.set.noSave || p.ledger != nil || len(r.drawn) == 0
	} else if c.ledger != nil && r.Schedule != "" {
		r.Schedule = "" // of a workload that nobody knows any more
	}
	return r, n
}

// remarks says what one might wonder about a report with a finding.
func (p *property) remarks(r Report) (list []string) {
	if p.stuck > 0 {
		list = append(list, fmt.Sprintf("the workload was not made smaller: each try would take %v, the watchdog's time, and leave goroutines behind", p.set.watchdog))
	}
	if r.Schedule != "" && len(r.drawn) == 0 {
		list = append(list, "the schedule is not saved: nothing was drawn, or this version of rapid does not tell from what")
	}
	return list
}

func (p *property) errored(err error) Report {
	return Report{Err: err, Name: p.set.name, Strategy: p.set.strategy, Elapsed: time.Since(p.began)}
}

// rerun runs the schedules that failed before, each with its workload. It returns
// the file of the first that fails again, or cannot be read.
func (p *property) rerun() (Report, string) {
	p.tb.Helper()
	files, err := saved(saveDir, p.tb.Name())
	if err != nil {
		p.tb.Logf("explore: cannot look for saved schedules: %v", err)
	}
	for _, f := range files {
		if f.err != nil {
			return p.errored(fmt.Errorf("saved schedule %s: %w; mend or delete it", f.name, f.err)), f.name
		}
		r, err := p.follow(f.savedSchedule)
		switch stale := (*StaleError)(nil); {
		case err != nil:
			p.tb.Logf("explore: saved schedule %s: %v; delete it if the bug is mended", f.name, err)
		case len(r.Findings) > 0:
			r.Err = nil
			return r, f.name
		case errors.As(r.Err, &stale):
			p.tb.Logf("explore: saved schedule %s: %v; delete it if the bug is mended", f.name, stale)
		case r.Err != nil:
			r.Err = fmt.Errorf("saved schedule %s: %w", f.name, r.Err)
			return r, f.name
		default:
			p.tb.Logf("explore: saved schedule %s passes now: it can be deleted, and so can rapid's fail file of the same failure", f.name)
		}
	}
	return Report{}, ""
}

// replay runs the schedule that the environment asks for.
func (p *property) replay() Report {
	s := savedSchedule{schedule: p.set.replay}
	if strings.HasSuffix(p.set.replay, scheduleExt) {
		var err error
		if s, err = readSaved(p.set.replay); err != nil {
			return p.errored(err)
		}
	}
	if p.set.drawn != nil {
		s.drawn = p.set.drawn
	}
	r, err := p.follow(s)
	if err != nil {
		return p.errored(err)
	}
	return r
}

// workloadVariable gives the workload to a replay.
const workloadVariable = "MODELCHECK_WORKLOAD"

// follow draws the workload of a saved schedule again and runs it.
func (p *property) follow(s savedSchedule) (r Report, err error) {
	if len(s.drawn) == 0 {
		return r, errors.New("it has no workload: wanted the line \"# drawn: ...\" of a schedule file of this property, or " + workloadVariable)
	}
	err = p.redraw(s.drawn, func(body func()) {
		c := newCampaign(body, p.set.under(s), p.deadline)
		defer c.close()
		r = c.replay(s.schedule)
		r.Workload, r.drawn = s.workload, s.drawn
	})
	return r, err
}
