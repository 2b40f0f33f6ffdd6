package explore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Replay runs body once, under a schedule that an earlier report gave. A schedule
// that the program no longer follows to its end gives a *StaleError as Err, in
// addition to whatever the run shows.
//
// Options that choose schedules have no effect, and neither has the environment
// variable MODELCHECK_REPLAY. Expect has none either: what the schedule shows is
// listed as a finding.
func Replay(body func(), schedule string, opts ...Option) Report {
	refuseNested("explore.Replay")
	set, err := settingsOf(body, opts)
	if err != nil {
		return Report{Err: err}
	}
	c := newCampaign(body, set, time.Time{})
	defer c.close()
	return c.replay(schedule)
}

// replayStrategy is what reports of a replay have as strategy.
const replayStrategy = "replay"

// replay follows a schedule, given as text or as the name of a file.
func (c *campaign) replay(source string) Report {
	c.asked, c.ledger = 1, nil
	c.set.strategy = replayStrategy
	f, err := scheduleOf(source)
	if err != nil {
		c.err = err
		return c.report()
	}
	c.set.timers = c.set.under(f).timers
	steps, stale := c.follow(f.schedule)
	c.schedules, c.steps = 1, steps
	if c.set.reduce {
		c.minimize()
	}
	r := c.report()
	if stale != nil && r.Err == nil {
		r.Err = stale
	}
	return r
}

// scheduleOf returns a schedule given as text, or what is in the file of that name.
func scheduleOf(source string) (savedSchedule, error) {
	if !strings.HasSuffix(source, scheduleExt) {
		return savedSchedule{schedule: source}, nil
	}
	return readSaved(source)
}

// readSaved reads a schedule file.
func readSaved(source string) (savedSchedule, error) {
	name := source
	if !filepath.IsAbs(name) {
		name = filepath.Join(saveDir, name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return savedSchedule{}, fmt.Errorf("cannot read the schedule to replay: %w", err)
	}
	f, err := parseFile(data)
	if err != nil {
		return f, fmt.Errorf("schedule file %s: %w", source, err)
	}
	return f, nil
}
