package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Mermaid writes the run as a sequence diagram in the language of mermaid.js. Locks
// held show as activations. Of a long run the steps are shown that Text shows.
func (d *Doc) Mermaid(w io.Writer) error {
	m := mermaid{d: d, held: map[int][]string{}}
	for _, h := range d.Locks {
		m.held[h.From] = append(m.held[h.From], fmt.Sprintf("    activate g%d", h.Goroutine))
		if h.To >= 0 {
			m.held[h.To] = append(m.held[h.To], fmt.Sprintf("    deactivate g%d", h.Goroutine))
		}
	}
	m.line("sequenceDiagram")
	shown := d.shown()
	m.in = map[int]bool{}
	for _, g := range d.inLanes(shown) {
		m.in[g] = true
		m.line("    participant g%d as %s", g, mermaidText(d.Goroutines[g].Title()))
	}
	for k, i := range shown {
		if k > 0 && i > shown[k-1]+1 {
			m.locksBetween(shown[k-1], i)
			m.note(d.Steps[i].Goroutine, fmt.Sprintf("... %s left out ...", count(i-shown[k-1]-1, "line")))
		}
		m.step(i)
	}
	for _, f := range d.Findings[:min(len(d.Findings), maxGroups)] {
		if f.Goroutine >= 0 {
			m.note(f.Goroutine, "✗ "+d.ending(f))
		}
	}
	_, err := io.WriteString(w, m.String())
	return err
}

type mermaid struct {
	strings.Builder
	d    *Doc
	in   map[int]bool     // participants
	held map[int][]string // what each step does to locks
}

func (m *mermaid) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *mermaid) note(g int, text string) {
	m.line("    Note over g%d: %s", g, mermaidText(text))
}

func (m *mermaid) step(i int) {
	d, s := m.d, m.d.Steps[i]
	number := ""
	if !s.IsLog() {
		number = fmt.Sprintf("%d. ", s.Step)
	}
	if s.Preemption {
		number += "(preempts) "
	}
	text := number + d.what(s, d.label)
	switch {
	case s.Partner >= 0 && s.Does == receive:
		m.line("    g%d->>g%d: %s", s.Partner, s.Goroutine, mermaidText(number+d.partnerWhat(s, d.label)))
	case s.Partner >= 0:
		m.line("    g%d->>g%d: %s", s.Goroutine, s.Partner, mermaidText(text))
	case m.in[s.Child]:
		m.line("    g%d-->>g%d: %s", s.Goroutine, s.Child, mermaidText(text))
	default:
		m.note(s.Goroutine, text)
	}
	m.locks(i)
}

// locks writes what step i does to locks.
func (m *mermaid) locks(i int) {
	for _, line := range m.held[i] {
		m.line("%s", line)
	}
}

func (m *mermaid) locksBetween(a, b int) {
	for i := a + 1; i < b; i++ {
		m.locks(i)
	}
}

// mermaidText writes what means something to mermaid, or to Markdown around it, as
// character references.
func mermaidText(s string) string {
	return mermaidSpecial.ReplaceAllStringFunc(s, func(c string) string { return fmt.Sprintf("#%d;", c[0]) })
}

var mermaidSpecial = regexp.MustCompile("[#;<>%`\"&{}:\\\\]")
