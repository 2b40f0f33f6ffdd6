package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/report"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// Whoever reads the JSON form can show all that the original can.
func TestJSONHoldsAll(t *testing.T) {
	for name := range scenarios {
		if name == "outside" {
			continue
		}
		d := docOf(t, name)
		again, err := report.ReadDoc(export(t, d, (*report.Doc).JSON))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(d.Text(report.Style{}), again.Text(report.Style{})); diff != "" {
			t.Errorf("%s: (-original +read):\n%s", name, diff)
		}
		for format, f := range exports {
			if diff := cmp.Diff(string(export(t, d, f)), string(export(t, again, f))); diff != "" {
				t.Errorf("%s: %s (-original +read):\n%s", name, format, diff)
			}
		}
	}
}

func TestReadDocRefusesWhatCannotBeShown(t *testing.T) {
	for text, want := range map[string]string{
		`nonsense`:      "want a report in JSON: invalid character 'o' in literal null (expecting 'u')",
		`{}`:            "want a report in JSON: want version 1, found version 0: use the modelcheck command of the version that wrote it",
		`{"version":2}`: "want a report in JSON: want version 1, found version 2: use the modelcheck command of the version that wrote it",
		`{"version":1,"steps":[{"goroutine":0}]}`:                                                     "want a report in JSON: goroutine of a step is 0: want a number from 0 to -1",
		`{"version":1,"goroutines":[{}],"steps":[{"goroutine":0,"object":5}]}`:                        "want a report in JSON: object of a step is 5: want a number from -1 to -1",
		`{"version":1,"goroutines":[{"waits":[{"object":-1,"holders":[3]}]}]}`:                        "want a report in JSON: goroutine of a wait is 3: want a number from 0 to 0",
		`{"version":1,"goroutines":[{}],"objects":[{}],"locks":[{"from":-1}]}`:                        "want a report in JSON: begin of a lock is -1: want a number from 0 to -1",
		`{"version":1,"findings":[{"goroutine":1}]}`:                                                  "want a report in JSON: goroutine of a finding is 1: want a number from -1 to -1",
		`{"version":1,"goroutines":[{}],"steps":[{"goroutine":0,"object":-1,"partner":-1,"from":1}]}`: "want a report in JSON: sender of a step is 1: want a number from -1 to 0",
		`{"version":1,"steps":"many"}`:                                                                "want a report in JSON: json: cannot unmarshal string into Go struct field plain.steps of type []report.Step",
	} {
		if _, err := report.ReadDoc([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

func export(t *testing.T, d *report.Doc, f func(*report.Doc, io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f(d, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The Trace Event Format as Perfetto takes it: known phases, slices of one thread
// that do not overlap, and every arrow with one begin and one end, each within a
// slice.
func TestChromeTraceIsValid(t *testing.T) {
	for name := range scenarios {
		if name == "outside" {
			continue
		}
		var trace struct {
			Events []struct {
				Name, Cat, Ph, ID, S, BP string
				TS, Dur, PID, TID        int
				Args                     map[string]any
			} `json:"traceEvents"`
			Other map[string]string `json:"otherData"`
		}
		dec := json.NewDecoder(bytes.NewReader(export(t, docOf(t, name), (*report.Doc).Chrome)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&trace); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		busy := map[[3]int]bool{} // process, thread and time of a slice
		threads := map[[2]int]bool{}
		open := map[string]int{}
		for _, e := range trace.Events {
			switch e.Ph {
			case "M":
				threads[[2]int{e.PID, e.TID}] = true
			case "X":
				if e.Dur < 1000 || e.Dur%1000 != 0 || e.TS%1000 != 0 || !threads[[2]int{e.PID, e.TID}] {
					t.Errorf("%s: slice out of place: %+v", name, e)
				}
				for at := e.TS; at < e.TS+e.Dur; at += 1000 {
					if busy[[3]int{e.PID, e.TID, at}] {
						t.Errorf("%s: slice overlaps another: %+v", name, e)
					}
					busy[[3]int{e.PID, e.TID, at}] = true
				}
			case "i", "s", "f":
			default:
				t.Errorf("%s: unknown phase: %+v", name, e)
			}
		}
		for _, e := range trace.Events {
			switch e.Ph {
			case "s":
				open[e.ID]++
			case "f":
				open[e.ID]--
			}
			if (e.Ph == "s" || e.Ph == "f") && !busy[[3]int{e.PID, e.TID, e.TS / 1000 * 1000}] {
				t.Errorf("%s: arrow outside of a slice: %+v", name, e)
			}
		}
		for id, n := range open {
			if n != 0 {
				t.Errorf("%s: arrow %s begins %d times more than it ends", name, id, n)
			}
		}
	}
}

// Whatever a document says, if it can be read it can be shown.
func TestDocumentsThatNoRunHas(t *testing.T) {
	for _, name := range []string{"deadlock", "readers", "select", "buffer", "timeout", "blocked"} {
		docOf(t, name)
	}
	number := regexp.MustCompile(`:-?[0-9]+`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"deadlock", "readers", "select", "buffer", "timeout", "blocked"}).Draw(t, "scenario")
		data, err := json.Marshal(docs[name])
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			places := number.FindAllStringIndex(text, -1)
			p := rapid.SampledFrom(places).Draw(t, "place")
			text = text[:p[0]] + fmt.Sprintf(":%d", rapid.IntRange(-2, 9).Draw(t, "number")) + text[p[1]:]
		}
		d, err := report.ReadDoc([]byte(text))
		if err != nil {
			return
		}
		for _, write := range exports {
			if err := write(d, io.Discard); err != nil {
				t.Errorf("%v", err)
			}
		}
		for _, width := range []int{40, 100} {
			d.Text(report.Style{Width: width})
			d.Text(report.Style{Width: width, List: true})
		}
	})
}

// hostile is a run whose names try to be something else in every format.
var hostile = func() *report.Doc {
	names := []string{
		"end", "</script><script>alert(1)</script>", `"]; x -> y [label="`, "a;b#quot;c", "```\n%%{init: {}}%%", "loop x\nend", "--> b: c",
		"' onload=alert(1) x='", "\\N\\", "note over g0: x", "participant", "wrap: x", "]]>", "&lt;", "%0A::error::x", "${{ x }}", "| a | b |",
	}
	run := report.Run{Origin: report.Origin{Test: names[1], Package: names[7], Schedule: names[1], Replay: names[1]}}
	for i, name := range names {
		path := "main." + string(rune('1'+i))
		at := sched.Site{File: "/d/" + name + ".go", Line: i + 1, Func: name}
		run.Findings = append(run.Findings, sched.Finding{
			Kind: sched.BlockedForever, Goroutine: path, Name: name, Op: "send", Object: "chan " + name, Site: at, Message: name, Wakers: names, Holding: names,
		})
		run.Final.Goroutines = append(run.Final.Goroutines, sched.End{
			Goroutine: path, Name: name, Live: true, Stuck: true, Op: "send", Object: "chan " + name, Site: at, Waits: []sched.Wait{{Op: sched.OpSend, ObjectID: i}},
		})
		run.Final.Objects = append(run.Final.Objects, sched.ObjectInfo{Kind: sched.KindChan, Name: name, Text: "chan " + name, Site: at})
		run.Trace = append(run.Trace,
			sched.TraceEvent{Step: i + 1, Goroutine: path, Name: name, Op: "close", Kind: sched.OpClose, Object: "chan " + name, ObjectID: i, Note: name, Site: at},
			sched.TraceEvent{Step: i + 1, Goroutine: path, Name: name, Op: "log", ObjectID: -1, Note: name, Site: at},
			sched.TraceEvent{Step: i + 1, Goroutine: path, Name: name, Op: "send", Kind: sched.OpSend, ObjectID: i, Object: "chan " + name, Site: at,
				Partner: "main.1", PartnerOp: "receive", PartnerSite: at})
	}
	return report.New(run)
}()

// loaded are the runs whose traces Perfetto reads, which takes it a second each.
var loaded = []string{"hostile", "deadlock", "buffer", "readers", "timeout", "assertion", "names"}

// The parsers that Mermaid, Graphviz and Perfetto themselves have take what is written
// for them, and reports follow the schemas that SARIF and Jenkins have published. They
// are packages of npm; .ci/run installs them.
func TestRealParsers(t *testing.T) {
	if testing.Short() {
		t.Skip("starting the parsers takes longer than a short test may")
	}
	script, _ := filepath.Abs("../../.ci/parsers/check.mjs")
	if _, err := os.Stat(filepath.Join(filepath.Dir(script), "node_modules")); err != nil {
		t.Skip("the parsers are not there: npm ci in .ci/parsers installs them")
	}
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]*report.Doc{"hostile": hostile}
	for name := range scenarios {
		if name != "outside" {
			all[name] = docOf(t, name)
		}
	}
	for name, d := range all {
		write(name+".mmd", export(t, d, (*report.Doc).Mermaid))
		write(name+".dot", export(t, d, (*report.Doc).DOT))
		write(name+".report.json", export(t, d, (*report.Doc).JSON))
	}
	for _, name := range loaded {
		write(name+".trace.json", export(t, all[name], (*report.Doc).Chrome))
	}
	write("hostile.sarif", []byte(suiteText(t, hostileSuite(t), "sarif")))
	write("hostile.junit.xml", []byte(suiteText(t, hostileSuite(t), "junit")))
	faulty := suiteOf(t, "blocked", "deadlock")
	faulty.Checks = append(faulty.Checks, faults...)
	write("faults.junit.xml", []byte(suiteText(t, faulty, "junit")))
	write("kinds.sarif", []byte(suiteText(t, suiteOf(t, "blocked", "deadlock", "held", "closed", "assertion", "invariant", "end", "bound", "unreached", "random"), "sarif")))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "node", script, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := len(all)*3 + len(loaded) + 4; strings.Count(string(out), "ok ") != want {
		t.Errorf("want %d files checked, found:\n%s", want, out)
	}
}
