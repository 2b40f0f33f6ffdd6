package sched

import "slices"

// Polling. A goroutine that looks, yields, looks again and so on would keep all others
// from ever going on in some schedules, which no real scheduler does. So schedules are
// fair, after Musuvathi and Qadeer, "Fair stateless model checking" (PLDI 2008): who
// yields in vain lets the others go first.
//
// A round is what a goroutine does from one Yield to the next. It is in vain when it
// only looks at variables, lengths and errors, or tries a compare and swap, a mutex or a
// read lock without success. After a few of those in a row the goroutine waits at its Yield until
// something has changed that it looked at in the round. Such a Yield is an event that
// reads all that: it is related to the changes as a look of Await is. Likewise a select
// that took its default a few times, and nothing else came between but Yields, waits
// until a case can go. The round that ends at a goroutine's first Yield is never in vain.
//
// When nothing else can happen and no time has to pass, all who wait so go another
// round: a loop may count its rounds and give up. When they have gone very many and
// nothing came of it, the run is a livelock.

const (
	// patience is how many rounds in vain, one after the other, make a goroutine wait:
	// loops of a few rounds are explored in all ways.
	patience = 3
	// busy is the same for selects with default between which nobody yields.
	busy = 10
	// idleShare is the part of the step bound that is the number of rounds after which
	// goroutines that poll in vain are taken to do so for ever: 1,000 of 50,000.
	idleShare = 50
)

// polling is what a goroutine has to remember of its rounds.
type polling struct {
	on    bool    // it has yielded, so its looks are noted
	looks []sight // of the present round
	pure  int32   // how many of its operations were looks
	began int32   // operations executed before the round
	vain  int     // rounds in vain, one after the other
	idle  int     // rounds in vain that nothing but rest allowed

	// Of selects with default.
	cases    []Case // of the latest, if it took its default
	next     int32  // operations executed after it and the Yields that followed
	yielded  bool   // there was one
	defaults int    // how many came one after the other, with Yields between
	hasty    int    // and without
	waits    bool   // the pending one waits for a case
}

func (p *polling) reset() {
	*p = polling{looks: p.looks[:0], cases: p.cases[:0], next: -1}
}

// glance notes that the operation of g that happens now only looks at o.
func (g *G) glance(o *Object, class Class) {
	p := &g.poll
	if !p.on {
		return
	}
	p.pure++
	if s := (sight{o, class, o.version()}); !s.among(p.looks) {
		p.looks = append(p.looks, s)
	}
}

// Yield is an operation that does nothing. It lets others go first when g polls in
// vain.
func (g *G) Yield() {
	p, e := &g.poll, g.e
	if e.special {
		g.always(OpYield, nil)
		return
	}
	p.vain++
	switch vain := len(p.looks) > 0 && p.pure == g.ops-p.began; {
	case p.next == g.ops: // after a select that took its default
		p.vain, p.next, p.yielded = 0, g.ops+1, true
	case !vain:
		p.vain, p.idle = 0, 0
	}
	if p.vain <= patience {
		p.looks = p.looks[:0]
		g.always(OpYield, nil)
	} else {
		g.kind, g.obj, g.multi, g.self = OpYield, nil, false, true
		if e.capture {
			g.site = g.callSite()
		}
		e.holdBack(g)
		g.step()
	}
	p.on, p.looks, p.pure, p.began = true, p.looks[:0], 0, g.ops
}

// insists reports whether g's select with default, about to be announced, repeats one
// that was in vain too often, and makes it wait for a case if so.
func (g *G) insists() bool {
	p := &g.poll
	switch {
	case p.next != g.ops || !slices.EqualFunc(p.cases, g.cases, sameCase):
		p.defaults, p.hasty, p.idle = 0, 0, 0
	case p.yielded:
		p.defaults++
	default:
		p.hasty++
	}
	if p.waits = p.defaults > patience || p.hasty > busy; p.waits {
		g.e.holdBack(g)
	}
	return p.waits
}

func sameCase(a, b Case) bool { return a.Chan == b.Chan && a.Send == b.Send }

// tried notes what came of g's select with default, which has just happened.
func (g *G) tried() {
	p := &g.poll
	if p.waits {
		p.waits = false
		g.e.pollers = slices.DeleteFunc(g.e.pollers, func(h *G) bool { return h == g })
	}
	p.next, p.yielded, p.cases = -1, false, p.cases[:0]
	if g.index < 0 {
		p.next, p.cases = g.ops, append(p.cases, g.cases...)
	}
}

// holdBack lets g wait until admitPollers or rouse lets it go on.
func (e *Engine) holdBack(g *G) {
	e.pollers, e.heldBack = append(e.pollers, g), true
	e.pulse = 0
}

// admitPollers enables those that need not wait any more.
func (e *Engine) admitPollers() {
	rest := e.pollers[:0]
	for _, g := range e.pollers {
		switch {
		case g.kind == OpTrySelect && g.canGo():
			e.enabled.add(g.id)
			rest = append(rest, g)
		case g.kind == OpTrySelect: // a partner may have left
			e.enabled.remove(g.id)
			rest = append(rest, g)
		case news(g.poll.looks) > 0:
			g.poll.idle = 0
			e.enabled.add(g.id)
		default:
			rest = append(rest, g)
		}
	}
	e.pollers = rest
}

// rouse lets all who poll go another round though there is no news, at rest. It reports
// false if they went enough of them: then the run is over.
func (e *Engine) rouse() bool {
	if len(e.pollers) == 0 || !e.awaited() {
		return false
	}
	if e.pollForEver() {
		e.end(Livelock)
		return false
	}
	e.logTick(e.now)
	for _, g := range e.pollers {
		g.poll.idle++
		g.poll.waits = false
		e.enabled.add(g.id)
		e.wake(g)
	}
	e.logShut()
	e.pollers = e.pollers[:0]
	return true
}

// pollForEver reports whether everybody who polls is taken to do so for ever.
func (e *Engine) pollForEver() bool {
	for _, g := range e.pollers {
		if g.poll.idle < max(1, e.maxSteps/idleShare) {
			return false
		}
	}
	return true
}

// polls reports whether g waits because it polls in vain.
func (g *G) polls() bool { return slices.Contains(g.e.pollers, g) }

// polled reports whether somebody waits to receive from ch in a select with default.
func (e *Engine) polled(ch *Object) bool {
	for _, g := range e.pollers {
		if g.kind == OpTrySelect && slices.ContainsFunc(g.cases, func(c Case) bool { return c.Chan == ch && !c.Send }) {
			return true
		}
	}
	return false
}

// pollFootprint is that of a Yield that waited, or might have: see lookFootprint.
func (g *G) pollFootprint(buf []Access) []Access {
	need := int64(-1)
	if news(g.poll.looks) == 1 {
		need = OnlyChange
	}
	for _, s := range g.poll.looks {
		buf = append(buf, Access{Object: s.object.id, Class: s.class, Index: -1, Need: need})
	}
	return buf
}
