package explore

import (
	"errors"
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

var errDiverged = errors.New("the program did something else although every choice was the same: something outside the model decides, such as map order, time.Now, math/rand, state kept between runs, or a real goroutine")

// analysis finds, in a finished run, what could have happened in another order, and
// puts it into the trees of the nodes where the orders part.
type analysis struct {
	s     *dpor
	table *sched.Table
	names *naming
	log   *sched.Log
	n     int // events
	w     int // words of a bitset of events

	past     []uint64  // past[i*w:] are the events that happen before event i, and i
	own      []uint64  // scratch: what event i has in its past whatever the objects do
	before   []prior   // the direct predecessors of all events, grouped by event
	starts   []int32   // before[starts[i]:starts[i+1]] are those of event i
	last     []int32   // by creation index: the last event that a goroutine took part in
	prev     []int32   // prev[2*i], prev[2*i+1]: the event before, of G and of the partner
	touched  [][]touch // by object: see slot
	varied   bool      // some operation could have gone in several ways
	same     int       // events known from the run before
	keys     []uint64
	sequence []transition
	planned  []uint64 // scratch: the events in sequence
}

// prior is a direct predecessor of an event.
type prior struct {
	event  int32
	object int32 // through which object; -1 for program order
	rel    sched.Relation
	took   bool // it took what the later event waits for
}

// touch is an access of an event to an object.
type touch struct {
	event  int32
	access sched.Access
}

// find analyses a run of s whose first same events are those of the run analysed
// before. Their races are looked at again: what seemed to be covered by something in the
// tree when they were seen first need not be by what became of it.
func (r *analysis) find(s *dpor, log *sched.Log, same int, wasCut bool) {
	r.s = s
	r.varied = len(log.Attempts) > 0 || slices.ContainsFunc(log.Events, func(ev sched.Executed) bool { return ev.Kind == sched.OpChoose })
	r.extend(&s.naming, log, same)
	for i := range int32(r.n) {
		r.racesOf(i)
	}
	r.alternatives()
	r.attempts()
	r.match()
	if r.n > 0 && log.Events[r.n-1].Crash {
		r.crash()
	}
	if wasCut {
		r.cut()
	}
	s.trace = r.class()
}

// racesOf reverses the races in which event i is the later one.
func (r *analysis) racesOf(i int32) {
	ev := &r.log.Events[i]
	if ev.Kind == sched.OpNone {
		return
	}
	preds := r.predecessors(i)
	r.own = resized(r.own, r.w)
	clear(r.own)
	for _, p := range preds {
		if p.object == -1 {
			union(r.own, r.pastOf(p.event))
		}
	}
	if !r.selects(i) { // what made it possible it cannot come before
		for k := range preds {
			if preds[k].rel == sched.Races && r.enabledBy(i, preds[k].event) {
				preds[k].rel, preds[k].took = sched.Enables, false
			}
		}
	}
	for k, p := range preds {
		if p.rel == sched.Races && r.adjacent(i, p, preds) && !repeated(preds[:k], p) {
			if j := r.base(p.event); j >= 0 && !r.inOwn(j) {
				r.reverse(j, i)
			}
		}
	}
}

// base returns the event that j is glued to: a Choose is no scheduling point but
// happens right after the event that brought its goroutine there. It is -1 at the
// start of main.
func (r *analysis) base(j int32) int32 {
	for j >= 0 && r.log.Events[j].Kind == sched.OpChoose {
		j = r.prev[2*j]
	}
	return j
}

// selects reports whether event i is a select of its first goroutine's.
func (r *analysis) selects(i int32) bool {
	k := r.log.Events[i].Kind
	return k == sched.OpSelect || k == sched.OpTrySelect
}

func repeated(list []prior, p prior) bool {
	for _, q := range list {
		if q.event == p.event && q.rel == sched.Races && q.took == p.took {
			return true
		}
	}
	return false
}

// adjacent reports whether the race with p can be reversed directly: p is not in
// the later event's own past, no other event that it races with comes after p, and
// nothing that it needs does, unless it could have had what p took.
func (r *analysis) adjacent(i int32, p prior, preds []prior) bool {
	if r.inOwn(p.event) {
		return false
	}
	for _, q := range preds {
		switch {
		case q.object == -1 || r.inOwn(q.event):
		case (q.object == p.object || q.object == tickObject) && p.took && !q.took:
		case q.event == p.event && (q.rel == sched.Races || q.object == p.object):
		case r.happens(p.event, q.event):
			return false
		}
	}
	return true
}

func (r *analysis) inOwn(i int32) bool { return has(r.own, i) }

// reverse lets event i come before event j.
func (r *analysis) reverse(j, i int32) {
	e := r.eventAt(i)
	e.loose, e.ran = true, false
	room, ok := r.roomFor(j, i)
	switch enabled := !ok || r.enabledBy(i, j); {
	case enabled && r.hasDefault(i) && r.tookFrom(i, j):
		return
	case enabled:
		if !r.hasDefault(i) || r.readyBefore(i, j) {
			return
		}
		e.label, e.any, room = r.defaultOf(i), true, -1
	}
	need := r.pastOf(i)
	if r.log.Events[i].Kind == sched.OpAwait {
		need = r.all()
	}
	if room >= 0 {
		need = slices.Clone(need)
		union(need, r.pastOf(room))
	}
	if r.varied {
		r.planBeside(j, need, e)
	} else {
		r.plan(j, i, need, e)
	}
}

// all returns the set of all events. An event that may read other objects if it comes
// earlier does not tell which events it would then depend on; so it is tried after all
// that can come before it.
func (r *analysis) all() []uint64 {
	all := make([]uint64, r.w)
	for k := range all {
		all[k] = ^uint64(0)
	}
	return all
}

// enabledBy reports whether event j made event i possible as it happened: without
// j it could only have gone in another way.
func (r *analysis) enabledBy(i, j int32) bool {
	for _, p := range r.predecessors(i) {
		if p.event == j && p.rel == sched.Enables {
			return true
		}
	}
	return false
}

// tookFrom reports whether event j took what a case of the select of event i waits for.
// Before j it does not take its default but the case: see attempt.
func (r *analysis) tookFrom(i, j int32) bool {
	for k := range r.log.Attempts {
		a := &r.log.Attempts[k]
		if a.Event != i || a.G != r.log.Events[i].Label.G || a.Ready {
			continue
		}
		for _, b := range r.log.Accesses(int(j)) {
			if a.Access.Object == b.Object && r.table.Takes(b, a.Access) {
				return true
			}
		}
	}
	return false
}

// hasDefault reports whether event i is a select with default.
func (r *analysis) hasDefault(i int32) bool { return r.log.Events[i].Kind == sched.OpTrySelect }

// readyBefore reports whether the select of event i could have gone in another case
// already when event j, which made its own possible, had not happened: then it does so
// in another run, after j and before.
func (r *analysis) readyBefore(i, j int32) bool {
	l := r.log.Events[i].Label
	for k := range r.log.Attempts {
		a := &r.log.Attempts[k]
		if a.Event == i && a.G == l.G && a.Ready && a.Case != l.Case && a.Access.Class != sched.AccRendezvous && !r.touchedSince(j, i, a.Access.Object) {
			return true
		}
	}
	return false
}

// touchedSince reports whether event j, or one between it and i that comes of it,
// accessed the object.
func (r *analysis) touchedSince(j, i, object int32) bool {
	for _, t := range r.uses(object) {
		if t.event < i && r.happens(j, t.event) {
			return true
		}
	}
	return false
}

// defaultOf returns the label under which the select of event i takes its default.
func (r *analysis) defaultOf(i int32) sched.Label {
	l := r.log.Events[i].Label
	return r.names.stable(sched.Label{G: l.G, Op: l.Op, Case: -1, Partner: -1, PartnerOp: -1, PartnerCase: -1, Value: -1})
}

// roomFor returns the receive that a send on a channel, closed in event j before
// it, would have needed to find room; -1 if there was room, false if the send
// could not have come first.
func (r *analysis) roomFor(j, i int32) (int32, bool) {
	for _, a := range r.log.Accesses(int(i)) {
		if a.Class != sched.AccSendClosed || !r.closes(j, a.Object) {
			continue
		}
		if a.Need < 0 {
			return -1, true
		}
		for _, t := range r.uses(a.Object) {
			if t.access.Class == sched.AccRecv && t.access.Index == a.Need && !r.happens(j, t.event) {
				return t.event, true
			}
		}
		return -1, false
	}
	return -1, true
}

// closes reports whether event j closes the object.
func (r *analysis) closes(j, object int32) bool {
	for _, a := range r.log.Accesses(int(j)) {
		if a.Object == object && a.Class == sched.AccClose {
			return true
		}
	}
	return false
}

// plan inserts, where event j happened, the events after j that are in need and do
// not come of j, followed by e.
func (r *analysis) plan(j, end int32, need []uint64, e transition) {
	w := r.sequence[:0]
	r.planned = resized(r.planned, r.w)
	clear(r.planned)
	for x := j + 1; x < int32(r.n); x++ {
		if x == end || !r.needed(x, need) || r.happens(j, x) {
			continue
		}
		r.planned[x>>6] |= 1 << uint(x&63)
		w = append(w, r.eventAt(x))
	}
	r.sequence = append(w, e)
	r.s.insert(r.s.nodes[j], r.sequence)
}

// planBeside inserts, where event j happened, e after all events that neither come of j
// nor depend on e, and those in need. That is more than what e needs: among what sleeps
// at j may be something that e depends on only then.
func (r *analysis) planBeside(j int32, need []uint64, e transition) {
	w, n := r.sequence[:0], r.s.nodes[j]
	r.planned = resized(r.planned, r.w)
	clear(r.planned)
	for x := j + 1; x < int32(r.n); x++ {
		if r.happens(j, x) {
			continue
		}
		ev := r.eventAt(x)
		if has(need, x) || r.isPlanned(j, x) && !r.s.dependent(&e, &ev, n.objects, false) {
			r.planned[x>>6] |= 1 << uint(x&63)
			w = append(w, ev)
		}
	}
	r.sequence = append(w, e)
	r.s.insert(n, r.sequence)
}

// isPlanned reports whether all that x comes of directly and that comes after j is planned.
func (r *analysis) isPlanned(j, x int32) bool {
	for _, p := range r.predecessors(x) {
		if p.event > j && !has(r.planned, p.event) {
			return false
		}
	}
	return true
}

// planBoth inserts e where event j happened, both before and after the events that it
// races with and that do not come of j. Reversing their races finds all other orders; but
// either may be what something that sleeps seems to cover.
func (r *analysis) planBoth(j int32, need []uint64, e transition) {
	r.planBeside(j, need, e)
	context := make([]uint64, r.w)
	union(context, need)
	r.addContext(context, e.foot, func(x int32) bool { return x > j && !r.happens(j, x) && !r.takesPart(j, x, need, &e) })
	if !slices.Equal(context, append(need, make([]uint64, r.w-len(need))...)) {
		r.planBeside(j, context, e)
	}
}

// takesPart reports whether an event after j that x comes of, or x, is of a goroutine of
// e's and not one that e needs: then e is over when x happens.
func (r *analysis) takesPart(j, x int32, need []uint64, e *transition) bool {
	for y := j + 1; y <= x; y++ {
		if r.happens(y, x) && !has(need, y) && sharesGoroutine(r.names.stable(r.log.Events[y].Label), e.label) {
			return true
		}
	}
	return false
}

// alternatives lets the operations of each event go in the other ways that they had.
func (r *analysis) alternatives() {
	for i := range int32(r.n) {
		for _, e := range r.s.nodes[i].others {
			r.planBoth(i, nil, e)
		}
	}
}

// needed reports whether event x is in need, or a Choose glued to a planned event.
func (r *analysis) needed(x int32, need []uint64) bool {
	if has(need, x) {
		return true
	}
	return r.log.Events[x].Kind == sched.OpChoose && has(r.planned, r.prev[2*x])
}

func has(set []uint64, i int32) bool {
	return i >= 0 && int(i>>6) < len(set) && set[i>>6]>>uint(i&63)&1 == 1
}

func (r *analysis) eventAt(i int32) transition {
	ev := &r.log.Events[i]
	return transition{
		label: r.names.stable(ev.Label),
		foot:  r.log.Accesses(int(i)),
		wide:  r.log.Wide(int(i)),
		ran:   true,
		crash: ev.Crash,
	}
}

// arrival returns the event that brought the goroutine of an attempt to its
// operation.
func (r *analysis) arrival(a *sched.Attempt) int32 {
	if a.Event < 0 {
		r.seen(a.G)
		return r.last[a.G]
	}
	if r.log.Events[a.Event].Label.G == a.G {
		return r.prev[2*a.Event]
	}
	return r.prev[2*a.Event+1]
}

// attempts lets operations that are blocked at the end, and cases that a select
// could not take, come before what they race with.
func (r *analysis) attempts() {
	for i := range r.log.Attempts {
		a := &r.log.Attempts[i]
		if a.Access.Class == sched.AccRendezvous || a.Event >= 0 && a.Ready {
			continue
		}
		r.attempt(a)
	}
}

func (r *analysis) attempt(a *sched.Attempt) {
	end := a.Event
	if end < 0 {
		end = int32(r.n)
	}
	from := r.arrival(a)
	rivals := r.rivals(a, from, end)
	for _, j := range rivals {
		if r.latest(j, rivals) {
			e := transition{label: r.attemptLabel(a), foot: r.attemptFoot(nil, a), any: a.Case >= 0}
			e.wide = e.foot
			need := make([]uint64, r.w)
			union(need, r.needOf(from))
			r.addContext(need, e.foot, func(x int32) bool { return x < end && !r.happens(j, x) })
			r.plan(j, end, need, e)
		}
	}
}

// rivals lists the events before end that took what attempt a waited for and are
// not in the past of its arrival.
func (r *analysis) rivals(a *sched.Attempt, from, end int32) []int32 {
	var list []int32
	for _, t := range r.uses(a.Access.Object) {
		if t.event < end && !r.happens(t.event, from) && r.table.Takes(t.access, a.Access) {
			list = append(list, t.event)
		}
	}
	return list
}

// latest reports whether no other rival comes after j.
func (r *analysis) latest(j int32, rivals []int32) bool {
	for _, k := range rivals {
		if k != j && r.happens(j, k) {
			return false
		}
	}
	return true
}

// addContext adds to need the events that an operation with the given footprint
// depends on and that ok admits, with their pasts: it is to be tried in the context
// in which it was found, so that no order of the two is lost. What takes the same
// thing away stays out.
func (r *analysis) addContext(need []uint64, foot []sched.Access, ok func(x int32) bool) {
	for _, a := range foot {
		for _, t := range r.uses(a.Object) {
			if related(r.table, t.access, a) && !r.table.Rivals(t.access.Class, a.Class) && ok(t.event) {
				union(need, r.pastOf(t.event))
			}
		}
	}
}

func (r *analysis) needOf(i int32) []uint64 {
	if i < 0 {
		return nil
	}
	return r.pastOf(i)
}

// attemptFoot appends what attempt a would access: its object, and for a select
// the watch on the others; to be safe, whatever it might access there.
func (r *analysis) attemptFoot(buf []sched.Access, a *sched.Attempt) []sched.Access {
	buf = append(buf, a.Access)
	if a.Case < 0 {
		return buf
	}
	for i := range r.log.Attempts {
		if b := &r.log.Attempts[i]; b.G == a.G && b.Op == a.Op {
			watch := b.Access
			watch.Class = sched.AccWatch
			buf = append(buf, b.Access, watch)
		}
	}
	return buf
}

func (r *analysis) attemptLabel(a *sched.Attempt) sched.Label {
	return r.names.stable(sched.Label{G: a.G, Op: a.Op, Case: a.Case, Partner: -1, PartnerOp: -1, PartnerCase: -1, Value: -1})
}

// uncovered says what has happened that the relation does not cover, "" if nothing: see
// sched.Uncovered.
func (r *analysis) uncovered() string {
	for i := range int32(r.n) {
		for _, a := range r.log.Accesses(int(i)) {
			switch {
			case tries(a.Class) && (a.Uncovered() || r.meanwhile(i, a.Object, writes)):
				return "an RWMutex is tried to lock while others lock or unlock it for writing"
			case !tries(a.Class) && a.Uncovered() && r.meanwhile(i, a.Object, waits):
				return "a wait group is used again while somebody may still wait"
			}
		}
	}
	return ""
}

func tries(c sched.Class) bool { return c == sched.AccTryWLock || c == sched.AccTryWFail }

func writes(c sched.Class) bool { return c == sched.AccAnnounce || tries(c) }

func waits(c sched.Class) bool { return c == sched.AccWait }

// meanwhile reports whether some operation on the object, with an access of such a class,
// has neither ended before event i on it nor begun after it.
func (r *analysis) meanwhile(i, object int32, such func(sched.Class) bool) bool {
	before := make([]uint64, r.w)
	for _, p := range r.predecessors(i) {
		if p.object != object {
			union(before, r.pastOf(p.event))
		}
	}
	for _, t := range r.uses(object) {
		ended := t.event == i || before[t.event>>6]>>uint(t.event&63)&1 == 1
		if such(t.access.Class) && !ended && !r.happens(i, r.prev[2*t.event]) {
			return true
		}
	}
	for k := range r.log.Attempts {
		a := &r.log.Attempts[k]
		if such(a.Access.Class) && a.Access.Object == object && !r.happens(i, r.arrival(a)) {
			return true
		}
	}
	return false
}

// match looks for pairs of a send and a receive on an unbuffered channel that
// could have met but did not, because one of them, or a close, came first.
func (r *analysis) match() {
	for i := range r.log.Attempts {
		a := &r.log.Attempts[i]
		if a.Access.Class != sched.AccRendezvous || !a.Send {
			continue
		}
		for k := range r.log.Attempts {
			b := &r.log.Attempts[k]
			if b.Access == a.Access && !b.Send && b.G != a.G && !(a.Try && b.Try) {
				r.pair(a, b)
			}
		}
	}
}

func (r *analysis) pair(a, b *sched.Attempt) {
	fa, fb := r.arrival(a), r.arrival(b)
	if r.happens(a.Event, fb) || r.happens(b.Event, fa) {
		return
	}
	first := earlier(a.Event, b.Event)
	for _, t := range r.uses(a.Access.Object) {
		if t.access.Class == sched.AccClose {
			if r.happens(t.event, fa) || r.happens(t.event, fb) {
				return
			}
			first = earlier(first, t.event)
		}
	}
	label := r.pairLabel(a, b)
	if first < 0 || r.log.Events[first].Label == label {
		return
	}
	need := make([]uint64, r.w)
	union(need, r.needOf(fa))
	union(need, r.needOf(fb))
	e := transition{label: r.names.stable(label), foot: r.attemptFoot(r.attemptFoot(nil, a), b)}
	e.wide = e.foot
	r.planBoth(first, need, e)
}

// earlier returns the smaller event index; -1 stands for none.
func earlier(a, b int32) int32 {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	}
	return min(a, b)
}

