package sched

// Choice names the next event: goroutine G, the one created as number G of the
// run, executes its pending operation in alternative Alt.
type Choice struct{ G, Alt int32 }

// Event says what a Choice stands for without reference to the order in which
// goroutines arrived. Fields that do not apply are -1.
type Event struct {
	G           int32
	Case        int32 // the case of G's select
	Partner     int32 // the other goroutine of a rendezvous
	PartnerCase int32 // the case of the partner's select
	Default     bool  // G's select takes its default
	Value       int32 // the number that Choose returns; the way in which an Add overtakes a Wait; the way in which a TryLock of an RWMutex fails though nobody holds it; else 0
}

// Op is a view of a goroutine's pending operation.
type Op struct {
	Kind   OpKind
	Object int32 // creation index of the object within the run, -1 for none
}

// Point is a moment at which more than one thing could happen. It is valid
// during Pick only.
type Point struct {
	e    *Engine
	set  *bitset // the enabled goroutines
	data *G      // set: a data choice of this goroutine, the only member of set
}

// Len returns the number of enabled goroutines, at least 1.
func (p *Point) Len() int {
	return p.set.len()
}

// At returns the i-th enabled goroutine in order of creation.
func (p *Point) At(i int) int32 {
	return p.set.nth(i)
}

// Enabled reports whether the goroutine's pending operation could finish now.
// Both sides of a possible rendezvous are enabled.
func (p *Point) Enabled(g int32) bool {
	return p.set.has(g)
}

// Alternatives returns in how many ways enabled goroutine g can execute its
// pending operation: partners of a rendezvous, cases of a select that can go,
// values of a Choose.
func (p *Point) Alternatives(g int32) int {
	h := p.e.gs[g]
	if h.self {
		return 1
	}
	return h.alternatives()
}

// Running returns the goroutine that took the last step, main at the start, and
// whether it could go on. Choosing another one while it could is a preemption.
func (p *Point) Running() (g int32, enabled bool) {
	r := p.e.running
	return r.id, p.set.has(r.id) && !r.movesClock()
}

// IsData reports whether the choice is the value of a model.Choose: then only
// the running goroutine is enabled.
func (p *Point) IsData() bool { return p.data != nil }

// Step returns the number of operations executed so far.
func (p *Point) Step() int { return p.e.steps }

// Goroutines returns how many goroutines the run has created so far.
func (p *Point) Goroutines() int { return p.e.n }

// Path returns the spawn path of goroutine g: main, main.1, main.1.2, ...
func (p *Point) Path(g int32) string { return p.e.gs[g].Path() }

// PathHash returns a hash of the spawn path, the same in every run.
func (p *Point) PathHash(g int32) uint64 { return p.e.gs[g].pathHash }

// OpIndex returns how many operations goroutine g has executed: the index of the
// pending one.
func (p *Point) OpIndex(g int32) int { return int(p.e.gs[g].ops) }

// Op returns the pending operation of goroutine g.
func (p *Point) Op(g int32) Op {
	if p.data != nil {
		return Op{Kind: OpChoose, Object: -1}
	}
	h := p.e.gs[g]
	if h.obj == nil {
		return Op{Kind: h.kind, Object: -1}
	}
	return Op{Kind: h.kind, Object: h.obj.id}
}

// Event describes the event that c stands for.
func (p *Point) Event(c Choice) Event {
	if p.data != nil {
		return Event{G: c.G, Case: -1, Partner: -1, PartnerCase: -1, Value: c.Alt}
	}
	return p.e.gs[c.G].alternative(c.Alt)
}

// Same reports whether a and b stand for the same event; a rendezvous can be
// chosen from either side.
func (p *Point) Same(a, b Choice) bool {
	if a == b {
		return true
	}
	x, y := p.Event(a), p.Event(b)
	return x == y || x.Partner >= 0 && x == y.turned()
}

// turned describes a rendezvous from the partner's side.
func (ev Event) turned() Event {
	ev.G, ev.Partner = ev.Partner, ev.G
	ev.Case, ev.PartnerCase = ev.PartnerCase, ev.Case
	return ev
}

// Default returns the default policy's choice: the running goroutine goes on;
// when it cannot, the first enabled goroutine in the order of spawn paths, and a
// timer or the end of a sleep only if there is none; of several alternatives the first.
func (p *Point) Default() Choice {
	if r, enabled := p.Running(); enabled {
		return Choice{G: r}
	}
	first := p.e.gs[p.At(0)]
	for i := 1; i < p.Len(); i++ {
		if g := p.e.gs[p.At(i)]; g.precedes(first) {
			first = g
		}
	}
	return Choice{G: first.id}
}

// precedes reports whether the default policy prefers g to h.
func (g *G) precedes(h *G) bool {
	if late := g.movesClock(); late != h.movesClock() {
		return !late
	}
	return comparePaths(g, h) < 0
}

// Lookup finds a goroutine of the run, live or not, by its spawn path.
func (p *Point) Lookup(path string) (g int32, ok bool) {
	for _, g := range p.e.gs[:p.e.n] {
		if g.Path() == path {
			return g.id, true
		}
	}
	return 0, false
}

// Log returns what the run has logged so far.
func (p *Point) Log() *Log { return &p.e.log }

// Objects returns how many objects the run has created so far; the next one gets
// that number.
func (p *Point) Objects() int { return len(p.e.objects) }

// Name returns the name that the program gave to goroutine g, or "".
func (p *Point) Name(g int32) string { return p.e.gs[g].name }
