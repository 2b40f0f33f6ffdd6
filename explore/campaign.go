package explore

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// campaign tries many schedules of one program. It is the one mechanism behind
// Run, Replay and Check.
type campaign struct {
	set      settings
	worker   *worker
	lost     bool // the worker was given up
	deadline time.Time
	began    time.Time
	ledger   *ledger // nil when nothing is expected

	schedules, steps int
	asked            int    // schedules to try
	alive            bool   // some schedule had a choice or a second goroutine
	ended            bool   // the strategy has no more schedules
	complete         bool   // there are no other schedules
	seed             uint64 // of the last schedule
	found            *failure
	err              error
}

func newCampaign(body func(), set settings, deadline time.Time) *campaign {
	c := &campaign{set: set, deadline: deadline, began: time.Now()}
	c.worker = newWorker(body, &c.set)
	if len(set.expect) > 0 || set.tally != nil {
		c.ledger = newLedger(set.expect, set.tally)
	}
	return c
}

// close ends the campaign's goroutines; those of a worker that was given up stay.
func (c *campaign) close() {
	if !c.lost {
		c.worker.close()
	}
}

// over reports whether nothing more is to be explored.
func (c *campaign) over() bool {
	return c.found != nil || c.err != nil || c.ended || c.complete || c.halted() || c.ledger != nil && c.ledger.settled()
}

func (c *campaign) halted() bool { return c.worker.halt.Load() }

// explore tries the first n schedules of seed, until the campaign is over.
func (c *campaign) explore(seed uint64, n int) {
	for from := uint64(0); from < uint64(max(n, 0)) && !c.over(); {
		c.seed = seed
		s, stuck := supervise(c.worker, c.deadline, func() stretch {
			return c.worker.explore(seed, from, uint64(n))
		})
		if stuck != nil {
			at := c.worker.index.Load()
			c.schedules += int(at - from + 1)
			c.lose(stuck, seed, at)
			return
		}
		c.schedules += int(s.next - from)
		c.steps += s.steps
		c.alive = c.alive || s.alive
		c.ended, c.complete = s.ended, s.only
		c.err = s.misuse
		if s.failure != nil {
			c.judge(s.failure)
		}
		from = s.next
	}
}

// lose notes that the worker was given up in a schedule.
func (c *campaign) lose(stuck *Finding, seed, index uint64) {
	c.lost = true
	c.found = &failure{seed: seed, index: index, findings: []Finding{*stuck}}
}

// judge decides what a failing schedule means.
func (c *campaign) judge(f *failure) {
	switch {
	case f.misuse != nil:
		c.err = f.misuse
	case c.ledger == nil:
		c.found = f
	default:
		unexpected := c.ledger.judge(f.findings)
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
		if len(c.worker.known) < maxKnown {
			c.worker.known[f.fingerprint.hash] = true
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
		c.lose(stuck, 0, 0)
		c.found.schedule = text
		return 0, nil
	}
	if f.misuse != nil || len(f.findings) > 0 {
		c.judge(f.failure)
	}
	return f.steps, f.stale
}

// maxKnown bounds the memory for runs that need not be looked at again; one that
// is not remembered only costs time.
const maxKnown = 1 << 16

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
	list := func() []sched.Reach {
		all := slices.Clone(c.worker.engine.Sometimes())
		slices.SortFunc(all, func(a, b sched.Reach) int { return strings.Compare(a.Name, b.Name) })
		return slices.DeleteFunc(all, func(s sched.Reach) bool { return s.Reached })
	}
	if len(list()) > 0 {
		c.follow(schedule{}.String()) // a run with details tells where they are
	}
	if c.found != nil || c.err != nil {
		return nil
	}
	return list()
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
		fs = c.ledger.judge(fs)
		if missing := c.ledger.missing(); len(missing) > 0 {
			fs = append(fs, missed(missing, lines(c.ledger.found), c.schedules))
		}
	}
	if len(fs) > 0 {
		c.found = &failure{seed: c.seed, findings: fs}
	}
}
