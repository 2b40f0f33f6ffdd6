package sched

import (
	"slices"
	"strings"
)

// Waiting for a condition over the state of several objects. Each look at the
// condition is an event that reads all that the condition reads. The first can happen
// at once; when it finds that the condition does not hold, the next can happen once
// one of the objects has changed. So a wait is a loop that reads, without its idle
// rounds: there are never more looks than changes.
//
// What a look will read is known by evaluating the condition beforehand, on whatever
// goroutine happens to run: it must be a function of the objects' state alone.

// AwaitCond waits until cond holds.
func (g *G) AwaitCond(cond func() bool) {
	e := g.e
	if e.special && !g.specialOp(OpAwait, nil) {
		return
	}
	g.cond = cond
	e.look(g, true) // so that objects are made here and now
	g.seen = g.seen[:0]
	for {
		g.announceLook()
		e.looks = true
		holds := e.look(g, true)
		e.looks = false
		if e.tracking {
			g.observe(g.looked)
		}
		if holds {
			return
		}
		if len(g.looked) == 0 {
			g.Misuse("the condition of Await reads nothing of package model: nothing would tell when it changes")
		}
		g.seen = append(g.seen[:0], g.looked...)
	}
}

// observe orders g after the changes that it has seen.
func (g *G) observe(seen []sight) {
	for _, s := range seen {
		switch s.object.kind {
		case KindAtomic, KindContext:
			g.synchronise(deedLoad, s.object)
		case KindVariable:
			g.e.checkAccess(g, s.object, false)
		}
	}
}

// announceLook announces a look and lets it happen.
func (g *G) announceLook() {
	e := g.e
	g.kind, g.multi, g.self, g.obj = OpAwait, false, true, nil
	if len(g.looked) > 0 {
		g.obj = g.looked[0].object
	}
	if e.capture {
		g.site = g.callSite()
	}
	if len(g.seen) == 0 {
		e.enabled.add(g.id)
	} else {
		e.lookers = append(e.lookers, g)
		e.pulse = 0
	}
	g.step()
}

// sight is an object that a condition reads, in one of its states.
type sight struct {
	object  *Object
	class   Class
	version int64
}

// version changes with the state that a condition can read, and of a lock when it is
// unlocked.
func (o *Object) version() int64 { return o.sent + o.received + o.wakes }

// news counts the changes to what somebody saw.
func news(seen []sight) (n int64) {
	for _, s := range seen {
		n += s.object.version() - s.version
	}
	return n
}

// admitLookers enables those for whom there is news.
func (e *Engine) admitLookers() {
	rest := e.lookers[:0]
	for _, g := range e.lookers {
		if news(g.seen) > 0 {
			e.enabled.add(g.id)
		} else {
			rest = append(rest, g)
		}
	}
	e.lookers = rest
}

// look evaluates g's condition and keeps in g.looked what it reads. Its own look, made
// by the goroutine itself, is like other code of the program. One made to see what it
// will read has no effects: it makes no objects, and a panic ends it.
func (e *Engine) look(g *G, own bool) bool {
	e.special, e.looking = true, g
	g.looked, g.unsure = g.looked[:0], false
	if !own {
		e.judging = true
	}
	defer func() {
		e.special, e.looking = e.unwinding, nil
		if !own {
			e.judging = false
			_ = recover()
		}
	}()
	e.ownLook = own
	return g.cond()
}

// see notes that the condition being looked at does k to o.
func (e *Engine) see(k OpKind, o *Object) bool {
	g := e.looking
	class := AccRead
	switch {
	case k == OpLen && o.kind == KindTimer: // always empty
		return true
	case k == OpLen:
		class = AccLen
	case k != OpRead:
		g.Misuse(k.String() + " in the condition of Await: it may only read (Load, Get, Len, Err)")
	}
	if o == &e.unmade {
		g.unsure = true
		return true
	}
	if s := (sight{o, class, o.version()}); !s.among(g.looked) {
		g.looked = append(g.looked, s)
	}
	return true
}

// AnyObject is the object of an access to an object that is not known.
const AnyObject = -1

// lookFootprint appends what g would read if it looked now, and what it saw when it
// looked last: where only one thing has changed there, that made the look possible.
func (g *G) lookFootprint(buf []Access) []Access {
	g.e.look(g, g.due)
	need := int64(-1)
	if news(g.seen) == 1 {
		need = OnlyChange
	}
	for _, s := range g.seen {
		buf = append(buf, Access{Object: s.object.id, Class: s.class, Index: -1, Need: need})
	}
	for _, s := range g.looked {
		if !s.among(g.seen) {
			buf = append(buf, s.object.access(s.class))
		}
	}
	if g.unsure {
		buf = append(buf, anyRead...)
	}
	return buf
}

// among reports whether the object is one of list.
func (s sight) among(list []sight) bool {
	return slices.ContainsFunc(list, func(t sight) bool { return t.object == s.object })
}

// anyRead is what a condition might read in another state.
var anyRead = []Access{
	{Object: AnyObject, Class: AccRead, Index: -1, Need: -1},
	{Object: AnyObject, Class: AccLen, Index: -1, Need: -1},
}

// names names what somebody saw.
func names(seen []sight) string {
	var parts []string
	for _, s := range seen {
		parts = append(parts, s.object.describe())
	}
	return strings.Join(parts, " | ")
}

// changers says who changed what somebody saw.
func (e *Engine) changers(seen []sight) (out []string) {
	for _, s := range seen {
		what := s.object.describe() + ": "
		var list []string
		switch s.object.kind {
		case KindChan:
			list = append(e.users(s.object, OpSend, "sent on it", "no goroutine ever sent on it"),
				e.users(s.object, OpRecv, "received from it", "no goroutine ever received from it")...)
		case KindContext:
			list = []string{"nobody cancelled it"}
		case KindMutex:
			list = e.users(s.object, OpUnlock, "unlocked it", "no goroutine ever unlocked it")
		case KindRWMutex:
			list = e.users(s.object, OpWUnlock, "unlocked it", "no goroutine ever unlocked it")
		default:
			list = e.users(s.object, OpWrite, "wrote it", "no goroutine ever wrote it")
			if order, _ := e.lastUses(s.object, OpTryWrite); len(order) > 0 {
				list = append(list, e.users(s.object, OpTryWrite, "compared and swapped it", "")...)
			}
		}
		for _, text := range list {
			out = append(out, what+text)
		}
	}
	return out
}
