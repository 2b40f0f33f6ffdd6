package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

// A target is a schedule and the test that it belongs to.
type target struct {
	pkg      string // import path or directory
	run      string // regexp as in go test -run
	schedule string
	workload string     // of a property
	timers   string     // the rule for timers that it was found under; "" if not known
	ordinary *rewriting // how the test was rewritten; nil if it was not, or nothing is known
	file     string     // absolute, where it was read from; "" otherwise
	recorded recorded
}

// recorded is what a saved schedule says of the run that it was saved for.
type recorded struct {
	findings   []string // a line each
	operations string   // how many, and their hash
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
		return target{}, fmt.Errorf("want a schedule file, or a package and a schedule, found %s", plural(len(args), "argument"))
	case run == "":
		return target{}, errors.New("want the test that the schedule belongs to: add -run TEST")
	}
	t := target{pkg: args[0], run: run, schedule: args[1]}
	if isSchedule(args[0]) {
		t.pkg, t.schedule = args[1], args[0]
	}
	return t, checkSchedule(t.schedule)
}

const (
	scheduleVersion = "mc1:"
	scheduleExt     = ".schedule"
)

var schedulePrefix = regexp.MustCompile(`^mc[0-9]+:`)

func isSchedule(arg string) bool { return schedulePrefix.MatchString(arg) }

// checkSchedule finds what is no schedule at all before anything is built; whether it
// fits is for the test to judge.
func checkSchedule(s string) error {
	version := schedulePrefix.FindString(s)
	switch {
	case version == "":
		return fmt.Errorf("want a schedule (%s...), found %q", scheduleVersion, s)
	case version != scheduleVersion:
		return fmt.Errorf("want a schedule that begins with %q, found %q: use the modelcheck command of the version that wrote it", scheduleVersion, version)
	}
	return accepted(s)
}

// accepted asks package explore whether it takes a schedule and options, and the
// variables of the environment: it has the schedule followed by a program that does
// nothing.
func accepted(schedule string, opts ...explore.Option) error {
	err := explore.Replay(func() {}, schedule, opts...).Err
	if stale := (*explore.StaleError)(nil); errors.As(err, &stale) {
		return nil
	}
	return err
}

// emptySchedule leaves every decision to the default policy.
const emptySchedule = "mc1::a2c85bbb"

// readTarget reads a saved schedule: header lines "# key: value", of which
// test and package count, and one line with the schedule.
func readTarget(in io.Reader, file string) (target, error) {
	data, err := readInput(in, file, schedulesAre)
	if err != nil {
		return target{}, err
	}
	t, err := parseSaved(string(data))
	if dir := owner(file); dir != "" {
		t.pkg = dir
	} else {
		t.pkg = fromRoot(t.pkg)
	}
	if t.pkg == "" && err == nil {
		err = errors.New("want the line \"# package: PATH\", which a saved schedule has")
	}
	if err != nil {
		return target{}, fmt.Errorf("%s: %w", file, err)
	}
	if filepath.Ext(file) == scheduleExt {
		t.file, err = filepath.Abs(file)
	}
	return t, err
}

const schedulesAre = "failing checks save schedules below testdata/modelcheck of their package"

func parseSaved(text string) (t target, err error) {
	test := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		comment, isComment := strings.CutPrefix(line, "#")
		if !isComment {
			if line != "" && t.schedule != "" {
				return t, fmt.Errorf("want one schedule, found a second: %q", line)
			}
			t.schedule = cmp.Or(line, t.schedule)
			continue
		}
		key, value, _ := strings.Cut(comment, ":")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "test":
			test, t.run = value, exactly(value)
		case "package":
			t.pkg = value
		case "driver":
			if t.ordinary, err = parseDriver(value); err != nil {
				return t, err
			}
		case "drawn":
			t.workload = value
		case "timers":
			if err := timerRule(value); err != nil {
				return t, fmt.Errorf("# timers: %s: %w", value, err)
			}
			t.timers = value
		case "finding":
			t.recorded.findings = append(t.recorded.findings, value)
		case "operations":
			t.recorded.operations = value
		}
	}
	if err := checkSchedule(t.schedule); err != nil {
		return t, err
	}
	if test == "" {
		return t, errors.New("want the line \"# test: NAME\", which a saved schedule has")
	}
	return t, nil
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

// fromRoot is the directory of a package that is named as seen from the root of the
// module, which this one is in.
func fromRoot(pkg string) string {
	mod, err := goMod(".")
	if err != nil || !build.IsLocalImport(pkg) {
		return pkg
	}
	return filepath.Join(filepath.Dir(mod), filepath.FromSlash(pkg))
}

// readInput reads a file, or in for "-". Origin says where such files come from.
func readInput(in io.Reader, file, origin string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(in)
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s: %s", file, origin)
	}
	return data, err
}

// exactly is the -run regexp that matches the test name alone.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

const (
	replayVariable = "MODELCHECK_REPLAY"
	timersVariable = "MODELCHECK_TIMERS"
)

// longSchedule is the length from which on the test is given the file of a schedule:
// an environment variable cannot hold any text.
const longSchedule = 64 << 10

// aim has the target's test run under its schedule.
func (s *settings) aim(t target) {
	s.run = t.run
	if t.timers != "" && s.value(timersVariable) == "" {
		s.env = append(s.env, timersVariable+"="+t.timers)
	}
	if t.file != "" && len(t.schedule)+len(t.workload) > longSchedule {
		s.env = append(s.env, replayVariable+"="+t.file)
		return
	}
	s.env = append(s.env, replayVariable+"="+t.schedule)
	if t.workload != "" {
		s.env = append(s.env, "MODELCHECK_WORKLOAD="+t.workload)
	}
}

// execute runs the target's test under its schedule. A test that does not use explore
// is one of those that modelcheck test explores, and rewritten as there; w has the
// flags that say how, and is noted.
func (t *target) execute(ctx context.Context, std stdio, s settings, w rewriting, passed []string) ([]gotest.Result, error) {
	s.aim(*t)
	r, err := s.runner(std, passed)
	if err != nil {
		return nil, err
	}
	packages, err := r.List(ctx, []string{t.pkg})
	if err != nil {
		return nil, err
	}
	if len(packages) == 0 {
		if t.ordinary != nil {
			w.add(*t.ordinary)
		}
		t.ordinary = &w
		dir, err := os.MkdirTemp("", "modelcheck")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		if _, err := w.prepare(ctx, std, &s, r, []string{t.pkg}, dir); err != nil {
			return nil, err
		}
	}
	return runAll(ctx, r, newProgress(std.err, s.verbose), []string{t.pkg}, wantedCheck)
}
