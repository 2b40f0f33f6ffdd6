package explore

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// An Option changes how a program is explored. Where an option and an
// environment variable say different things, the environment is right: it is
// there to override a test from outside.
type Option struct{ apply func(*settings) error }

// Defaults.
const (
	DefaultSchedules = 10_000
	DefaultSteps     = sched.DefaultMaxSteps
	DefaultWatchdog  = 10 * time.Second
)

// shortFactor divides the number of schedules under go test -short, as rapid
// divides its checks.
const shortFactor = 5

// Schedules sets how many schedules are tried, DefaultSchedules when it is not
// given. Under go test -short a fifth of them are.
func Schedules(n int) Option {
	return Option{func(s *settings) error {
		if n < 1 {
			return fmt.Errorf("explore.Schedules(%d): wanted at least 1", n)
		}
		s.schedules = n
		return nil
	}}
}

// Steps sets how many steps a schedule may take, DefaultSteps when it is not
// given. A schedule that takes more is a finding: a loop that does not end, or a
// bound that is too small.
func Steps(n int) Option {
	return Option{func(s *settings) error {
		if n < 1 {
			return fmt.Errorf("explore.Steps(%d): wanted at least 1", n)
		}
		s.steps = n
		return nil
	}}
}

// Seed fixes the seed: the same schedules are tried each time. Without it Run
// uses seed 0, and Check draws seeds with rapid.
func Seed(seed uint64) Option {
	return Option{func(s *settings) error {
		s.seed, s.seeded = seed, true
		return nil
	}}
}

// WithStrategy chooses the strategy by name: "random" (Random), "pct1" to
// "pct99" (PCT of that depth), "pos" (POS), "urw" (URW), "surw" (SURW),
// "directed", which first tries at once what went one way in the first schedule and
// could go another (another case of a select, another partner, another one to take a
// lock) and then is URW, or "portfolio", the default, which begins with such tries
// and lets SURW, URW, POS and pct3 take turns.
//
// "preempt0" to "preempt99" and "delay0" to "delay99" do not sample: they run every
// schedule with at most so many preemptions, or delays (see the type bounded), those
// with fewer first, as long as Schedules allows. A report says how far that came,
// and calls it bounded unless there are no other schedules.
func WithStrategy(name string) Option {
	return Option{func(s *settings) error {
		if err := s.choose(name); err != nil {
			return fmt.Errorf("explore.WithStrategy: %w", err)
		}
		return nil
	}}
}

// choose sets the strategy by name.
func (s *settings) choose(name string) (err error) {
	s.strategy, s.own = name, false
	s.start, err = namedStrategy(name)
	_, bounded := namedBounded(name)
	s.unseeded = bounded || name == "brute" || name == "dpor"
	return err
}

// WithSearch explores with a strategy of the caller's; name is what reports call it.
// Start is called once for each seed and worker, and there is one worker unless
// Workers asks for more.
func WithSearch(name string, start func(Setup) Strategy) Option {
	return Option{func(s *settings) error {
		if name == "" || start == nil {
			return fmt.Errorf("explore.WithSearch: wanted a name and a function, one of them is missing (name %q)", name)
		}
		s.strategy, s.start, s.unseeded, s.own = name, start, false, true
		return nil
	}}
}

// Workers sets how many schedules are explored at the same time, each by a worker
// with an engine and a goroutine of its own: as many as the process may use
// processors (see [runtime.GOMAXPROCS]) when it is not given. The result is the same
// for any number, as long as body makes everything that it uses anew each time: then
// no two runs share anything.
//
// Others than the first worker start when what is left to explore is worth it. A
// search that does not sample (see Exhaust) always has one worker.
func Workers(n int) Option {
	return Option{func(s *settings) error {
		if n < 1 {
			return fmt.Errorf("explore.Workers(%d): wanted at least 1", n)
		}
		s.workers = n
		return nil
	}}
}

