package report_test

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/internal/report"
	"github.com/modelcheck-go/modelcheck/sched"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew; commit the changes only if you understand them")

var here, _ = os.Getwd()

// TestGolden runs the commands in testdata/golden/*.txt and compares their output.
// A command is a line, a line "----" and the output, which a line "====" ends; its
// words are the way to show a run, the name of a scenario, and settings. With the
// flag -rewrite the files are written anew; commit the changes only if you
// understand them.
func TestGolden(t *testing.T) {
	t.Cleanup(func() { close(outside); spun <- 1 })
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
	case "lanes":
		return visibleControl(stepsOf(d.Text(style)))
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

// stepsOf is the part of a text that has the steps.
func stepsOf(text string) string {
	_, steps, _ := strings.Cut(text, "\n\n")
	steps, _, _ = strings.Cut(steps, "\n\n")
	return strings.TrimSuffix(steps, "\n") + "\n"
}

// kinds are the findings that there are, each with a scenario that has it.
var kinds = map[sched.FindingKind]string{
	sched.BlockedForever: "blocked", sched.LockHeld: "held", sched.Panic: "closed", sched.AssertionBroken: "assertion", sched.InvariantBroken: "invariant",
	sched.Goexit: "goexit", sched.StepBoundReached: "bound", sched.DataRace: "race", sched.PollsForEver: "livelock",
	explore.Nondeterministic: "random", explore.OutsideModel: "outside", explore.EndlessLoop: "endless", explore.NeverReached: "unreached", explore.Missed: "missed",
	explore.NothingConcurrent: "sequential",
}

// tooLong has some thousands of lines in the ways to show a run that leave nothing out.
var tooLong = map[string]bool{"json bound": true, "chrome bound": true, "sarif bound": true, "json livelock": true, "chrome livelock": true, "sarif livelock": true}

// Every kind of finding and every system has its place in a golden file, in every way to
// show a run and in three widths, and so has every scenario as text.
func TestEverythingIsShown(t *testing.T) {
	files, _ := filepath.Glob("testdata/golden/*.txt")
	shown := map[string]bool{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range regexp.MustCompile(`(?m)^(.*)\n----$`).FindAllStringSubmatch(string(data), -1) {
			words := strings.Fields(command[1])
			if suiteFormats[words[0]] == nil {
				shown[command[1]] = true
				continue
			}
			for _, name := range words[1:] {
				shown[words[0]+" "+name] = true
			}
		}
	}
	var want []string
	for name := range scenarios {
		want = append(want, "text "+name)
	}
	for _, name := range slices.Concat(slices.Collect(maps.Values(kinds)), systems) {
		if name != "outside" && name != "endless" { // which have no steps
			want = append(want, "lanes "+name+" width=60", "lanes "+name+" width=80", "lanes "+name+" width=120")
		}
		for _, way := range []string{"text", "json", "chrome", "mermaid", "dot", "junit", "sarif", "github", "markdown"} {
			want = append(want, way+" "+name)
		}
	}
	slices.Sort(want)
	for _, command := range slices.Compact(want) {
		if !shown[command] && !tooLong[command] {
			t.Errorf("no golden file has the command %q", command)
		}
	}
	for kind, name := range kinds {
		if !slices.ContainsFunc(docOf(t, name).Findings, func(f report.Finding) bool { return f.Kind == string(kind) }) {
			t.Errorf("scenario %q does not show %q", name, kind)
		}
	}
}

// visibleControl makes what a text editor would not show readable.
func visibleControl(s string) string {
	return strings.NewReplacer("\x1b", "<ESC>", "\x00", "<NUL>").Replace(s)
}
