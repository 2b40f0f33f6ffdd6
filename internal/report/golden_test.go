package report_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/internal/report"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew; commit the changes only if you understand them")

var here, _ = os.Getwd()

// TestGolden runs the commands in testdata/golden/*.txt and compares their output.
// A command is a line, a line "----" and the output, which a line "====" ends; its
// words are the way to show a run, the name of a scenario, and settings. With the
// flag -rewrite the files are written anew; commit the changes only if you
// understand them.
func TestGolden(t *testing.T) {
	t.Cleanup(func() { close(outside) })
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("want files in testdata/golden, found %v (%v)", files, err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) { golden(t, name) })
	}
}

func golden(t *testing.T, name string) {
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, part := range strings.SplitAfter(string(want), "\n====\n") {
		command, _, found := strings.Cut(strings.TrimLeft(part, "\n"), "\n----\n")
		if !found {
			got.WriteString(part)
			continue
		}
		if got.Len() > 0 {
			got.WriteString("\n")
		}
		fmt.Fprintf(&got, "%s\n----\n%s====\n", command, show(t, command))
	}
	if *rewrite {
		if err := os.WriteFile(name, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("go test ./internal/report -rewrite accepts this (-want +got):\n%s", diff)
	}
}

// show executes one command.
func show(t *testing.T, command string) string {
	words := strings.Fields(command)
	if len(words) > 1 && suiteFormats[words[0]] != nil {
		s := suiteOf(t, words[1:]...)
		if !slices.Contains(systems, words[1]) {
			s.Checks = append(s.Checks, faults...)
		}
		return visibleControl(suiteText(t, s, words[0]))
	}
	if len(words) < 2 {
		t.Fatalf("want a way to show and a scenario, found %q", command)
	}
	d, style := docOf(t, words[1]), report.Style{}
	for _, setting := range words[2:] {
		switch key, value, _ := strings.Cut(setting, "="); key {
		case "width":
			style.Width, _ = strconv.Atoi(value)
		case "color":
			style.Color = true
		default:
			t.Fatalf("%s: unknown setting %q", command, setting)
		}
	}
	switch words[0] {
	case "text":
		return visibleControl(d.Text(style))
	case "list":
		style.List = true
		return d.Text(style)
	}
	export, ok := exports[words[0]]
	if !ok {
		t.Fatalf("%s: unknown way to show", command)
	}
	var b strings.Builder
	if err := export(d, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// exports are the ways to show a run that are for other programs.
var exports = map[string]func(*report.Doc, io.Writer) error{
	"json":    (*report.Doc).JSON,
	"mermaid": (*report.Doc).Mermaid,
	"dot":     (*report.Doc).DOT,
	"chrome":  (*report.Doc).Chrome,
	"html":    (*report.Doc).HTML,
}

var docs = map[string]*report.Doc{}

// docOf explores a scenario, once.
func docOf(t *testing.T, name string) *report.Doc {
	t.Helper()
	if d := docs[name]; d != nil {
		return d
	}
	if slices.Contains(systems, name) {
		docs[name] = systemOf(t, name)
		return docs[name]
	}
	s, ok := scenarios[name]
	if !ok {
		t.Fatalf("unknown scenario %q", name)
	}
	r := explore.Run(s.body, append(s.opts, explore.Minimize(0))...)
	if len(r.Findings) == 0 {
		t.Fatalf("%s: want findings, found:\n%v", name, r)
	}
	d := report.New(report.Run{
		Origin:   report.Origin{Test: "Test/" + name, Verdict: r.Verdict(), Strategy: r.Strategy, Seed: r.Seed, Index: r.Index, Schedules: r.Schedules, Timers: string(r.Timers), Schedule: r.Schedule},
		Findings: r.Findings, Trace: r.Trace, Final: r.Final, Dir: here,
	})
	docs[name] = d
	return d
}

// systems are the examples. Of each there is a run in testdata/systems that shows what is
// wrong with one of its designs, as modelcheck show -json wrote it, without the sources.
var systems = []string{"xds", "shim", "progress", "uvm", "stdio"}

func systemOf(t *testing.T, name string) *report.Doc {
	t.Helper()
	data, err := os.ReadFile("testdata/systems/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := report.ReadDoc(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Every scenario has its place in a golden file.
func TestEveryScenarioIsShown(t *testing.T) {
	files, _ := filepath.Glob("testdata/golden/*.txt")
	all := ""
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(data)
	}
	for name := range scenarios {
		if !strings.Contains(all, "text "+name+"\n") {
			t.Errorf("no golden file has the command %q", "text "+name)
		}
	}
}

// visibleControl makes what a text editor would not show readable.
func visibleControl(s string) string {
	return strings.NewReplacer("\x1b", "<ESC>", "\x00", "<NUL>").Replace(s)
}
