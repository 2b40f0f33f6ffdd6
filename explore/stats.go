package explore

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/internal/report"
	"github.com/modelcheck-go/modelcheck/sched"
)

// Statistics says what the schedules of a campaign were like, see Stats.
type Statistics struct {
	// Schedules is how many they are about, and Cases, for a property, how many
	// workloads; else it is 0. Failing is how many of the schedules show a finding, be it
	// expected or not. Check takes statistics of all schedules that were asked for, others
	// of those until a finding ended it.
	Schedules, Cases, Failing int
	// Classes is how many trace classes they belong to: schedules that differ only in
	// the order of operations that do not depend on each other are in one. It is 0
	// if the program does something that keeps classes from being told apart, and
	// Unclassified says what.
	Classes      int
	Unclassified string
	// Recent is the last quarter of the schedules, and New how many classes were first
	// seen in it. Both are 0 for a property: each case is another program, with other
	// classes.
	Recent, New int
	// What a schedule took.
	Steps, Switches, Preemptions Distribution
	// OneOrder lists pairs of places in the source whose operations depend on each
	// other, and came in one order only, the most frequent first. They were looked for
	// in Inspected of the schedules.
	OneOrder  []Pair
	Inspected int
	// Claims are what may be said about schedules that were not tried, with 95 %
	// confidence; there are none if something was found or time was short, or for
	// strategies about which nothing of the kind is known.
	Claims []string
}

// Distribution sums up a number that each schedule has.
type Distribution struct {
	Min, Median, P95, Max int
	Mean                  float64
}

// String says it in words.
func (d Distribution) String() string {
	return fmt.Sprintf("%d to %d, mean %.1f, median %d, 95 %% at most %d", d.Min, d.Max, d.Mean, d.Median, d.P95)
}

// Pair is two operations that depend on each other, by their places.
type Pair struct {
	First, Then Place
	Schedules   int // that have it in this order
}

// Place is an operation in the source.
type Place struct {
	Op   string
	Site sched.Site
}

// String returns the operation and its place, relative to the directory that the
// process was started in.
func (p Place) String() string { return p.Op + " " + report.Place(p.Site, startDir) }

// Stats asks for statistics: trace classes, what schedules are like, which operations
// came in one order only, and what may be concluded from all that; see Statistics. It
// changes no schedule. It takes time for every step, several times what a schedule
// takes otherwise. Those of a Property are about all its cases together, each of which
// is another program.
func Stats() Option {
	return Option{func(s *settings) error {
		s.stats = true
		return nil
	}}
}

// shownPairs bounds how many pairs a report shows.
const shownPairs = 5

// String says it in lines.
func (s *Statistics) String() string {
	var b strings.Builder
	classes := plural(s.Classes, "trace class")
	if s.Cases > 0 {
		classes += " of " + plural(s.Cases, "case")
	}
	if s.Unclassified != "" {
		classes = "trace classes not counted, since " + s.Unclassified
	} else if s.Recent > 0 {
		classes += fmt.Sprintf(", new in the last %s: %d", plural(s.Recent, "schedule"), s.New)
	}
	failing := ""
	if s.Failing > 0 {
		failing = fmt.Sprintf("; %d of them fail", s.Failing)
	}
	fmt.Fprintf(&b, "statistics of %s: %s%s\n", plural(s.Schedules, "schedule"), classes, failing)
	fmt.Fprintf(&b, "    steps:       %v\n    switches:    %v\n    preemptions: %v\n", s.Steps, s.Switches, s.Preemptions)
	for i, p := range s.OneOrder {
		if i == shownPairs {
			fmt.Fprintf(&b, "    and %d more in one order only\n", len(s.OneOrder)-i)
			break
		}
		fmt.Fprintf(&b, "    one order only: %v before %v in %d of %d, never after it\n", p.First, p.Then, p.Schedules, s.Inspected)
	}
	for _, c := range s.Claims {
		fmt.Fprintf(&b, "    %s\n", c)
	}
	return b.String()
}

// sample is what one schedule adds to the statistics.
type sample struct {
	class                                             uint64
	steps, switches, preemptions, choices, goroutines int
	yields, failed                                    bool
	independent                                       bool // of the schedules before
	length                                            int  // that PCT assumes; 0 for other strategies
	unclassified                                      string
	pairs                                             []orderedPair // nil if it was not looked for
}

type orderedPair struct{ first, then Place }

// turned is the same pair in the other order.
func (p orderedPair) turned() orderedPair { return orderedPair{p.then, p.first} }

