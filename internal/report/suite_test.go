package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/report"
)

// suiteOf has a check that passed, one for each scenario, one with names that try to
// be something else, and tests that failed outside of a check.
func suiteOf(t *testing.T, names ...string) report.Suite {
	s := report.Suite{Tool: "v1.2.3", Checks: []report.Check{
		{Package: "example.com/m/fine", Dir: "fine", Test: "TestFine", Verdict: "pass", Schedules: 10, Elapsed: 1500 * time.Millisecond, Message: "nothing found"},
	}}
	for _, name := range names {
		d := docOf(t, name)
		s.Checks = append(s.Checks, report.Check{
			Package: "example.com/m/p", Dir: "p", Test: "Test/" + name, Variant: name, Verdict: "fail", Schedules: 3, Elapsed: time.Millisecond,
			Failed: true, Message: d.Findings[0].Text, Output: "the report\n", Replay: "MODELCHECK_REPLAY='mc1:x' go test ./p", Run: d,
		})
	}
	return s
}

var faults = []report.Check{
	{Package: "example.com/m/q", Dir: "q", Test: "TestExpected", Verdict: "expected", Message: "found what is expected"},
	{Package: "example.com/m/q", Dir: "q", Test: "TestBroken", Verdict: "error", Broken: true, Message: "the body blocks, outside: the model\n%", Kinds: []string{"error"}},
	{Package: "example.com/m/q", Dir: "q", Failed: true, Verdict: "fail", Message: "the test binary failed, though no test did", Output: "\x00\x1b]]>"},
}

var suiteFormats = map[string]func(report.Suite, io.Writer) error{
	"junit": report.Suite.JUnit, "sarif": report.Suite.SARIF, "github": report.Suite.Annotations, "markdown": report.Suite.Markdown,
}

