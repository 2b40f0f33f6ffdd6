package explore

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
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
// simpler in its turn. The report has both, and two ways to bring them back: rapid's
// fail file, and a command that runs this one schedule of this workload. It is also
// saved below testdata/modelcheck, with the workload, and run first by the next go
// test. The workload is taken from rapid's fail file: with -rapid.nofailfile nothing
// is saved.
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

	last  outcome // of rapid's last call; its very last one is about the smallest case
	first *failure
	hint  string // the last schedule that failed as the first one did
	stuck int    // cases in which the program stood still
}

// outcome is what one case gave.
type outcome struct {
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
	p.set.stats = false
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
	p.teller = newTeller(p.tb.Name())
	p.letRapidTry()
	if p.stuck > 0 && p.tb.failed && p.last.found == nil {
		p.last.found = p.first // the case was not changed
	}
	if p.last.found == nil && p.last.err == nil && p.tb.failed {
		return p.errored(errors.New("the property failed before there was anything to explore, or rapid could not try it: see above")), notes{}
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
	p.last = outcome{}
	p.tb.drawn = nil
	body := p.prop(rt)
	if rt.Failed() {
		return // rapid reports it
	}
	seed := p.set.seed
	if !p.set.seeded && !p.set.unseeded {
		seed = caseSeeds.Draw(rt, seedLabel)
	}
	p.last = outcome{body: body, seed: seed}
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
	c := newCampaign(o.body, p.set, p.deadline)
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
	if p.teller != nil {
		p.teller.before = p.sum.schedules
	}
	c.mergeReached(p.reached)
}

// likeFirst reports whether rapid takes f for the failure that it has found first.
func (p *property) likeFirst(f *failure) bool {
	return p.first != nil && f.findings[0].Kind == p.first.findings[0].Kind
}

// drawsOf returns how often something was drawn with rt, -1 when this version of
// rapid does not tell.
func drawsOf(rt *rapid.T) int {
	f := reflect.ValueOf(rt).Elem().FieldByName("draws")
	if !f.CanInt() {
		return -1
	}
	return int(f.Int())
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
	c.began, c.counts, c.asked, c.ledger, c.reached = p.began, p.sum, p.asked, p.ledger, maps.Clone(p.reached)
	c.seed, c.found, c.err = o.seed, o.found, o.err
	c.late = c.isLate(time.Now())
	c.conclude()
	if o.found != nil {
		c.minimize()
	}
	r := c.report()
	r.Cases, r.Seed = p.cases, o.seed
	n := notes{lost: true}
	if o.found != nil {
		r.Workload = p.tb.workload()
		var err error
		if r.drawn, err = p.tb.drawnWords(); err != nil {
			n.why = err.Error()
		}
		n.lost = p.set.noSave || p.ledger != nil || err != nil
	} else if c.ledger != nil && r.Schedule != "" {
		r.Schedule = "" // of a workload that nobody knows any more
	}
	return r, n
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
		c := newCampaign(body, p.set, p.deadline)
		defer c.close()
		r = c.replay(s.schedule)
		r.Workload, r.drawn = s.workload, s.drawn
	})
	return r, err
}

// rapidTB is what rapid sees of the test. Its FailNow returns, so that the check can
// add its report when rapid is done; the test fails all the same.
type rapidTB struct {
	TB
	failed bool

	drawn    []string // what rapid has logged about the draws of the last case
	failFile string   // the last that rapid named
}

const drawPrefix = "[rapid] draw "

var failFileForm = regexp.MustCompile(`-rapid\.failfile=("(?:[^"\\]|\\.)*")`)

func (t *rapidTB) Logf(format string, args ...any) {
	t.TB.Helper()
	text := fmt.Sprintf(format, args...)
	if drawn, ok := strings.CutPrefix(text, drawPrefix); ok {
		t.drawn = append(t.drawn, drawn)
	}
	t.TB.Logf("%s", text)
}

func (t *rapidTB) Errorf(format string, args ...any) {
	t.TB.Helper()
	t.failed = true
	text := fmt.Sprintf(format, args...)
	if m := failFileForm.FindStringSubmatch(text); m != nil {
		t.failFile, _ = strconv.Unquote(m[1])
	}
	t.TB.Errorf("%s", text)
}

func (t *rapidTB) Error(args ...any) { t.TB.Helper(); t.Errorf("%s", fmt.Sprint(args...)) }
func (t *rapidTB) Fatalf(format string, args ...any) {
	t.TB.Helper()
	t.Errorf(format, args...)
}
func (t *rapidTB) Fatal(args ...any)        { t.TB.Helper(); t.Error(args...) }
func (t *rapidTB) Log(args ...any)          { t.TB.Helper(); t.TB.Logf("%s", fmt.Sprint(args...)) }
func (t *rapidTB) Fail()                    { t.failed = true }
func (t *rapidTB) FailNow()                 { t.failed = true }
func (t *rapidTB) Failed() bool             { return t.failed }
func (t *rapidTB) Skip(args ...any)         { t.TB.Helper(); t.Log(args...) }
func (t *rapidTB) Skipf(f string, a ...any) { t.TB.Helper(); t.TB.Logf(f, a...) }
func (t *rapidTB) SkipNow()                 {}

// workload lists what was drawn for the last case, the seed excepted.
func (t *rapidTB) workload() []string {
	var list []string
	for _, d := range t.drawn {
		if !strings.HasPrefix(d, seedLabel+":") {
			list = append(list, strings.ReplaceAll(d, "\n", " "))
		}
	}
	return list
}

// drawnWords reads the fail file that rapid has written.
func (t *rapidTB) drawnWords() ([]uint64, error) {
	if t.failFile == "" {
		return nil, errors.New("the schedule is not saved: rapid wrote no fail file, and without it the workload cannot be drawn again")
	}
	data, err := os.ReadFile(filepath.FromSlash(t.failFile))
	if err != nil {
		return nil, fmt.Errorf("the schedule is not saved: cannot read the workload: %w", err)
	}
	return parseFailFile(string(data))
}
