package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Version is the version of Doc's JSON form. It changes when a field changes its
// meaning or goes; new fields may come without.
const Version = 1

// Doc is one run, put in order to be shown: everything that the ways to show it
// have in common. Goroutines, objects and steps are referred to by their index in
// its lists, -1 standing for none. Its JSON form is described in
// doc/report-format.md.
type Doc struct {
	Version int `json:"version"`
	Origin
	Findings   []Finding   `json:"findings"`
	Goroutines []Goroutine `json:"goroutines"`
	Objects    []Object    `json:"objects"`
	Steps      []Step      `json:"steps"`
	// Sources has the lines of the program around the places that are mentioned, if
	// AddSources was called.
	Sources []Source `json:"sources,omitempty"`
	// Locks has every time that a lock was held, in the order of acquisition.
	Locks []Hold `json:"locks"`
}

// Origin says where a run comes from. All of it may be empty.
type Origin struct {
	Package   string `json:"package,omitempty"`
	Test      string `json:"test,omitempty"`
	Variant   string `json:"variant,omitempty"`
	Verdict   string `json:"verdict,omitempty"`
	Strategy  string `json:"strategy,omitempty"`
	Seed      uint64 `json:"seed,string"`
	Index     uint64 `json:"index,string"`
	Schedules int    `json:"schedules,omitempty"`
	Timers    string `json:"timers,omitempty"`
	Schedule  string `json:"schedule,omitempty"`
	Replay    string `json:"replay,omitempty"`
	// Minimal is "yes" if no schedule with fewer preemptions shows the same, "unknown"
	// if fewer were looked for without end, "" if nobody looked.
	Minimal string `json:"minimal,omitempty"`
	// Minimised says in words how the schedule was made simpler, "" if it was not.
	Minimised string `json:"minimised,omitempty"`
}

// Spot is a place in the source: a file, relative where that is short, and a line.
// Its zero value is an unknown place.
type Spot struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Func string `json:"func,omitempty"`
}

func (s Spot) String() string {
	if s.Line == 0 {
		return unknownPlace
	}
	return s.File + ":" + strconv.Itoa(s.Line)
}

// Finding is one thing that is wrong.
type Finding struct {
	Kind  string `json:"kind"`
	Class string `json:"class,omitempty"`
	// Text says what is wrong in one line.
	Text      string `json:"text"`
	Goroutine int    `json:"goroutine"`
	Op        string `json:"op,omitempty"`
	Object    string `json:"object,omitempty"`
	Message   string `json:"message,omitempty"`
	At        Spot   `json:"at"`
	MadeAt    Spot   `json:"made_at"`
	Since     int    `json:"since"`
	// Wakers says who could have helped, Holding which locks the goroutine holds.
	Wakers  []string `json:"wakers,omitempty"`
	Holding []string `json:"holding,omitempty"`
	// Other is the earlier access of a data race.
	Other *OtherAccess `json:"other,omitempty"`
}

// OtherAccess is one of the two accesses of a data race.
type OtherAccess struct {
	Goroutine int    `json:"goroutine"`
	Op        string `json:"op"`
	At        Spot   `json:"at"`
	Step      int    `json:"step"`
}

// Goroutine is a goroutine and what became of it. One with Timers set stands for
// all timers together.
type Goroutine struct {
	Path string `json:"path"`
	Name string `json:"name,omitempty"`
	// Label is the name where no other goroutine has the same, else the path.
	Label  string `json:"label"`
	Daemon bool   `json:"daemon,omitempty"`
	Timers bool   `json:"timers,omitempty"`
	// State is "returned", "blocked", "ready" (could have gone on when the run
	// ended) or "" (not known).
	State string `json:"state"`
	// Op and Object say what it was about to do, where it has not returned.
	Op     string `json:"op,omitempty"`
	Object string `json:"object,omitempty"`
	At     Spot   `json:"at"`
	Since  int    `json:"since"`
	Waits  []Wait `json:"waits,omitempty"`
}

