package report

import (
	"bytes"
	"cmp"
	"slices"
)

// Source is some consecutive lines of a file.
type Source struct {
	File  string   `json:"file"`
	Line  int      `json:"line"` // number of the first
	Lines []string `json:"lines"`
}

// around is how many lines are shown before and after a place.
const around = 4

// AddSources adds the lines around every place that d mentions. Read returns the
// contents of a file of that name; files that it cannot read are left out.
func (d *Doc) AddSources(read func(file string) ([]byte, error)) {
	places := map[string][]int{}
	for _, s := range d.spots() {
		if s.Line > 0 {
			places[s.File] = append(places[s.File], s.Line)
		}
	}
	for file, lines := range places {
		data, err := read(file)
		if err != nil {
			continue
		}
		d.Sources = append(d.Sources, excerpts(file, bytes.Split(data, []byte("\n")), lines)...)
	}
	slices.SortFunc(d.Sources, func(a, b Source) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line)
	})
}

// spots lists all places, some more than once.
func (d *Doc) spots() []Spot {
	var all []Spot
	for _, f := range d.Findings {
		all = append(all, f.At, f.MadeAt)
		if f.Other != nil {
			all = append(all, f.Other.At)
		}
	}
	for _, g := range d.Goroutines {
		all = append(all, g.At)
	}
	for _, o := range d.Objects {
		all = append(all, o.MadeAt)
	}
	for _, s := range d.Steps {
		all = append(all, s.At, s.PartnerAt)
	}
	return all
}

// excerpts are the parts of a file around some lines; those that touch are one.
func excerpts(file string, text [][]byte, lines []int) []Source {
	slices.Sort(lines)
	var list []Source
	end := 0 // number of the last line taken
	for _, line := range lines {
		if line > len(text) {
			continue // not the file that was compiled
		}
		first, last := max(1, line-around), min(len(text), line+around)
		if len(list) == 0 || first > end+1 {
			list = append(list, Source{File: file, Line: first})
			end = first - 1
		}
		s := &list[len(list)-1]
		for ; end < last; end++ {
			s.Lines = append(s.Lines, string(bytes.TrimRight(text[end], "\r")))
		}
	}
	return list
}
