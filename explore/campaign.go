package explore

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// campaign tries many schedules of one program. It is the one mechanism behind
// Run, Replay and Check.
type campaign struct {
	set      settings
	body     func()
	hands    int       // workers that may explore at the same time
	worker   *worker   // the first one; it does alone what is not worth dividing
	others   []*worker // made when they are needed
	deadline time.Time
	began    time.Time
	relaxed  bool                   // the collector knows about this campaign
	teller   *teller                // nil when nobody wants to know how it gets on
	progress *Coverage              // of a search that does not sample, at the end of the last row
	keeper   *keeper                // nil when no position is to be saved
	survey   *survey                // nil when nobody asks for statistics
	ledger   *ledger                // nil when nothing is expected
	reached  map[string]sched.Reach // what other campaigns of the same property have met

	counts
	asked    int    // schedules to try
	late     bool   // time was up
	ended    bool   // the strategy has no more schedules
	complete bool   // there are no other schedules
	seed     uint64 // of the last schedule
	found    *failure
	followed *failure // the run of the last schedule that was given, whatever it showed
	err      error
}

func newCampaign(body func(), set settings, deadline time.Time) *campaign {
	c := &campaign{set: set, body: body, deadline: deadline, began: time.Now()}
	c.hands = handsOf(&c.set)
	c.worker = newWorker(body, &c.set)
	if c.set.stats {
		c.survey = newSurvey()
	}
	if len(set.expect) > 0 || set.tally != nil {
		c.ledger = newLedger(set.expect, set.tally)
	}
	return c
}

// workers lists the campaign's workers.
func (c *campaign) workers() []*worker { return append([]*worker{c.worker}, c.others...) }

// close ends the campaign's goroutines; those of a worker that was given up stay.
func (c *campaign) close() {
	for _, w := range c.workers() {
		if !w.lost {
			w.close()
		}
	}
	if c.relaxed {
		theCollector.restore()
	}
}

// relax is called when the campaign turns out to be worth it.
func (c *campaign) relax() {
	if !c.relaxed {
		c.relaxed = true
		theCollector.relax()
	}
}

// settled reports whether nothing that is still to be explored could matter.
func (c *campaign) settled() bool {
	return c.found != nil || c.err != nil || c.ended || c.complete || c.ledger != nil && c.ledger.settled()
}

// over reports whether nothing more is to be explored.
func (c *campaign) over() bool {
	c.late = c.late || c.isLate(time.Now())
	return c.settled() || c.halted()
}

func (c *campaign) isLate(now time.Time) bool { return !c.deadline.IsZero() && now.After(c.deadline) }

func (c *campaign) halted() bool { return c.late || c.worker.halt.Load() }

// judge decides what a failing schedule means.
func (c *campaign) judge(f *failure) {
	switch {
	case f.misuse != nil:
		c.err = f.misuse
	case c.ledger == nil || f.stuck:
		c.found = f
	default:
		unexpected, _ := c.ledger.judge(f.findings)
		if t := c.ledger.tally; t != nil {
			t.add(f, unexpected)
		} else if len(unexpected) > 0 {
			f.findings = unexpected
			c.found = f
			return
		}
		if c.ledger.first == nil && len(unexpected) < len(f.findings) {
			c.ledger.first = f
		}
	}
}

// follow runs one given schedule. It is the caller's to count.
func (c *campaign) follow(text string) (steps int, stale *StaleError) {
	s, err := parseSchedule(text)
	if err != nil {
		c.err = err
		return 0, nil
	}
	f, stuck := supervise(c.worker, c.deadline, func() followed { return c.worker.follow(s) })
	c.alive = true // whoever gives a schedule knows what it is for
	if stuck != nil {
		c.found = &failure{findings: []Finding{*stuck}, schedule: text}
		return 0, nil
	}
	c.timed = c.timed || f.timed
	c.followed = f.failure
	if f.misuse != nil || len(f.findings) > 0 {
		c.judge(f.failure)
	}
	return f.steps, f.stale
}

// cutShort reports whether exploring stopped although there was more to try: when
// time was up, or everything expected was found. What was not reached by then may
// yet be.
func (c *campaign) cutShort() bool {
	if cov, ok := c.coverage(); ok && !cov.Complete {
		return true
	}
	return c.halted() || c.ledger != nil && c.ledger.settled()
}

// unreached lists the conditions that held in no schedule, by name.
func (c *campaign) unreached() []sched.Reach {
	if len(c.unheld()) > 0 {
		c.follow(schedule{}.String()) // a run with details tells where they are
	}
	if c.found != nil || c.err != nil {
		return nil
	}
	return c.unheld()
}

// unheld lists the conditions that held for no worker.
func (c *campaign) unheld() []sched.Reach {
	all := map[string]sched.Reach{}
	maps.Copy(all, c.reached)
	c.mergeReached(all)
	open := slices.DeleteFunc(slices.Collect(maps.Values(all)), func(r sched.Reach) bool { return r.Reached })
	slices.SortFunc(open, func(a, b sched.Reach) int { return strings.Compare(a.Name, b.Name) })
	return open
}

// mergeReached adds the conditions that the campaign's workers have met to all.
func (c *campaign) mergeReached(all map[string]sched.Reach) {
	for _, w := range c.workers() {
		for _, r := range w.engine.Sometimes() {
			known := all[r.Name]
			if known.Site == (sched.Site{}) {
				known.Site = r.Site
			}
			all[r.Name] = sched.Reach{Name: r.Name, Reached: r.Reached || known.Reached, Site: known.Site}
		}
	}
}

// conclude adds what only the campaign as a whole shows.
func (c *campaign) conclude() {
	if c.found != nil || c.err != nil {
		return
	}
	var fs []Finding
	if s, ok := c.worker.strategy.(*dpor); ok && s.err != nil {
		fs = append(fs, diverged(s.err))
	}
	if c.schedules == 0 {
		c.err = errors.New("no schedule was tried: give it more time, or rapid more checks")
		return
	}
	if !c.alive && !c.set.sequential {
		fs = append(fs, nothingConcurrent())
	}
	if !c.cutShort() {
		for _, s := range c.unreached() {
			fs = append(fs, neverReached(s, c.schedules))
		}
	}
	if c.found != nil || c.err != nil {
		return
	}
	if c.ledger != nil {
		if t := c.ledger.tally; t != nil {
			t.addGeneral(fs)
			if t.unexpected != nil {
				c.found = t.unexpected
				return
			}
		}
		fs, _ = c.ledger.judge(fs)
		if missing := c.ledger.missing(); len(missing) > 0 {
			fs = append(fs, missed(missing, lines(c.ledger.found), c.schedules))
		}
	}
	if len(fs) > 0 {
		c.found = &failure{seed: c.seed, findings: fs}
	}
}
