package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcheck-go/modelcheck/sched"
)

// maxSteps is how many steps are shown; of a longer run the first few and the
// last ones.
const (
	maxSteps   = 200
	firstSteps = 10
)

// Text returns the findings, a line each, then the steps that led to them, then
// the state that the run ended in: who waits for what since when, who could have
// helped, which locks are held since where.
func Text(r Run) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s\n", Line(f, r.Dir))
	}
	if len(r.Trace) > 0 {
		b.WriteString("\n")
		writeSteps(&b, r)
	}
	heading := "\nat the end:\n"
	for _, f := range r.Findings {
		if d := details(f, r.Dir); len(d) > 0 {
			fmt.Fprintf(&b, "%s  %s\n", heading, Line(f, r.Dir))
			for _, s := range d {
				fmt.Fprintf(&b, "      %s\n", oneLine(s))
			}
			heading = ""
		}
	}
	return b.String()
}

// details lists what is known about a state besides what Line says.
func details(f sched.Finding, dir string) []string {
	var out []string
	switch f.Kind {
	case sched.BlockedForever:
		if f.Since > 0 {
			out = append(out, fmt.Sprintf("waiting since step %d", f.Since))
		} else {
			out = append(out, "waiting since it was started")
		}
		if f.ObjectSite.Line != 0 && !strings.Contains(f.Object, f.ObjectSite.String()) {
			out = append(out, f.Object+" was made at "+Place(f.ObjectSite, dir))
		}
	case sched.LockHeld:
		out = append(out, fmt.Sprintf("held since step %d", f.Since))
	}
	for _, h := range f.Holding {
		out = append(out, "holding "+h)
	}
	return append(out, f.Wakers...)
}

// row is one line of the list of steps.
type row struct {
	step, mark, who, what, where string
}

func writeSteps(b *strings.Builder, r Run) {
	rows := make([]row, len(r.Trace))
	preemptions := 0
	for i, ev := range r.Trace {
		rows[i] = rowOf(ev, r.Dir)
		if ev.Preemption {
			preemptions++
		}
	}
	fmt.Fprintf(b, "%s, %s", count(lastStep(r.Trace), "step"), count(preemptions, "preemption"))
	if preemptions > 0 {
		b.WriteString(" (marked >: the goroutine that ran before could have gone on)")
	}
	b.WriteString(":\n")
	cut := len(rows)
	if len(rows) > maxSteps {
		cut = firstSteps
	}
	widths := widthsOf(rows)
	for _, w := range rows[:cut] {
		widths.write(b, w)
	}
	if cut < len(rows) {
		rest := rows[len(rows)-(maxSteps-firstSteps):]
		fmt.Fprintf(b, "  ... %d lines left out ...\n", len(rows)-cut-len(rest))
		for _, w := range rest {
			widths.write(b, w)
		}
	}
}

func lastStep(trace []sched.TraceEvent) int { return trace[len(trace)-1].Step }

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func rowOf(ev sched.TraceEvent, dir string) row {
	w := row{
		step:  fmt.Sprint(ev.Step),
		mark:  " ",
		who:   Title(ev.Goroutine, ev.Name),
		what:  ev.Op,
		where: Place(ev.Site, dir),
	}
	if ev.Preemption {
		w.mark = ">"
	}
	if ev.Op == "log" {
		w.step = ""
	}
	if ev.Object != "" {
		w.what += " " + ev.Object
	}
	if ev.Partner != "" {
		w.what += " with " + Title(ev.Partner, ev.PartnerName)
	}
	if ev.Note != "" {
		w.what += ": " + ev.Note
	}
	w.what = oneLine(w.what)
	return w
}

// widths are those of the columns.
type widths struct{ step, who, what int }

// maxWhat keeps one long line from pushing all places far to the right.
const maxWhat = 60

func widthsOf(rows []row) widths {
	var w widths
	for _, r := range rows {
		w.step = max(w.step, len(r.step))
		w.who = max(w.who, utf8.RuneCountInString(r.who))
		w.what = max(w.what, min(maxWhat, utf8.RuneCountInString(r.what)))
	}
	return w
}

func (w widths) write(b *strings.Builder, r row) {
	fmt.Fprintf(b, "  %*s %s %-*s  %-*s  %s\n", w.step, r.step, r.mark, w.who, r.who, w.what, r.what, r.where)
}
