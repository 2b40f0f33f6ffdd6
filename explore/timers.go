package explore

import (
	"fmt"
	"os"

	"github.com/modelcheck-go/modelcheck/sched"
)

// TimerRule says whether time passes while goroutines can go on: when a timeout (a timer,
// model.After, the deadline of a context) may fire, a ticker tick, and a sleep end. When
// no goroutine can go on time always passes.
type TimerRule string

const (
	// AnyTime lets a timeout fire at any moment once it is started: work may always
	// be slower than expected. Sleeps and tickers wait. It is the default.
	AnyTime TimerRule = "at any moment"
	// AtQuiescence lets everything wait until no goroutine can go on, unless it is due
	// already, as if computing took no time: what package testing/synctest does. It hides
	// what happens when a timeout hits work that is under way.
	AtQuiescence TimerRule = "only when no goroutine can go on"
	// Hasty lets sleeps end and tickers tick at any moment too. A program that takes
	// a sleep for long enough is found out.
	Hasty TimerRule = "at any moment, like sleeps and ticks"
	// Either is AtQuiescence in some schedules and Hasty in others, by a choice which is
	// part of the schedule. Those at quiescence become hasty when half of their
	// steps are spent, so that a goroutine may spin until another's sleep ends. Programs that
	// modelcheck test has rewritten are explored so.
	Either TimerRule = "only when no goroutine can go on, or at any moment, as the schedule says"
)

// rules has the values of timersVariable.
var rules = []struct {
	name string
	rule TimerRule
	pace sched.Pace
}{
	{"anytime", AnyTime, sched.Timeouts},
	{"quiescence", AtQuiescence, sched.Calm},
	{"hasty", Hasty, sched.Hasty},
	{"either", Either, sched.Either},
}

// ruleNames lists them.
const ruleNames = "anytime, quiescence, hasty or either"

// timersVariable overrides Timers. A schedule can be replayed under the rule only under
// which it was found.
const timersVariable = "MODELCHECK_TIMERS"

// namedRule returns the rule that a value of timersVariable names.
func namedRule(name string) (TimerRule, error) {
	for _, r := range rules {
		if r.name == name {
			return r.rule, nil
		}
	}
	return "", fmt.Errorf("no rule %q", name)
}

// name returns the value of timersVariable that names the rule.
func (rule TimerRule) name() string {
	for _, r := range rules {
		if r.rule == rule {
			return r.name
		}
	}
	return ""
}

// under returns the settings with the rule that a saved schedule was found under, since it
// may not fit under another, unless the environment asks for one. Processes of
// their own take theirs from the test.
func (s settings) under(f savedSchedule) settings {
	if f.timers != "" && os.Getenv(timersVariable) == "" && !s.isolated() {
		s.timers = f.timers
	}
	return s
}

// pace returns what the rule is to the engine.
func (rule TimerRule) pace() (_ sched.Pace, ok bool) {
	for _, r := range rules {
		if r.rule == rule {
			return r.pace, true
		}
	}
	return 0, false
}

// Timers chooses when timeouts may fire, AnyTime when it is not given. Reports of
// programs that start timers say which it was.
func Timers(rule TimerRule) Option {
	return Option{func(s *settings) error {
		if _, ok := rule.pace(); !ok {
			return fmt.Errorf("explore.Timers(%q): wanted AnyTime, AtQuiescence, Hasty or Either", rule)
		}
		s.timers = rule
		return nil
	}}
}
