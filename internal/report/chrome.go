package report

import (
	"cmp"
	"encoding/json"
	"io"
	"strconv"
)

// Chrome writes the run in the Trace Event Format, which Perfetto (ui.perfetto.dev)
// and chrome://tracing read: a thread for each goroutine, a millisecond for each
// step, arrows from sends to receives, from unlocks to the next locks and from go
// statements to what they started, and a thread for each lock. It names no display unit:
// Perfetto would take that for the unit of the times.
func (d *Doc) Chrome(w io.Writer) error {
	t := tracer{d: d}
	t.names()
	for i := range d.Steps {
		t.step(i)
	}
	t.locks()
	t.ends()
	return json.NewEncoder(w).Encode(map[string]any{
		"traceEvents": t.events,
		"otherData":   map[string]string{"test": d.Test, "schedule": d.Schedule},
	})
}

// traceEvent is one event of the format. Times are in microseconds.
type traceEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	Time  int            `json:"ts"`
	Dur   int            `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	ID    string         `json:"id,omitempty"`
	Scope string         `json:"s,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

const stepTime = 1000

type tracer struct {
	d      *Doc
	events []traceEvent
	flows  int
}

// The processes of the trace.
const (
	goroutineProcess = 1
	lockProcess      = 2
)

func (t *tracer) add(e traceEvent) {
	e.PID = cmp.Or(e.PID, goroutineProcess)
	t.events = append(t.events, e)
}

// thread names a thread and puts it where its number says.
func (t *tracer) thread(pid, tid int, name string) {
	t.add(traceEvent{Name: "thread_name", Phase: "M", PID: pid, TID: tid, Args: map[string]any{"name": name}})
	t.add(traceEvent{Name: "thread_sort_index", Phase: "M", PID: pid, TID: tid, Args: map[string]any{"sort_index": tid}})
}

func (t *tracer) names() {
	t.add(traceEvent{Name: "process_name", Phase: "M", Args: map[string]any{"name": "modelcheck " + visible(t.d.Test)}})
	for g, node := range t.d.Goroutines {
		t.thread(goroutineProcess, g+1, node.Title())
	}
	if len(t.d.Locks) > 0 {
		t.add(traceEvent{Name: "process_name", Phase: "M", PID: lockProcess, Args: map[string]any{"name": "locks, and who holds them"}})
	}
}

func (t *tracer) step(i int) {
	d, s := t.d, t.d.Steps[i]
	at := s.Step * stepTime
	if s.IsLog() {
		t.add(traceEvent{Name: d.what(s, d.full), Cat: "log", Phase: "i", Scope: "t", Time: at + stepTime - 1, TID: s.Goroutine + 1, Args: map[string]any{"at": s.At.String()}})
		return
	}
	args := map[string]any{"step": s.Step, "at": s.At.String()}
	if s.Preemption {
		args["preemption"] = true
	}
	t.add(traceEvent{Name: d.what(s, d.full), Cat: "step", Phase: "X", Time: at, Dur: stepTime, TID: s.Goroutine + 1, Args: args})
	switch {
	case s.Partner >= 0:
		t.add(traceEvent{Name: d.partnerWhat(s, d.full), Cat: "step", Phase: "X", Time: at, Dur: stepTime, TID: s.Partner + 1, Args: map[string]any{"step": s.Step, "at": s.PartnerAt.String()}})
		from, to := s.Goroutine, s.Partner
		if s.Does == receive {
			from, to = to, from
		}
		t.flow("message", from, at, to, at)
	case s.From >= 0:
		sent := d.Steps[s.From]
		t.flow("message", sent.Goroutine, sent.Step*stepTime, s.Goroutine, at)
	case s.Child >= 0:
		if first, ok := t.firstStep(s.Child, i); ok {
			t.flow("go", s.Goroutine, at, s.Child, first*stepTime)
		}
	}
}

// firstStep is the first step of goroutine g after index i.
func (t *tracer) firstStep(g, i int) (step int, ok bool) {
	for _, s := range t.d.Steps[i+1:] {
		if !s.IsLog() && (s.Goroutine == g || s.Partner == g) {
			return s.Step, true
		}
	}
	return 0, false
}

// flow draws an arrow from the middle of one step to the middle of another.
func (t *tracer) flow(name string, from, at, to, until int) {
	t.flows++
	id := strconv.Itoa(t.flows)
	t.add(traceEvent{Name: name, Cat: "flow", Phase: "s", Time: at + stepTime/4, TID: from + 1, ID: id})
	t.add(traceEvent{Name: name, Cat: "flow", Phase: "f", Bind: "e", Time: until + stepTime*3/4, TID: to + 1, ID: id})
}

// locks draws the time during which each lock was held, in a process of its own, and who
// got it next. Readers that hold one at the same time are in threads below each other:
// the slices of a thread must not overlap.
func (t *tracer) locks() {
	d := t.d
	last := map[int]Hold{}
	type row struct{ object, number int }
	rows, free := map[row]int{}, map[row]int{} // thread of each row, and the step from which on it is free
	for _, h := range d.Locks {
		begin, end := d.Steps[h.From].Step, d.lastStep()+1
		if h.To >= 0 {
			end = d.Steps[h.To].Step
		}
		at := row{h.Object, 0}
		for free[at] > begin {
			at.number++
		}
		if _, known := rows[at]; !known {
			rows[at] = len(rows) + 1
			t.thread(lockProcess, rows[at], visible(d.Objects[h.Object].Text))
		}
		free[at] = end
		name := d.Goroutines[h.Goroutine].Title()
		if h.Read {
			name += " (reading)"
		}
		t.add(traceEvent{Name: name, Cat: "lock", Phase: "X", PID: lockProcess, TID: rows[at], Time: begin * stepTime, Dur: max(1, end-begin) * stepTime})
		if before, ok := last[h.Object]; ok && before.To >= 0 && before.To < h.From && before.Goroutine != h.Goroutine {
			t.flow("lock", before.Goroutine, d.Steps[before.To].Step*stepTime, h.Goroutine, begin*stepTime)
		}
		last[h.Object] = h
	}
}

// ends shows what is wrong with goroutines after the last step.
func (t *tracer) ends() {
	for _, f := range t.d.Findings {
		if f.Goroutine >= 0 {
			t.add(traceEvent{
				Name: "✗ " + t.d.ending(f), Cat: "finding", Phase: "X", Time: (t.d.lastStep() + 1) * stepTime, Dur: stepTime, TID: f.Goroutine + 1,
				Args: map[string]any{"finding": f.Text, "at": f.At.String()},
			})
		}
	}
}

// lastStep is the number of the last step, 0 when there is none.
func (d *Doc) lastStep() int {
	if len(d.Steps) == 0 {
		return 0
	}
	return d.Steps[len(d.Steps)-1].Step
}
