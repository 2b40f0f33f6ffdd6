package sched

import "slices"

// Final is the state in which a capturing run ended.
type Final struct {
	// Goroutines has those of the program, main included, in the order of a
	// depth-first walk of the spawn tree. Timers are not among them.
	Goroutines []End
	// Objects has all objects, by TraceEvent.ObjectID.
	Objects []ObjectInfo
}

// ObjectInfo describes an object.
type ObjectInfo struct {
	Kind ObjectKind
	// Name is the user's, or "".
	Name string
	// Text is what TraceEvent.Object and Finding.Object call it.
	Text string
	// Site is where it was created or first used.
	Site Site
}

// End is what a goroutine was doing when the run ended.
type End struct {
	Goroutine, Name string
	Daemon          bool
	// Live: it has not returned.
	Live bool
	// Stuck: it could not take its next step when the run ended, and does not merely
	// sleep. In a run that came to rest every live goroutine is.
	Stuck bool
	// Op and Object say what a live goroutine was about to do, and where. They are
	// empty for one that never came to another operation.
	Op, Object string
	Site       Site
	// Since is the step after which nothing happened to it.
	Since int
	// Waits has what a stuck goroutine waits for: one entry, or one for each case of
	// a select.
	Waits []Wait
}

// Wait is one thing that a goroutine waits for.
type Wait struct {
	// Op and ObjectID say what it would do; ObjectID is -1 for a nil channel.
	Op       OpKind
	ObjectID int
	// Holders are the goroutines, by spawn path, that all have to release the lock,
	// including those that have returned.
	Holders []string
	// Helpers are the goroutines, by spawn path, that did before what would let the
	// wait end and that have not returned, the first 20 of them. Others might do it
	// too.
	Helpers []string
}

// final describes the end of a capturing run.
func (e *Engine) final() Final {
	var f Final
	for _, g := range e.byPath() {
		if g.timer == nil {
			f.Goroutines = append(f.Goroutines, e.endOf(g))
		}
	}
	for _, o := range e.objects {
		f.Objects = append(f.Objects, ObjectInfo{Kind: o.kind, Name: o.info.name, Text: o.describe(), Site: o.info.site})
	}
	return f
}

func (e *Engine) endOf(g *G) End {
	end := End{Goroutine: g.Path(), Name: g.name, Daemon: g.daemon, Live: g.live, Since: g.lastStep}
	if !g.live || g.kind == OpNone || e.between(g) {
		return end
	}
	end.Op, end.Site = g.kind.String(), g.site
	if g.kind == OpSelect || g.kind == OpTrySelect {
		end.Object = g.waitsOn()
	} else if g.kind == OpYield {
		end.Object = names(g.poll.looks)
	} else {
		end.Object = g.obj.describeIf(g.obj != nil || g.kind == OpSend || g.kind == OpRecv)
	}
	if end.Stuck = e.outcome == Quiescent || e.outcome == Livelock || !e.enabled.has(g.id) && g.kind != OpSleeping; end.Stuck {
		end.Waits = e.waits(g)
	}
	return end
}

// between reports whether g was between two operations when a crash ended the run.
func (e *Engine) between(g *G) bool {
	if e.outcome != Crashed {
		return false
	}
	return g == e.running || g.Path() == e.crashed.Goroutine || slices.Contains(e.ready[e.next:], g)
}

// waits lists what g's pending operation waits for.
func (e *Engine) waits(g *G) []Wait {
	if g.kind == OpYield {
		var list []Wait
		for _, s := range g.poll.looks {
			list = append(list, e.wait(g, OpYield, s.object))
		}
		return list
	}
	if g.kind == OpSelect || g.kind == OpTrySelect {
		var list []Wait
		for _, c := range g.cases {
			list = append(list, e.wait(g, c.op(), c.Chan))
		}
		return list
	}
	return []Wait{e.wait(g, g.kind, g.obj)}
}

func (e *Engine) wait(g *G, k OpKind, o *Object) Wait {
	w := Wait{Op: k, ObjectID: o.number()}
	for _, h := range g.blockers() {
		w.Holders = append(w.Holders, h.Path())
	}
	if o == nil {
		return w
	}
	for _, op := range helps[k] {
		order, _ := e.lastUses(o, op)
		for _, h := range order {
			if h.live && h != g && len(w.Helpers) < maxUsers {
				w.Helpers = append(w.Helpers, h.Path())
			}
		}
	}
	return w
}

// helps has what lets an operation that waits go on, for those that do not wait
// for a holder.
var helps = map[OpKind][]OpKind{
	OpSend:     {OpRecv},
	OpRecv:     {OpSend, OpClose},
	OpWait:     {OpAdd},
	OpYield:    {OpWrite, OpTryWrite, OpUnlock, OpWUnlock},
	OpCondWait: {OpSignal, OpBroadcast},
}

// number is the object's index in the run, -1 for none.
func (o *Object) number() int {
	if o == nil {
		return -1
	}
	if o.timer != nil && o.timer.ch != nil {
		o = o.timer.ch
	}
	return int(o.id)
}
