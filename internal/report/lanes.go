package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
	"github.com/rivo/uniseg"
)

// Lanes are used for at most maxLanes goroutines, where each has at least minLane
// columns or all that it needs.
const (
	maxLanes = 6
	minLane  = 12
	laneGap  = 3 // holds the arrow from a send to its receive
	wideGap  = 6 // where there is room
)

// A lane is the column of one goroutine: bars for the locks that it holds, then
// words.
type lane struct {
	goroutine  int
	x          int // first column
	bars, text int // how many columns
}

// textX is the first column of the words.
func (l lane) textX() int {
	if l.bars > 0 {
		return l.x + l.bars + 1
	}
	return l.x
}

func (l lane) end() int { return l.textX() + l.text }

// A layout is the steps in lanes, ready to be written.
type layout struct {
	d      *Doc
	style  Style
	lanes  []lane
	laneOf map[int]int // by goroutine
	slots  []int       // by hold, which bar of its goroutine's it is
	rows   []laneRow
	step   int // width of the numbers
}

// A laneRow is one step, with words in the lanes of those who take part; or how
// many are left out, or what became of goroutines at the end.
type laneRow struct {
	left        int // so many steps left out
	index       int // of the step; len(d.Steps) at the end
	number      string
	mark        string
	words       map[int]string // by goroutine
	where       []string
	from, to    int // sender and receiver of a rendezvous, goroutines; -1 for none
	bad, header bool
}

// layOut makes the lanes of the shown steps, or reports that they do not fit.
func (d *Doc) layOut(shown []int, style Style) (*layout, bool) {
	l := &layout{d: d, style: style, laneOf: map[int]int{}}
	for _, g := range d.inLanes(shown) {
		l.laneOf[g] = len(l.lanes)
		l.lanes = append(l.lanes, lane{goroutine: g})
	}
	if len(l.lanes) > maxLanes || len(l.lanes) == 0 {
		return nil, false
	}
	l.placeBars()
	l.makeRows(shown)
	return l, l.placeLanes()
}

// inLanes lists the goroutines that the shown steps and the findings are about.
func (d *Doc) inLanes(shown []int) []int {
	in := make([]bool, len(d.Goroutines))
	note := func(g int) {
		if g >= 0 {
			in[g] = true
		}
	}
	for _, i := range shown {
		note(d.Steps[i].Goroutine)
		note(d.Steps[i].Partner)
	}
	for _, f := range d.Findings {
		note(f.Goroutine)
	}
	var list []int
	for g := range in {
		if in[g] {
			list = append(list, g)
		}
	}
	return list
}

// placeBars gives every lock held a bar: the first of its goroutine's that is free.
func (l *layout) placeBars() {
	until := map[int][]int{} // by goroutine and bar, the step at which it becomes free
	for _, h := range l.d.Locks {
		free := until[h.Goroutine]
		k := slices.IndexFunc(free, func(to int) bool { return to < h.From })
		if k < 0 {
			k = len(free)
			free = append(free, 0)
		}
		free[k] = len(l.d.Steps) + 1
		if h.To >= 0 {
			free[k] = h.To
		}
		until[h.Goroutine] = free
		l.slots = append(l.slots, k)
		if i, ok := l.laneOf[h.Goroutine]; ok {
			l.lanes[i].bars = max(l.lanes[i].bars, k+1)
		}
	}
}

func (l *layout) makeRows(shown []int) {
	d := l.d
	head := laneRow{index: -1, number: "step", mark: " ", words: map[int]string{}, where: []string{"at"}, from: -1, to: -1, header: true}
	for _, lane := range l.lanes {
		head.words[lane.goroutine] = d.Goroutines[lane.goroutine].Title()
	}
	l.rows = append(l.rows, head)
	for k, i := range shown {
		if k > 0 && i > shown[k-1]+1 {
			l.rows = append(l.rows, laneRow{left: i - shown[k-1] - 1, index: i - 1})
		}
		l.rows = append(l.rows, l.rowOf(i))
	}
	l.rows = append(l.rows, l.endRows()...)
	for _, r := range l.rows {
		l.step = max(l.step, width(r.number))
	}
}

func (l *layout) rowOf(i int) laneRow {
	d, s := l.d, l.d.Steps[i]
	r := laneRow{
		index: i, number: stepNumber(s), mark: mark(s), from: -1, to: -1, where: []string{s.At.String()},
		words: map[int]string{s.Goroutine: d.what(s, d.label)},
	}
	if s.Partner < 0 {
		return r
	}
	r.words[s.Partner] = d.partnerWhat(s, d.label)
	r.from, r.to = s.Goroutine, s.Partner
	r.where = []string{s.At.String() + " →", s.PartnerAt.String()}
	if s.Does == receive {
		r.from, r.to = r.to, r.from
		r.where = []string{s.PartnerAt.String() + " →", s.At.String()}
	}
	return r
}

