package sched

// Label identifies a way in which a pending operation can happen, the same in
// every run that has done the same so far: G's operation number Op, with the case
// of its select, the partner of the rendezvous, or the value of a Choose. Fields
// that do not apply are -1. In a rendezvous of two operations that wait, G is the
// sender.
type Label struct {
	G, Op, Case                     int32
	Partner, PartnerOp, PartnerCase int32
	Value                           int32 // of a Choose; which of its alternatives an Add takes, if not the first
}

// Executed is one event of a run that logs.
type Executed struct {
	Label Label
	Kind  OpKind // OpNone: the clock moved, at quiescence
	// Crash: the run ended by a crash right after this event.
	Crash bool

	accesses, wide, woken span
}

// span is a part of a shared slice.
type span struct{ from, to int32 }

// Log has the events of a run. It is the engine's own and valid until the next
// run.
type Log struct {
	Events []Executed
	// Born has, for every goroutine, the index of the last event before it was
	// created, Parents who created it, -1 for main, and Paths the hash of its spawn
	// path; all in order of creation. Timers are among them.
	Born, Parents []int32
	Paths         []uint64
	// Eager: a timer was set that may fire at any moment. The dependency relation
	// does not cover those.
	Eager bool
	// Counted: the program asked how many goroutines there are, which depends on the
	// order of events that are independent otherwise.
	Counted bool
	// CrossUnlocks: see Engine.CrossUnlocks.
	CrossUnlocks bool
	// Attempts has what might have happened instead: every case of every select,
	// both sides of every rendezvous, and the operations that goroutines are
	// blocked at when the run is over.
	Attempts []Attempt

	access []Access
	woken  []int32
}

// Wide appends to buf what the operations that c executes would access in any of
// the ways in which they could go now.
func (p *Point) Wide(buf []Access, c Choice) []Access {
	if p.data != nil {
		return buf
	}
	g := p.e.gs[c.G]
	n := len(buf)
	if buf = g.wideFootprint(buf, c.Alt); len(buf) == n {
		buf = g.footprint(buf, c.Alt)
	}
	return buf
}

// Attempt is one way in which an operation could go, had others happened in
// another order.
type Attempt struct {
	G, Op, Case int32
	// Event is the index of the event that the operation took part in, -1 if it
	// is still pending.
	Event int32
	// Send and Try say what kind of operation it is, on a channel; Try is a select
	// with default, which never meets another one.
	Send, Try bool
	// Ready: it could have gone, as Access says, where Event happened. A send on a
	// closed channel cannot.
	Ready  bool
	Access Access
}

// Accesses returns what event i accessed.
func (l *Log) Accesses(i int) []Access {
	s := l.Events[i].accesses
	return l.access[s.from:s.to]
}

// Wide returns what event i would have accessed in any of the ways in which the
// operations that it executed could have gone then, its own included, or might go
// in another state.
func (l *Log) Wide(i int) []Access {
	s := l.Events[i].wide
	return l.access[s.from:s.to]
}

// Woken returns the goroutines that event i let go on, partner excepted.
func (l *Log) Woken(i int) []int32 {
	s := l.Events[i].woken
	return l.woken[s.from:s.to]
}

func (l *Log) reset() {
	l.Events, l.Attempts = l.Events[:0], l.Attempts[:0]
	l.Born, l.Parents, l.Paths = l.Born[:0], l.Parents[:0], l.Paths[:0]
	l.access, l.woken = l.access[:0], l.woken[:0]
	l.Eager, l.Counted = false, false
}

// open begins the record of an event that is about to happen.
func (l *Log) open(label Label, k OpKind) {
	n, w := int32(len(l.access)), int32(len(l.woken))
	l.Events = append(l.Events, Executed{Label: label, Kind: k, accesses: span{n, n}, wide: span{n, n}, woken: span{w, w}})
}

// shut ends the record.
func (l *Log) shut() {
	ev := &l.Events[len(l.Events)-1]
	ev.woken.to = int32(len(l.woken))
}

// wake notes that the event being recorded lets g go on.
func (e *Engine) wake(g *G) {
	if e.logging {
		e.log.woken = append(e.log.woken, g.id)
	}
}

// Label returns the label of c.
func (p *Point) Label(c Choice) Label {
	if p.data != nil {
		return Label{G: c.G, Op: p.data.ops, Case: -1, Partner: -1, PartnerOp: -1, PartnerCase: -1, Value: c.Alt}
	}
	return p.e.gs[c.G].label(c.Alt)
}

