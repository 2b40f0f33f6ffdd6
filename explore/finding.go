package explore

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Finding is one thing that is wrong.
type Finding = sched.Finding

// The kinds of findings that no single run shows; package sched has the others.
const (
	// Nondeterministic: the same choices gave another run, so something that the
	// scheduler does not control decides too.
	Nondeterministic sched.FindingKind = "uncontrolled nondeterminism"
	// OutsideModel: a goroutine waits for something that the scheduler does not
	// know, such as a real channel.
	OutsideModel sched.FindingKind = "blocked outside the model"
	// EndlessLoop: a goroutine runs on without ever reaching a step.
	EndlessLoop sched.FindingKind = "endless loop without a step"
	// NeverReached: a model.Sometimes held in no schedule.
	NeverReached sched.FindingKind = "never reached"
	// Missed: an expected finding (see Expect) was shown by no schedule.
	Missed sched.FindingKind = "expected finding missed"
	// NothingConcurrent: no schedule had a second goroutine or anything to choose.
	NothingConcurrent sched.FindingKind = "nothing concurrent explored"
)

// keyOf identifies a failure: two runs with the same key show the same thing,
// whatever else differs between them. An object without a name is called after the
// place of its first use, which differs from schedule to schedule: that is left out.
// Which of the two accesses of a data race came first is no part of it.
func keyOf(fs []Finding) string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		object := firstUse.ReplaceAllString(f.Object, "")
		if o := f.Other; o != nil {
			accesses := []string{accessKey(f.Goroutine, f.Op, f.Site), accessKey(o.Goroutine, o.Op, o.Site)}
			slices.Sort(accesses)
			lines[i] = fmt.Sprintf("%s|%s|%s", f.Kind, object, strings.Join(accesses, "|"))
			continue
		}
		lines[i] = fmt.Sprintf("%s|%s|%s|%s|%s:%d", f.Kind, f.Goroutine, f.Op, object, f.Site.File, f.Site.Line)
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}

func accessKey(goroutine, op string, site sched.Site) string {
	return fmt.Sprintf("%s|%s|%s:%d", goroutine, op, site.File, site.Line)
}

var firstUse = regexp.MustCompile(` at [^ ]+:[0-9]+`)

// failure is what a capturing run of one schedule showed.
type failure struct {
	seed, index uint64
	findings    []Finding
	trace       []sched.TraceEvent
	final       sched.Final
	steps       int
	timed       bool // it started a timer
	stuck       bool // it never ended, and is no more than its finding
	misuse      error
	deviations  schedule
	minimal     *Minimal // nil: as it was found
	schedule    string   // their text; "" when there is none: the run never ended
	fingerprint fingerprint
}

// nondeterministic reports that the schedule alone did not decide.
func (f *failure) nondeterministic() bool {
	return slices.ContainsFunc(f.findings, func(g Finding) bool { return g.Kind == Nondeterministic })
}

// blame puts in front that the run could not be repeated. F and other are two
// repetitions of it; a misuse in either explains it.
func (f *failure) blame(other *failure) {
	f.findings = append([]Finding{nondeterministic(f.trace, other.trace)}, f.findings...)
	if f.misuse == nil {
		f.misuse = other.misuse
	}
}

func neverReached(s sched.Reach, schedules int) Finding {
	return Finding{
		Kind: NeverReached, Op: "sometimes", Object: s.Name, Site: s.Site,
		Message: fmt.Sprintf("%q never held in %s", s.Name, plural(schedules, "schedule")),
	}
}

func nothingConcurrent() Finding {
	return Finding{
		Kind: NothingConcurrent,
		Message: "there was one goroutine and nothing to choose in any schedule, so the result says nothing about concurrency; " +
			"start goroutines with model.Go, or give explore.Sequential() if this is intended",
	}
}

func missed(missing, seen []string, schedules int) Finding {
	instead := "nothing else was found"
	if len(seen) > 0 {
		instead = "found instead: " + strings.Join(seen, "; ")
	}
	return Finding{
		Kind:    Missed,
		Message: fmt.Sprintf("in %s nothing showed %s; %s", plural(schedules, "schedule"), strings.Join(missing, " and "), instead),
	}
}

// nondeterminismCauses lists them, and says what helps.
func nondeterminismCauses() string {
	if os.Getenv(driverVariable) != "" {
		return "usual causes are variables that keep their values between schedules, which -isolate helps against: it gives every schedule " +
			"a process of its own; and what is not under control, such as the order of a map whose keys have none"
	}
	return "usual causes are the order of a map's iteration, time.Now, math/rand, " +
		"variables that keep their values between runs, and goroutines started with a go statement"
}

// nondeterministic describes a run that could not be repeated. A and b are two
// repetitions of it, with their traces.
func nondeterministic(a, b []sched.TraceEvent) Finding {
	f := Finding{Kind: Nondeterministic}
	i := 0
	for i < len(a) && i < len(b) && sameEvent(a[i], b[i]) {
		i++
	}
	if i == len(a) && i == len(b) {
		f.Message = "the choices of the run, made again, gave another run, and after that always the same: something is kept from one run to the next; " + nondeterminismCauses()
		return f
	}
	for _, t := range [][]sched.TraceEvent{a, b} {
		if i < len(t) {
			f.Goroutine, f.Name, f.Site = t[i].Goroutine, t[i].Name, t[i].Site
			break
		}
	}
	f.Message = fmt.Sprintf("the choices of the run, made twice again, gave two runs, which differ from step %d on: %s; %s; %s",
		stepAt(a, b, i), eventAt(a, i), eventAt(b, i), nondeterminismCauses())
	return f
}

func sameEvent(x, y sched.TraceEvent) bool {
	return x.Goroutine == y.Goroutine && x.Op == y.Op && x.Object == y.Object && x.Note == y.Note &&
		x.Site == y.Site && x.Partner == y.Partner && x.PartnerSite == y.PartnerSite
}

func stepAt(a, b []sched.TraceEvent, i int) int {
	if i < len(a) {
		return a[i].Step
	}
	return b[i].Step
}

func eventAt(t []sched.TraceEvent, i int) string {
	if i >= len(t) {
		return "it ends"
	}
	ev := t[i]
	s := ev.Goroutine + " " + ev.Op
	if ev.Object != "" {
		s += " " + ev.Object
	}
	return s + " at " + ev.Site.String()
}
