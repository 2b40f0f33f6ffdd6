package sched

// Data races: "A data race is defined as a write to a memory location happening
// concurrently with another read or write to that same location, unless all the
// accesses involved are atomic data accesses" (the Go memory model). They are looked
// for on the fly with the algorithm of FastTrack (Flanagan and Freund, PLDI 2009): a
// variable remembers its last write, and its last read, or the last of every goroutine
// when they are concurrent. A run that has races is one in which the algorithm finds
// the first on each variable, and one that has none is one in which it finds none. A
// race does not end the run: the rest of it is sequentially consistent still.

// access is one access to a variable. The zero value is none.
type access struct {
	by    *G
	epoch uint32 // of by
	step  int
	site  Site // capture
}

// before reports whether the access happened before what g does now.
func (a *access) before(g *G) bool {
	return a.by == nil || a.epoch <= g.clock.at(a.by.id)
}

// history is what is remembered about a variable. It belongs to one run.
type history struct {
	run   uint64
	raced bool // one race on it was reported, and is enough
	write access
	read  access   // the last, and later than all others, unless reads is in use
	reads []access // the last of every goroutine by number, empty while they are ordered
}

// race is a data race that has shown.
type race struct {
	object                    *Object
	first, second             access
	firstWrites, secondWrites bool
}

// checkAccess looks whether the access of g to o, just made, races with earlier ones.
func (e *Engine) checkAccess(g *G, o *Object, write bool) {
	h := &o.history
	if h.run != e.serial {
		*h = history{run: e.serial, reads: h.reads[:0]}
	}
	now := access{by: g, epoch: g.clock[g.id], step: e.steps}
	if e.capture {
		now.site = g.site
	}
	if write {
		e.checkWrite(o, now)
	} else {
		e.checkRead(o, now)
	}
}

func (e *Engine) checkRead(o *Object, now access) {
	h, g := &o.history, now.by
	if !h.write.before(g) {
		e.raced(o, h.write, true, now, false)
	}
	switch {
	case len(h.reads) > 0:
		h.remember(now)
	case h.read.before(g):
		h.read = now
	default:
		h.remember(h.read)
		h.remember(now)
	}
}

// remember notes a read that is concurrent with others.
func (h *history) remember(a access) {
	for len(h.reads) <= int(a.by.id) {
		h.reads = append(h.reads, access{})
	}
	h.reads[a.by.id] = a
}

func (e *Engine) checkWrite(o *Object, now access) {
	h, g := &o.history, now.by
	if !h.write.before(g) {
		e.raced(o, h.write, true, now, true)
	}
	if !h.read.before(g) {
		e.raced(o, h.read, false, now, true)
	}
	for i := range h.reads {
		if r := &h.reads[i]; !r.before(g) {
			e.raced(o, *r, false, now, true)
		}
	}
	h.write, h.read, h.reads = now, access{}, h.reads[:0]
}

// raced notes a race, the first on its variable.
func (e *Engine) raced(o *Object, first access, firstWrites bool, second access, secondWrites bool) {
	if o.history.raced {
		return
	}
	o.history.raced = true
	e.races = append(e.races, race{o, first, second, firstWrites, secondWrites})
}

// raceSymptoms is the part of the symptoms that data races are; their order is none.
func (e *Engine) raceSymptoms() (sum uint64) {
	for _, r := range e.races {
		sum += mix(mix(r.first.symptom(r.firstWrites), r.second.symptom(r.secondWrites)), r.object.identity())
	}
	return sum
}

func (a *access) symptom(writes bool) uint64 {
	if writes {
		return a.by.pathHash + 1
	}
	return a.by.pathHash
}

// explainRaces lists the data races in the order in which they showed.
func (e *Engine) explainRaces() []Finding {
	var fs []Finding
	for _, r := range e.races {
		a, b := r.first, r.second
		fs = append(fs, Finding{
			Kind: DataRace, Goroutine: b.by.Path(), Name: b.by.name,
			Op: accessName(r.secondWrites), Object: r.object.describe(),
			Site: b.site, ObjectSite: r.object.info.site, Since: b.step,
			Other: &OtherAccess{
				Goroutine: a.by.Path(), Name: a.by.name, Op: accessName(r.firstWrites), Site: a.site, Step: a.step,
			},
		})
	}
	return fs
}

func accessName(write bool) string {
	if write {
		return OpWrite.String()
	}
	return OpRead.String()
}