// Title names the goroutine: by the user's name, if it has one, and its path.
func (g Goroutine) Title() string {
	if g.Timers {
		return "timers"
	}
	return visible(Title(g.Path, g.Name))
}

// Wait is one thing that a blocked goroutine waits for.
type Wait struct {
	Op     string `json:"op"`
	Object int    `json:"object"`
	// Holders all have to release the lock. Helpers are those left who did before
	// what would end the wait.
	Holders []int `json:"holders,omitempty"`
	Helpers []int `json:"helpers,omitempty"`
}

// Object is a channel, lock or other primitive.
type Object struct {
	Kind string `json:"kind"`
	Name string `json:"name,omitempty"`
	// Text names it in sentences; Label is short and no two objects have the same.
	Text   string `json:"text"`
	Label  string `json:"label"`
	MadeAt Spot   `json:"made_at"`
}

// Step is one executed operation, or a Log.
type Step struct {
	// Step counts from 1; a Log has the number of the step before it.
	Step      int    `json:"step"`
	Goroutine int    `json:"goroutine"`
	Op        string `json:"op"`
	// Does is what the operation did: for a select what its case does, "" for its
	// default.
	Does   string `json:"does,omitempty"`
	Object int    `json:"object"`
	Note   string `json:"note,omitempty"`
	At     Spot   `json:"at"`
	// Partner is the other side of a send that meets a receive.
	Partner     int    `json:"partner"`
	PartnerOp   string `json:"partner_op,omitempty"`
	PartnerNote string `json:"partner_note,omitempty"`
	PartnerAt   Spot   `json:"partner_at"`
	// From is, for a receive from a buffer, the index of the step that sent.
	From int `json:"from"`
	// Child is the goroutine that a go statement started.
	Child      int  `json:"child"`
	Preemption bool `json:"preemption,omitempty"`
	Switch     bool `json:"switch,omitempty"`

	objectText string // Object in words, where the trace has no list of objects
}

// IsLog reports whether the step is a Log.
func (s Step) IsLog() bool { return s.Op == "log" }

// New puts r in order.
func New(r Run) *Doc {
	b := builder{dir: r.Dir, index: map[string]int{}, doc: &Doc{Version: Version, Origin: r.Origin}}
	b.goroutines(r)
	b.objects(r.Final.Objects)
	for _, ev := range r.Trace {
		b.step(ev)
	}
	b.doc.joinBuffered()
	b.doc.Locks = locksOf(b.doc.Steps)
	for _, f := range r.Findings {
		b.finding(f)
	}
	return b.doc
}

type builder struct {
	dir   string
	doc   *Doc
	index map[string]int // of goroutines, by path
}

func (b *builder) spot(s sched.Site) Spot {
	if s.Line == 0 {
		return Spot{}
	}
	return Spot{visible(file(s, b.dir)), s.Line, visible(s.Func)}
}

// goroutines lists those that the end of the run tells of, and any others that the
// trace mentions: timers, and all of them when nothing is known of the end.
func (b *builder) goroutines(r Run) {
	for _, e := range r.Final.Goroutines {
		b.index[e.Goroutine] = len(b.doc.Goroutines)
		b.doc.Goroutines = append(b.doc.Goroutines, Goroutine{Path: e.Goroutine})
	}
	for i, e := range r.Final.Goroutines {
		b.doc.Goroutines[i] = b.end(e)
	}
	known := len(r.Final.Goroutines) > 0
	for _, ev := range r.Trace {
		b.meet(ev.Goroutine, ev.Name, known)
		b.meet(ev.Partner, ev.PartnerName, known)
	}
	for _, f := range r.Findings {
		b.meet(f.Goroutine, f.Name, false)
	}
	named := map[string]int{"": 2}
	for _, g := range b.doc.Goroutines {
		named[g.Name]++
	}
	for i := range b.doc.Goroutines {
		g := &b.doc.Goroutines[i]
		if g.Label = g.Path; named[g.Name] == 1 {
			g.Label = visible(g.Name)
		}
	}
}

