// Package readme keeps those parts of an example's README that are output of the
// example up to date: a test writes them anew and compares.
package readme

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/explore"
)

// Part is the text between the lines <!-- title --> and <!-- end -->.
type Part struct {
	title, text string
	shows       string // the steps and preemptions of the schedule in it, as a matrix writes them
}

// Table is a part with a table in Markdown: a row of titles and what stands below.
func Table(title string, rows [][]string) Part {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return Part{title: title, text: b.String()}
}

// Replay is a part with the report of a schedule under which body fails. The title
// begins with the design's name, and a comma may follow. Options are those of
// explore.Replay. Where the matrix has the size of the design's shortest schedules, this
// has to be one of them.
func Replay(t testing.TB, title string, body func(), schedule string, opts ...explore.Option) Part {
	t.Helper()
	r := explore.Replay(body, schedule, append(opts, explore.Name(title))...)
	if r.Err != nil || len(r.Findings) == 0 {
		t.Fatalf("%s: wanted a failing schedule, found:\n%v", title, r)
	}
	m := sizeOf.FindStringSubmatch(r.String())
	if m == nil {
		t.Fatalf("%s: wanted a report that says how many steps and preemptions, found:\n%v", title, r)
	}
	return Part{title: title, text: "```\n" + r.String() + "```\n", shows: m[1] + "/" + m[2]}
}

var sizeOf = regexp.MustCompile(`(?m)^(\d+) steps, (?:minimal: |at most )?(\d+) preemption`)

// CheckMatrix is Check for a comparison, when it is complete. Of one that is not whole
// it checks the rows that are.
func CheckMatrix(t testing.TB, title string, c *explore.Comparison) {
	t.Helper()
	t.Cleanup(func() {
		t.Helper()
		switch {
		case t.Failed():
		case c.Whole():
			check(t, Part{title: title, text: c.Markdown()})
		default:
			checkRows(t, c.WholeRows())
		}
	})
}

func checkRows(t testing.TB, rows []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, row := range rows {
		if !slices.Contains(lines, row) {
			t.Errorf("%s is out of date, UPDATE_README=1 MODELCHECK_PROVE=1 go test mends it; wanted the line:\n%s", name, row)
		}
	}
}

const name = "README.md"

// Check fails t if README.md has other text than the parts, in their places. With
// UPDATE_README=1 in the environment it writes the file anew instead.
func Check(t testing.TB, parts ...Part) {
	t.Helper()
	if underRace {
		t.Skip("built for the race detector, deferred calls have other line numbers")
	}
	check(t, parts...)
}

func check(t testing.TB, parts ...Part) {
	t.Helper()
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(old)
	for _, p := range parts {
		text = p.replace(t, text)
	}
	if os.Getenv("UPDATE_README") != "" {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	consistent(t, old, parts)
	if diff := cmp.Diff(strings.Split(text, "\n"), strings.Split(string(old), "\n")); diff != "" {
		t.Errorf("%s is out of date, UPDATE_README=1 MODELCHECK_PROVE=1 go test mends it (-want +found):\n%s", name, diff)
	}
}

// consistent fails t unless the schedules that are shown are among those that the matrix
// counts, and the commands that replay one replay one of these.
func consistent(t testing.TB, text []byte, parts []Part) {
	t.Helper()
	for _, p := range parts {
		design, _, _ := strings.Cut(p.title, ",")
		var sizes []string
		for _, row := range regexp.MustCompile(`(?m)^\| `+regexp.QuoteMeta(design)+` \|.*`).FindAll(text, -1) {
			for _, m := range breach.FindAllSubmatch(row, -1) {
				sizes = append(sizes, string(m[1])+"/"+string(m[2]))
			}
		}
		if p.shows != "" && len(sizes) > 0 && !slices.Contains(sizes, p.shows) {
			t.Errorf("%s: wanted a schedule of one of the sizes in the matrix, %v, found %s", p.title, sizes, p.shows)
		}
	}
	for _, m := range replayed.FindAllSubmatch(text, -1) {
		if !bytes.Contains(text, []byte("schedule: "+string(m[1])+"\n")) {
			t.Errorf("wanted a command that replays a schedule that is shown, found %s", m[0])
		}
	}
}

var (
	breach   = regexp.MustCompile(`\((\d+)/≤?(\d+)\)`)
	replayed = regexp.MustCompile(`MODELCHECK_REPLAY='([^']*)'`)
)

func (p Part) replace(t testing.TB, readme string) string {
	t.Helper()
	start := "<!-- " + p.title + " -->\n"
	before, rest, ok := strings.Cut(readme, start)
	_, after, end := strings.Cut(rest, "<!-- end -->")
	if !ok || !end {
		t.Fatalf("wanted a part %q in the README, found none", p.title)
	}
	return before + start + p.text + "<!-- end -->" + after
}
