package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
)

// Suite is what many checks gave, for the formats that continuous integration
// reads.
type Suite struct {
	// Tool is the version of modelcheck.
	Tool   string
	Checks []Check
}

// Check is the result of one check, or of a test or test binary that failed outside
// of one.
type Check struct {
	// Package is the import path, Dir the package's directory as seen from where
	// the checks were run, with slashes; files of findings are relative to it.
	Package, Dir string
	// Test is the full name of the test, or "".
	Test      string
	Variant   string
	Verdict   string
	Strategy  string
	Schedules int64
	Elapsed   time.Duration
	// Failed: it is a failure. Broken: the check itself could not be carried out.
	Failed, Broken bool
	// Message says in one line how it went, Output all there is.
	Message, Output string
	Replay          string
	// Run is the run that shows the findings, nil if there is none.
	Run *Doc
	// Kinds are the kinds of the findings.
	Kinds []string
	// Survey is set where statistics were asked for.
	Survey *Survey
}

// name is the test's, or says that it is about the whole binary.
func (c Check) name() string {
	if c.Test == "" {
		return "(all tests)"
	}
	return c.Test
}

// file is a file of the package as seen from where the checks were run.
func (c Check) file(s Spot) string { return path.Join(c.Dir, s.File) }

// JUnit writes the checks as JUnit XML: a suite for each package, a case for each
// check.
func (s Suite) JUnit(w io.Writer) error {
	all := junitSuites{Name: "modelcheck"}
	for _, c := range s.Checks {
		n := len(all.Suites)
		if n == 0 || all.Suites[n-1].Name != c.Package {
			all.Suites = append(all.Suites, junitSuite{Name: c.Package})
			n++
		}
		all.Suites[n-1].add(c)
	}
	for i := range all.Suites {
		suite := &all.Suites[i]
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		suite.Time = seconds(suite.elapsed)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	elapsed  time.Duration
}

type junitCase struct {
	Class   string      `xml:"classname,attr"`
	Name    string      `xml:"name,attr"`
	Time    string      `xml:"time,attr"`
	Failure *junitFault `xml:"failure,omitempty"`
	Error   *junitFault `xml:"error,omitempty"`
	Out     string      `xml:"system-out,omitempty"`
}

type junitFault struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (s *junitSuite) add(c Check) {
	s.Tests++
	s.elapsed += c.Elapsed
	test := junitCase{Class: c.Package, Name: c.name(), Time: seconds(c.Elapsed)}
	fault := &junitFault{Type: c.kind(), Message: visible(c.Message), Text: c.Output}
	if c.Replay != "" && !strings.Contains(c.Output, c.Replay) {
		fault.Text += "To replay: " + c.Replay + "\n"
	}
	switch {
	case c.Broken:
		s.Errors++
		test.Error = fault
	case c.Failed:
		s.Failures++
		test.Failure = fault
	default:
		test.Out = c.Verdict + ": " + visible(c.Message)
	}
	s.Cases = append(s.Cases, test)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// kind is the kind of the first finding, or says that there is none.
func (c Check) kind() string {
	switch {
	case c.Run != nil && len(c.Run.Findings) > 0:
		return c.Run.Findings[0].Kind
	case len(c.Kinds) > 0:
		return c.Kinds[0]
	case c.Broken:
		return "error"
	}
	return "failure"
}

// SARIF writes the failed checks in the Static Analysis Results Interchange Format,
// version 2.1.0: a result for each finding, with the steps that led to it as its
// code flow. Expected findings are not results.
func (s Suite) SARIF(w io.Writer) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{
		Name: "modelcheck", Version: s.Tool, URI: "https://github.com/modelcheck-go/modelcheck", Rules: []sarifRule{},
	}}, Results: []sarifResult{}, Columns: "unicodeCodePoints"}
	rules := map[string]int{}
	for _, c := range s.Checks {
		for _, f := range c.failures() {
			i, ok := rules[f.Kind]
			if !ok {
				i = len(rules)
				rules[f.Kind] = i
				run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ruleID(f.Kind), sarifText{f.Kind}})
			}
			run.Results = append(run.Results, c.sarif(f, i))
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// failures lists the findings of a failed check. One without any is made a finding
// itself.
func (c Check) failures() []Finding {
	switch {
	case !c.Failed && !c.Broken:
		return nil
	case c.Run != nil && len(c.Run.Findings) > 0:
		return c.Run.Findings
	}
	return []Finding{{Kind: c.kind(), Text: c.Message, Goroutine: -1}}
}

func (c Check) sarif(f Finding, rule int) sarifResult {
	text := fmt.Sprintf("%s: %s", c.name(), f.Text)
	if c.Replay != "" {
		text += "\nTo replay: " + c.Replay
	}
	r := sarifResult{
		Rule: ruleID(f.Kind), Index: rule, Level: "error", Message: sarifText{text},
		Fingerprints: map[string]string{"finding/v1": strings.Join([]string{c.Package, c.Test, f.Kind, f.Op, f.Object, f.At.Func}, "|")},
	}
	if f.At.Line > 0 {
		r.Locations = []sarifLocation{c.location(f.At, "")}
	}
	if o := f.Other; o != nil && o.At.Line > 0 {
		r.Related = []sarifLocation{c.location(o.At, "the other access: "+o.Op)}
	}
	if c.Run != nil && len(c.Run.Steps) > 0 {
		r.Flows = []sarifFlow{c.flow(f)}
	}
	return r
}

// flow is the steps that Text shows, a thread for each goroutine.
func (c Check) flow(f Finding) sarifFlow {
	d := c.Run
	threads := map[int]*sarifThread{}
	var flow sarifFlow
	shown := d.shown()
	flow.Threads = make([]sarifThread, 0, len(shown))
	for order, i := range shown {
		s := d.Steps[i]
		if s.At.Line == 0 {
			continue
		}
		t := threads[s.Goroutine]
		if t == nil {
			flow.Threads = append(flow.Threads, sarifThread{ID: d.Goroutines[s.Goroutine].Title()})
			t = &flow.Threads[len(flow.Threads)-1]
			threads[s.Goroutine] = t
		}
		t.Locations = append(t.Locations, sarifStep{c.location(s.At, d.what(s, d.full)), order})
	}
	return flow
}

func (c Check) location(s Spot, text string) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{uriOf(c.file(s)), "%SRCROOT%"}, Region: sarifRegion{s.Line}}}
	if text != "" {
		l.Message = &sarifText{text}
	}
	return l
}

// uriOf writes the name of a file as a relative URI.
func uriOf(file string) string {
	var b strings.Builder
	for i := range len(file) {
		if c := file[i]; c < 0x80 && (c == '/' || c == '.' || c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func ruleID(kind string) string { return strings.ReplaceAll(kind, " ", "-") }

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
	Columns string        `json:"columnKind"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	URI     string      `json:"informationUri"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	Rule         string            `json:"ruleId"`
	Index        int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations,omitempty"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Flows        []sarifFlow       `json:"codeFlows,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifText    `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	Line int `json:"startLine"`
}

type sarifFlow struct {
	Threads []sarifThread `json:"threadFlows"`
}

type sarifThread struct {
	ID        string      `json:"id"`
	Locations []sarifStep `json:"locations"`
}

type sarifStep struct {
	Location sarifLocation `json:"location"`
	Order    int           `json:"executionOrder"`
}