// pairLabel is the label of the rendezvous of send a and receive b.
func (r *analysis) pairLabel(a, b *sched.Attempt) sched.Label {
	if b.Try {
		a, b = b, a
	}
	return sched.Label{G: a.G, Op: a.Op, Case: a.Case, Partner: b.G, PartnerOp: b.Op, PartnerCase: b.Case, Value: -1}
}

// crash lets everything that could have happened instead of the event that ended
// the run in a crash happen before it.
func (r *analysis) crash() {
	n := r.s.nodes[r.n-1]
	if n.tick {
		return
	}
	last := r.eventAt(int32(r.n - 1))
	for i := range r.s.enabled {
		e := r.s.enabled[i]
		if e.label == last.label {
			continue
		}
		w := []transition{e}
		if !conflict(r.table, &e, &last) {
			w = append(w, last) // whether it still crashes then may depend on others
		}
		r.s.insert(n, w)
	}
}

// cut lets what could still have happened when the run was cut happen as early as it
// could: a goroutine that goes round and round must not keep the others from their
// turn in all runs. What sleeps is woken then, for what it led to was cut.
func (r *analysis) cut() {
	for k := range r.s.enabled {
		e := &r.s.enabled[k]
		n := r.s.nodes[r.earliest(e)]
		if !n.tick && !n.has(e.label) {
			b := chain([]transition{*e}, n.objects)
			b.wake = true
			n.tree = append(n.tree, b)
		}
	}
}

// earliest returns the first node of the run from which e, pending at its end, depends
// on nothing any more, or the last node.
func (r *analysis) earliest(e *transition) int32 {
	arrived := int32(0)
	for _, g := range [2]int32{e.label.G, e.label.Partner} {
		if g >= 0 {
			g = r.names.back[g]
			r.seen(g)
			arrived = max(arrived, r.last[g]+1)
		}
	}
	last := int32(r.n - 1)
	i := last
	for i > arrived && !r.s.nodes[i-1].tick {
		if before := r.eventAt(i - 1); conflict(r.table, e, &before) {
			break
		}
		i--
	}
	for i < last && r.log.Events[i].Kind == sched.OpChoose {
		i++
	}
	return min(i, last)
}