func (b *builder) meet(path, name string, isTimer bool) {
	if _, ok := b.index[path]; ok || path == "" {
		return
	}
	g := Goroutine{Path: path, Name: name}
	if isTimer {
		if i, ok := b.index[timers.Path]; ok {
			b.index[path] = i
			return
		}
		g = timers
		b.index[timers.Path] = len(b.doc.Goroutines)
	}
	b.index[path] = len(b.doc.Goroutines)
	b.doc.Goroutines = append(b.doc.Goroutines, g)
}

// timers stands for all timers.
var timers = Goroutine{Path: "timers", Timers: true}

func (b *builder) end(e sched.End) Goroutine {
	g := Goroutine{
		Path: e.Goroutine, Name: e.Name, Daemon: e.Daemon, State: "returned",
		Op: e.Op, Object: e.Object, At: b.spot(e.Site), Since: e.Since,
	}
	switch {
	case e.Stuck:
		g.State = "blocked"
	case e.Live:
		g.State = "ready"
	}
	for _, w := range e.Waits {
		g.Waits = append(g.Waits, Wait{w.Op.String(), w.ObjectID, b.find(w.Holders), b.find(w.Helpers)})
	}
	return g
}

func (b *builder) find(paths []string) []int {
	var list []int
	for _, p := range paths {
		list = append(list, b.lookup(p))
	}
	return list
}

func (b *builder) lookup(path string) int {
	if i, ok := b.index[path]; ok {
		return i
	}
	return -1
}

// objects lists the objects. Those without a name are labelled by their kind and
// line; of several with one label all but the first get a number.
func (b *builder) objects(infos []sched.ObjectInfo) {
	seen := map[string]int{}
	for _, o := range infos {
		label := visible(o.Name)
		if label == "" {
			label = o.Kind.String() + ":" + strconv.Itoa(o.Site.Line)
		}
		if seen[label]++; seen[label] > 1 {
			label += "#" + strconv.Itoa(seen[label])
		}
		b.doc.Objects = append(b.doc.Objects, Object{o.Kind.String(), o.Name, o.Text, label, b.spot(o.Site)})
	}
}

func (b *builder) step(ev sched.TraceEvent) {
	s := Step{
		Step: ev.Step, Goroutine: b.lookup(ev.Goroutine), Op: ev.Op, Does: ev.Kind.String(), Object: -1, Note: ev.Note, At: b.spot(ev.Site),
		Partner: -1, From: -1, Child: -1, Preemption: ev.Preemption, Switch: ev.Switch, objectText: ev.Object,
	}
	if ev.ObjectID >= 0 && ev.ObjectID < len(b.doc.Objects) {
		s.Object = ev.ObjectID
	}
	if ev.Partner != "" {
		s.Partner, s.PartnerOp, s.PartnerNote, s.PartnerAt = b.lookup(ev.Partner), ev.PartnerOp, ev.PartnerNote, b.spot(ev.PartnerSite)
	}
	if ev.Kind == sched.OpGo {
		s.Child = b.lookup(ev.Note)
	}
	b.doc.Steps = append(b.doc.Steps, s)
}

func (b *builder) finding(f sched.Finding) {
	var other *OtherAccess
	if o := f.Other; o != nil {
		other = &OtherAccess{b.lookup(o.Goroutine), o.Op, b.spot(o.Site), o.Step}
	}
	b.doc.Findings = append(b.doc.Findings, Finding{
		Other: other,
		Kind:  string(f.Kind), Class: f.Class, Text: Line(f, b.dir), Goroutine: b.lookup(f.Goroutine), Op: f.Op, Object: f.Object,
		Message: f.Message, At: b.spot(f.Site), MadeAt: b.spot(f.ObjectSite), Since: f.Since, Wakers: f.Wakers, Holding: f.Holding,
	})
}

