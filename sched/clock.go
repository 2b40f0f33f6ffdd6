package sched

// clock is a vector clock: for each goroutine of the run, by its number, up to which of
// its epochs everything that it did is known to have happened before. An epoch ends
// when its goroutine releases. Goroutines that are missing at the end have 0.
type clock []uint32

// at returns the component of goroutine i.
func (c clock) at(i int32) uint32 {
	if int(i) < len(c) {
		return c[i]
	}
	return 0
}

// grow makes room for goroutine i.
func (c *clock) grow(i int32) {
	for len(*c) <= int(i) {
		*c = append(*c, 0)
	}
}

// join makes c know what d knows.
func (c *clock) join(d clock) {
	c.grow(int32(len(d)) - 1)
	for i, n := range d {
		(*c)[i] = max((*c)[i], n)
	}
}

// set makes c know what d knows and nothing else.
func (c *clock) set(d clock) { *c = append((*c)[:0], d...) }

// Sync is a place where goroutines synchronise: what one releases there another one
// acquires, and with it everything that the former did before. The zero value is ready
// to use; what was released in one run is not acquired in another. Each object has some
// (see edges.go); a Sync of its own is for primitives which order only some of the
// operations on one object.
type Sync struct {
	run   uint64 // serial number of the run that clock belongs to
	clock clock
}

// current drops what an earlier run has left.
func (s *Sync) current(e *Engine) *Sync {
	if s.run != e.serial {
		s.run, s.clock = e.serial, s.clock[:0]
	}
	return s
}

// Acquire orders what g does from now on after what was released at s. Like Release it is
// called by g right after the step that it belongs to.
func (s *Sync) Acquire(g *G) {
	if e := g.e; e.tracking && (!e.special || e.looking == g && e.looks) {
		g.acquire(s)
	}
}

// Release orders what g did so far before what others do once they have acquired it at s.
// Overwrite does too, but hides what was released there before.
func (s *Sync) Release(g *G) {
	if g.e.tracking && !g.e.special {
		g.release(s, false)
	}
}

// Overwrite: see Release.
func (s *Sync) Overwrite(g *G) {
	if g.e.tracking && !g.e.special {
		g.release(s, true)
	}
}

func (g *G) acquire(s *Sync) { g.clock.join(s.current(g.e).clock) }

// release adds to what was released at s before, or replaces it.
func (g *G) release(s *Sync, replace bool) {
	s.current(g.e)
	if replace {
		s.clock.set(g.clock)
	} else {
		s.clock.join(g.clock)
	}
	g.clock[g.id]++
}

// meetClock orders what each of the two does from now on after what the other did so far.
func (g *G) meetClock(h *G) {
	g.clock.join(h.clock)
	h.clock.join(g.clock)
	g.clock[g.id]++
	h.clock[h.id]++
}

// track begins to keep clocks in this run. There is no need for that before the first
// variable is made: what orders two accesses is a chain of synchronisations that come
// after the first of them.
func (e *Engine) track() {
	if e.tracking || e.ignoreRaces {
		return
	}
	e.tracking, e.noted = true, true
	for _, g := range e.gs[:e.n] {
		g.firstEpoch(nil)
	}
}

// firstEpoch begins the clock of a goroutine, which starts after what its parent did
// so far.
func (g *G) firstEpoch(parent *G) {
	g.clock = g.clock[:0]
	if parent != nil {
		g.clock.set(parent.clock)
		parent.clock[parent.id]++
	}
	g.clock.grow(g.id)
	g.clock[g.id] = 1
}
