package report

import (
	"fmt"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
)

// DefaultWidth is how many columns a text has that is not for a terminal.
const DefaultWidth = 100

// Text returns r as text in the default style.
func Text(r Run) string { return New(r).Text(Style{}) }

// Style says how a text is to look. Its zero value is what is printed where there
// is no terminal.
type Style struct {
	// Width is how many columns a line of the steps may take, 0 for DefaultWidth.
	Width int
	// List asks for a list of the steps even where lanes would fit.
	List bool
	// Color colours words that say by themselves what the colour says.
	Color bool
}

// Text returns the findings, a line each, then the steps that led to them, then
// the state that the run ended in: who waits for whom since when, who could have
// helped, which locks are held since where. Findings that differ in the goroutine
// alone share a line, and of very many steps or findings some are left out, which
// the text says.
func (d *Doc) Text(style Style) string {
	if style.Width <= 0 {
		style.Width = DefaultWidth
	}
	var b strings.Builder
	if len(d.Findings) == 0 && len(d.Steps) > 0 {
		b.WriteString("nothing is wrong in this schedule\n")
	}
	groups := group(d.Findings)
	for _, g := range groups[:min(len(groups), maxGroups)] {
		b.WriteString(style.bad(g.text(d)) + "\n")
	}
	writeRest(&b, "", len(groups)-maxGroups, "finding")
	if len(d.Steps) > 0 {
		b.WriteString("\n")
		d.writeSteps(&b, style)
	}
	d.writeWaits(&b)
	d.writeEnd(&b, groups)
	return b.String()
}

// maxGroups is how many different findings are shown, and maxDetails how many facts
// of one kind about each.
const (
	maxGroups  = 20
	maxDetails = 8
)

func writeRest(b *strings.Builder, indent string, n int, noun string) {
	if n > 0 {
		fmt.Fprintf(b, "%s... and %s\n", indent, count(n, "more "+noun))
	}
}

// findings are some that differ in the goroutine alone.
type findings []Finding

func group(all []Finding) []findings {
	type key struct {
		kind, class, op, object, message, holding string
		at                                        Spot
	}
	index := map[key]int{}
	var groups []findings
	for _, f := range all {
		k := key{f.Kind, f.Class, f.Op, f.Object, f.Message, strings.Join(f.Holding, "\n"), f.At}
		i, ok := index[k]
		if !ok || f.Goroutine < 0 {
			i = len(groups)
			index[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// text is the finding's own, followed by who else it is about.
func (fs findings) text(d *Doc) string {
	if len(fs) == 1 {
		return fs[0].Text
	}
	var others []string
	for _, f := range fs[1:min(len(fs), 1+maxOthers)] {
		others = append(others, d.Goroutines[f.Goroutine].Title())
	}
	list := strings.Join(others, ", ")
	if rest := len(fs) - 1 - len(others); rest > 0 {
		list += fmt.Sprintf(" and %d more", rest)
	}
	return fs[0].Text + "; likewise " + list
}

// maxOthers is how many goroutines are named that share a finding.
const maxOthers = 3

// writeEnd writes what is known about the findings besides their text.
func (d *Doc) writeEnd(b *strings.Builder, groups []findings) {
	heading := "\nat the end:\n"
	for _, g := range groups[:min(len(groups), maxGroups)] {
		facts := details(g[0])
		if len(facts) == 0 {
			continue
		}
		fmt.Fprintf(b, "%s  %s\n", heading, g.text(d))
		for _, s := range facts[:min(len(facts), maxDetails)] {
			fmt.Fprintf(b, "      %s\n", visible(s))
		}
		writeRest(b, "      ", len(facts)-maxDetails, "fact")
		heading = ""
	}
}

// details lists what is known about a finding besides its text.
func details(f Finding) []string {
	var out []string
	switch sched.FindingKind(f.Kind) {
	case sched.BlockedForever:
		if f.Since > 0 {
			out = append(out, fmt.Sprintf("waiting since step %d", f.Since))
		} else {
			out = append(out, "waiting since it was started")
		}
		if f.MadeAt.Line != 0 && !strings.Contains(f.Object, baseName(f.MadeAt)) {
			out = append(out, f.Object+" was made at "+f.MadeAt.String())
		}
	case sched.LockHeld:
		out = append(out, fmt.Sprintf("held since step %d", f.Since))
	case sched.DataRace:
		out = append(out, fmt.Sprintf("the %s at step %d and the %s at step %d, and nothing orders one before the other", f.Other.Op, f.Other.Step, f.Op, f.Since))
	}
	for _, h := range f.Holding {
		out = append(out, "holding "+h)
	}
	return append(out, f.Wakers...)
}

// baseName is the place as the names of objects have it: without the directory.
func baseName(s Spot) string {
	return s.String()[strings.LastIndexByte(s.File, '/')+1:]
}

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func (s Style) bad(text string) string  { return s.paint("\x1b[1;31m", text) }
func (s Style) note(text string) string { return s.paint("\x1b[33m", text) }
func (s Style) dim(text string) string  { return s.paint("\x1b[2m", text) }

func (s Style) paint(begin, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return begin + text + "\x1b[0m"
}
