package sched

import "unsafe"

// Data races: "A data race is defined as a write to a memory location happening
// concurrently with another read or write to that same location, unless all the
// accesses involved are atomic data accesses" (the Go memory model). They are looked
// for on the fly as in FastTrack (Flanagan and Freund, PLDI 2009): an access is an epoch
// of its goroutine, and a variable remembers its last write, since that comes after all
// others as long as there was no race, and the reads after it. Unlike there it remembers
// the last read of every goroutine also while these are ordered: then all schedules of
// one trace class show the same accesses.
//
// A run has a race on a variable if and only if the first one on it is found. It does not
// end the run, whose rest is sequentially consistent still.

// access is one access to a variable. The zero value is none.
type access struct {
	by    *G
	epoch uint32 // of by
	write bool
	step  int
	site  Site // capture
}

// before reports whether the access, if any, happened before what g does now.
func (a *access) before(g *G) bool {
	return a.by == nil || a.epoch <= g.clock.at(a.by.id)
}

// history is what is remembered about a variable. It belongs to one run.
type history struct {
	run   uint64
	about *Object  // the variable; nil for an ordinary one
	name  string   // of that
	raced int      // the race on it has this number in Engine.races, from 1; one is enough
	write access   // the last
	reads []access // since then: the last of every goroutine, by number
}

// race is a data race that has shown.
type race struct {
	variable      *history
	first, second access
}

// checkAccess looks whether the access of g to o, just made, races with earlier ones.
func (e *Engine) checkAccess(g *G, o *Object, write bool) {
	h := &o.history
	if h.run != e.serial {
		*h = history{run: e.serial, about: o, reads: h.reads[:0]}
	}
	h.check(access{by: g, epoch: g.clock[g.id], write: write, step: e.steps, site: g.site})
}

// Access tells of an access of the goroutine to an ordinary variable: it is no step, but
// may be a part of a data race. P is the address, name what reports call the variable.
// Variables that overlap have to be told of by the same address.
func (g *G) Access(p unsafe.Pointer, name string, write bool) {
	e := g.e
	if e.special || e.ignoreRaces {
		return
	}
	e.track()
	h := e.ordinary[p]
	if h == nil {
		if e.ordinary == nil {
			e.ordinary = map[unsafe.Pointer]*history{}
		}
		h = &history{run: e.serial, name: name}
		e.ordinary[p] = h
	}
	now := access{by: g, epoch: g.clock[g.id], write: write, step: e.steps}
	if e.capture {
		now.site = g.callSite()
	}
	h.check(now)
}

// check looks whether the access now races with earlier ones, and remembers it.
func (h *history) check(now access) {
	g := now.by
	if first := h.rival(g, now.write); first != nil {
		g.e.raced(h, *first, now)
	}
	if now.write {
		h.write, h.reads = now, h.reads[:0]
		return
	}
	for len(h.reads) <= int(g.id) {
		h.reads = append(h.reads, access{})
	}
	h.reads[g.id] = now
}

// rival returns the access that races with what g does now, nil if there is none: the
// last write, or else a read, of those that do the one whose goroutine comes first.
func (h *history) rival(g *G, write bool) *access {
	if !h.write.before(g) {
		return &h.write
	}
	if !write {
		return nil
	}
	var first *access
	for i := range h.reads {
		if r := &h.reads[i]; !r.before(g) && (first == nil || comparePaths(r.by, first.by) < 0) {
			first = r
		}
	}
	return first
}

// raced notes the first race on a variable. Of several reads that race with the same
// write it is that of the goroutine which comes first.
func (e *Engine) raced(h *history, first, second access) {
	r := race{h, first, second}
	if k := h.raced; k > 0 {
		known := &e.races[k-1]
		if !second.write && !known.second.write && known.first.step == first.step && comparePaths(second.by, known.second.by) < 0 {
			*known = r
		}
		return
	}
	e.races = append(e.races, r)
	h.raced = len(e.races)
}

// raceSymptoms is the part of the symptoms that data races are; their order is none.
func (e *Engine) raceSymptoms() (sum uint64) {
	for _, r := range e.races {
		sum += mix(mix(r.first.symptom(), r.second.symptom()), r.variable.identity())
	}
	return sum
}

func (a *access) symptom() uint64 {
	if a.write {
		return a.by.pathHash + 1
	}
	return a.by.pathHash
}

// explainRaces lists the data races in the order in which they showed.
func (e *Engine) explainRaces() []Finding {
	var fs []Finding
	for _, r := range e.races {
		a, b := r.first, r.second
		object, made := r.variable.describe()
		fs = append(fs, Finding{
			Kind: DataRace, Goroutine: b.by.Path(), Name: b.by.name,
			Op: b.name(), Object: object,
			Site: b.site, ObjectSite: made, Since: b.step,
			Other: &OtherAccess{
				Goroutine: a.by.Path(), Name: a.by.name, Op: a.name(), Site: a.site, Step: a.step,
			},
		})
	}
	return fs
}

func (a *access) name() string {
	if a.write {
		return OpWrite.String()
	}
	return OpRead.String()
}

func (h *history) identity() uint64 {
	if h.about == nil {
		return mixText(hashSeed, h.name)
	}
	return h.about.identity()
}

// describe names the variable, and says where it was made if that is known.
func (h *history) describe() (string, Site) {
	if h.about == nil {
		return KindVariable.String() + " " + h.name, Site{}
	}
	return h.about.describe(), h.about.info.site
}
