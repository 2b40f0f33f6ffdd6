package sched

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// explain turns the final state of a capturing run into findings.
func (e *Engine) explain() {
	var fs []Finding
	if e.outcome != Abandoned && e.outcome != Misuse {
		fs = e.explainRaces()
	}
	switch e.outcome {
	case Crashed:
		fs = append(fs, e.crashed)
	case StepBound:
		fs = append(fs, e.explainStepBound())
		fs = append(fs, e.explainCycles()...)
	case Livelock:
		fs = append(fs, e.explainBlocked()...)
	case Quiescent:
		fs = append(fs, e.explainBlocked()...)
		fs = append(fs, e.explainHeld()...)
		fs = append(fs, e.broken...)
	}
	e.result.Findings = fs
}

func (e *Engine) explainStepBound() Finding {
	g := e.running
	return Finding{
		Kind: StepBoundReached, Goroutine: g.Path(), Name: g.name, Op: g.kind.String(), Site: g.site, Since: e.steps,
		Message: fmt.Sprintf("the run was cut after %d steps: a loop that never ends under this schedule, or a bound that is too small", e.steps),
		Wakers:  e.idlers(),
	}
}

// idlers lists, for a run that was cut, who had been waiting for at least half of it.
// Whether they are blocked for ever is not known: the goroutines that went on may have
// been about to wake them.
func (e *Engine) idlers() (out []string) {
	for _, g := range e.byPath() {
		if g.live && g.timer == nil && g.kind != OpSleeping && !e.enabled.has(g.id) && g.lastStep <= e.steps/2 {
			out = append(out, g.title()+" "+g.state()+", since step "+itoa(g.lastStep))
		}
	}
	return out
}

// byPath lists the run's goroutines in the order of their spawn paths.
func (e *Engine) byPath() []*G {
	gs := append([]*G(nil), e.gs[:e.n]...)
	sort.SliceStable(gs, func(i, j int) bool { return comparePaths(gs[i], gs[j]) < 0 })
	return gs
}

func (e *Engine) explainBlocked() []Finding {
	var fs []Finding
	for _, g := range e.byPath() {
		if g.live && !g.daemon {
			fs = append(fs, e.explainGoroutine(g))
		}
	}
	return fs
}

// explainCycles reports the goroutines that wait for each other's locks, which
// matters when the run did not come to rest.
func (e *Engine) explainCycles() []Finding {
	var fs []Finding
	for _, g := range e.byPath() {
		if g.live && !g.daemon && g.inCycle() {
			fs = append(fs, e.explainGoroutine(g))
		}
	}
	return fs
}

func (e *Engine) explainGoroutine(g *G) Finding {
	f := Finding{
		Kind: BlockedForever, Goroutine: g.Path(), Name: g.name,
		Op: g.kind.String(), Object: g.waitsOn(), Site: g.site, Since: g.lastStep,
		Wakers: e.wakers(g), Holding: e.holding(g),
	}
	if g.obj != nil {
		f.ObjectSite = g.obj.info.site
	}
	switch {
	case g.polls():
		f.Kind = PollsForEver
		f.Message = fmt.Sprintf("it polled %d times while nothing else could happen, and nothing that it looks at changed", g.poll.idle)
	case g.inCycle():
		f.Class = "deadlock"
	}
	return f
}

// waitsOn names what g's pending operation waits for.
func (g *G) waitsOn() string {
	switch g.kind {
	case OpSelect, OpTrySelect:
	case OpAwait:
		return names(g.seen)
	case OpYield:
		return names(g.poll.looks)
	default:
		return g.obj.describe()
	}
	if len(g.cases) == 0 {
		return "no cases"
	}
	parts := make([]string, len(g.cases))
	for i, c := range g.cases {
		parts[i] = c.op().String() + " " + c.Chan.describe()
	}
	return strings.Join(parts, " | ")
}

// blockers are the goroutines that all have to release the lock that g waits for
// before it can go on; none when g waits for anything else.
func (g *G) blockers() []*G {
	if !g.live {
		return nil
	}
	o := g.obj
	switch g.kind {
	case OpLock, OpOnceEnter, OpCancel, OpJoin:
		return one(o.holder)
	case OpAnnounce, OpRLock:
		return one(o.writer)
	case OpAcquire:
		var gs []*G
		for _, h := range o.info.readers {
			if h.g.live && !slices.Contains(gs, h.g) {
				gs = append(gs, h.g)
			}
		}
		return gs
	}
	return nil
}

func one(g *G) []*G {
	if g == nil {
		return nil
	}
	return []*G{g}
}

// inCycle reports whether following the holders of locks from g leads back to g.
func (g *G) inCycle() bool {
	seen := map[*G]bool{}
	todo := g.blockers()
	for len(todo) > 0 {
		h := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if h == g {
			return true
		}
		if !seen[h] {
			seen[h] = true
			todo = append(todo, h.blockers()...)
		}
	}
	return false
}

// explainHeld reports the locks still held, unless their holder is reported as
// blocked: then holding them is a consequence.
func (e *Engine) explainHeld() []Finding {
	var fs []Finding
	for _, o := range e.objects {
		if o.kind != KindMutex && o.kind != KindRWMutex {
			continue
		}
		if g := o.holder; g != nil && (!g.live || g.daemon) {
			fs = append(fs, held(o, hold{g, o.info.heldSite, o.info.heldStep}, "lock"))
		}
		for _, h := range o.info.readers {
			if !h.g.live || h.g.daemon {
				fs = append(fs, held(o, h, "rlock"))
			}
		}
	}
	return fs
}

