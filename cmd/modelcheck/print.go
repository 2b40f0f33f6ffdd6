package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
	"github.com/modelcheck-go/modelcheck/internal/report"
)

// printSections separates what is not empty by blank lines.
func printSections(w io.Writer, sections ...string) {
	begin := ""
	for _, section := range sections {
		if section != "" {
			io.WriteString(w, begin+section)
			begin = "\n"
		}
	}
}

// table has one row for each check that is not part of a comparison.
func table(p paint, results []gotest.Result) string {
	rows := [][]string{{"PACKAGE", "TEST", "VARIANT", "VERDICT", "SCHEDULES", "TIME EACH"}}
	for _, r := range results {
		for _, e := range r.Events {
			if r.Compared(e) {
				continue
			}
			rows = append(rows, []string{r.Package.String(), testOf(e), e.Variant, word(e.Verdict),
				strconv.FormatInt(e.Schedules, 10), report.RoundTime(e.TraceTime)})
		}
	}
	if len(rows) == 1 {
		return ""
	}
	var widths [6]int
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			row[i] = pad(p, i, cell, widths[i])
		}
		b.WriteString(strings.Join(row, "  ") + "\n")
	}
	return b.String()
}

// pad fills a cell of column i up to width.
func pad(p paint, i int, cell string, width int) string {
	space := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
	switch {
	case i == 3:
		return color(p, cell) + space
	case i > 3: // numbers end in one column
		return space + cell
	}
	return cell + space
}

// testOf is the name of the test without the variant, which has a column of
// its own.
func testOf(e gotest.Event) string {
	return strings.TrimSuffix(e.Test, "/"+e.Variant)
}

// word is the verdict as printed: what asks for attention stands out without
// colour too.
func word(v gotest.Verdict) string {
	switch v {
	case gotest.Fail:
		return "FAIL"
	case gotest.Broken:
		return "ERROR"
	case gotest.Incomplete:
		return "INCOMPLETE"
	}
	return string(v)
}

func color(p paint, word string) string {
	switch word {
	case "pass", "expected", "proved", "proved*", "sampled":
		return p.good(word)
	case "FAIL", "ERROR", "INCOMPLETE", "BROKEN", "?":
		return p.bad(word)
	}
	return word
}

// matrices has a section for each comparison: which design keeps which invariant, and
// what breaks the others.
func matrices(p paint, results []gotest.Result, replays bool) []string {
	var sections []string
	eachComparison(results, func(name string, m report.Matrix) {
		text := m.Text(report.TextOptions{Times: true, Replays: replays, Paint: func(cell string) string { return color(p, cell) }})
		sections = append(sections, name+"\n"+text)
	})
	return sections
}

// markdown is the same for a document.
func markdown(results []gotest.Result) []string {
	var sections []string
	eachComparison(results, func(name string, m report.Matrix) {
		sections = append(sections, "### "+name+"\n\n"+m.Markdown())
		if list := m.MarkdownBreaches(); list != "" {
			sections = append(sections, list)
		}
	})
	return sections
}

func eachComparison(results []gotest.Result, f func(name string, m report.Matrix)) {
	for _, r := range results {
		for _, c := range r.Comparisons {
			f(where(r.Package, c.Test), c.Matrix)
		}
	}
}

// findings has one line for each finding outside of comparisons, whether it was expected or not, and
// with replays also how to see the expected ones; problems say it of the others.
func findings(results []gotest.Result, replays bool) string {
	var b strings.Builder
	for _, r := range results {
		for _, e := range r.Events {
			if r.Compared(e) {
				continue
			}
			for _, f := range e.Findings {
				fmt.Fprintf(&b, "%-8s  %s: %s\n", word(e.Verdict), where(r.Package, e.Test), f)
			}
			if replays && e.Verdict == gotest.Expected && e.Replay != "" {
				fmt.Fprintf(&b, "%-8s  To replay: %s\n", "", e.Replay)
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "Found:\n" + b.String()
}

// problem tells what failed, what the test has to say about it, and how to see
// it again.
func problem(paint paint, pkg gotest.Package, p gotest.Problem) string {
	verdict := word(gotest.Fail)
	switch {
	case p.Harness:
		verdict = word(gotest.Broken)
	case p.Partial:
		verdict = word(gotest.Incomplete)
	}
	s := fmt.Sprintf("%s  %s: %s\n%s", paint.bad(verdict), where(pkg, p.Test), p.What, indent(p.Output))
	if p.Replay != "" && !strings.Contains(p.Output, p.Replay) {
		s += "To replay: " + p.Replay + "\n"
	}
	return s
}

func problems(paint paint, results []gotest.Result) []string {
	var sections []string
	for _, r := range results {
		for _, p := range r.Problems {
			sections = append(sections, problem(paint, r.Package, p))
		}
	}
	return sections
}

// where names a test, or the package when the test has no name.
func where(pkg gotest.Package, test string) string {
	return strings.TrimSpace(pkg.String() + " " + test)
}

// indent sets off what others printed from what modelcheck says.
func indent(output string) string {
	var b strings.Builder
	for line := range strings.Lines(output) {
		b.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
	}
	return b.String()
}

func summary(results []gotest.Result) string {
	var checks, expected int
	for _, r := range results {
		checks += len(r.Events)
		for _, e := range r.Events {
			if e.Verdict == gotest.Expected {
				expected++
			}
		}
	}
	_, problems := count(results)
	return fmt.Sprintf("%s in %s: %s, %s\n", plural(checks, "check"), plural(len(results), "package"),
		plural(expected, "expected finding"), plural(problems, "problem"))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
