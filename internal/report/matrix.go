package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Matrix compares designs: which invariants hold in which of them, in which world.
type Matrix struct {
	Invariants []string    `json:"invariants"`
	Rows       []MatrixRow `json:"rows"`
}

// MatrixRow is one design in one world.
type MatrixRow struct {
	Design string  `json:"design"`
	World  string  `json:"world,omitempty"`
	Trials []Trial `json:"trials"` // from the smallest on, at least one
	// Breaches has one at most for each invariant, and one that concerns none.
	Breaches []Breach `json:"breaches,omitempty"`
}

// Trial is how a design was explored at one size.
type Trial struct {
	Size      string        `json:"size,omitempty"`
	Complete  bool          `json:"complete,omitempty"`  // all schedules
	Sampled   bool          `json:"sampled,omitempty"`   // some were to be, at random
	Classes   int           `json:"classes,omitempty"`   // of schedules, if they are known
	Schedules int           `json:"schedules,omitempty"` // that were run
	Failed    bool          `json:"failed,omitempty"`    // it could not be explored
	Elapsed   time.Duration `json:"elapsed_ns,omitempty"`
}

// Breach is the shortest schedule that breaks an invariant, at the smallest size at
// which one does.
type Breach struct {
	Invariant   string `json:"invariant,omitempty"` // "": none of those that are compared
	Size        string `json:"size,omitempty"`
	Finding     string `json:"finding"`
	Steps       int    `json:"steps,omitempty"` // 0: no single schedule shows it
	Preemptions int    `json:"preemptions,omitempty"`
	AtMost      bool   `json:"at_most,omitempty"` // whether fewer preemptions would do is not known
	Schedule    string `json:"schedule,omitempty"`
	Replay      string `json:"replay,omitempty"` // the command that shows it
}

// Row returns the row of a design in a world, which it adds if there is none.
func (m *Matrix) Row(design, world string) *MatrixRow {
	i := slices.IndexFunc(m.Rows, func(r MatrixRow) bool { return r.Design == design && r.World == world })
	if i < 0 {
		i = len(m.Rows)
		m.Rows = append(m.Rows, MatrixRow{Design: design, World: world})
	}
	return &m.Rows[i]
}

// Add adds a breach, unless there is one of the same invariant at a smaller size.
func (r *MatrixRow) Add(b Breach) {
	if _, ok := r.breach(b.Invariant); !ok {
		r.Breaches = append(r.Breaches, b)
	}
}

// The words of a cell.
const (
	proved  = "proved"
	partly  = "proved*" // at some sizes, sampled at others
	sampled = "sampled"
	broken  = "BROKEN"
	unknown = "?" // exploring did not come to its end
)

// other is the title of the column for breaches of no invariant.
const other = "other"

// cell says whether row r keeps an invariant.
func (r MatrixRow) cell(invariant string) string {
	if _, ok := r.breach(invariant); ok {
		return broken
	}
	if slices.ContainsFunc(r.Trials, func(t Trial) bool { return t.Failed || !t.Complete && !t.Sampled }) {
		return unknown
	}
	complete := 0
	for _, t := range r.Trials {
		if t.Complete {
			complete++
		}
	}
	switch complete {
	case 0:
		return sampled
	case len(r.Trials):
		return proved
	}
	return partly
}

func (r MatrixRow) breach(invariant string) (Breach, bool) {
	for _, b := range r.Breaches {
		if b.Invariant == invariant {
			return b, true
		}
	}
	return Breach{}, false
}

// explored says how: the sizes with the number of trace classes, or of schedules.
func (r MatrixRow) explored() string {
	var parts []string
	for _, t := range r.Trials {
		how := t.how()
		if t.Size != "" {
			how = t.Size + ": " + how
		}
		parts = append(parts, how)
	}
	return strings.Join(parts, "; ")
}

func (t Trial) how() string {
	switch {
	case t.Failed:
		return "failed"
	case t.Complete && t.Classes > 0:
		return plural(t.Classes, "class")
	case t.Complete:
		return "all " + plural(t.Schedules, "schedule")
	case t.Sampled:
		return strconv.Itoa(t.Schedules) + " sampled"
	}
	return "not complete after " + plural(t.Schedules, "run")
}

func plural(n int, noun string) string {
	if n != 1 && strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return count(n, noun)
}

func (r MatrixRow) elapsed() time.Duration {
	sum := time.Duration(0)
	for _, t := range r.Trials {
		sum += t.Elapsed
	}
	return sum
}

// columns returns the invariants, and other if something else is broken as well.
func (m Matrix) columns() []string {
	columns := slices.Clone(m.Invariants)
	for _, r := range m.Rows {
		if _, ok := r.breach(""); ok {
			return append(columns, "")
		}
	}
	return columns
}

// table returns the cells of the matrix, titles first. Without an invariant that a
// column is of, the column has the breaches of none.
func (m Matrix) table(cell func(MatrixRow, string) string) [][]string {
	columns := m.columns()
	head := []string{"design", "world"}
	for _, c := range columns {
		if c == "" {
			c = other
		}
		head = append(head, c)
	}
	rows := [][]string{append(head, "explored")}
	for _, r := range m.Rows {
		row := []string{r.Design, r.World}
		for _, c := range columns {
			if _, ok := r.breach(c); c == "" && !ok {
				row = append(row, "")
				continue
			}
			row = append(row, cell(r, c))
		}
		rows = append(rows, append(row, r.explored()))
	}
	return rows
}

