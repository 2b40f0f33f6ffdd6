package report_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/internal/report"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/rivo/uniseg"
)

// The steps fit the width, whatever is in them, and nothing that a program says
// reaches the terminal as a command.
func TestStepsFitTheWidth(t *testing.T) {
	for _, name := range slices.Concat(slices.Collect(maps.Keys(scenarios)), systems) {
		if name == "outside" || name == "endless" {
			continue // has no steps
		}
		d := docOf(t, name)
		for _, width := range []int{40, 60, 80, 100, 120} {
			text := d.Text(report.Style{Width: width})
			_, steps, found := strings.Cut(text, "preemption")
			if !found {
				continue
			}
			_, steps, _ = strings.Cut(steps, "\n")
			steps, _, _ = strings.Cut(steps, "\n\n")
			for line := range strings.Lines(steps) {
				if w := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); w > width {
					t.Errorf("%s: line of %d columns, want at most %d:\n%s", name, w, width, line)
				}
			}
			if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f || r == 0x202e }); i >= 0 {
				t.Errorf("%s: control character %q", name, text[i])
			}
		}
	}
}

func TestTextIsBounded(t *testing.T) {
	const n = 1000
	r := explore.Run(func() {
		var locks [n]model.Mutex
		for i := range n {
			model.Go(func() {
				locks[i].Lock()
				model.Named(model.NewChan[int](0), fmt.Sprint("c", i)).Recv()
			})
		}
	}, explore.Schedules(1))
	if len(r.Findings) != n {
		t.Fatalf("want %d findings, found %d", n, len(r.Findings))
	}
	text := report.Text(report.Run{Findings: r.Findings, Trace: r.Trace, Final: r.Final})
	if len(text) > 50_000 {
		t.Errorf("want at most 50,000 bytes, found %d", len(text))
	}
	for _, want := range []string{fmt.Sprintf("... and %d more findings", n-20), "lines left out ..."} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in %d bytes of text", want, len(text))
		}
	}
}