// Name sets what reports call this variant of the program. Check uses the name
// of the subtest when it is not given.
func Name(variant string) Option {
	return Option{func(s *settings) error {
		s.name = variant
		return nil
	}}
}

// Sequential says that it is intended that the program has a single goroutine and
// nothing to choose. Otherwise such a program is a finding, because exploring it
// shows nothing: a go statement in place of model.Go, perhaps.
func Sequential() Option {
	return Option{func(s *settings) error {
		s.sequential = true
		return nil
	}}
}

// Watchdog sets how long one schedule may stand still before it is given up as
// blocked outside the model or looping without a step, DefaultWatchdog when it
// is not given. It is the only use of wall-clock time that can show in a report.
func Watchdog(d time.Duration) Option {
	return Option{func(s *settings) error {
		if d <= 0 {
			return fmt.Errorf("explore.Watchdog(%v): wanted more than 0", d)
		}
		s.watchdog = d
		return nil
	}}
}

// Expect says that the program is wrong in known ways: Check passes, and Run
// reports no finding, if and only if every expectation is met by some schedule
// and no schedule shows anything that meets none of them. Exploring stops when
// all are met.
func Expect(want ...Expectation) Option {
	return Option{func(s *settings) error {
		if len(want) == 0 {
			return fmt.Errorf("explore.Expect(): wanted at least one expectation")
		}
		s.expect = append(s.expect, want...)
		return nil
	}}
}

// settings are the options after the environment had its say.
type settings struct {
	schedules   int
	exact       bool // schedules holds under -short too
	steps       int
	seed        uint64
	seeded      bool
	strategy    string
	start       func(Setup) Strategy
	unseeded    bool // the strategy makes the same schedules from every seed
	own         bool // the strategy is the caller's
	whole       bool // everything is to be explored
	workers     int  // 0: as many as there are processors
	name        string
	sequential  bool
	watchdog    time.Duration
	expect      []Expectation
	timers      TimerRule
	ignoreRaces bool
	minimize    int // runs
	stats       bool
	checkpoint  string // file or directory
	// checkpointMust: it is an option of this check, which has to be able to save.
	checkpointMust bool
	tally          *tally // not nil: go on whatever is found
	prove          bool   // trials that are large too

	replay string   // a schedule's text or the name of a file that holds one
	drawn  []uint64 // what to draw a replay's workload from
	events string   // file to append one line of JSON to
	noSave bool

	isolate bool   // Check has every run made in a process of its own,
	test    string // for this test; "" where it does not
	width   int    // of reports, 0 for the default
	reduce  bool   // make a replayed schedule simpler too
}

