package explore

import (
	"cmp"

	"github.com/modelcheck-go/modelcheck/sched"
)

// tally keeps the shortest failing schedule for each finding of a campaign that goes
// on whatever it finds.
type tally struct {
	brief      bool // stop all the same when everything expected was found
	shown      []shown
	at         map[string]int // index in shown by key of the finding
	unexpected *failure       // the shortest with findings that were not expected, only those
	thorough   bool           // look at every failing run, see wants
}

// length is how long a schedule is.
type length struct{ preemptions, steps int }

func (a length) compare(b length) int {
	return cmp.Or(cmp.Compare(a.preemptions, b.preemptions), cmp.Compare(a.steps, b.steps))
}

// wants reports whether a failing run is to be described. In a campaign with a tally
// there is no need when this worker has described one that is as short and shows the
// same: whoever explored what, the first of the shortest is described.
func (w *worker) wants(r *sched.Result) bool {
	if w.set.tally == nil || w.set.tally.thorough {
		return true
	}
	n := length{r.Preemptions, r.Steps}
	if shortest, ok := w.lengths[r.Symptoms]; ok && n.compare(shortest) >= 0 {
		return false
	}
	w.lengths[r.Symptoms] = n
	return true
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
// by steps, then as the search comes to them. No schedule is longest.
func compareLength(a, b *failure) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Or(a.length().compare(b.length()), cmp.Compare(a.index, b.index))
}

func (f *failure) length() length { return length{f.preemptions(), f.steps} }

func (f *failure) preemptions() int {
	n := 0
	for _, ev := range f.trace {
		if ev.Preemption {
			n++
		}
	}
	return n
}
