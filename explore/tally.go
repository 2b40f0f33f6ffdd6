package explore

import (
	"cmp"
)

// tally keeps the shortest failing schedule for each finding of a campaign that goes
// on whatever it finds.
type tally struct {
	shown      []shown
	at         map[string]int // index in shown by key of the finding
	unexpected *failure       // the shortest with findings that were not expected, only those
}

// shown is a finding and the shortest schedule that shows it. The schedule of a
// finding that is about all schedules is nil.
type shown struct {
	finding Finding
	failure *failure
}

func newTally() *tally { return &tally{at: map[string]int{}} }

// add notes what a schedule shows. Unexpected are those of its findings that nobody
// expects.
func (t *tally) add(f *failure, unexpected []Finding) {
	for _, found := range f.findings {
		t.note(found, f)
	}
	if len(unexpected) > 0 && (t.unexpected == nil || compareLength(f, t.unexpected) < 0) {
		only := *f
		only.findings = unexpected
		t.unexpected = &only
	}
}

// addGeneral notes findings that are about all schedules.
func (t *tally) addGeneral(fs []Finding) {
	for _, found := range fs {
		t.note(found, nil)
	}
}

func (t *tally) note(found Finding, f *failure) {
	key := keyOf([]Finding{found})
	i, ok := t.at[key]
	switch {
	case !ok:
		t.at[key] = len(t.shown)
		t.shown = append(t.shown, shown{found, f})
	case f != nil && compareLength(f, t.shown[i].failure) < 0:
		t.shown[i] = shown{found, f}
	}
}

// shortest returns the finding that meets one of the expectations, and whose
// schedule is the shortest.
func (t *tally) shortest(met func(Finding) bool) (best shown, ok bool) {
	for _, s := range t.shown {
		if met(s.finding) && (!ok || compareLength(s.failure, best.failure) < 0) {
			best, ok = s, true
		}
	}
	return best, ok
}

// compareLength orders failing schedules from the shortest on: by preemptions, then
// by steps. No schedule is longest.
func compareLength(a, b *failure) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Or(
		cmp.Compare(a.preemptions(), b.preemptions()),
		cmp.Compare(a.steps, b.steps),
		cmp.Compare(a.schedule, b.schedule),
	)
}

func (f *failure) preemptions() int {
	n := 0
	for _, ev := range f.trace {
		if ev.Preemption {
			n++
		}
	}
	return n
}
