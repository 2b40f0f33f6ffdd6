package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
)

// waitsFor returns the goroutines whose locks g waits for.
func (d *Doc) waitsFor(g int) []int {
	var list []int
	for _, w := range d.Goroutines[g].Waits {
		list = append(list, w.Holders...)
	}
	return list
}

// Cycles returns the deadlocks: the goroutines of each, in the order in which each
// waits for the next and the last for the first.
func (d *Doc) Cycles() [][]int {
	var cycles [][]int
	in := map[int]bool{} // a cycle that is already there
	for g := range d.Goroutines {
		if c := d.cycleFrom(g); c != nil && !slices.ContainsFunc(c, func(i int) bool { return in[i] }) {
			cycles = append(cycles, c)
			for _, i := range c {
				in[i] = true
			}
		}
	}
	return cycles
}

// cycleFrom returns a shortest cycle through g, which comes first; nil if there is
// none.
func (d *Doc) cycleFrom(g int) []int {
	from := map[int]int{}
	todo := []int{g}
	for len(todo) > 0 {
		i := todo[0]
		todo = todo[1:]
		for _, h := range d.waitsFor(i) {
			if h == g {
				cycle := []int{i}
				for i != g {
					i = from[i]
					cycle = append(cycle, i)
				}
				slices.Reverse(cycle)
				return cycle
			}
			if _, seen := from[h]; !seen {
				from[h] = i
				todo = append(todo, h)
			}
		}
	}
	return nil
}

// writeWaits writes the wait-for graph: the deadlocks, then who else waits for
// what, and why nobody will end it.
func (d *Doc) writeWaits(b *strings.Builder) {
	lines := d.waitLines()
	if len(lines) == 0 {
		return
	}
	b.WriteString("\nwho waits for whom:\n")
	for _, l := range lines[:min(len(lines), maxGroups)] {
		fmt.Fprintf(b, "  %s\n", l)
	}
	writeRest(b, "  ", len(lines)-maxGroups, "wait")
}

func (d *Doc) waitLines() []string {
	var lines []string
	dead := map[int]bool{}
	for _, c := range d.Cycles() {
		lines = append(lines, "deadlock: "+d.cycleText(c))
		for _, g := range c {
			dead[g] = true
		}
	}
	byText := map[string]int{}
	var texts []string
	for i, g := range d.Goroutines {
		if g.State != "blocked" || g.Daemon || dead[i] {
			continue
		}
		for _, w := range g.Waits {
			t := d.waitText(w, i)
			if byText[t]++; byText[t] == 1 {
				texts = append(texts, g.Title()+since(g)+t)
			} else if byText[t] == 2 {
				texts[slices.IndexFunc(texts, func(s string) bool { return strings.HasSuffix(s, t) })] += " (others too)"
			}
		}
	}
	return append(lines, texts...)
}

// maxCycle is how many goroutines of a deadlock are shown; of more the first ones
// and the last.
const maxCycle = 8

func (d *Doc) cycleText(c []int) string {
	var b strings.Builder
	for i, g := range c {
		if left := len(c) - maxCycle; left > 0 && i >= maxCycle-1 && i < len(c)-1 {
			if i == maxCycle-1 {
				fmt.Fprintf(&b, "%s -> ", count(left, "more goroutine"))
			}
			continue
		}
		fmt.Fprintf(&b, "%s -> %s -> ", d.Goroutines[g].Title(), visible(d.objectName(d.Goroutines[g].Waits[0].Object)))
	}
	b.WriteString(d.Goroutines[c[0]].Title())
	return b.String()
}

func (d *Doc) objectName(i int) string {
	if i < 0 {
		return "nil channel"
	}
	o := d.Objects[i]
	if _, number, same := strings.Cut(o.Label, "#"); same && o.Label != o.Name {
		return o.Text + " #" + number
	}
	return o.Text
}

// waitText says what w waits for and what became of those who could end it. Me is
// the goroutine that waits.
func (d *Doc) waitText(w Wait, me int) string {
	s := " -> " + visible(d.objectName(w.Object))
	switch {
	case len(w.Holders) > 0:
		var all []string
		for _, h := range w.Holders {
			all = append(all, d.Goroutines[h].Title())
		}
		return s + " (held by " + strings.Join(all, ", ") + d.fate(w.Holders[0]) + ")"
	case len(w.Helpers) > 0:
		var all []string
		for _, h := range w.Helpers[:min(len(w.Helpers), maxOthers)] {
			all = append(all, d.Goroutines[h].Title())
		}
		list := strings.Join(all, ", ")
		if rest := len(w.Helpers) - len(all); rest > 0 {
			list += fmt.Sprintf(" and %d more", rest)
		}
		return s + ": no live waker, " + list + " " + before[w.Op] + " but " + blockedToo(len(w.Helpers))
	case w.Object < 0:
		return s + ": no live waker, it blocks for ever"
	}
	if gone := d.gone(w, me); gone != "" {
		return s + ": no live waker, " + gone
	}
	for i, g := range d.Goroutines {
		if i != me && g.State != "returned" && !g.Timers {
			return s + ": no live waker, none of those still there " + ever[w.Op]
		}
	}
	return s + ": no live waker, all others have returned"
}