// sampler takes samples for one worker.
type sampler struct {
	names naming
	races analysis
	sites []Place // by step
}

func newSampler() *sampler {
	return &sampler{names: newNaming(), races: analysis{table: sched.Dependencies}}
}

// inspected reports whether the places of schedule i's operations are looked at, which
// takes most of the time.
func inspected(i uint64) bool { return i < 1000 || i%16 == 0 }

// take describes a run that logs, and captures if it is inspected.
func (s *sampler) take(r *sched.Result) sample {
	x := sample{steps: r.Steps, switches: r.Switches, preemptions: r.Preemptions, failed: r.Failed, choices: len(r.Choices), goroutines: r.Goroutines + r.Timers}
	s.names.begin()
	s.names.meet(r.Log)
	s.races.order(&s.names, r.Log)
	switch why := s.races.uncovered(); {
	case r.Log.Eager:
		x.unclassified = "timers may fire at any moment"
	case r.Log.CrossUnlocks:
		x.unclassified = "read locks are released by others than their holders"
	case why != "":
		x.unclassified = why
	default:
		x.class = s.races.class()
	}
	for i := range r.Log.Events {
		x.yields = x.yields || r.Log.Events[i].Kind == sched.OpYield
	}
	if r.Trace != nil {
		x.pairs = s.pairs(r)
	}
	return x
}

// pairs lists the places of the operations that depend on each other and come one
// after the other, each pair once.
func (s *sampler) pairs(r *sched.Result) []orderedPair {
	places := s.places(r)
	seen := map[orderedPair]bool{}
	for i := range int32(s.races.n) {
		for _, p := range s.races.predecessors(i) {
			a, b := &r.Log.Events[p.event], &r.Log.Events[i]
			if p.object < 0 || p.rel != sched.Races || sharesGoroutine(a.Label, b.Label) || releases(a.Kind) || releases(b.Kind) {
				continue
			}
			pair := orderedPair{places[p.event], places[i]}
			if pair.first.Site.Line > 0 && pair.then.Site.Line > 0 && pair.first != pair.then {
				seen[pair] = true
			}
		}
	}
	list := make([]orderedPair, 0, len(seen))
	for p := range seen {
		list = append(list, p)
	}
	return list
}

// releases reports whether the operation gives a lock back. When it does so is up to
// who took the lock, and that is the operation that others compete with.
func releases(k sched.OpKind) bool { return k == sched.OpUnlock || k == sched.OpRUnlock }

// places finds the place of each event. The trace numbers steps, and every event but
// the moving of the clock is one.
func (s *sampler) places(r *sched.Result) []Place {
	byStep := make([]Place, r.Steps+1)
	for _, ev := range r.Trace {
		if at := &byStep[ev.Step]; at.Op == "" && ev.Step > 0 {
			*at = Place{ev.Op, sched.Site{File: ev.Site.File, Line: ev.Site.Line}}
		}
	}
	s.sites = s.sites[:0]
	step := 0
	for i := range r.Log.Events {
		var at Place
		if r.Log.Events[i].Kind != sched.OpNone {
			if step++; step < len(byStep) {
				at = byStep[step]
			}
		}
		s.sites = append(s.sites, at)
	}
	return s.sites
}

// attentive lets a run log without asking the strategy more than one that does not.
type attentive struct{ Strategy }

func (a attentive) Pick(p *sched.Point) sched.Choice {
	if c, ok := p.Forced(); ok {
		return c
	}
	return a.Strategy.Pick(p)
}

// survey adds samples up.
type survey struct {
	first        map[uint64]int // index of the schedule that was the first of a class
	classes      []membership   // of all schedules
	cases        int            // of a property
	drawn        int            // schedules drawn independently of the others
	lengths      map[int]int    // how many of them by PCT, by the length that it assumes
	n, inspected int
	failing      int
	steps        map[int]int
	switches     map[int]int
	preemptions  map[int]int
	pairs        map[orderedPair]int
	unclassified string
	yields       bool
	choices      int // the most of any schedule
	goroutines   int
}

type membership struct {
	class       uint64
	independent bool
}

func newSurvey() *survey {
	return &survey{
		first: map[uint64]int{}, steps: map[int]int{}, switches: map[int]int{}, preemptions: map[int]int{}, pairs: map[orderedPair]int{}, lengths: map[int]int{},
	}
}

