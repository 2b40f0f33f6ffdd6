package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/modelcheck-go/modelcheck/sched"
)

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string

	pageTemplate = template.Must(template.New("page").Parse(pageHTML))
)

// HTML writes the run as one page that needs nothing else: no network, no server.
// Its content security policy allows no script but its own. With AddSources before,
// it shows the source too.
func (d *Doc) HTML(w io.Writer) error {
	sum := sha256.Sum256([]byte(pageScript))
	p := page{
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'",
		Style:  template.CSS(pageStyle),
		Script: template.JS(pageScript),
		Title:  visible(d.title()),
		Waits:  d.waitLines(),
		Replay: d.Replay,
		Facts:  d.facts(),
		Text:   d.Text(Style{}),
		Data:   d.pageData(),
	}
	p.Waits = p.Waits[:min(len(p.Waits), maxRows)]
	p.Why = p.Waits[:min(len(p.Waits), maxWhy)]
	for _, g := range group(d.Findings) {
		p.Findings = append(p.Findings, g.text(d))
	}
	p.Findings = p.Findings[:min(len(p.Findings), maxRows)]
	return pageTemplate.Execute(w, p)
}

// maxRows is how many findings or waits are listed on a page; all of them have a
// place among the steps.
const maxRows = 100

// maxWhy is how many waits are told at once, above all else.
const maxWhy = 3

type page struct {
	Policy, Title   string
	Style           template.CSS
	Script          template.JS
	Findings, Waits []string
	Why             []string // the first of Waits
	Replay, Text    string
	Facts           []fact
	Data            pageData
}

type fact struct{ Name, Value string }

// title names the run.
func (d *Doc) title() string {
	name := d.Test
	if name == "" {
		name = d.Variant
	}
	if name == "" {
		name = "modelcheck"
	}
	if d.Verdict == "" {
		return name
	}
	return name + ": " + d.Verdict
}

func (d *Doc) facts() []fact {
	all := []fact{
		{"package", d.Package}, {"test", d.Test}, {"variant", d.Variant}, {"strategy", d.Strategy},
		{"seed", fmt.Sprintf("%d, schedule %d", d.Seed, d.Index)}, {"timeouts", d.Timers}, {"schedule", d.Schedule},
	}
	var list []fact
	for _, f := range all {
		if f.Value != "" {
			list = append(list, fact{f.Name, visible(f.Value)})
		}
	}
	return list
}

// pageData is what the page's script draws.
type pageData struct {
	Lanes   []string   `json:"lanes"`
	Rows    []pageRow  `json:"rows"`
	Holds   []pageHold `json:"holds"`
	Sources []Source   `json:"sources"`
	Graph   *pageGraph `json:"graph,omitempty"`
}

// pageRow is a step, or a finding after the last one.
type pageRow struct {
	Number int      `json:"n,omitempty"`
	Lane   int      `json:"lane"` // -1: none
	Text   string   `json:"text"` // brief
	Full   string   `json:"full"`
	At     string   `json:"at,omitempty"`
	With   string   `json:"with,omitempty"` // what the partner did
	Plane  int      `json:"plane"`
	PAt    string   `json:"pat,omitempty"`
	Sends  bool     `json:"sends,omitempty"` // the goroutine of the row is the sender
	From   int      `json:"from"`            // the row that sent, -1 for none
	Pre    bool     `json:"pre,omitempty"`
	Choice string   `json:"choice,omitempty"`
	Log    bool     `json:"log,omitempty"`
	Bad    bool     `json:"bad,omitempty"`
	Facts  []string `json:"facts,omitempty"`
	Since  int      `json:"since,omitempty"` // the step that a wait lasts since
}