func suiteText(t *testing.T, s report.Suite, format string) string {
	t.Helper()
	var b strings.Builder
	if err := suiteFormats[format](s, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func hostileSuite(t *testing.T) report.Suite {
	s := suiteOf(t)
	for _, f := range hostile.Findings {
		s.Checks = append(s.Checks, report.Check{
			Package: f.Message, Dir: f.Message, Test: f.Message, Variant: f.Message, Verdict: "fail", Failed: true, Message: f.Message, Output: f.Message, Replay: f.Message, Run: hostile,
		})
	}
	return s
}

// Read again strictly, the document holds every check once, and nothing that a
// program says has become markup.
func TestJUnitIsReadAgain(t *testing.T) {
	type fault struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	var got struct {
		XMLName  xml.Name `xml:"testsuites"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Tests int    `xml:"tests,attr"`
			Cases []struct {
				Class   string `xml:"classname,attr"`
				Name    string `xml:"name,attr"`
				Failure *fault `xml:"failure"`
				Error   *fault `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	s := hostileSuite(t)
	s.Checks = append(s.Checks, faults...)
	if err := xml.Unmarshal([]byte(suiteText(t, s, "junit")), &got); err != nil {
		t.Fatal(err)
	}
	var names []string
	tests := 0
	for _, suite := range got.Suites {
		tests += suite.Tests
		for _, c := range suite.Cases {
			names = append(names, c.Class+" "+c.Name)
			if c.Failure != nil && !strings.HasPrefix(c.Failure.Text, strings.ReplaceAll(c.Name, "(all tests)", "\ufffd\ufffd]]>")) {
				t.Errorf("text of %q: %q", c.Name, c.Failure.Text)
			}
		}
	}
	var want []string
	for _, c := range s.Checks {
		name := c.Test
		if name == "" {
			name = "(all tests)"
		}
		want = append(want, c.Package+" "+name)
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	n := len(hostile.Findings)
	if got.Tests != n+4 || tests != n+4 || got.Failures != n+1 || got.Errors != 1 {
		t.Errorf("%d tests (%d), %d failures, %d errors", got.Tests, tests, got.Failures, got.Errors)
	}
}

// Every command of GitHub is one line, with a file that exists as a relative name.
func TestAnnotationsAreOneLineEach(t *testing.T) {
	s := hostileSuite(t)
	s.Checks = append(s.Checks, faults...)
	lines := strings.Split(strings.TrimSuffix(suiteText(t, s, "github"), "\n"), "\n")
	if n := len(hostile.Findings); len(lines) != n*n+2 {
		t.Errorf("want %d lines, found %d", n*n+2, len(lines))
	}
	for _, line := range lines {
		properties, text, ok := strings.Cut(strings.TrimPrefix(line, "::error "), "::")
		if !ok || !strings.HasPrefix(line, "::error ") || strings.ContainsAny(text, "\r") {
			t.Errorf("no command: %s", line)
		}
		for _, p := range strings.Split(properties, ",") {
			key, _, ok := strings.Cut(p, "=")
			if !ok || key != "file" && key != "line" && key != "title" {
				t.Errorf("property %q in %s", p, line)
			}
		}
	}
}

// Places are relative to the root of the source and the steps are in order.
func TestSARIFIsReadAgain(t *testing.T) {
	type location struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI, URIBaseID string }
			Region           struct{ StartLine int }
		}
		Message *struct{ Text string }
	}
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version, InformationURI string
					Rules                         []struct {
						ID               string
						ShortDescription struct{ Text string }
					}
				}
			}
			ColumnKind string
			Results    []struct {
				RuleID, Level string
				RuleIndex     int
				Message       struct{ Text string }
				Locations     []location
				CodeFlows     []struct {
					ThreadFlows []struct {
						ID        string
						Locations []struct {
							Location       location
							ExecutionOrder int
						}
					}
				}
				PartialFingerprints map[string]string
			}
		}
	}
	s := suiteOf(t, "blocked", "deadlock", "closed", "unreached")
	s.Checks = append(s.Checks, faults...)
	dec := json.NewDecoder(bytes.NewReader([]byte(suiteText(t, s, "sarif"))))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&log); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range log.Runs[0].Results {
		where := "nowhere"
		if len(r.Locations) > 0 {
			where = r.Locations[0].PhysicalLocation.ArtifactLocation.URI
		}
		got = append(got, r.RuleID+" "+where)
		if log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("rule %d is not %s", r.RuleIndex, r.RuleID)
		}
		order := map[int]bool{}
		for _, f := range r.CodeFlows {
			for _, thread := range f.ThreadFlows {
				for _, l := range thread.Locations {
					uri := l.Location.PhysicalLocation.ArtifactLocation.URI
					if path.IsAbs(uri) || order[l.ExecutionOrder] {
						t.Errorf("step %d at %s", l.ExecutionOrder, uri)
					}
					order[l.ExecutionOrder] = true
				}
			}
		}
	}
	want := []string{
		"blocked-forever p/scenarios_test.go", "blocked-forever p/scenarios_test.go", "blocked-forever p/scenarios_test.go", "panic p/scenarios_test.go",
		"never-reached p/scenarios_test.go", "error nowhere", "failure nowhere",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// In the summary nothing that a program says is Markdown or HTML, and every block
// ends.
func TestMarkdownIsWellFormed(t *testing.T) {
	text := suiteText(t, hostileSuite(t), "markdown")
	fenceOf := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case fenceOf == "" && strings.HasPrefix(line, "```"):
			fenceOf = strings.TrimRight(line, "abcdefghijklmnopqrstuvwxyz")
		case line == fenceOf:
			fenceOf = ""
		case fenceOf == "" && (strings.Contains(line, "<script") || strings.Contains(line, "onload=alert(1) x='|")):
			t.Errorf("markup: %s", line)
		case fenceOf == "" && strings.HasPrefix(line, "|") && strings.Count(line, "|") != 6:
			t.Errorf("row of another width: %s", line)
		}
	}
	if fenceOf != "" {
		t.Errorf("a block does not end")
	}
}