// TextOptions say what Text shows besides the verdicts.
type TextOptions struct {
	Times   bool                     // a column with the time that exploring took
	Replays bool                     // the commands that show the breaches
	Paint   func(word string) string // may colour a cell, and leaves its width alone; nil: none
}

// Plain has nothing besides, so that the text is the same each time.
var Plain = TextOptions{}

// Text returns the matrix as aligned text, and below what breaks the invariants.
func (m Matrix) Text(o TextOptions) string {
	rows := m.table(MatrixRow.cell)
	for i, title := range rows[0] {
		if i < 2 || i >= 2+len(m.Invariants) {
			rows[0][i] = strings.ToUpper(title)
		}
	}
	if o.Times {
		rows[0] = append(rows[0], "TIME")
		for i, r := range m.Rows {
			rows[i+1] = append(rows[i+1], RoundTime(r.elapsed()))
		}
	}
	var b strings.Builder
	writeAligned(&b, rows, o.Paint)
	if m.hasPartly() {
		b.WriteString("* at the sizes with a number of classes, else sampled\n")
	}
	begin := "\n"
	m.eachBreach(func(r MatrixRow, breach Breach) {
		fmt.Fprintf(&b, "%s%s\n", begin, r.sentence(breach))
		if o.Replays && breach.Replay != "" {
			fmt.Fprintf(&b, "    %s\n", breach.Replay)
		}
		begin = ""
	})
	return b.String()
}

func (m Matrix) hasPartly() bool {
	return slices.ContainsFunc(m.Rows, func(r MatrixRow) bool {
		return slices.ContainsFunc(m.Invariants, func(i string) bool { return r.cell(i) == partly })
	})
}

// eachBreach calls f for all breaches, in the order in which they stand in the table.
func (m Matrix) eachBreach(f func(MatrixRow, Breach)) {
	for _, r := range m.Rows {
		for _, c := range m.columns() {
			if b, ok := r.breach(c); ok {
				f(r, b)
			}
		}
	}
}

// writeAligned writes columns of equal width, but for the last, and leaves out those
// that are empty below the title.
func writeAligned(b *strings.Builder, rows [][]string, paint func(string) string) {
	var keep, widths []int
	for i := range rows[0] {
		width, full := 0, false
		for j, row := range rows {
			width = max(width, utf8.RuneCountInString(row[i]))
			full = full || j > 0 && row[i] != ""
		}
		if full {
			keep, widths = append(keep, i), append(widths, width)
		}
	}
	for _, row := range rows {
		line := ""
		for k, i := range keep {
			pad := widths[k] - utf8.RuneCountInString(row[i])
			cell := row[i]
			if paint != nil {
				cell = paint(cell)
			}
			line += cell + strings.Repeat(" ", pad+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// sentence says what breaks an invariant, and how soon.
func (r MatrixRow) sentence(b Breach) string {
	where := r.Design
	for _, part := range []string{r.World, b.Size} {
		if part != "" {
			where += ", " + part
		}
	}
	verb := "breaks " + b.Invariant
	switch {
	case b.Invariant == "":
		verb = "shows something else"
	case strings.Contains(b.Invariant, " "):
		verb = "breaks " + strconv.Quote(b.Invariant)
	}
	if b.Steps == 0 {
		return fmt.Sprintf("%s: %s: %s", where, verb, b.Finding)
	}
	preemptions := count(b.Preemptions, "preemption")
	if b.AtMost {
		preemptions = "at most " + preemptions
	}
	return fmt.Sprintf("%s: %s (%s, %s): %s", where, verb, count(b.Steps, "step"), preemptions, b.Finding)
}

// Markdown returns the matrix as a table in Markdown. A broken cell says at which
// size, and unless that was sampled in how many steps and with how many preemptions.
func (m Matrix) Markdown() string {
	var b strings.Builder
	for i, row := range m.table(MatrixRow.markdownCell) {
		for j, cell := range row {
			row[j] = strings.ReplaceAll(cell, "|", `\|`)
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return b.String()
}

func (r MatrixRow) markdownCell(invariant string) string {
	b, ok := r.breach(invariant)
	if !ok {
		return r.cell(invariant)
	}
	s := "**broken**"
	if b.Size != "" {
		s += " " + b.Size
	}
	if b.Steps > 0 && !r.sampledAt(b.Size) {
		atMost := ""
		if b.AtMost {
			atMost = "≤"
		}
		s += fmt.Sprintf(" (%d/%s%d)", b.Steps, atMost, b.Preemptions)
	}
	return s
}

// sampledAt reports whether schedules were sampled at a size: the shortest of those is
// no property of the design.
func (r MatrixRow) sampledAt(size string) bool {
	return slices.ContainsFunc(r.Trials, func(t Trial) bool { return t.Size == size && t.Sampled })
}

// MarkdownBreaches returns a list in Markdown of what breaks the invariants, with
// the commands that show it.
func (m Matrix) MarkdownBreaches() string {
	var b strings.Builder
	m.eachBreach(func(r MatrixRow, breach Breach) {
		fmt.Fprintf(&b, "- %s\n", r.sentence(breach))
		if breach.Replay != "" {
			fmt.Fprintf(&b, "  `%s`\n", breach.Replay)
		}
	})
	return b.String()
}

// RoundTime keeps three digits, which is more than a measurement is worth. No
// time at all means that nothing was measured.
func RoundTime(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