func since(g Goroutine) string {
	if g.Since == 0 {
		return ""
	}
	return fmt.Sprintf(", since step %d,", g.Since)
}

// gone names those who did before what would end w, and have returned; "" if there are
// none.
func (d *Doc) gone(w Wait, me int) string {
	did, last := map[int]int{}, map[int]int{} // the last step that would have ended it, and of all
	note := func(g int, op string, s Step) {
		if g < 0 || g == me {
			return
		}
		last[g] = s.Step
		if s.Object == w.Object && op == ender[w.Op] {
			did[g] = s.Step
		}
	}
	for _, s := range d.Steps {
		if !s.IsLog() {
			note(s.Goroutine, s.Does, s)
			note(s.Partner, ender[s.Does], s)
		}
	}
	var names []string
	var g int
	for _, g = range slices.Sorted(maps.Keys(did)) {
		if d.Goroutines[g].State == "returned" {
			names = append(names, d.Goroutines[g].Title())
		}
	}
	switch n := len(names); {
	case n == 0:
		return ""
	case n == 1 && len(did) == 1:
		return fmt.Sprintf("%s %s, last in step %d, and returned after step %d", names[0], strings.TrimSuffix(before[w.Op], " before"), did[g], last[g])
	}
	list := strings.Join(names[:min(len(names), maxOthers)], ", ")
	if rest := len(names) - maxOthers; rest > 0 {
		list += fmt.Sprintf(" and %d more", rest)
	}
	return list + " " + before[w.Op] + " but returned"
}

// ender is what the other side of a channel does that ends a wait.
var ender = map[string]string{send: receive, receive: send}

func blockedToo(n int) string {
	if n == 1 {
		return "is blocked too"
	}
	return "are blocked too"
}

// fate says what became of the holder of a lock.
func (d *Doc) fate(g int) string {
	switch d.Goroutines[g].State {
	case "returned":
		return ", which has returned"
	case "blocked":
		return ", which is blocked too"
	}
	return ""
}

// before says, by the operation that waits, what those did who may end it.
var before = map[string]string{
	sched.OpSend.String(): "received from it before",
	sched.OpRecv.String(): "sent on it before",
	sched.OpWait.String(): "did so before",
}

// ever says, by the operation that waits, what nobody who is still there did before.
var ever = map[string]string{
	sched.OpSend.String(): "ever received from it",
	sched.OpRecv.String(): "ever sent on it or closed it",
	sched.OpWait.String(): "ever called Add, Done, Signal or Broadcast",
}

// waitGraph is the wait-for graph: who waits for which objects, who holds those, and
// who did before what would end a wait.
type waitGraph struct {
	goroutines, objects []int // its nodes, ascending
	waits               []waitEdge
	helps               []helpEdge
	dead                map[int]bool // goroutines in a deadlock
}

// waitEdge leads from a goroutine to an object, -1 for a nil channel.
type waitEdge struct {
	goroutine, object int
	op                string
	dead              bool
}

// helpEdge leads from an object to a goroutine.
type helpEdge struct {
	object, goroutine int
	holds, dead       bool
}

func (d *Doc) waitGraph() waitGraph {
	w := waitGraph{dead: map[int]bool{}}
	for _, c := range d.Cycles() {
		for _, g := range c {
			w.dead[g] = true
		}
	}
	goroutines, objects := map[int]bool{}, map[int]bool{}
	seen := map[helpEdge]bool{}
	help := func(e helpEdge) {
		goroutines[e.goroutine] = true
		if !seen[e] && e.object >= 0 {
			seen[e] = true
			w.helps = append(w.helps, e)
		}
	}
	for g, node := range d.Goroutines {
		for _, wait := range node.Waits {
			goroutines[g], objects[wait.Object] = true, true
			w.waits = append(w.waits, waitEdge{g, wait.Object, wait.Op, w.dead[g] && len(wait.Holders) > 0})
			for _, h := range wait.Holders {
				help(helpEdge{wait.Object, h, true, w.dead[g] && w.dead[h]})
			}
			for _, h := range wait.Helpers {
				help(helpEdge{wait.Object, h, false, false})
			}
		}
	}
	delete(objects, -1)
	w.goroutines, w.objects = slices.Sorted(maps.Keys(goroutines)), slices.Sorted(maps.Keys(objects))
	return w
}
