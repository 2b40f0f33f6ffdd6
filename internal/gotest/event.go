package gotest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/modelcheck-go/modelcheck/internal/report"
)

// eventVersion is the version of the line format that this package reads.
const eventVersion = 1

// A Verdict is the judgement of one check.
type Verdict string

const (
	Pass       Verdict = "pass"       // nothing was expected and nothing was found
	Expected   Verdict = "expected"   // the finding that the test expects was found
	Fail       Verdict = "fail"       // an unexpected finding, or an expected one that was missed
	Broken     Verdict = "error"      // the check itself could not be carried out
	Incomplete Verdict = "incomplete" // nothing was found, but a proof was asked for and the search did not end
)

// An Event is one line of the event file: the end of one check. Unknown fields
// are ignored, so that a newer explore may say more; a line whose meaning
// changes gets another version, which is an error here.
type Event struct {
	Version   int           `json:"v"`
	Test      string        `json:"test"`    // full name, as in testing.T.Name
	Variant   string        `json:"variant"` // the part of Test that tells variants of one model apart, or ""
	Check     string        `json:"check"`
	Verdict   Verdict       `json:"verdict"`
	Strategy  string        `json:"strategy"`
	Seed      uint64        `json:"seed"`
	Schedules int64         `json:"schedules"` // schedules run
	Steps     int64         `json:"steps"`     // steps of all schedules together
	Elapsed   time.Duration `json:"elapsed_ns"`
	TraceTime time.Duration `json:"trace_ns"` // per schedule
	Findings  []Finding     `json:"findings"`
	Schedule  string        `json:"schedule"` // that shows the findings
	Hash      string        `json:"hash"`     // of its operations
	Stale     string        `json:"stale"`    // why a schedule that was given does not fit the program, or ""
	Replay    string        `json:"replay"`   // shell command that does so again
	Message   string        `json:"message"`
	Classes   int64         `json:"classes"`  // of a complete search
	Complete  bool          `json:"complete"` // everything was explored

	Survey *report.Survey `json:"survey"` // where statistics were asked for

	Run *report.Doc `json:"run"` // of the schedule that shows the findings, or nil

	Matrix *report.Matrix `json:"matrix"` // of a comparison, which is no check itself
}

// A Finding is one thing wrong, in words.
type Finding struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// String is what was found: the text, which names its kind by itself, or the
// kind alone.
func (f Finding) String() string {
	if f.Text == "" {
		return f.Kind
	}
	return f.Text
}

// readEvents returns the events in file, which need not exist. The events
// before a bad line are returned with the error.
func readEvents(file string) ([]Event, error) {
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var events []Event
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		e, err := parseEvent(line)
		if err != nil {
			return events, fmt.Errorf("event line %d: %w", n, err)
		}
		events = append(events, e)
	}
	return events, nil
}

// excerpt is the begin of a line, for messages.
func excerpt(line string) string {
	line = strings.TrimSpace(line)
	if len(line) <= maxExcerpt {
		return line
	}
	return line[:maxExcerpt] + "..."
}

const maxExcerpt = 100

func parseEvent(line string) (Event, error) {
	// The version first: the other fields of an unknown version may have
	// other types.
	var head struct {
		Version int `json:"v"`
	}
	if err := json.Unmarshal([]byte(line), &head); err != nil {
		return Event{}, fmt.Errorf("want a JSON object with a version \"v\", found %q", excerpt(line))
	}
	if head.Version != eventVersion {
		return Event{}, fmt.Errorf("want version %d, found %d: use the modelcheck command of the version that go.mod requires", eventVersion, head.Version)
	}
	var e Event
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		return Event{}, fmt.Errorf("found %q: %w", strings.TrimSpace(line), err)
	}
	if e.Test == "" {
		return Event{}, fmt.Errorf("want the name of a test, found none in %q", excerpt(line))
	}
	switch e.Verdict {
	case Pass, Expected, Fail, Broken, Incomplete:
		return e, nil
	}
	return Event{}, fmt.Errorf("want verdict pass, expected, fail, error or incomplete, found %q", e.Verdict)
}
