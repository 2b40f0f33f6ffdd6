package report

import (
	"fmt"
	"io"
	"strings"
)

// DOT writes the wait-for graph in the language of Graphviz: goroutines as boxes,
// what they wait for as ellipses. An edge leads from a goroutine to what it waits
// for and from there to who holds it; a dashed one to who might have helped before.
// What belongs to a deadlock is bold and red.
func (d *Doc) DOT(w io.Writer) error {
	var b strings.Builder
	b.WriteString("digraph \"who waits for whom\" {\n\trankdir=LR;\n\tnode [fontname=\"sans-serif\"];\n\tedge [fontname=\"sans-serif\"];\n")
	graph := d.waitGraph()
	for _, g := range graph.goroutines {
		label := d.Goroutines[g].Title()
		if d.Goroutines[g].State == "returned" {
			label += " (returned)"
		}
		fmt.Fprintf(&b, "\tg%d [shape=box, label=%s%s];\n", g, dotString(label), dotStyle(graph.dead[g]))
	}
	for _, o := range graph.objects {
		fmt.Fprintf(&b, "\to%d [shape=ellipse, label=%s];\n", o, dotString(visible(d.objectName(o))))
	}
	nils := 0
	for _, e := range graph.waits {
		to := fmt.Sprintf("o%d", e.object)
		if e.object < 0 {
			nils++
			to = fmt.Sprintf("nil%d", nils)
			fmt.Fprintf(&b, "\t%s [shape=ellipse, label=\"nil channel\"];\n", to)
		}
		fmt.Fprintf(&b, "\tg%d -> %s [label=%s%s];\n", e.goroutine, to, dotString(e.op), dotStyle(e.dead))
	}
	for _, e := range graph.helps {
		style := "style=dashed, label=\"might have helped\""
		if e.holds {
			style = "label=\"held by\"" + dotStyle(e.dead)
		}
		fmt.Fprintf(&b, "\to%d -> g%d [%s];\n", e.object, e.goroutine, style)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func dotStyle(dead bool) string {
	if dead {
		return ", color=red, style=bold"
	}
	return ""
}

// dotString quotes s. In DOT a backslash begins an escape of its own.
func dotString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