type pageHold struct {
	Lane int    `json:"lane"`
	Bar  int    `json:"bar"`
	Name string `json:"name"`
	Read bool   `json:"read,omitempty"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

type pageGraph struct {
	Goroutines []pageNode `json:"goroutines"`
	Objects    []pageNode `json:"objects"`
	Edges      []pageEdge `json:"edges"`
}

type pageNode struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
	Dead bool   `json:"dead,omitempty"`
}

type pageEdge struct {
	Goroutine int    `json:"goroutine"`
	Object    int    `json:"object"`
	Kind      string `json:"kind"` // waits, holds, helps
	Text      string `json:"text"`
	Dead      bool   `json:"dead,omitempty"`
}

func (d *Doc) pageData() pageData {
	every := make([]int, len(d.Steps))
	for i := range every {
		every[i] = i
	}
	data := pageData{Lanes: []string{}, Rows: []pageRow{}, Holds: []pageHold{}, Sources: d.Sources, Graph: d.pageGraph()}
	if data.Sources == nil {
		data.Sources = []Source{}
	}
	l := layout{d: d, laneOf: map[int]int{-1: -1}}
	for _, g := range d.inLanes(every) {
		l.laneOf[g] = len(l.lanes)
		l.lanes = append(l.lanes, lane{goroutine: g})
		data.Lanes = append(data.Lanes, d.Goroutines[g].Title())
	}
	l.placeBars()
	for i := range d.Steps {
		data.Rows = append(data.Rows, l.pageRow(i))
	}
	for _, f := range d.Findings {
		data.Rows = append(data.Rows, l.pageFinding(f))
	}
	for k, h := range d.Locks {
		data.Holds = append(data.Holds, pageHold{l.laneOf[h.Goroutine], l.slots[k], visible(d.objectName(h.Object)), h.Read, h.From, h.To})
	}
	return data
}

func (l *layout) pageRow(i int) pageRow {
	d, s := l.d, l.d.Steps[i]
	r := pageRow{
		Number: s.Step, Lane: l.laneOf[s.Goroutine], Text: d.what(s, d.label), Full: d.what(s, d.full), At: s.At.String(),
		From: s.From, Pre: s.Preemption, Log: s.IsLog(),
	}
	if r.Log {
		r.Number = 0
	}
	if s.Partner >= 0 {
		r.With, r.Plane, r.PAt, r.Sends = d.partnerWhat(s, d.label), l.laneOf[s.Partner], s.PartnerAt.String(), s.Does == send
	}
	switch s.Op {
	case sched.OpSelect.String(), sched.OpTrySelect.String():
		r.Choice = "select: " + visible(s.Note)
	case sched.OpChoose.String():
		r.Choice = "value " + visible(s.Note)
	}
	return r
}

func (l *layout) pageFinding(f Finding) pageRow {
	r := pageRow{Lane: l.laneOf[f.Goroutine], Text: "✗ " + f.Kind, Full: f.Text, At: f.At.String(), From: -1, Bad: true}
	if f.Goroutine >= 0 {
		r.Text = "✗ " + l.d.ending(f)
	}
	if sched.FindingKind(f.Kind) == sched.BlockedForever {
		r.Since = f.Since
	}
	for _, s := range details(f) {
		r.Facts = append(r.Facts, visible(s))
	}
	return r
}

// maxNodes is how many nodes a graph may have that is drawn.
const maxNodes = 80

// pageGraph is the wait-for graph, nil when there is none or it is too large to be
// read.
func (d *Doc) pageGraph() *pageGraph {
	w := d.waitGraph()
	if len(w.waits) == 0 || len(w.goroutines)+len(w.objects) > maxNodes {
		return nil
	}
	g := &pageGraph{}
	for _, i := range w.goroutines {
		g.Goroutines = append(g.Goroutines, pageNode{i, d.Goroutines[i].Title(), w.dead[i]})
	}
	for _, i := range w.objects {
		g.Objects = append(g.Objects, pageNode{ID: i, Text: visible(d.objectName(i))})
	}
	for _, e := range w.waits {
		if e.object >= 0 {
			g.Edges = append(g.Edges, pageEdge{e.goroutine, e.object, "waits", e.op, e.dead})
		}
	}
	for _, e := range w.helps {
		edge := pageEdge{e.goroutine, e.object, "helps", "did before", false}
		if e.holds {
			edge.Kind, edge.Text, edge.Dead = "holds", "held by", e.dead
		}
		g.Edges = append(g.Edges, edge)
	}
	return g
}
