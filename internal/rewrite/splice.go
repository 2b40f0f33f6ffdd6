package rewrite

import (
	"cmp"
	"slices"
	"strings"
)

// An edit replaces the bytes from from to to of a file by text.
type edit struct {
	from, to int
	order    order
	rank     int // of insertions with the same order at the same place
	text     string
}

// order says what comes first at one and the same offset: what closes something that
// ends there, what opens something that begins there, a replacement that begins there.
type order int

const (
	closing order = iota
	opening
	replacing
)

// splices are the edits of one file. Nodes of the syntax tree register theirs from
// the leaves up, so that of two that open at one place the later is the outer.
type splices struct {
	src   []byte
	edits []edit
}

// open inserts text before what begins at the offset.
func (s *splices) open(at int, text string) {
	s.edits = append(s.edits, edit{at, at, opening, -len(s.edits), text})
}

// close inserts text after what ends at the offset.
func (s *splices) close(at int, text string) {
	s.edits = append(s.edits, edit{at, at, closing, len(s.edits), text})
}

// replace replaces the bytes from from to to, and what was registered within. The
// newlines among them stay, at the end, so that what follows stays on its line.
func (s *splices) replace(from, to int, text string) {
	s.cut(from, to)
	missing := strings.Count(string(s.src[from:to]), "\n") - strings.Count(text, "\n")
	s.edits = append(s.edits, edit{from, to, replacing, 0, text + strings.Repeat("\n", max(0, missing))})
}

// cut returns the bytes from from to to as edited so far, and forgets the edits.
func (s *splices) cut(from, to int) string {
	var inner, rest []edit
	for _, e := range s.edits {
		if e.within(from, to) {
			inner = append(inner, e)
		} else {
			rest = append(rest, e)
		}
	}
	s.edits = rest
	return apply(s.src, from, to, inner)
}

// within reports whether e belongs to what stands from from to to: not what closes
// something before, or opens something after it.
func (e edit) within(from, to int) bool {
	switch e.order {
	case closing:
		return from < e.from && e.from <= to
	case opening:
		return from <= e.from && e.from < to
	}
	return from <= e.from && e.to <= to
}

// bytes returns the whole file as edited.
func (s *splices) bytes() []byte {
	return []byte(apply(s.src, 0, len(s.src), s.edits))
}

func apply(src []byte, from, to int, edits []edit) string {
	slices.SortFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.order, b.order), cmp.Compare(a.rank, b.rank))
	})
	var b strings.Builder
	for _, e := range edits {
		b.Write(src[from:e.from])
		b.WriteString(e.text)
		from = e.to
	}
	b.Write(src[from:to])
	return b.String()
}