func held(o *Object, h hold, op string) Finding {
	state := "has returned"
	if h.g.live {
		state = "is blocked"
	}
	return Finding{
		Kind: LockHeld, Goroutine: h.g.Path(), Name: h.g.name, Op: op, Object: o.describe(),
		Site: h.site, ObjectSite: h.site, Since: h.step,
		Wakers: []string{h.g.title() + " acquired it at " + h.site.short() + " and " + state + " without unlocking it"},
	}
}

// holding lists the locks that g holds, in order of acquisition.
func (e *Engine) holding(g *G) []string {
	type item struct {
		step int
		text string
	}
	var items []item
	add := func(o *Object, mode string, site Site, step int) {
		items = append(items, item{step, o.describe() + " (" + mode + " at " + site.short() + ")"})
	}
	for _, o := range e.objects {
		if o.holder == g && (o.kind == KindMutex || o.kind == KindRWMutex) {
			add(o, "locked", o.info.heldSite, o.info.heldStep)
		}
		for _, h := range o.info.readers {
			if h.g == g {
				add(o, "read-locked", h.site, h.step)
			}
		}
	}
	sort.SliceStable(items, func(i, j int) bool { return items[i].step < items[j].step })
	var out []string
	for _, it := range items {
		out = append(out, it.text)
	}
	return out
}

// title names g in sentences.
func (g *G) title() string {
	if g.name == "" {
		return g.Path()
	}
	return g.name + " (" + g.Path() + ")"
}

// state says what g is doing at the end of the run.
func (g *G) state() string {
	if !g.live {
		return "returned after step " + itoa(g.lastStep)
	}
	return "is blocked at " + g.kind.String() + " " + g.waitsOn() + ", " + g.site.short()
}

// wakers says who could have let g go on.
func (e *Engine) wakers(g *G) []string {
	o := g.obj
	switch g.kind {
	case OpLock, OpAnnounce, OpRLock, OpAcquire, OpOnceEnter, OpCancel, OpJoin:
		return e.lockWakers(g, o)
	case OpWait:
		return append([]string{"the counter is " + itoa(o.count)}, e.users(o, OpAdd, "called Add or Done", "no goroutine ever called Add or Done")...)
	case OpAwait:
		return e.changers(g.seen)
	case OpYield:
		return e.changers(g.poll.looks)
	case OpCondWait:
		return append(e.users(o, OpSignal, "signalled it", "no goroutine ever signalled it"),
			e.users(o, OpBroadcast, "woke all", "no goroutine ever woke all")...)
	case OpSend, OpRecv:
		return e.chanWakers(g, o, g.kind == OpSend)
	case OpSelect, OpTrySelect:
		if len(g.cases) == 0 {
			return []string{"a select without cases blocks for ever"}
		}
		var out []string
		for i, c := range g.cases {
			for _, w := range e.chanWakers(g, c.Chan, c.Send) {
				out = append(out, fmt.Sprintf("case %d: %s", i, w))
			}
		}
		return out
	}
	return nil
}

func (e *Engine) lockWakers(g *G, o *Object) []string {
	var out []string
	if h := o.holder; h != nil {
		s := "it is held by " + h.title() + " since step " + itoa(o.info.heldStep) + ", " + o.info.heldSite.short()
		if h == g {
			s += ", the same goroutine"
		} else {
			s += ", which " + h.state()
		}
		out = append(out, s)
	} else if w := o.writer; w != nil && w != g {
		out = append(out, "a writer has announced itself and comes first: "+w.title()+" "+w.state())
	}
	if g.kind != OpRLock {
		for _, h := range o.info.readers {
			out = append(out, "it is read-locked by "+h.g.title()+" since step "+itoa(h.step)+", "+h.site.short()+", which "+h.g.state())
		}
	}
	return out
}

// chanWakers says who did the other half of a send or receive on o before.
func (e *Engine) chanWakers(g *G, o *Object, send bool) []string {
	switch {
	case o == nil:
		return []string{"a nil channel blocks for ever"}
	case send:
		return e.users(o, OpRecv, "received from it", "no goroutine ever received from it")
	case o.kind == KindContext:
		return []string{"nobody cancelled it"}
	case o.kind == KindTimer:
		return []string{"it was stopped, or has fired and its value was received"}
	}
	out := e.users(o, OpSend, "sent on it", "no goroutine ever sent on it")
	return append(out, "nobody closed it")
}

// users lists the goroutines that did op on o, each with its last time and what
// became of it.
func (e *Engine) users(o *Object, op OpKind, verb, none string) []string {
	order, last := e.lastUses(o, op)
	if len(order) == 0 {
		return []string{none}
	}
	var out []string
	for i, g := range order {
		if i == maxUsers {
			return append(out, fmt.Sprintf("%d more goroutines %s", len(order)-i, verb))
		}
		ev := last[g]
		out = append(out, fmt.Sprintf("%s %s, last at step %d, %s, and %s", g.title(), verb, ev.Step, ev.Site.short(), g.state()))
	}
	return out
}

// maxUsers is how many goroutines are told of that did the same.
const maxUsers = 20

// lastUses returns the goroutines that did op on o, in the order in which they
// first did, and the last time that each did.
func (e *Engine) lastUses(o *Object, op OpKind) (order []*G, last map[*G]TraceEvent) {
	last = map[*G]TraceEvent{}
	note := func(g *G, site Site, step int) {
		if _, ok := last[g]; !ok {
			order = append(order, g)
		}
		last[g] = TraceEvent{Step: step, Site: site}
	}
	for _, ev := range e.trace {
		if ev.object != o {
			continue
		}
		if ev.Kind == op {
			note(ev.g, ev.Site, ev.Step)
		}
		if ev.second != nil && ev.Kind != op && (op == OpSend || op == OpRecv) {
			note(ev.second, ev.PartnerSite, ev.Step)
		}
	}
	return order, last
}
