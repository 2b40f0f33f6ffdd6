package sched

import "math/bits"

// decide settles what happens after g has announced an operation or ended, and
// gets g ready for the switch to the goroutine that runs now, if that is another
// one: the driver when the run is over.
func (g *G) decide() {
	e := g.e
	var h *G
	for h == nil {
		var c Choice
		ok := false
		w := e.enabled.lo
		first := bits.TrailingZeros64(w)
		switch {
		case e.steps >= e.pulse || w == 0:
			h, c, ok = e.attend()
		case !e.gs[first].self:
			c, ok = e.choose()
		case w&(w-1) == 0:
			c, ok = Choice{G: int32(first)}, true
		default:
			c, ok = e.ask(true)
		}
		if ok {
			h = e.take(c, g)
		}
	}
	g.way = stay
	if h != g {
		g.aim(h)
	}
}

// attend is for what decide need not look at in most steps. It returns the
// goroutine that has to run before the next decision, the driver when the run is
// over; or with ok the next event; or neither when decide is to try again.
func (e *Engine) attend() (g *G, c Choice, ok bool) {
	if len(e.lookers) > 0 {
		e.admitLookers()
	}
	if e.dozing > 0 {
		e.retime()
	}
	if len(e.pollers) > 0 {
		e.admitPollers()
	}
	switch {
	case e.over:
		return &e.root, c, false
	case e.next < len(e.ready):
		return e.dequeue(), c, false
	case e.dirty && !e.judgeInvariants():
		return &e.root, c, false
	case e.steps >= e.beat && e.bounded():
		return &e.root, c, false
	case (e.firing > 0 || e.enabled.empty()) && e.idle():
		if e.advance() {
			return nil, c, false
		}
		if e.exhausted() {
			if e.rouse() {
				return nil, c, false
			}
			e.over = true
			return &e.root, c, false
		}
	}
	if e.logging || e.capture || e.firing > 0 || e.dozing > 0 || e.n > 64 || len(e.lookers)+len(e.pollers) > 0 { // decide knows the first word of enabled only
		c, ok = e.choose()
		return nil, c, ok
	}
	e.pulse = e.beat
	return nil, c, false
}

// bounded reports whether the run has reached its step bound. Until then it
// shows the watchdog that the run is getting on.
func (e *Engine) bounded() bool {
	if e.steps >= e.maxSteps {
		e.end(StepBound)
		return true
	}
	if e.steps >= e.impatience() {
		e.loseHeart()
	}
	e.beats.Add(1)
	e.nextBeat()
	return false
}

// nextBeat settles when bounded has to look again.
func (e *Engine) nextBeat() {
	e.beat = min(e.steps+pulseSteps, e.maxSteps)
	if e.steps < e.impatience() {
		e.beat = min(e.beat, e.impatience())
	}
}

// enqueue notes that g has local code to run before the next decision.
func (e *Engine) enqueue(g *G) {
	e.ready = append(e.ready, g)
	e.pulse = 0
}

func (e *Engine) dequeue() *G {
	g := e.ready[e.next]
	e.next++
	if e.next == len(e.ready) {
		e.ready, e.next = e.ready[:0], 0
	}
	return g
}

// soil notes that a watched object changed.
func (e *Engine) soil() { e.dirty, e.pulse = true, 0 }

// choose returns the next event, false when the run is over.
func (e *Engine) choose() (Choice, bool) {
	c, forced := e.forced()
	if forced && !e.logging {
		return c, true
	}
	return e.ask(!forced)
}

// forced returns the only event that can happen, if there is just one: a single
// enabled goroutine, or the two sides of a rendezvous.
func (e *Engine) forced() (Choice, bool) {
	n := e.enabled.len()
	if n > 2 {
		return Choice{}, false
	}
	a := e.gs[e.enabled.next(0)]
	if n == 1 {
		return Choice{G: a.id}, a.alternatives() == 1
	}
	b := e.gs[e.enabled.next(a.id+1)]
	if !a.multi || !b.multi || a.alternatives() != 1 || b.alternatives() != 1 {
		return Choice{}, false
	}
	return Choice{G: a.id}, a.alternative(0).Partner == b.id
}

// ask lets the picker choose and records the choice if there was one.
func (e *Engine) ask(free bool) (Choice, bool) {
	c := e.picker.Pick(&e.point)
	if !e.enabled.has(c.G) || c.Alt != 0 && !e.offers(c) {
		e.refuse(c)
		return c, false
	}
	if free {
		e.choices = append(e.choices, c)
	}
	return c, true
}

func (e *Engine) offers(c Choice) bool {
	return c.Alt >= 0 && int(c.Alt) < e.gs[c.G].alternatives()
}

// refuse ends the run because the picker wants to, or makes no sense.
func (e *Engine) refuse(c Choice) {
	if c == Abandon {
		e.end(Abandoned)
		return
	}
	e.misused(errorf("internal error: the strategy chose alternative %d of goroutine %d, which is not enabled: report this", c.Alt, c.G))
}

// take makes the event c happen, or has its goroutine do that itself, and returns
// who runs now, nil if nobody has to because a timer fired.
func (e *Engine) take(c Choice, from *G) *G {
	g := e.gs[c.G]
	e.steps++
	couldGoOn := e.enabled.has(e.running.id) && !e.running.movesClock()
	if g.self {
		e.turn(g, e.running != g, couldGoOn)
		g.due = true
		return g
	}
	g, partner := e.perform(g, c.Alt)
	e.turn(g, e.running != g && e.running != partner, couldGoOn)
	if e.capture {
		e.record(g, partner)
	}
	switch {
	case g.timer != nil:
		return nil
	case partner == nil:
		return g
	case partner == from:
		g, partner = partner, g
	}
	e.enqueue(partner)
	return g
}

// turn notes whose step it is.
func (e *Engine) turn(g *G, switched, couldGoOn bool) {
	e.switched, e.preempted = switched, switched && couldGoOn
	if e.preempted {
		e.preemptions++
	}
	if switched {
		e.running = g
	}
}

// perform executes the pending operation of g in its alternative alt and accounts
// for it. It returns the sender and the receiver of a rendezvous, whichever of them
// is g, else g and nil.
func (e *Engine) perform(g *G, alt int32) (first, second *G) {
	if e.logging {
		e.logEvent(g, alt)
	}
	partner := g.execute(alt)
	if e.logging {
		e.log.shut()
	}
	if partner != nil && !g.sent {
		g, partner = partner, g
	}
	if e.tracking {
		e.order(g, partner)
	}
	e.count(g, partner, alt)
	return g, partner
}

// count folds the event just executed into the hash: for a rendezvous the sender
// g, the receiver and their cases.
func (e *Engine) count(g, receiver *G, alt int32) {
	if receiver != nil { // alt depends on the side and the order of arrival
		alt = g.index
		e.hash = mix(e.hash, uint64(receiver.id)<<32|uint64(uint32(receiver.index)))
	}
	e.hash = mix(e.hash, uint64(g.id)<<40|uint64(g.kind)<<32|uint64(uint32(alt)))
}
