package explore

import (
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

// scout is the random walk of schedule 0. Its run is logged, and so it is asked even
// where only one thing can happen; it makes the same choices as if it were not.
type scout struct {
	Random
	decisions int     // between goroutines
	learned   *lesson // what the run told, if it was another process's
}

func newScout(seed uint64) *scout {
	s := &scout{Random: *NewRandom(seed)}
	s.Begin(0)
	return s
}

func (s *scout) Pick(p *sched.Point) sched.Choice {
	if c, forced := p.Forced(); forced {
		return c
	}
	if p.Len() > 1 {
		s.decisions++
	}
	return s.Random.Pick(p)
}

// profile returns what the run r that the scout has chosen tells.
func (s *scout) profile(r *sched.Result) *profile {
	if s.learned != nil {
		return s.learned.profile()
	}
	p := newProfile(r.Log)
	p.decisions = s.decisions
	p.flips = flipsOf(r.Log, &s.rng)
	return p
}

// profile is what strategies learn from schedule 0, a random walk: which operations
// each goroutine executed and on what. Another schedule's goroutines are recognised
// by their spawn paths, and their operations by number.
type profile struct {
	decisions int // between goroutines
	routines  []routine
	byPath    map[uint64]int32 // index in routines by hash of the spawn path
	shared    []use
	flips     []flip
}

// use says that a routine uses an object that others use too and no lock guards.
type use struct{ routine, object int32 }

// routine is a goroutine of schedule 0.
type routine struct {
	parent  int32   // -1 for main
	born    int     // operations of the parent before it was created
	objects []int32 // by operation: the object it is interesting for, -1 for none
}

// newProfile makes a profile from the log of schedule 0.
func newProfile(log *sched.Log) *profile {
	p := &profile{byPath: make(map[uint64]int32, len(log.Paths))}
	for g, path := range log.Paths {
		p.byPath[path] = int32(g)
		p.routines = append(p.routines, routine{parent: log.Parents[g]})
	}
	guards := newGuards(len(log.Paths))
	born := 0 // the next goroutine to be created
	birth := func(events int) {
		for ; born < len(log.Born) && int(log.Born[born]) < events; born++ {
			if r := &p.routines[born]; r.parent >= 0 {
				r.born = len(p.routines[r.parent].objects)
			}
		}
	}
	for i, ev := range log.Events {
		birth(i)
		if ev.Kind == sched.OpNone {
			continue
		}
		object := interesting(ev.Kind, log.Accesses(i))
		p.did(ev.Label.G, object)
		p.did(ev.Label.Partner, object)
		guards.see(ev.Label.G, born > 1, log.Accesses(i))
	}
	birth(len(log.Events))
	p.share(guards)
	return p
}

func (p *profile) did(g, object int32) {
	if g >= 0 {
		r := &p.routines[g]
		r.objects = append(r.objects, object)
	}
}

// interesting returns the object that an operation is about, -1 if it settles
// nothing.
func interesting(k sched.OpKind, accesses []sched.Access) int32 {
	if settled(k) {
		return -1
	}
	for _, a := range accesses {
		if a.Class != sched.AccWatch { // a select is about the case that it took
			return a.Object
		}
	}
	return -1
}

// settled reports whether others decide on an operation's place in the order: a
// release comes after its acquire, the clock before what is due, a Wait after every
// Done, and these commute.
func settled(k sched.OpKind) bool {
	switch k {
	case sched.OpUnlock, sched.OpWUnlock, sched.OpRUnlock, sched.OpAcquire, sched.OpOnceExit, sched.OpCondWait, sched.OpUnhold,
		sched.OpAdd, sched.OpWait, sched.OpFire, sched.OpNow, sched.OpSleep, sched.OpSleeping:
		return true
	}
	return false
}

// guards has for each object the locks that were held whenever it was used, once main
// was not alone any more. If there are any, the order in which these are taken
// settles the order on the object (the lock sets of Savage and others, "Eraser: a
// dynamic data race detector for multithreaded programs", TOCS 1997).
type guards struct {
	common map[int32][]int32 // by object
	held   [][]int32         // by goroutine: the locks that it holds now
}

func newGuards(goroutines int) guards {
	return guards{common: map[int32][]int32{}, held: make([][]int32, goroutines)}
}

// see notes an operation of g; others tells whether main is not alone any more.
func (s guards) see(g int32, others bool, accesses []sched.Access) {
	held := s.held[g]
	for _, a := range accesses {
		switch a.Class {
		case sched.AccUnlock, sched.AccWUnlock, sched.AccRUnlock, sched.AccRUnlockOther:
			held = slices.DeleteFunc(held, func(l int32) bool { return l == a.Object })
		default:
			if others {
				s.meet(a.Object, held)
			}
		}
		switch a.Class {
		case sched.AccLock, sched.AccTryLock, sched.AccAcquire, sched.AccTryWLock, sched.AccRLock, sched.AccTryRLock:
			held = append(held, a.Object)
		}
	}
	s.held[g] = held
}

// meet takes from the object's common locks those that are not held now.
func (s guards) meet(object int32, held []int32) {
	before, seen := s.common[object]
	if !seen {
		s.common[object] = slices.Clone(held)
		return
	}
	s.common[object] = slices.DeleteFunc(before, func(l int32) bool { return !slices.Contains(held, l) })
}

// share lists who uses objects that more than one goroutine uses and no lock guards.
func (p *profile) share(s guards) {
	users := map[int32]int{}
	seen := map[use]bool{}
	for g := range p.routines {
		from := 0
		if g == 0 && len(p.routines) > 1 {
			from = p.routines[1].born // main was alone until then
		}
		for _, object := range p.routines[g].objects[from:] {
			if u := (use{int32(g), object}); object >= 0 && len(s.common[object]) == 0 && !seen[u] {
				seen[u] = true
				p.shared = append(p.shared, u)
				users[object]++
			}
		}
	}
	p.shared = slices.DeleteFunc(p.shared, func(u use) bool { return users[u.object] == 1 })
}

// everything stands for all objects, and none.
const everything = -1

// countdown says for every routine how many of the operations that count are still
// to come, its own and those of the goroutines that it has yet to start:
// countdown[r][i] where r has executed i operations.
type countdown [][]int32

// countDown fills c with the operations on object, or everything.
func (p *profile) countDown(c countdown, object int32) countdown {
	for len(c) < len(p.routines) {
		c = append(c, nil)
	}
	for g := range p.routines {
		r := &p.routines[g]
		c[g] = resized(c[g], len(r.objects)+1)
		clear(c[g])
		for i, o := range r.objects {
			if object == everything || o == object {
				c[g][i]++
			}
		}
	}
	for g := len(p.routines) - 1; g >= 0; g-- { // children before their parents
		for i := len(c[g]) - 2; i >= 0; i-- {
			c[g][i] += c[g][i+1]
		}
		if r := p.routines[g]; r.parent >= 0 && r.born > 0 {
			c[r.parent][r.born-1] += c[g][0]
		}
	}
	return c
}

// cast tells which routine of the profile each goroutine of the present run is.
type cast struct {
	profile *profile
	roles   []int32 // by goroutine; -1 if the profile has none
}

func (c *cast) begin() { c.roles = c.roles[:0] }

func (c *cast) role(p *sched.Point, g int32) int32 {
	for next := int32(len(c.roles)); next <= g; next++ {
		r, ok := c.profile.byPath[p.PathHash(next)]
		if !ok {
			r = -1
		}
		c.roles = append(c.roles, r)
	}
	return c.roles[g]
}

// left returns what the countdown says about g, 0 for operations that schedule 0
// did not have.
func (c *cast) left(p *sched.Point, n countdown, g int32) int {
	r := c.role(p, g)
	if r < 0 {
		return 0
	}
	if op := p.OpIndex(g); op < len(n[r]) {
		return int(n[r][op])
	}
	return 0
}
