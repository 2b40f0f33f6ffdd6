package report

import (
	"fmt"
	"strings"
)

// writeSteps writes the steps as lanes where they fit, else as a list.
func (d *Doc) writeSteps(b *strings.Builder, style Style) {
	preemptions := 0
	for _, s := range d.Steps {
		if s.Preemption {
			preemptions++
		}
	}
	claim := map[string]string{"yes": "minimal: ", "unknown": "at most "}[d.Minimal]
	fmt.Fprintf(b, "%s, %s%s", count(d.Steps[len(d.Steps)-1].Step, "step"), claim, count(preemptions, "preemption"))
	if preemptions > 0 {
		b.WriteString(" (marked >: the goroutine that ran before could have gone on)")
	}
	b.WriteString(":\n")
	shown := d.shown()
	if l, ok := d.layOut(shown, style); ok && !style.List {
		l.write(b)
		return
	}
	d.writeList(b, shown, style)
}

// maxWho keeps a long name from pushing all else to the right.
const maxWho = 32

// writeList writes the steps one below the other.
func (d *Doc) writeList(b *strings.Builder, shown []int, style Style) {
	var t table
	t.style = style
	for k, i := range shown {
		if k > 0 && i > shown[k-1]+1 {
			t.rows = append(t.rows, tableRow{left: i - shown[k-1] - 1})
		}
		s := d.Steps[i]
		r := tableRow{mark: mark(s), cells: [4]string{stepNumber(s), d.Goroutines[s.Goroutine].Title(), d.what(s, d.full), s.At.String()}}
		if s.Partner >= 0 {
			r.cells[2] += " with " + d.Goroutines[s.Partner].Title()
		}
		t.rows = append(t.rows, r)
	}
	for _, f := range d.Findings[:min(len(d.Findings), maxGroups)] {
		if f.Goroutine >= 0 {
			t.rows = append(t.rows, tableRow{mark: " ", cells: [4]string{"end", d.Goroutines[f.Goroutine].Title(), "✗ " + d.endingInFull(f), f.At.String()}})
		}
	}
	t.write(b)
}

func mark(s Step) string {
	if s.Preemption {
		return ">"
	}
	return " "
}

func stepNumber(s Step) string {
	if s.IsLog() {
		return ""
	}
	return fmt.Sprint(s.Step)
}

// tableRow is the number of a step, who did what where, or how many rows are left
// out.
type tableRow struct {
	left  int
	mark  string
	cells [4]string
}

type table struct {
	style Style
	rows  []tableRow
}

func (t table) write(b *strings.Builder) {
	var w [4]int
	for _, r := range t.rows {
		for i, c := range r.cells {
			w[i] = max(w[i], width(c))
		}
	}
	rest := t.style.Width - w[0] - w[3] - len("  ") - len(" > ") - 2*len("  ")
	below := rest-min(w[1], minLane) < minLane // places have lines of their own
	if below {
		rest += w[3] + len("  ")
	}
	w[1] = min(w[1], maxWho, max(minLane, rest/2))
	w[2] = min(w[2], max(minLane, rest-w[1]))
	for _, r := range t.rows {
		if r.left > 0 {
			fmt.Fprintf(b, "  ... %s left out ...\n", count(r.left, "line"))
			continue
		}
		who, what := wrap(r.cells[1], w[1]), wrap(r.cells[2], w[2])
		for i := range max(len(who), len(what)) {
			step, mark, where := "", " ", ""
			if i == 0 {
				step, mark = r.cells[0], r.mark
			}
			if i == 0 && !below {
				where = r.cells[3]
			}
			line := fmt.Sprintf("  %*s %s %s  %s  %s", w[0], step, t.style.note(mark), padded(at(who, i), w[1]), padded(at(what, i), w[2]), t.style.dim(where))
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		if below && r.cells[3] != "" {
			fmt.Fprintf(b, "  %*s   %s\n", w[0], "", t.style.dim(r.cells[3]))
		}
	}
}

// at is line i of a cell.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