// joinBuffered finds for every receive from a buffer the send of its value: the
// buffer is a queue.
func (d *Doc) joinBuffered() {
	queues := map[int][]int{}
	for i := range d.Steps {
		s := &d.Steps[i]
		switch {
		case s.Object < 0 || s.Partner >= 0:
		case s.Does == send:
			queues[s.Object] = append(queues[s.Object], i)
		case s.Does == receive && !strings.HasSuffix(s.Note, "closed") && len(queues[s.Object]) > 0:
			s.From = queues[s.Object][0]
			queues[s.Object] = queues[s.Object][1:]
		}
	}
}

// The words for both sides of a channel.
var send, receive = sched.OpSend.String(), sched.OpRecv.String()

// Hold is the time during which a goroutine holds a lock.
type Hold struct {
	Object    int  `json:"object"`
	Goroutine int  `json:"goroutine"`
	Read      bool `json:"read,omitempty"`
	// From and To are the indexes of the steps that acquire and release it; To is
	// -1 when it is held at the end.
	From int `json:"from"`
	To   int `json:"to"`
}

// locksOf pairs acquisitions with releases. Go does not say which reader an RUnlock
// belongs to: the caller's own lock goes first, then the oldest.
func locksOf(steps []Step) []Hold {
	var all []Hold
	open := map[int][]int{} // by object, indexes of holds
	for i, s := range steps {
		if s.Object < 0 {
			continue
		}
		switch acquires(s) {
		case acquired, readAcquired:
			open[s.Object] = append(open[s.Object], len(all))
			all = append(all, Hold{s.Object, s.Goroutine, acquires(s) == readAcquired, i, -1})
		case released:
			list := open[s.Object]
			if len(list) == 0 {
				continue // unlock of unlocked mutex
			}
			k := max(0, slices.IndexFunc(list, func(h int) bool { return all[h].Goroutine == s.Goroutine }))
			all[list[k]].To = i
			open[s.Object] = slices.Delete(list, k, k+1)
		}
	}
	return all
}

type lockEffect int

const (
	noEffect lockEffect = iota
	acquired
	readAcquired
	released
)

// acquires says what a step does to a lock.
func acquires(s Step) lockEffect {
	if s.Note != "" { // "failed", "panics", or of no lock
		return noEffect
	}
	switch s.Does {
	case "lock", "try lock":
		return acquired
	case "rlock", "try rlock":
		return readAcquired
	case "unlock", "runlock":
		return released
	}
	return noEffect
}

// what says what a step of goroutine g did, with the names that name gives to
// objects.
func (d *Doc) what(s Step, name func(Step) string) string {
	switch {
	case s.IsLog():
		return visible("log: " + s.Note)
	case s.Child >= 0:
		return "go " + d.Goroutines[s.Child].Label
	}
	text := operation(s.Op, s.Note, name(s))
	if s.From >= 0 {
		text += " ← " + strconv.Itoa(d.Steps[s.From].Step)
	}
	return visible(text)
}

// partnerWhat is what for the partner.
func (d *Doc) partnerWhat(s Step, name func(Step) string) string {
	return visible(operation(s.PartnerOp, s.PartnerNote, name(s)))
}

// writerWaits is how the engine calls it when a writer begins to wait for readers to
// leave, and keeps new ones from entering.
var writerWaits = sched.OpAnnounce.String()

// operation writes an operation, the object that it is about and what came of it.
func operation(op, note, object string) string {
	if op == "select" || op == "try select" {
		if c, did, ok := strings.Cut(note, ": "); ok {
			did, more, _ := strings.Cut(did, ",")
			if more != "" {
				more = "," + more
			}
			return c + ": " + did + " " + object + more
		}
		return note
	}
	text := op
	if op == writerWaits {
		text = "wants to lock"
	}
	if object != "" {
		text += " " + object
	}
	if note != "" {
		text += ": " + note
	}
	return text
}

// label names the object of a step as briefly as can be.
func (d *Doc) label(s Step) string {
	if s.Object < 0 {
		return s.objectText
	}
	return d.Objects[s.Object].Label
}

// full names the object of a step in full.
func (d *Doc) full(s Step) string {
	if s.Object < 0 {
		return s.objectText
	}
	return d.Objects[s.Object].Text
}