// endRows say what became of the goroutines: of those that nothing is wrong with in
// one row, then of each that a finding is about.
func (l *layout) endRows() []laneRow {
	d := l.d
	fine := laneRow{index: len(d.Steps), number: "end", mark: " ", words: map[int]string{}, from: -1, to: -1}
	var rows []laneRow
	wrong := map[int]bool{}
	for _, f := range d.Findings {
		if f.Goroutine < 0 {
			continue
		}
		wrong[f.Goroutine] = true
		rows = append(rows, laneRow{
			index: len(d.Steps), number: "end", mark: " ", from: -1, to: -1, bad: true,
			words: map[int]string{f.Goroutine: "✗ " + d.ending(f)}, where: []string{f.At.String()},
		})
	}
	for _, lane := range l.lanes {
		if g := d.Goroutines[lane.goroutine]; !wrong[lane.goroutine] && g.State != "" {
			fine.words[lane.goroutine] = d.fateOf(g)
		}
	}
	if len(fine.words) > 0 {
		rows = append([]laneRow{fine}, rows...)
	}
	return rows
}

// ending says briefly how a goroutine came to its bad end.
func (d *Doc) ending(f Finding) string {
	switch sched.FindingKind(f.Kind) {
	case sched.BlockedForever:
		return d.pending(d.Goroutines[f.Goroutine], f.Op, f.Object)
	case sched.PollsForEver:
		return visible("polls for ever: " + f.Object)
	case sched.LockHeld:
		return visible("holds " + d.labelled(f.Object))
	case sched.Panic:
		return visible("panic: " + f.Message)
	case sched.Goexit:
		return "Goexit"
	case sched.StepBoundReached:
		return "cut here"
	case sched.DataRace:
		return fmt.Sprintf("%s races with step %d", f.Op, f.Other.Step)
	case sched.InvariantBroken:
		return visible("breaks " + f.Object)
	case sched.AssertionBroken:
		return visible("broken: " + f.Message)
	}
	return f.Kind
}

// endingInFull is the same with the objects named as in sentences.
func (d *Doc) endingInFull(f Finding) string {
	if sched.FindingKind(f.Kind) == sched.BlockedForever {
		return visible(strings.TrimSpace(f.Op + " " + f.Object))
	}
	return d.ending(f)
}

// fateOf says what became of a goroutine that nothing is wrong with.
func (d *Doc) fateOf(g Goroutine) string {
	switch {
	case g.State == "returned":
		return "returned"
	case g.State == "blocked" && g.Daemon:
		return "daemon, at " + d.pending(g, g.Op, g.Object)
	case g.State == "blocked":
		return "blocked: " + d.pending(g, g.Op, g.Object)
	case g.Op == "":
		return ""
	}
	return "next: " + d.pending(g, g.Op, g.Object)
}

// pending says what g was about to do.
func (d *Doc) pending(g Goroutine, op, object string) string {
	if len(g.Waits) == 0 {
		return visible(strings.TrimSpace(op + " " + d.labelled(object)))
	}
	var parts []string
	for _, w := range g.Waits {
		name := "nil channel"
		if w.Object >= 0 {
			name = d.Objects[w.Object].Label
		}
		parts = append(parts, w.Op+" "+name)
	}
	text := strings.Join(parts, " | ")
	if op == sched.OpSelect.String() {
		text = op + ": " + text
	}
	return text
}

// labelled is the label of the object that is called text in sentences, or text where
// several are.
func (d *Doc) labelled(text string) string {
	label := text
	for _, o := range d.Objects {
		if o.Text == text {
			if label != text {
				return text
			}
			label = o.Label
		}
	}
	return label
}

// placeLanes divides the width among the lanes; false when they do not fit.
func (l *layout) placeLanes() bool {
	where := 0
	need := make([]int, len(l.lanes))
	for _, r := range l.rows {
		for _, w := range r.where {
			where = max(where, width(w))
		}
		for g, text := range r.words {
			need[l.laneOf[g]] = max(need[l.laneOf[g]], min(width(text), maxWho*2))
		}
	}
	free := l.style.Width - l.left() - where - 2 - laneGap*(len(l.lanes)-1)
	for i := range l.lanes {
		need[i] = max(need[i], 4)
		if b := l.lanes[i].bars; b > 0 {
			free -= b + 1
		}
	}
	x, gap := l.left(), laneGap
	words := share(need, free)
	for _, w := range words {
		free -= w
	}
	if n := len(l.lanes) - 1; n > 0 {
		gap = min(wideGap, laneGap+free/n)
	}
	for i, w := range words {
		if w < min(need[i], minLane) {
			return false
		}
		l.lanes[i].x, l.lanes[i].text = x, w
		x = l.lanes[i].end() + gap
	}
	return true
}

// share gives each what it needs, or where that is too much in all, the same to all
// that need more.
func share(need []int, free int) []int {
	out := slices.Clone(need)
	for {
		total := 0
		for _, w := range out {
			total += w
		}
		if total <= free {
			return out
		}
		widest := slices.Max(out)
		if widest <= 1 {
			return out
		}
		for i := len(out) - 1; i >= 0; i-- {
			if out[i] == widest {
				out[i]--
				break
			}
		}
	}
}

