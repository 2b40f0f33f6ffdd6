package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/internal/environment"
	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

// settings are the flags of the commands that run tests.
type settings struct {
	run     string
	short   bool
	verbose bool
	race    bool
	timeout time.Duration

	complete bool // a pass has to be a proof
	color    colorMode
	shard    gotest.Shard
	env      []string // what flags set for the tests
}

// defaultTimeout is that of go test.
const defaultTimeout = 10 * time.Minute

func (s *settings) declare(fs *flag.FlagSet) {
	fs.Func("run", "only the tests that match `regexp`, as in go test", s.setRun)
	fs.BoolVar(&s.short, "short", false, "let the tests do less, as in go test")
	fs.BoolVar(&s.race, "race", false, "build the tests with the race detector")
	s.timeout = defaultTimeout
	fs.Func("timeout", "end the tests of a package after this `duration`; 0 is never", s.setTimeout)
	fs.Var(&s.color, "color", "colours: `auto`, always or never")
	s.variable(fs, "steps", "MODELCHECK_STEPS", "end a schedule after `number` steps", positiveNumber)
	s.variable(fs, "timers", timersVariable, "let timeouts fire by this `rule`: anytime, quiescence, hasty or either", timerRule)
	s.variable(fs, "races", "MODELCHECK_RACES", "what to do about data races on model.Shared: `report` or ignore", raceRule)
}

// setRun takes what package testing will take: a pattern for each level of subtests.
func (s *settings) setRun(value string) error {
	if _, err := regexp.Compile(value); err != nil {
		return fmt.Errorf("want a regular expression: %w", err)
	}
	s.run = value
	return nil
}

func (s *settings) setTimeout(value string) error {
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 {
		return errors.New("want a duration such as 90s or 5m")
	}
	s.timeout = d
	return nil
}

const shardUsage = "run only part `i/n` of the tests: the shards 1/n to n/n together run each test once"

func (s *settings) setShard(value string) (err error) {
	s.shard, err = gotest.ParseShard(value)
	return err
}

// declareSearch declares the flags of a search, which a replay has no use for.
func (s *settings) declareSearch(fs *flag.FlagSet) {
	fs.BoolVar(&s.verbose, "v", false, "show what the tests print, and how to replay expected findings")
	s.variable(fs, "seed", "MODELCHECK_SEED", "start the random choices from `number`", anyNumber)
	s.variable(fs, "schedules", "MODELCHECK_SCHEDULES", "run `number` schedules in each check", positiveNumber)
	s.variable(fs, "strategy", "MODELCHECK_STRATEGY", "choose schedules by the strategy `name`", strategyName)
	s.variable(fs, "workers", "MODELCHECK_WORKERS", "explore `number` schedules at the same time", positiveNumber)
	s.variable(fs, "minimize", "MODELCHECK_MINIMIZE", "run at most `number` schedules to make a failing one simpler, 0 for none", numberOfRuns)
}

// sets reports whether a flag sets the variable.
func (s *settings) sets(variable string) bool {
	return slices.ContainsFunc(s.env, func(set string) bool { return strings.HasPrefix(set, variable+"=") })
}

// value is what the tests will have as the variable's value, by a flag or the environment.
func (s *settings) value(variable string) string {
	for _, set := range slices.Backward(s.env) {
		if value, ok := strings.CutPrefix(set, variable+"="); ok {
			return value
		}
	}
	return os.Getenv(variable)
}

// variable declares a flag that sets an environment variable of the tests.
func (s *settings) variable(fs *flag.FlagSet, name, key, usage string, valid func(string) error) {
	fs.Func(name, usage+" ("+key+")", func(value string) error {
		if err := valid(value); err != nil {
			return err
		}
		s.env = append(s.env, key+"="+value)
		return nil
	})
}

// switches declares a flag without a value that sets an environment variable of the tests.
func (s *settings) switches(fs *flag.FlagSet, name, key, usage string) {
	fs.BoolFunc(name, usage+" ("+key+")", func(value string) error {
		on, err := strconv.ParseBool(value)
		if err == nil && on {
			s.env = append(s.env, key+"=1")
		}
		return err
	})
}

func numberOfRuns(value string) error {
	if n, err := strconv.Atoi(value); err != nil || n < 0 {
		return errors.New("want a number of at least 0")
	}
	return nil
}

func anyNumber(value string) error {
	if _, err := strconv.ParseUint(value, 0, 64); err != nil {
		return errors.New("want a number from 0 to 2^64-1")
	}
	return nil
}

func positiveNumber(value string) error {
	if n, err := strconv.ParseInt(value, 10, 64); err != nil || n < 1 {
		return errors.New("want a number from 1 to 2^63-1")
	}
	return nil
}

func timerRule(value string) error {
	if !slices.Contains([]string{"anytime", "quiescence", "hasty", "either"}, value) {
		return errors.New("want anytime, quiescence, hasty or either")
	}
	return nil
}

func raceRule(value string) error {
	if value != "report" && value != "ignore" {
		return errors.New("want report or ignore")
	}
	return nil
}

// strategyName asks package explore, which knows the names.
func strategyName(value string) error {
	err := accepted(emptySchedule, explore.WithStrategy(value))
	if err == nil {
		return nil
	}
	return errors.New(strings.TrimPrefix(err.Error(), "explore.WithStrategy: "))
}

// Reports fit the terminal, although package testing and problem indent them.
const (
	widthVariable = "MODELCHECK_WIDTH"
	indentation   = 12
)

// runner is the runner that the flags ask for. passed are flags of go test.
func (s *settings) runner(std stdio, passed []string) (*gotest.Runner, error) {
	build, test, err := gotest.SplitFlags(passed)
	if err == nil {
		err = accepted(emptySchedule)
	}
	if err != nil {
		return nil, err
	}
	if s.race {
		build = append(build, "-race")
	}
	r := &gotest.Runner{
		BuildFlags: build,
		TestFlags:  slices.Concat([]string{"-test.run=" + s.run, fmt.Sprintf("-test.short=%t", s.short)}, test),
		Env:        s.env,
		Timeout:    s.timeout,
		Shard:      s.shard,
	}
	if s.verbose {
		r.Log = std.out
	}
	if w := terminalWidth(std.out); w > 0 && os.Getenv(widthVariable) == "" {
		r.Env = append(slices.Clip(r.Env), fmt.Sprintf("%s=%d", widthVariable, max(minWidth, w-indentation)))
	}
	for _, problem := range environment.Unknown(os.Environ()) {
		fmt.Fprintf(std.err, "modelcheck: %s\n", problem)
	}
	return r, nil
}
