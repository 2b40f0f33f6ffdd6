package explore

import (
	"encoding/json"
	"os"
	"time"
)

// progressVariable names a file to which a check that works for long appends where it
// is, one line of JSON a second: modelcheck run sets it and shows the last line.
const progressVariable = "MODELCHECK_PROGRESS"

// progressLine is such a line.
type progressLine struct {
	Test      string  `json:"test"`
	Schedules int     `json:"schedules"`       // so far
	Asked     int     `json:"asked"`           // at most
	PerSecond float64 `json:"per_second"`      // since the line before
	Classes   int     `json:"classes"`         // trace classes, if they are counted
	New       int     `json:"new"`             // of them, in the last quarter of the schedules
	Found     int     `json:"found,omitempty"` // findings, all expected
	Share     float64 `json:"share,omitempty"` // estimate of how much of a complete search is done
}

// tellEvery is the time between two lines.
var tellEvery = time.Second

// teller appends such lines for one check, which may have several campaigns.
type teller struct {
	file, test string
	at         time.Time // of the last line, or the beginning
	schedules  int       // then
	before     int       // of earlier campaigns
}

// newTeller returns the teller of a test, nil if nobody listens.
func newTeller(test string) *teller {
	file := os.Getenv(progressVariable)
	if file == "" {
		return nil
	}
	return &teller{file: file, test: test, at: time.Now()}
}

// tell appends a line if it is time. Where nothing can be written nothing is said.
func (c *campaign) tell(now time.Time) {
	t := c.teller
	if t == nil || now.Sub(t.at) < tellEvery {
		return
	}
	line := progressLine{Test: t.test, Schedules: t.before + c.schedules, Asked: max(c.asked, t.before+c.schedules)}
	line.PerSecond = float64(line.Schedules-t.schedules) / now.Sub(t.at).Seconds()
	t.at, t.schedules = now, line.Schedules
	if c.survey != nil && c.survey.unclassified == "" {
		line.Classes, line.New = c.survey.recent()
	}
	if c.progress != nil {
		line.Classes, line.New, line.Share = c.progress.Classes, 0, c.progress.Progress
	}
	if c.ledger != nil {
		line.Found = len(c.ledger.found)
	}
	data, err := json.Marshal(line)
	if err != nil {
		return
	}
	f, err := os.OpenFile(t.file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Write(append(data, '\n'))
}
