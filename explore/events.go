package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/modelcheck-go/modelcheck/internal/report"
)

// event is the line that a check appends to the file that MODELCHECK_EVENTS names.
type event struct {
	Version   int            `json:"v"`
	Test      string         `json:"test"`
	Variant   string         `json:"variant"`
	Check     string         `json:"check"`
	Verdict   string         `json:"verdict"`
	Strategy  string         `json:"strategy"`
	Seed      uint64         `json:"seed"`
	Schedules int            `json:"schedules"`
	Steps     int            `json:"steps"`
	ElapsedNS int64          `json:"elapsed_ns"`
	Findings  []eventFinding `json:"findings"`
	Schedule  string         `json:"schedule"`
	Hash      string         `json:"hash,omitempty"`  // of the operations of that schedule, in hexadecimal
	Stale     string         `json:"stale,omitempty"` // why a schedule that was given does not fit the program
	TraceNS   int64          `json:"trace_ns"`        // mean time per schedule
	Replay    string         `json:"replay"`
	Message   string         `json:"message"`
	Classes   int            `json:"classes,omitempty"`  // of a complete search
	Complete  bool           `json:"complete,omitempty"` // everything was explored
	Survey    *report.Survey `json:"survey,omitempty"`   // if statistics were asked for
	Run       *report.Doc    `json:"run,omitempty"`      // of the schedule that shows the findings, or was replayed
	Matrix    *report.Matrix `json:"matrix,omitempty"`   // of Compare, whose trials have events of their own
}

// maxEventSteps is how long a run may be that goes with an event.
const maxEventSteps = 100_000

type eventFinding struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// appendEvent adds one line in a single write, so that lines of processes that
// write at the same time do not mix.
func appendEvent(file, test string, r Report, command string) error {
	e := event{
		Version: 1, Test: test, Variant: r.Name, Check: "check",
		Verdict: r.Verdict(), Strategy: r.Strategy, Seed: r.Seed,
		Schedules: r.Schedules, Steps: r.Steps, ElapsedNS: r.Elapsed.Nanoseconds(),
		Findings: []eventFinding{}, Schedule: r.Schedule, Replay: command,
		Message: r.summary(),
	}
	if c := r.Coverage; c != nil {
		e.Classes = c.Classes
	}
	e.Complete = r.Complete
	if r.whole {
		e.Check = "exhaust"
	}
	if r.Strategy == replayStrategy {
		e.Check = "replay"
	}
	if r.Schedules > 0 {
		e.TraceNS = e.ElapsedNS / int64(r.Schedules)
	}
	if r.Err != nil {
		e.Message = r.Err.Error()
	}
	for _, f := range slices.Concat(r.Findings, r.Expected) {
		e.Findings = append(e.Findings, eventFinding{string(f.Kind), report.Line(f, startDir)})
	}
	if r.Stats != nil {
		e.Survey = r.survey.picture(r.Stats)
	}
	if p := r.passed; p != nil {
		r.Trace, r.Final, r.Schedule, r.Hash = p.trace, p.final, p.schedule, p.fingerprint.hash
	}
	if r.Hash != 0 {
		e.Hash = fmt.Sprintf("%016x", r.Hash)
	}
	if stale := (*StaleError)(nil); errors.As(r.Err, &stale) {
		e.Stale = stale.Error()
	}
	if (len(e.Findings) > 0 || r.passed != nil) && len(r.Trace) <= maxEventSteps {
		e.Run = r.doc(report.Origin{Package: packageDir(startDir), Test: test, Replay: command})
	}
	return e.append(file)
}

// appendMatrix adds the line that sums up a comparison.
func appendMatrix(file, test string, m report.Matrix) error {
	e := event{Version: 1, Test: test, Check: "compare", Verdict: "pass", Findings: []eventFinding{}, Matrix: &m}
	return e.append(file)
}

func (e event) append(file string) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("cannot write an event: %w", err)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
