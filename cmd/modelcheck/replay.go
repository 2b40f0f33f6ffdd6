package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

func replayCommand() command {
	return command{
		name:  "replay",
		usage: "[flags] (FILE | -run TEST PACKAGE SCHEDULE)",
		short: "run one schedule again and show what happens",
		long: `The schedule is a string that a failing check printed (mc1:...), with the package
and the test that it belongs to, or a file that the check saved under
testdata/modelcheck, which names them itself; "-" reads such a file from
standard input.

Exits with 1 when the schedule still leads to a finding, 0 when it no longer
does, and 2 when it no longer fits the program.
`,
		prepare: func(fs *flag.FlagSet) action {
			var s settings
			s.declare(fs)
			return func(ctx context.Context, std stdio, args, passed []string) (int, error) {
				target, err := replayTarget(std.in, s.run, args)
				if err != nil {
					return 0, err
				}
				return replay(ctx, std, s, target, passed)
			}
		},
	}
}

// A target is a schedule and the test that it belongs to.
type target struct {
	pkg      string // import path or directory
	run      string // regexp as in go test -run
	schedule string
	workload string // of a property
}

func replayTarget(in io.Reader, run string, args []string) (target, error) {
	switch {
	case len(args) == 1 && isSchedule(args[0]):
		return target{}, errors.New("want also the package and the test that the schedule belongs to: -run TEST PACKAGE SCHEDULE")
	case len(args) == 1 && run != "":
		return target{}, errors.New("want no -run with a file, which names its test itself")
	case len(args) == 1:
		return readTarget(in, args[0])
	case len(args) != 2:
		return target{}, fmt.Errorf("want a schedule file, or a package and a schedule, found %d arguments", len(args))
	case run == "":
		return target{}, errors.New("want the test that the schedule belongs to: add -run TEST")
	}
	t := target{pkg: args[0], run: run, schedule: args[1]}
	if isSchedule(args[0]) {
		t.pkg, t.schedule = args[1], args[0]
	}
	return t, checkSchedule(t.schedule)
}

const scheduleVersion = "mc1:"

var schedulePrefix = regexp.MustCompile(`^mc[0-9]+:`)

func isSchedule(arg string) bool { return schedulePrefix.MatchString(arg) }

// checkSchedule finds what is no schedule at all before anything is built; the
// rest is for the test to judge.
func checkSchedule(s string) error {
	if strings.HasPrefix(s, scheduleVersion) {
		return nil
	}
	if version := schedulePrefix.FindString(s); version != "" {
		return fmt.Errorf("want a schedule that begins with %q, found %q: use the modelcheck command of the version that wrote it", scheduleVersion, version)
	}
	return fmt.Errorf("want a schedule (%s...), found %q", scheduleVersion, s)
}

// readTarget reads a saved schedule: header lines "# key: value", of which
// test and package count, and one line with the schedule.
func readTarget(in io.Reader, file string) (target, error) {
	data, err := readInput(in, file)
	if err != nil {
		return target{}, err
	}
	header, schedule, err := parseSaved(string(data))
	if err == nil {
		err = checkSchedule(schedule)
	}
	t := target{pkg: owner(file), run: exactly(header["test"]), schedule: schedule, workload: header["drawn"]}
	if t.pkg == "" {
		t.pkg = header["package"]
	}
	switch {
	case err != nil:
	case header["test"] == "":
		err = errors.New("want the line \"# test: NAME\", which a saved schedule has")
	case t.pkg == "":
		err = errors.New("want the line \"# package: PATH\", which a saved schedule has")
	}
	if err != nil {
		return target{}, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}

func parseSaved(text string) (header map[string]string, schedule string, err error) {
	header = map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		comment, isComment := strings.CutPrefix(line, "#")
		switch {
		case isComment:
			key, value, _ := strings.Cut(comment, ":")
			header[strings.TrimSpace(key)] = strings.TrimSpace(value)
		case line != "" && schedule != "":
			return nil, "", fmt.Errorf("want one schedule, found a second: %q", line)
		case line != "":
			schedule = line
		}
	}
	return header, schedule, nil
}

// owner is the directory of the package that a schedule file lies in, or "" when
// the file was taken elsewhere. The place is asked before the header because
// the latter knows only the way from the module's root.
func owner(file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	dir, _, found := strings.Cut(filepath.ToSlash(abs), "/testdata/modelcheck/")
	if !found {
		return ""
	}
	return filepath.FromSlash(dir)
}

func readInput(in io.Reader, file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(in)
	}
	return os.ReadFile(file)
}

// exactly is the -run regexp that matches the test name alone.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// aim has the target's test run under its schedule.
func (s *settings) aim(t target) {
	s.run = t.run
	s.env = append(s.env, "MODELCHECK_REPLAY="+t.schedule)
	if t.workload != "" {
		s.env = append(s.env, "MODELCHECK_WORKLOAD="+t.workload)
	}
}

func replay(ctx context.Context, std stdio, s settings, t target, passed []string) (int, error) {
	s.aim(t)
	s.verbose = true
	r, err := s.runner(std, passed)
	if err != nil {
		return 0, err
	}
	results, err := runAll(ctx, r, newProgress(std.err, true), []string{t.pkg}, "a test that calls explore.Check")
	if err != nil {
		return 0, err
	}
	fmt.Fprintln(std.out)
	return judgeReplay(std.out, paint(s.color.enabled(std.out)), results)
}

// judgeReplay goes by what the schedule led to, not by what the test expects:
// an expected finding is reproduced too.
func judgeReplay(w io.Writer, p paint, results []gotest.Result) (int, error) {
	for _, r := range results {
		for _, problem := range r.Problems {
			if problem.Harness {
				return 0, fmt.Errorf("%s: %s", where(r.Package, problem.Test), problem.What)
			}
		}
	}
	if checks, _ := count(results); checks == 0 {
		return 0, errors.New("no check ran")
	}
	if found := findings(results, false); found != "" {
		printSections(w, found, p.bad("reproduced")+"\n")
		return exitFinding, nil
	}
	fmt.Fprintln(w, p.good("no longer found"))
	return exitOK, nil
}
