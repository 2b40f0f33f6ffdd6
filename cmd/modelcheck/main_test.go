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
// testdata/fixture and compares all that they print and their exit codes. A
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
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runCases(t, file) })
	}
}

// enterFixture makes the fixture module the current one, out of the reach of
// the caller's settings and of the network.
func enterFixture(t *testing.T) {
	t.Chdir("testdata/fixture")
	for _, setting := range []string{"GOWORK=off", "GOFLAGS=", "GOPROXY=off", "NO_COLOR=", "MODELCHECK_SEED=",
		"MODELCHECK_SCHEDULES=", "GITHUB_STEP_SUMMARY=", "MODELCHECK_STEPS=", "MODELCHECK_STRATEGY=", "MODELCHECK_REPLAY=", "MODELCHECK_WORKERS=", "MODELCHECK_TIMERS="} {
		key, value, _ := strings.Cut(setting, "=")
		t.Setenv(key, value)
	}
}

const prompt = "$ modelcheck"

func runCases(t *testing.T, file string) {
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	about, cases, _ := strings.Cut(string(want), prompt)
	var got strings.Builder
	got.WriteString(about)
	for i, text := range strings.Split(cases, "\n"+prompt) {
		args, _, _ := strings.Cut(text, "\n")
		if i > 0 {
			got.WriteString("\n")
		}
		fmt.Fprintf(&got, "%s%s\n----\n%s", prompt, args, output(strings.Fields(args)))
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("output differs (-want +got); go test ./cmd/modelcheck -rewrite accepts it\n%s", diff)
	}
}

func output(args []string) string {
	var stdout, stderr bytes.Buffer
	exit := run(args, strings.NewReader(savedOnInput), &stdout, &stderr)
	text := stdout.String()
	for line := range strings.Lines(stderr.String()) {
		text += "! " + line
	}
	if exit != 0 {
		text += fmt.Sprintf("exit %d\n", exit)
	}
	return normalize(text)
}

// savedOnInput is a schedule file on the standard input of every command.
const savedOnInput = "# test: TestPump/n=1\n# package: example.test/fixture/replay\nmc1:finds\n"

var (
	stacks   = regexp.MustCompile(`(?m)^ *goroutine \d+ (.+\n)+\n?`)
	duration = regexp.MustCompile(`\(\d+(\.\d+)?s\)`)
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