// left is the first column of the first lane.
func (l *layout) left() int { return 2 + l.step + 1 + 1 + 1 }

func (l *layout) write(b *strings.Builder) {
	for _, r := range l.rows {
		l.writeRow(b, r)
	}
	l.writeLegend(b)
}

func (l *layout) writeRow(b *strings.Builder, r laneRow) {
	if r.left > 0 {
		c := make(canvas, l.style.Width)
		c.put(0, fmt.Sprintf("  ... %s left out ...", count(r.left, "line")))
		b.WriteString(c.String() + "\n")
		return
	}
	words := make([][]string, len(l.lanes))
	lines := max(1, len(r.where))
	for g, text := range r.words {
		i := l.laneOf[g]
		words[i] = wrap(text, l.lanes[i].text)
		lines = max(lines, len(words[i]))
	}
	for n := range lines {
		c := make(canvas, l.lanes[len(l.lanes)-1].end())
		if n == 0 {
			c.put(2+l.step-width(r.number), r.number)
		}
		for i, lane := range l.lanes {
			c.put(lane.textX(), at(words[i], n))
		}
		if !r.header {
			l.drawBars(c, r.index, n == 0)
		}
		if n == 0 && r.from >= 0 {
			l.drawArrow(c, r, words)
		}
		l.writeLine(b, r, n, c)
	}
}

// writeLine writes line n of a row with the place at its end.
func (l *layout) writeLine(b *strings.Builder, r laneRow, n int, c canvas) {
	line := c.String()
	if where := at(r.where, n); where != "" {
		line = padded(line, len(c)) + "  " + where
	}
	line = strings.TrimRight(line, " ")
	switch {
	case r.bad:
		line = l.style.bad(line)
	case r.header:
		line = l.style.dim(line)
	case n == 0 && r.mark == ">":
		at := 2 + l.step + 1
		line = line[:at] + l.style.note(">") + line[at+1:]
	}
	b.WriteString(line + "\n")
}

// drawBars draws the locks that are held at a step. First is the line in which the
// step's own change shows.
func (l *layout) drawBars(c canvas, step int, first bool) {
	for k, h := range l.d.Locks {
		i, ok := l.laneOf[h.Goroutine]
		if !ok || step < h.From || h.To >= 0 && step > h.To {
			continue
		}
		bar := "│"
		if h.Read {
			bar = "┆"
		}
		switch {
		case step == h.From && first:
			bar = "┌"
		case step == h.To && first:
			bar = "└"
		case step == h.To:
			continue
		}
		c.put(l.lanes[i].x+l.slots[k], bar)
	}
}

// drawArrow joins the words of the sender and those of the receiver. It crosses the
// bars in between.
func (l *layout) drawArrow(c canvas, r laneRow, words [][]string) {
	from, to := l.laneOf[r.from], l.laneOf[r.to]
	a, b := min(from, to), max(from, to)
	start := l.lanes[a].textX() + width(at(words[a], 0)) + 1
	stop := l.lanes[b].x - 2
	if a == b || start > stop {
		return // no run has this, but a document may
	}
	for x := start; x <= stop; x++ {
		switch c[x] {
		case "":
			c[x] = "─"
		case "│", "┆":
			c[x] = "┼"
		}
	}
	if from < to {
		c[stop] = "►"
	} else {
		c[start] = "◄"
	}
}

// writeLegend explains the labels that stand for objects without a name.
func (l *layout) writeLegend(b *strings.Builder) {
	used := map[int]bool{}
	for _, r := range l.rows {
		if r.left == 0 && r.index >= 0 && r.index < len(l.d.Steps) {
			used[l.d.Steps[r.index].Object] = true
		}
	}
	for _, g := range l.d.Goroutines {
		for _, w := range g.Waits {
			used[w.Object] = true
		}
	}
	begin := "\n"
	for i, o := range l.d.Objects {
		if used[i] && (o.Name == "" || o.Label != visible(o.Name)) {
			fmt.Fprintf(b, "%s  %s: %s\n", begin, o.Label, visible(o.Text))
			begin = ""
		}
	}
}

// A canvas is a line of text by columns. A wide character has the column after its
// own too.
type canvas []string

const wideRest = "\x00"

// put writes s from column x on.
func (c canvas) put(x int, s string) {
	for state := -1; s != ""; {
		var cluster string
		var w int
		cluster, s, w, state = uniseg.FirstGraphemeClusterInString(s, state)
		if w == 0 || x+w > len(c) {
			continue
		}
		c[x] = cluster
		for i := 1; i < w; i++ {
			c[x+i] = wideRest
		}
		x += w
	}
}

func (c canvas) String() string {
	var b strings.Builder
	for _, s := range c {
		switch s {
		case "":
			b.WriteByte(' ')
		case wideRest:
		default:
			b.WriteString(s)
		}
	}
	return strings.TrimRight(b.String(), " ")
}