// settingsOf applies the options, then the environment. Of several mistakes it
// returns the first; the settings are then good for reporting it.
func settingsOf(body func(), opts []Option) (settings, error) {
	s := settings{
		schedules: DefaultSchedules,
		steps:     DefaultSteps,
		watchdog:  DefaultWatchdog,
		minimize:  DefaultMinimize,
		timers:    AnyTime,
	}
	var mistakes []error
	if body == nil {
		mistakes = append(mistakes, errors.New("wanted a function to explore, found nil"))
	}
	for _, o := range append([]Option{WithStrategy(DefaultStrategy)}, opts...) {
		if o.apply == nil {
			mistakes = append(mistakes, errors.New("the zero Option is not an option: use the functions of package explore"))
		} else if err := o.apply(&s); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	for _, v := range variables {
		if text := os.Getenv(v.name); text != "" {
			if err := v.apply(&s, text); err != nil {
				mistakes = append(mistakes, fmt.Errorf("environment variable %s: wanted %s, found %q", v.name, v.wanted, text))
			}
		}
	}
	if s.unseeded {
		s.seed, s.seeded = 0, true
	}
	if _, task := taskFile(); task {
		s.isolate = false
	}
	if len(mistakes) > 0 {
		return s, mistakes[0]
	}
	return s, nil
}

// variable is an environment variable that overrides an option. Unset and empty
// are the same.
type variable struct {
	name, wanted string
	apply        func(s *settings, text string) error
}

var variables = []variable{
	{"MODELCHECK_SEED", "a number from 0 to 2^64-1", func(s *settings, text string) (err error) {
		s.seed, err = strconv.ParseUint(text, 0, 64)
		s.seeded = true
		return err
	}},
	{"MODELCHECK_SCHEDULES", "a number of schedules, at least 1", func(s *settings, text string) (err error) {
		s.schedules, err = positive(text)
		s.exact = true
		return err
	}},
	{"MODELCHECK_STEPS", "a number of steps, at least 1", func(s *settings, text string) (err error) {
		s.steps, err = positive(text)
		return err
	}},
	{"MODELCHECK_STRATEGY", strategyNames, func(s *settings, text string) error {
		return s.choose(text)
	}},
	{"MODELCHECK_WORKERS", "a number of workers, at least 1", func(s *settings, text string) (err error) {
		s.workers, err = positive(text)
		return err
	}},
	{timersVariable, ruleNames, func(s *settings, text string) (err error) {
		s.timers, err = namedRule(text)
		return err
	}},
	{racesVariable, "report or ignore", func(s *settings, text string) (err error) {
		s.ignoreRaces, err = ignoresRaces(text)
		return err
	}},
	{"MODELCHECK_WATCHDOG", "a duration above 0 such as 10s", func(s *settings, text string) (err error) {
		s.watchdog, err = time.ParseDuration(text)
		if err == nil && s.watchdog <= 0 {
			err = strconv.ErrRange
		}
		return err
	}},
	{"MODELCHECK_REPLAY", "a schedule (mc1:...) or the name of a file that holds one", func(s *settings, text string) error {
		s.replay = strings.TrimSpace(text)
		return nil
	}},
	{workloadVariable, "hexadecimal numbers with commas between them", func(s *settings, text string) (err error) {
		s.drawn, err = parseDrawn(text)
		return err
	}},
	{"MODELCHECK_PROVE", "1 or 0", func(s *settings, text string) (err error) {
		s.prove, err = strconv.ParseBool(text)
		return err
	}},
	{"MODELCHECK_EVENTS", "the name of a file", func(s *settings, text string) error {
		s.events = text
		return nil
	}},
	{"MODELCHECK_MINIMIZE", "a number of runs, 0 or more", func(s *settings, text string) (err error) {
		s.minimize, err = strconv.Atoi(text)
		if err == nil && s.minimize < 0 {
			err = strconv.ErrRange
		}
		s.reduce = true
		return err
	}},
	{"MODELCHECK_CHECKPOINT", "the name of a file or directory", func(s *settings, text string) error {
		s.checkpoint, s.checkpointMust = text, false
		return nil
	}},
	{"MODELCHECK_STATS", "1 or 0", func(s *settings, text string) (err error) {
		s.stats, err = strconv.ParseBool(text)
		return err
	}},
	{"MODELCHECK_NOSAVE", "1 or 0", func(s *settings, text string) (err error) {
		s.noSave, err = strconv.ParseBool(text)
		return err
	}},
	{"MODELCHECK_WIDTH", "a number of columns, at least 40", func(s *settings, text string) (err error) {
		s.width, err = strconv.Atoi(text)
		if err == nil && s.width < minWidth {
			err = strconv.ErrRange
		}
		return err
	}},
	{"MODELCHECK_ISOLATE", "1 or 0", func(s *settings, text string) (err error) {
		s.isolate, err = strconv.ParseBool(text)
		return err
	}},
}

// minWidth is the narrowest report.
const minWidth = 40

func positive(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && n < 1 {
		err = strconv.ErrRange
	}
	return n, err
}

// budget is the number of schedules to try from one seed.
func (s *settings) budget() int {
	if s.exact || !testing.Testing() || !testing.Short() {
		return s.schedules
	}
	return max(1, s.schedules/shortFactor)
}
