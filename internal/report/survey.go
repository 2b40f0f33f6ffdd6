package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
)

// Survey is what the schedules of one check were like, in numbers to draw.
type Survey struct {
	Schedules int `json:"schedules"`
	// Growth has how many trace classes were known after each of its equal parts of the
	// schedules; it is empty if they cannot be told apart.
	Growth []int `json:"growth,omitempty"`
	// How many schedules had how many steps and preemptions.
	Steps       []Bin `json:"steps"`
	Preemptions []Bin `json:"preemptions"`
	// Text says it in words.
	Text string `json:"text"`
}

// Bin is how many schedules have a number from From to To.
type Bin struct {
	From  int `json:"from"`
	To    int `json:"to"`
	Count int `json:"count"`
}

// maxPoints is how many points a curve or bars a histogram has at the most.
const maxPoints = 40

// Growth draws how the number of classes grew in n schedules, from the indexes of
// those that were the first of their class.
func Growth(first []int, n int) []int {
	parts := min(n, maxPoints)
	curve := make([]int, parts)
	for _, at := range first {
		for i := range curve {
			if at < (i+1)*n/parts {
				curve[i]++
			}
		}
	}
	return curve
}

// Bins groups values into bins of equal width; counts has how often each was seen.
func Bins(counts map[int]int) []Bin {
	if len(counts) == 0 {
		return nil
	}
	values := slices.Sorted(maps.Keys(counts))
	low, high := values[0], values[len(values)-1]
	width := (high-low)/maxPoints + 1
	bins := make([]Bin, (high-low)/width+1)
	for i := range bins {
		bins[i] = Bin{From: low + i*width, To: min(high, low+(i+1)*width-1)}
	}
	for v, n := range counts {
		bins[(v-low)/width].Count += n
	}
	return bins
}

// Spark draws numbers as a line of characters, from 0 to the largest.
func Spark(numbers []int) string {
	const levels = "▁▂▃▄▅▆▇█"
	top := max(1, slices.Max(append([]int{0}, numbers...)))
	var b strings.Builder
	for _, n := range numbers {
		b.WriteRune([]rune(levels)[n*7/top])
	}
	return b.String()
}

func counts(bins []Bin) []int {
	list := make([]int, len(bins))
	for i, b := range bins {
		list[i] = b.Count
	}
	return list
}

// String returns the words, then the pictures.
func (s *Survey) String() string {
	text := s.Text
	line := func(what, picture, from string, to any) {
		text += fmt.Sprintf("    %-14s %s  %s to %v\n", what, picture, from, to)
	}
	if n := len(s.Growth); n > 0 {
		line("classes", Spark(s.Growth), fmt.Sprint(s.Growth[0]), s.Growth[n-1])
	}
	for _, h := range []struct {
		what string
		bins []Bin
	}{{"steps", s.Steps}, {"preemptions", s.Preemptions}} {
		if n := len(h.bins); n > 0 {
			line(h.what, Spark(counts(h.bins)), fmt.Sprint(h.bins[0].From), h.bins[n-1].To)
		}
	}
	return text
}

//go:embed page/survey.html
var surveyHTML string

var surveyTemplate = template.Must(template.New("survey").Parse(surveyHTML))

// SurveyPage writes the surveys of the checks of s, and how many findings of each kind
// they have, as a page without scripts.
func (s Suite) SurveyPage(w io.Writer) error {
	type section struct {
		Title  string
		Text   string
		Charts []chart
	}
	page := struct {
		Style    template.CSS
		Sections []section
		Kinds    []string
	}{Style: template.CSS(pageStyle)}
	kinds := map[string]int{}
	for _, c := range s.Checks {
		for _, k := range c.Kinds {
			kinds[k]++
		}
		if c.Survey == nil {
			continue
		}
		sec := section{Title: visible(c.Package + " " + c.name() + ": " + c.Verdict), Text: c.Survey.Text}
		if len(c.Survey.Growth) > 0 {
			sec.Charts = append(sec.Charts, curveOf(c.Survey))
		}
		sec.Charts = append(sec.Charts, barsOf("steps of a schedule", c.Survey.Steps), barsOf("preemptions of a schedule", c.Survey.Preemptions))
		page.Sections = append(page.Sections, sec)
	}
	page.Kinds = kindLines(kinds)
	return surveyTemplate.Execute(w, page)
}

// A chart is a picture of the size of chartWidth by chartHeight.
type chart struct {
	Title, Left, Right, Top string
	Line                    string // points of a polyline
	Bars                    []bar
}

// A bar is one bar, from the bottom.
type bar struct {
	X, Y, Width, Height float64
	Label               string
}

const chartWidth, chartHeight = 420.0, 120.0

func curveOf(s *Survey) chart {
	n, top := len(s.Growth), max(1, s.Growth[len(s.Growth)-1])
	c := chart{Title: "trace classes known", Left: "0", Right: count(s.Schedules, "schedule"), Top: fmt.Sprint(s.Growth[n-1])}
	points := []string{fmt.Sprintf("0,%.1f", chartHeight)}
	for i, v := range s.Growth {
		points = append(points, fmt.Sprintf("%.1f,%.1f", chartWidth*float64(i+1)/float64(n), chartHeight*(1-float64(v)/float64(top))))
	}
	c.Line = strings.Join(points, " ")
	return c
}

func barsOf(title string, bins []Bin) chart {
	c := chart{Title: title}
	if len(bins) == 0 {
		return c
	}
	top := max(1, slices.Max(counts(bins)))
	c.Left, c.Right, c.Top = fmt.Sprint(bins[0].From), fmt.Sprint(bins[len(bins)-1].To), count(top, "schedule")
	width := chartWidth / float64(len(bins))
	for i, b := range bins {
		height := chartHeight * float64(b.Count) / float64(top)
		c.Bars = append(c.Bars, bar{float64(i) * width, chartHeight - height, width * 0.9, height, fmt.Sprintf("%d to %d: %s", b.From, b.To, count(b.Count, "schedule"))})
	}
	return c
}

// kindLines has a line for each kind of finding, the most frequent first.
func kindLines(kinds map[string]int) []string {
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return cmp.Or(kinds[b]-kinds[a], strings.Compare(a, b)) })
	var lines []string
	for _, name := range names {
		lines = append(lines, fmt.Sprintf("%s: %d", name, kinds[name]))
	}
	return lines
}
