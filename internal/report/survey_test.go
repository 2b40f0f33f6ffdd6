package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/report"
)

var survey = &report.Survey{
	Schedules: 8, Text: "statistics: 3 trace classes\n", Growth: report.Growth([]int{0, 1, 5}, 8),
	Steps: report.Bins(map[int]int{10: 3, 12: 1, 14: 4}), Preemptions: report.Bins(map[int]int{0: 8}),
}

func TestSurveyInNumbers(t *testing.T) {
	want := &report.Survey{
		Schedules: 8, Text: survey.Text, Growth: []int{1, 2, 2, 2, 2, 3, 3, 3},
		Steps:       []report.Bin{{10, 10, 3}, {11, 11, 0}, {12, 12, 1}, {13, 13, 0}, {14, 14, 4}},
		Preemptions: []report.Bin{{0, 0, 8}},
	}
	if diff := cmp.Diff(want, survey); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	many := map[int]int{}
	total := 0
	for i := range 1000 {
		many[100+3*i] = i % 7
		total += i % 7
	}
	bins := report.Bins(many)
	for i, b := range bins {
		total -= b.Count
		if i > 0 && b.From != bins[i-1].To+1 {
			t.Errorf("bin %d begins at %d, the one before ends at %d", i, b.From, bins[i-1].To)
		}
	}
	if total != 0 || len(bins) > 40 || bins[0].From != 100 || bins[len(bins)-1].To != 100+3*999 {
		t.Errorf("%d schedules are in no bin; %d bins: %v", total, len(bins), bins)
	}
}

func TestSurveyInCharacters(t *testing.T) {
	want := `statistics: 3 trace classes
    classes        ▃▅▅▅▅███  1 to 3
    steps          ▆▁▂▁█  10 to 14
    preemptions    █  0 to 0
`
	if diff := cmp.Diff(want, survey.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The page is well-formed, and nothing in it is markup that should be a name.
func TestSurveyPage(t *testing.T) {
	suite := report.Suite{}
	for _, f := range hostile.Findings {
		suite.Checks = append(suite.Checks, report.Check{Package: f.Message, Test: f.Message, Verdict: "fail", Kinds: []string{f.Message}, Survey: survey})
	}
	var b bytes.Buffer
	if err := suite.SurveyPage(&b); err != nil {
		t.Fatal(err)
	}
	dec := xml.NewDecoder(strings.NewReader(b.String()))
	dec.Strict, dec.AutoClose, dec.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	count := map[string]int{}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
	n := len(hostile.Findings)
	if count["script"] != 0 || count["svg"] != 3*n || count["polyline"] != n || count["rect"] != 6*n {
		t.Errorf("%v", count)
	}
	if chromium == "" || testing.Short() {
		return
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, console := dump(t, file); console != "" {
		t.Errorf("the console says:\n%s", console)
	}
}
