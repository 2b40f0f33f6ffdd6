package explore

import (
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

// dpor is optimal dynamic partial order reduction: it runs one schedule of every
// trace class and, as far as the dependency relation is exact, no other. It
// follows Abdulla, Aronis, Jonsson, Sagonas, "Source Sets: A Foundation for
// Optimal Dynamic Partial Order Reduction" (JACM 2017), with wakeup trees; the
// sequences that go into them have only the causal past of the reversed event, as
// in "Parsimonious Optimal DPOR" (Abdulla, Atig, Das, Jonsson, Sagonas, CAV 2024).
//
// Where it leaves the papers:
//
//   - An operation may have several alternatives (partners, cases, values). Each
//     is a transition of its own; those of one operation depend on each other, and
//     taking one puts the others into the tree (expand).
//   - Whether a goroutine has arrived at a rendezvous is no event, so no race tells
//     that another partner could have come first. Such pairs are looked for at the
//     end of a run (races.match).
//   - Operations that are still blocked when a run is over, and select cases that
//     did not go, might have gone earlier (races.attempts).
//   - A crash ends the run, so the event that it follows depends on all others.
type dpor struct {
	nodes  []*node // nodes[i] is the state before event i of the current run
	fixed  int     // the run has to repeat the branches taken at nodes[:fixed]
	misfit bool    // the current run could not follow its tree
	common int     // so many events are the same as in the run analysed last

	naming
	table *sched.Table
	// volatile are the operations after which a run was seen to crash. Nothing is
	// independent of a crash, and so of what may crash.
	volatile map[operation]bool

	enabled []transition // scratch: what could happen at the last node
	buf     []sched.Access
	races   analysis
	done    bool
	careful bool                // see sched.Engine.CrossUnlocks
	err     error               // the program is not deterministic
	classes map[uint64]struct{} // of all runs
	dporStats

	// unreduced takes over, for that reason, when what the program does cannot be
	// told by a relation between two events: whether a timer still fires depends on
	// whether a goroutine can go on, and what using a wait group too early does on
	// when a Wait began.
	unreduced *brute
	reason    string
}

// dporStats counts what a search did.
type dporStats struct {
	runs    int // schedules run to their end
	blocked int // runs given up because everything left was explored before
	misfits int // runs that could not go where a reversed race pointed
	events  int
	cut     int    // runs that reached the step bound
	fair    bool   // a goroutine that polled in vain had to wait
	trace   uint64 // the class of the last run
}

// node is a state on the path that is being explored.
type node struct {
	tick    bool         // the clock moves here, nothing is chosen
	sleep   []transition // transitions whose classes were explored from here
	tree    []*branch
	others  []transition // other ways in which what the first branch executes could go
	objects int          // objects that existed
	done    int          // branches explored
}

// branch is a node of a wakeup tree: an event to try, and what to try after it.
// At a node of the path the first branch is the one being explored.
type branch struct {
	transition
	base  int // objects numbered below are the same in every run through here
	begun bool
	wake  bool // nothing sleeps after it
	kids  []*branch
}

// transition is a way in which a pending operation happens, with
// goroutines numbered by spawn path.
type transition struct {
	label sched.Label
	foot  []sched.Access
	wide  []sched.Access // and in any other way in which the operation could go
	any   bool           // another alternative of the same operation will do
	loose bool           // where it is to be tried it may do anything in wide
	ran   bool           // it was executed just as it stands here
	crash bool           // and the run crashed
}

// kept returns e with footprints of its own.
func (e *transition) kept() transition {
	own := *e
	list := make([]sched.Access, 0, len(e.foot)+len(e.wide))
	list = append(append(list, e.foot...), e.wide...)
	n := len(e.foot)
	own.foot, own.wide = list[:n:n], list[n:]
	return own
}

func newDPOR(t *sched.Table) *dpor {
	return &dpor{table: t, races: analysis{table: t}, classes: map[uint64]struct{}{}, naming: newNaming(), volatile: map[operation]bool{}}
}

// Begin prepares the next schedule.
func (s *dpor) Begin(run uint64) bool {
	if s.unreduced != nil {
		return s.unreduced.Begin(run)
	}
	if s.done {
		return false
	}
	s.misfit = false
	s.common = min(s.common, max(s.fixed-1, 0))
	s.naming.begin()
	return true
}

// Pick follows the path to the branch that is to be explored, then the tree, then
// anything that was not explored.
func (s *dpor) Pick(p *sched.Point) sched.Choice {
	if s.unreduced != nil {
		return s.unreduced.Pick(p)
	}
	s.meet(p.Log())
	d := len(p.Log().Events)
	if d < s.fixed-1 {
		return s.repeat(p, s.nodes[d])
	}
	s.survey(p)
	if d == s.fixed-1 {
		return s.take(p, s.nodes[d])
	}
	for len(s.nodes) < d {
		s.addNode().tick = true
	}
	n := s.addNode()
	n.objects = p.Objects()
	if d > 0 {
		s.inherit(n, s.nodes[d-1], p.Log(), d-1)
	}
	return s.take(p, n)
}

// addNode appends a node to the path: one that was there before, if possible.
func (s *dpor) addNode() *node {
	k := len(s.nodes)
	if k < cap(s.nodes) {
		s.nodes = s.nodes[:k+1]
		if n := s.nodes[k]; n != nil {
			*n = node{sleep: n.sleep[:0], others: n.others[:0]}
			return n
		}
		s.nodes[k] = &node{}
		return s.nodes[k]
	}
	s.nodes = append(s.nodes, &node{})
	return s.nodes[k]
}

// survey lists what could happen now, the default first.
func (s *dpor) survey(p *sched.Point) {
	s.enabled, s.buf = s.enabled[:0], s.buf[:0]
	def := p.Default().G
	s.surveyOf(p, def)
	for i := range p.Len() {
		if g := p.At(i); g != def {
			s.surveyOf(p, g)
		}
	}
}

func (s *dpor) surveyOf(p *sched.Point, g int32) {
	for a := range int32(p.Alternatives(g)) {
		c := sched.Choice{G: g, Alt: a}
		label := s.stable(p.Label(c))
		if !s.listed(label) {
			i := len(s.buf)
			s.buf = p.Footprint(s.buf, c)
			k := len(s.buf)
			s.buf = p.Wide(s.buf, c)
			s.enabled = append(s.enabled, transition{label: label, foot: s.buf[i:k:k], wide: s.buf[k:len(s.buf):len(s.buf)]})
		}
	}
}

// listed reports whether label was found already, from the other side of the
// rendezvous.
func (s *dpor) listed(label sched.Label) bool {
	for i := range s.enabled {
		if s.enabled[i].label == label {
			return true
		}
	}
	return false
}

// inherit sets up the node after event i: what sleeps and does not depend on the
// event goes on sleeping, and the tree below the event's branch is to be followed.
func (s *dpor) inherit(n, parent *node, log *sched.Log, i int) {
	if parent.tick {
		return
	}
	taken := parent.tree[0]
	if foot := log.Accesses(i); !slices.Equal(taken.foot, foot) {
		taken.foot = slices.Clone(foot)
	}
	for _, q := range parent.sleep {
		if !taken.wake && !s.dependent(&q, &taken.transition, parent.objects, false) {
			n.sleep = append(n.sleep, q)
		}
	}
	n.tree, taken.kids = taken.kids, nil
}

// repeat takes the same branch as in the runs before.
func (s *dpor) repeat(p *sched.Point, n *node) sched.Choice {
	if !n.tick {
		if c, ok := s.find(p, n.tree[0].label); ok {
			return c
		}
	}
	s.err = errDiverged
	return sched.Abandon
}

// take begins the first branch of n, making one if there is none.
func (s *dpor) take(p *sched.Point, n *node) sched.Choice {
	e := s.first(n)
	if e == nil {
		s.blocked++
		return sched.Abandon
	}
	if len(n.tree) == 0 {
		n.tree = append(n.tree, &branch{})
	}
	b := n.tree[0]
	b.transition = e.kept()
	b.base, b.begun, b.ran = n.objects, true, true
	s.expand(n)
	c, _ := s.find(p, b.label)
	return c
}

// first returns the event to begin with at n: the tree's, else one that does not
// sleep; nil if all do.
func (s *dpor) first(n *node) *transition {
	s.settle(n)
	if len(n.tree) > 0 {
		b := n.tree[0]
		if e := s.matching(n, &b.transition); e != nil {
			return e
		}
		s.misfit = true
		n.tree[0] = &branch{}
	}
	for i := range s.enabled {
		if !asleep(n, &s.enabled[i]) {
			return &s.enabled[i]
		}
	}
	if s.misfit && len(n.tree) > 0 {
		n.tree = n.tree[1:]
	}
	return nil
}

// matching finds the enabled event that e asks for.
func (s *dpor) matching(n *node, e *transition) *transition {
	for i := range s.enabled {
		if f := &s.enabled[i]; f.label == e.label && !(e.any && asleep(n, f)) {
			return f
		}
	}
	if !e.any {
		return nil
	}
	for i := range s.enabled {
		if f := &s.enabled[i]; sameOperation(f.label, e.label) && !asleep(n, f) {
			return f
		}
	}
	return nil
}

func sameOperation(a, b sched.Label) bool { return a.G == b.G && a.Op == b.Op }

// has reports whether label is to be explored from n, or was.
func (n *node) has(label sched.Label) bool {
	for _, b := range n.tree {
		if b.label == label {
			return true
		}
	}
	for i := range n.sleep {
		if n.sleep[i].label == label {
			return true
		}
	}
	return false
}

func asleep(n *node, e *transition) bool {
	for i := range n.sleep {
		if n.sleep[i].label == e.label {
			return true
		}
	}
	return false
}

// expand notes the other alternatives of the operations that the first branch of n
// executes, for the end of the run. The values of a Choose come into the tree at once,
// whatever sleeps: a Choose depends on nothing, and so what sleeps says nothing of what
// comes after another value.
func (s *dpor) expand(n *node) {
	taken := n.tree[0].label
	n.others = n.others[:0]
	for i := range s.enabled {
		e := &s.enabled[i]
		switch {
		case e.label == taken || !sharesOperation(e.label, taken):
		case !s.choosing():
			n.others = append(n.others, e.kept())
		case !n.has(e.label):
			n.tree = append(n.tree, chain([]transition{*e}, n.objects))
		}
	}
}

// sharesOperation reports whether two labels execute an operation in common.
func sharesOperation(a, b sched.Label) bool {
	return sameOperation(a, b) ||
		a.Partner >= 0 && (a.Partner == b.G && a.PartnerOp == b.Op || a.Partner == b.Partner && a.PartnerOp == b.PartnerOp) ||
		b.Partner >= 0 && b.Partner == a.G && b.PartnerOp == a.Op
}

// End looks for races in the run that ended and goes back to the deepest node with
// a branch left.
func (s *dpor) End(r *sched.Result) {
	switch {
	case s.unreduced != nil:
		s.unreduced.End(r)
		return
	case r.Log.Eager:
		s.giveUpReduction("timers may fire at any moment")
		return
	case r.Log.Counted:
		s.giveUpReduction("the program counts its goroutines")
		return
	case s.err != nil, r.Outcome == sched.Misuse:
		s.done = true
		return
	case r.Outcome != sched.Abandoned && !s.finish(r):
		return
	}
	s.backtrack()
}

// giveUpReduction begins the search anew, with brute force.
func (s *dpor) giveUpReduction(reason string) {
	*s = *newDPOR(s.table)
	s.unreduced, s.reason = &brute{}, reason
}

// longCut is how many events a run that is cut at the step bound may have for the
// search to go on behind it: it is bounded anyway, and the races of a longer one would
// take minutes to look for.
const longCut = 4000

// finish looks for races; false when the search begins anew.
func (s *dpor) finish(r *sched.Result) bool {
	s.meet(r.Log)
	if r.Log.CrossUnlocks && !s.careful {
		*s = *newDPOR(s.table) // the engine sees more dependencies from now on
		s.careful = true
		return false
	}
	s.runs++
	if s.misfit {
		s.misfits++
	}
	s.events += len(r.Log.Events)
	s.fair = s.fair || r.HeldBack
	if r.Outcome == sched.StepBound {
		s.cut++
		if len(r.Log.Events) > longCut {
			s.done = true
			return false
		}
	}
	for len(s.nodes) < len(r.Log.Events) {
		s.addNode().tick = true
	}
	if k := len(r.Log.Events) - 1; k >= 0 && r.Log.Events[k].Crash {
		s.noteCrash(s.stable(r.Log.Events[k].Label))
		if n := s.nodes[k]; !n.tick {
			n.tree[0].crash = true
		}
	}
	s.races.find(s, r.Log, s.common, r.Outcome == sched.StepBound)
	s.common = len(r.Log.Events)
	if reason := s.races.uncovered(); reason != "" {
		s.giveUpReduction(reason)
		return false
	}
	s.classes[s.trace] = struct{}{}
	return true
}

func (s *dpor) backtrack() {
	for i := len(s.nodes) - 1; i >= 0; i-- {
		n := s.nodes[i]
		if !n.tick && len(n.tree) > 0 {
			if b := n.tree[0]; b.begun {
				n.sleep = append(n.sleep, b.transition)
				n.tree = n.tree[1:]
				n.done++
			}
			if len(n.tree) > 0 {
				s.nodes, s.fixed = s.nodes[:i+1], i+1
				return
			}
		}
	}
	s.nodes, s.fixed, s.done = s.nodes[:0], 0, true
}

// insert adds the sequence w, to be run from n, to n's tree, unless what it leads
// to was explored or is in the tree already.
//
// A leaf stands for all that can come after it, and so w need not go below it, if all
// operations go in just one way. If not, w does: what sleeps below the leaf may seem to
// cover the beginning of w, and go in another way at its end.
func (s *dpor) insert(n *node, w []transition) {
	if n.tick || len(w) == 0 {
		return
	}
	for i := range n.sleep {
		if _, ok := s.initial(&n.sleep[i], w, n.objects); ok {
			return
		}
	}
	list := &n.tree
	for {
		next, rest, found := (*branch)(nil), w, false
		for _, b := range *list {
			if k, ok := s.initial(&b.transition, w, b.base); ok {
				next, found = b, true
				if k >= 0 {
					rest = append(append([]transition(nil), w[:k]...), w[k+1:]...)
				}
				break
			}
		}
		if !found {
			break
		}
		if w = rest; len(w) == 0 || len(next.kids) == 0 && !(s.races.varied && !next.begun) {
			return
		}
		list = &next.kids
	}
	*list = append(*list, chain(w, n.objects))
}

// chain turns a sequence into a branch with a single path. The sequence may be the
// log's; the branch outlives it.
func chain(w []transition, base int) *branch {
	root := &branch{transition: w[0].kept(), base: base}
	for b, i := root, 1; i < len(w); i++ {
		kid := &branch{transition: w[i].kept(), base: base}
		b.kids = append(b.kids, kid)
		b = kid
	}
	return root
}

// initial reports whether q is a weak initial of w: q could come first, be it that
// w has it, at index k, with nothing before that it depends on, or that it does
// not depend on anything in w (k is -1).
func (s *dpor) initial(q *transition, w []transition, base int) (k int, ok bool) {
	for i := range w {
		e := &w[i]
		if q.label == e.label {
			return i, true
		}
		if s.dependent(q, e, base, true) {
			return 0, false
		}
	}
	return -1, true
}

// dependent reports whether swapping the two events might matter. If q comes from
// another run, objects numbered from base on may be the same or not: then they
// count as the same. And q then stands for its whole operation, which might go in
// another way after e.
func (s *dpor) dependent(q, e *transition, base int, otherRun bool) bool {
	if len(s.volatile) > 0 && (s.mayCrash(q) || s.mayCrash(e)) {
		return true
	}
	if !otherRun {
		return conflict(s.table, q, e)
	}
	if sharesGoroutine(q.label, e.label) {
		return true
	}
	foot := e.foot
	if e.loose {
		foot = e.wide
	}
	own := q.foot
	if q.loose || q.any {
		own = q.wide
	}
	for _, a := range own {
		for _, b := range foot {
			if int(a.Object) >= base && int(b.Object) >= base {
				b.Object = a.Object
			}
			if related(s.table, a, b) {
				return true
			}
		}
	}
	return false
}

// conflict reports whether the two events, of one run, depend on each other by
// what they do.
func conflict(t *sched.Table, q, e *transition) bool {
	if sharesGoroutine(q.label, e.label) {
		return true
	}
	for _, a := range q.foot {
		for _, b := range e.foot {
			if related(t, a, b) {
				return true
			}
		}
	}
	return false
}

func related(t *sched.Table, a, b sched.Access) bool {
	if a.Class == sched.AccDone && b.Class == sched.AccDone && a.Object == b.Object && b.Need == sched.LastDone {
		return true
	}
	return t.Relate(a, b) != sched.Independent || t.Relate(b, a) != sched.Independent
}

// operation is one operation of a goroutine, by its number.
type operation struct{ g, op int32 }

func (s *dpor) noteCrash(l sched.Label) {
	for _, op := range [2]operation{{l.G, l.Op}, {l.Partner, l.PartnerOp}} {
		s.volatile[op] = true
	}
}

// mayCrash reports whether a run crashes after t. If t was not executed where it stands,
// or gives something back, which the table takes to be independent of another giving
// back and only one of which may be right, that is whether a run was seen to crash after
// one of the operations that it executes.
func (s *dpor) mayCrash(t *transition) bool {
	if t.ran && !slices.ContainsFunc(t.foot, givesBack) {
		return t.crash
	}
	l := t.label
	return s.volatile[operation{l.G, l.Op}] || l.Partner >= 0 && s.volatile[operation{l.Partner, l.PartnerOp}]
}

func givesBack(a sched.Access) bool {
	switch a.Class {
	case sched.AccUnlock, sched.AccWUnlock, sched.AccRUnlock, sched.AccRUnlockOther, sched.AccDone:
		return true
	}
	return false
}

func sharesGoroutine(a, b sched.Label) bool {
	return a.G == b.G || a.G == b.Partner || a.Partner >= 0 && (a.Partner == b.G || a.Partner == b.Partner)
}

// progress estimates how much of the search is done, from 0 to 1: each node on the
// path counts its branches as equally large. New branches may still be found, so
// it can go back.
func (s *dpor) progress() float64 {
	if s.done {
		return 1
	}
	sum, share := 0.0, 1.0
	for _, n := range s.nodes[:s.fixed] {
		if n.tick {
			continue
		}
		share /= float64(n.done + len(n.tree))
		sum += share * float64(n.done)
	}
	return sum
}