func (s *survey) add(x sample) {
	if _, known := s.first[x.class]; !known {
		s.first[x.class] = s.n
	}
	s.n++
	if x.failed {
		s.failing++
	}
	s.classes = append(s.classes, membership{x.class, x.independent})
	if x.independent {
		s.drawn++
		if x.length > 0 {
			s.lengths[x.length]++
		}
	}
	s.steps[x.steps]++
	s.switches[x.switches]++
	s.preemptions[x.preemptions]++
	s.choices, s.goroutines = max(s.choices, x.choices), max(s.goroutines, x.goroutines)
	s.unclassified = cmp.Or(s.unclassified, x.unclassified)
	s.yields = s.yields || x.yields
	if x.pairs != nil {
		s.inspected++
		for _, p := range x.pairs {
			s.pairs[p]++
		}
	}
}

// addCase adds the survey of another program, which has no class in common with those
// before.
func (s *survey) addCase(o *survey) {
	s.cases++
	own := func(class uint64) uint64 { return fold(uint64(s.cases), class) }
	for class, at := range o.first {
		s.first[own(class)] = s.n + at
	}
	s.n += o.n
	s.inspected += o.inspected
	addCounts(s.steps, o.steps)
	addCounts(s.switches, o.switches)
	addCounts(s.preemptions, o.preemptions)
	addCounts(s.pairs, o.pairs)
	s.unclassified = cmp.Or(s.unclassified, o.unclassified)
}

func addCounts[K comparable](to, from map[K]int) {
	for k, n := range from {
		to[k] += n
	}
}

// recent returns how many classes there are, and how many of them were first seen in
// the last quarter of the schedules.
func (s *survey) recent() (classes, fresh int) {
	for _, at := range s.first {
		if at >= s.n-s.n/4 {
			fresh++
		}
	}
	return len(s.first), fresh
}

// statistics sums up; nothing is claimed yet.
func (s *survey) statistics() *Statistics {
	r := &Statistics{
		Schedules: s.n, Cases: s.cases, Failing: s.failing, Unclassified: s.unclassified, Inspected: s.inspected,
		Steps: distributionOf(s.steps), Switches: distributionOf(s.switches), Preemptions: distributionOf(s.preemptions),
	}
	if s.unclassified == "" {
		r.Classes, r.New = s.recent()
		r.Recent = s.n / 4
		if s.cases > 0 {
			r.Recent, r.New = 0, 0
		}
	}
	for p, n := range s.pairs {
		if s.pairs[p.turned()] == 0 {
			r.OneOrder = append(r.OneOrder, Pair{p.first, p.then, n})
		}
	}
	slices.SortFunc(r.OneOrder, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Schedules, a.Schedules), comparePlaces(a.First, b.First), comparePlaces(a.Then, b.Then))
	})
	return r
}

// surveyAll takes the statistics of all schedules that were asked for, where a finding
// or a saved schedule has ended exploring before: it says little about the others.
func (c *campaign) surveyAll() {
	ended := c.found != nil || c.ledger != nil && c.ledger.settled()
	if !c.set.stats || !ended || c.set.tally != nil || c.err != nil || c.worker.lost {
		return
	}
	set := c.set
	set.tally = newTally()
	all := newCampaign(c.body, set, c.deadline)
	defer all.close()
	all.explore(set.seed, set.budget())
	c.survey = all.survey
}

// picture is what package report draws, with the words of r.
func (s *survey) picture(r *Statistics) *report.Survey {
	p := &report.Survey{
		Schedules: s.n, Text: r.String(),
		Steps: report.Bins(s.steps), Preemptions: report.Bins(s.preemptions),
	}
	if s.unclassified == "" {
		p.Growth = report.Growth(slices.Collect(maps.Values(s.first)), s.n)
	}
	return p
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Site.File, b.Site.File), cmp.Compare(a.Site.Line, b.Site.Line), cmp.Compare(a.Op, b.Op))
}

// distributionOf sums up how often each value was seen.
func distributionOf(counts map[int]int) Distribution {
	values := slices.Sorted(maps.Keys(counts))
	n, sum := 0, 0
	for _, v := range values {
		n += counts[v]
		sum += v * counts[v]
	}
	if n == 0 {
		return Distribution{}
	}
	at := func(rank int) int {
		for _, v := range values {
			if rank -= counts[v]; rank <= 0 {
				return v
			}
		}
		return values[len(values)-1]
	}
	return Distribution{
		Min: values[0], Max: values[len(values)-1], Mean: float64(sum) / float64(n),
		Median: at((n + 1) / 2), P95: at((95*n + 99) / 100),
	}
}
