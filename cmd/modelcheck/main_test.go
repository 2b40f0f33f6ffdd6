package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	plainEvery = time.Hour // what is printed must not depend on how busy the machine is
	goleak.VerifyTestMain(m)
}

var rewrite = flag.Bool("rewrite", false, "write what the commands print into testdata/*.txt")

// TestCommandLine runs the commands in testdata/*.txt in the module
// testdata/fixture, whose package explore explores nothing, and compares all that they print
// and their exit codes. A
// case is a line "$ modelcheck ARGUMENTS", a line "----" and the output: standard
// output, then standard error with "! " before each line, then the exit code
// unless it is 0. What stands before the first case says what the file is for.
func TestCommandLine(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("want files in testdata, found %v (%v)", files, err)
	}
	for i := range files {
		files[i], _ = filepath.Abs(files[i])
	}
	enterFixture(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runCases(t, file, normalize) })
	}
}

// TestFailedCommands does the same with the commands in testdata/failures, a module that
// uses this package explore.
func TestFailedCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("linking the tests for each command takes longer than a short test may")
	}
	file, err := filepath.Abs("testdata/failures/commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	enterFixture(t)
	module(t, "../../../..")
	if err := os.CopyFS(".", os.DirFS(filepath.Dir(file))); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-mod=mod") // go.mod does not list what modelcheck needs
	runCases(t, file, func(text string) string {
		return ownLine.ReplaceAllString(timeEach.ReplaceAllString(normalize(text), "$1 TIME"), "run.go:LINE")
	})
}

// enterFixture makes the fixture module the current one, out of the reach of
// the caller's settings and of the network.
func enterFixture(t *testing.T) {
	t.Chdir("testdata/fixture")
	for _, setting := range []string{"GOWORK=off", "GOFLAGS=", "GOPROXY=off", "NO_COLOR=", "MODELCHECK_SEED=",
		"MODELCHECK_SCHEDULES=", "GITHUB_STEP_SUMMARY=", "MODELCHECK_STEPS=", "MODELCHECK_STRATEGY=", "MODELCHECK_REPLAY=", "MODELCHECK_WORKERS=", "MODELCHECK_TIMERS=", "MODELCHECK_RACES="} {
		key, value, _ := strings.Cut(setting, "=")
		t.Setenv(key, value)
	}
}

// A case begins with a line of variables, "modelcheck", and arguments.
var caseLine = regexp.MustCompile(`(?m)^\$ ((?:MODELCHECK_\w+=\S* )*)modelcheck(.*)\n----\n`)

func runCases(t *testing.T, file string, steady func(string) string) {
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(want)
	cases := caseLine.FindAllStringSubmatchIndex(text, -1)
	if len(cases) == 0 {
		t.Fatalf("%s: want commands, found none", file)
	}
	got := []string{strings.TrimSuffix(text[:cases[0][0]], "\n")}
	for _, c := range cases {
		got = append(got, text[c[0]:c[1]]+steady(output(t, strings.Fields(text[c[2]:c[3]]), strings.Fields(text[c[4]:c[5]]))))
	}
	all := strings.Join(got, "\n")
	if *rewrite {
		if err := os.WriteFile(file, []byte(all), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(text, all); diff != "" {
		t.Errorf("output differs (-want +got); go test ./cmd/modelcheck -rewrite accepts it\n%s", diff)
	}
}

// output is what one command prints, with variables set.
func output(t *testing.T, variables, args []string) string {
	for _, v := range variables {
		key, value, _ := strings.Cut(v, "=")
		t.Setenv(key, value)
		defer os.Unsetenv(key)
	}
	var stdout, stderr bytes.Buffer
	exit := run(args, strings.NewReader(savedOnInput), &stdout, &stderr)
	text := stdout.String()
	for line := range strings.Lines(stderr.String()) {
		text += "! " + line
	}
	if exit != 0 {
		text += fmt.Sprintf("exit %d\n", exit)
	}
	return text
}

// savedOnInput is a schedule file on the standard input of every command.
const savedOnInput = "# test: TestPump/n=1\n# package: example.test/fixture/replay\nmc1:m-1=m.1_lock:2074dbc4\n"

var (
	stacks   = regexp.MustCompile(`(?m)^ *goroutine \d+ (.+\n)+\n?`)
	duration = regexp.MustCompile(`\(\d+(\.\d+)?s\)`)
	timeEach = regexp.MustCompile(`(?m)^(\S+ +Test.*\S) +[\d.]+(ns|µs|ms|s)$`)
	ownLine  = regexp.MustCompile(`run\.go:\d+`) // of package explore, which changes
	padding  = regexp.MustCompile(`(?m)[ \t]+$`)
)

// normalize takes out what differs between machines and runs.
func normalize(text string) string {
	cwd, _ := os.Getwd()
	text = strings.ReplaceAll(text, cwd, "$DIR")
	text = strings.ReplaceAll(text, "\x1b", "<ESC>")
	text = stacks.ReplaceAllString(text, "")
	text = duration.ReplaceAllString(text, "(0s)")
	return padding.ReplaceAllString(text, "")
}
