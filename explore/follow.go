package explore

import (
	"fmt"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
)

// recorder notes where the picks of another picker leave the default policy.
type recorder struct {
	sched.Picker
	schedule schedule
	lost     bool // the run was another process's and did not end
}

func (r *recorder) Pick(p *sched.Point) sched.Choice {
	c := r.Picker.Pick(p)
	if !p.Same(c, p.Default()) {
		r.schedule = append(r.schedule, deviation{placeOf(p), actionOf(p, c)})
	}
	return c
}

// repeater makes the recorded choices of a run again, as long as they are
// possible. It does not look at what they mean: a run that is repeated in the
// same binary needs no more, and one that cannot be repeated is not
// deterministic.
type repeater struct {
	choices []sched.Choice
	next    int
}

func (r *repeater) Pick(p *sched.Point) sched.Choice {
	if r.next < len(r.choices) {
		c := r.choices[r.next]
		r.next++
		if p.Enabled(c.G) && int(c.Alt) < p.Alternatives(c.G) {
			return c
		}
	}
	return p.Default()
}

// follower makes the choices that a schedule asks for, and the default one where
// it asks for nothing or for something impossible.
type follower struct {
	wanted map[place]action
	order  schedule
	stale  *StaleError // the first thing that was impossible
}

func newFollower(s schedule) *follower {
	f := &follower{wanted: make(map[place]action, len(s)), order: s}
	for _, d := range s {
		f.wanted[d.place] = d.action
	}
	return f
}

func (f *follower) Pick(p *sched.Point) sched.Choice {
	at := placeOf(p)
	a, ok := f.wanted[at]
	if !ok {
		return p.Default()
	}
	delete(f.wanted, at)
	c, ok := a.find(p)
	if !ok {
		if f.stale == nil {
			f.stale = &StaleError{Step: p.Step() + 1, Wanted: a.describe(), Enabled: enabledAt(p)}
		}
		return p.Default()
	}
	return c
}

// staleness returns what kept the run from following the schedule, nil when it
// was followed to its end. It is called after the run.
func (f *follower) staleness() *StaleError {
	if f.stale != nil {
		return f.stale
	}
	for _, d := range f.order {
		if _, left := f.wanted[d.place]; left {
			return &StaleError{Wanted: d.action.describe(), after: d.place}
		}
	}
	return nil
}

// StaleError says that the program has changed so much that a schedule no longer
// fits it.
type StaleError struct {
	// Step is the first step at which the schedule asks for something impossible,
	// 0 when a decision that it names never came.
	Step int
	// Wanted is what the schedule asks for there.
	Wanted string
	// Enabled lists what was possible instead.
	Enabled []string

	after place // Step 0: where it should have happened
}

// Error says at which step the schedule stopped to apply, what it wanted there and what
// was enabled.
func (e *StaleError) Error() string {
	if e.Step == 0 {
		return fmt.Sprintf("the schedule no longer applies: wanted %s once %s had executed %s, but there was no such decision",
			e.Wanted, e.after.goroutine, plural(e.after.op, "operation"))
	}
	return fmt.Sprintf("the schedule no longer applies at step %d: wanted %s, enabled: %s", e.Step, e.Wanted, strings.Join(e.Enabled, "; "))
}

// enabledAt lists everything that can happen at p.
func enabledAt(p *sched.Point) []string {
	var list []string
	for i := range p.Len() {
		g := p.At(i)
		for alt := range int32(p.Alternatives(g)) {
			list = append(list, actionOf(p, sched.Choice{G: g, Alt: alt}).describe())
		}
	}
	return list
}