func (g *G) label(alt int32) Label {
	if g.self {
		return Label{G: g.id, Op: g.ops, Case: -1, Partner: -1, PartnerOp: -1, PartnerCase: -1, Value: -1}
	}
	ev := g.alternative(alt)
	l := Label{G: g.id, Op: g.ops, Case: ev.Case, Partner: ev.Partner, PartnerOp: -1, PartnerCase: ev.PartnerCase, Value: -1}
	if ev.Value > 0 {
		l.Value = ev.Value
	}
	if ev.Partner < 0 {
		return l
	}
	h := g.e.gs[ev.Partner]
	l.PartnerOp = h.ops
	if g.kind == OpTrySelect || g.sends(ev.Case) {
		return l
	}
	return Label{G: h.id, Op: h.ops, Case: ev.PartnerCase, Partner: g.id, PartnerOp: g.ops, PartnerCase: ev.Case, Value: -1}
}

// sends reports whether g's pending operation, in its case i, is a send.
func (g *G) sends(i int32) bool {
	if i >= 0 {
		return g.cases[i].Send
	}
	return g.kind == OpSend
}

// Footprint appends to buf what c would access if it happened now. For an
// enabled choice that is exact.
func (p *Point) Footprint(buf []Access, c Choice) []Access {
	if p.data != nil {
		return buf
	}
	return p.e.gs[c.G].footprint(buf, c.Alt)
}

// logEvent begins the record of the event in which g executes its pending
// operation in alternative alt.
func (e *Engine) logEvent(g *G, alt int32) {
	label := g.label(alt)
	i := int32(len(e.log.Events))
	e.log.open(label, g.kind)
	ev := &e.log.Events[i]
	e.log.access = g.footprint(e.log.access, alt)
	ev.accesses.to = int32(len(e.log.access))
	e.log.access = g.wideFootprint(e.log.access, alt)
	if len(e.log.access) == int(ev.accesses.to) {
		e.log.access = append(e.log.access, e.log.access[ev.accesses.from:ev.accesses.to]...)
	}
	e.log.access = g.elsewhere(e.log.access)
	if p := label.Partner; p >= 0 {
		e.log.access = e.gs[p].elsewhere(e.log.access)
		e.log.access = e.gs[label.G].elsewhere(e.log.access)
	}
	ev.wide = span{ev.accesses.to, int32(len(e.log.access))}
	e.logAttempts(g, i)
	if p := label.Partner; p >= 0 {
		other := p
		if p == g.id {
			other = label.G
		}
		e.logAttempts(e.gs[other], i)
	}
}

// logTick begins the record of the clock moving to the time next.
func (e *Engine) logTick(next int64) {
	if e.logging {
		e.log.open(Label{G: -1, Op: -1, Case: -1, Partner: -1, PartnerOp: -1, PartnerCase: -1, Value: -1}, OpNone)
	}
}

func (e *Engine) logShut() {
	if e.logging {
		e.log.shut()
	}
}

// logBlocked adds the attempts of the goroutines that are still there.
func (e *Engine) logBlocked() {
	e.log.CrossUnlocks = e.crossUnlocks
	for _, g := range e.gs[:e.n] {
		if g.live && g.started && g.kind != OpNone && g.timer == nil {
			e.logAttempts(g, -1)
		}
	}
}

// logAttempts adds the ways in which g's pending operation might go.
func (e *Engine) logAttempts(g *G, event int32) {
	at := Attempt{G: g.id, Op: g.ops, Case: -1, Event: event}
	switch g.kind {
	case OpSelect, OpTrySelect:
		at.Try = g.kind == OpTrySelect
		for i, c := range g.cases {
			if c.Chan != nil {
				at.Case, at.Send = int32(i), c.Send
				at.Ready = g.ways(c.Chan, c.Send) > 0 && !(c.Send && c.Chan.closed)
				at.Access = attempted(c.Chan, c.Send)
				e.log.Attempts = append(e.log.Attempts, at)
			}
		}
	case OpSend, OpRecv:
		at.Send = g.kind == OpSend
		if g.obj != nil && (event < 0 || g.obj.meets() || at.Send && g.obj.closed) {
			at.Access = attempted(g.obj, at.Send)
			e.log.Attempts = append(e.log.Attempts, at)
		}
	default:
		if class, ok := waits[g.kind]; ok && event < 0 {
			at.Access = Access{Object: g.obj.id, Class: class, Index: -1, Need: -1}
			e.log.Attempts = append(e.log.Attempts, at)
		}
	}
}

// attempted is what a send or receive on ch would access if it went.
func attempted(ch *Object, send bool) Access {
	a := Access{Object: ch.id, Class: AccRecv, Index: -1, Need: -1}
	switch {
	case ch.meets():
		a.Class = AccRendezvous
	case send:
		a.Class = AccSend
	}
	return a
}

// meets reports whether ch is unbuffered: its sends and receives meet.
func (ch *Object) meets() bool { return ch.capacity == 0 }

// waits has the access of each operation that can be blocked by others holding
// its object.
var waits = map[OpKind]Class{
	OpLock: AccLock, OpAnnounce: AccAnnounce, OpAcquire: AccAcquire, OpRLock: AccRLock,
	OpWait: AccWait, OpOnceEnter: AccOnceLater, OpCancel: AccClose, OpJoin: AccJoin,
}
