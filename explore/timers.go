package explore

import "fmt"

// TimerRule says when a timeout (a timer, model.After, the deadline of a context)
// may fire. Sleeps and tickers always wait until no goroutine can go on.
type TimerRule string

const (
	// AnyTime lets a timeout fire at any moment once it is started: work may always
	// be slower than expected. It is the default.
	AnyTime TimerRule = "at any moment"
	// AtQuiescence lets it fire only when no goroutine can go on or it is due already, as
	// if computing took no time: what package testing/synctest does. It hides what happens when
	// a timeout hits work that is under way.
	AtQuiescence TimerRule = "only when no goroutine can go on"
)

// timersVariable overrides Timers. A schedule can be replayed under the rule only under
// which it was found.
const timersVariable = "MODELCHECK_TIMERS"

// namedRule returns the rule that a value of timersVariable names.
func namedRule(name string) (TimerRule, error) {
	switch name {
	case "anytime":
		return AnyTime, nil
	case "quiescence":
		return AtQuiescence, nil
	}
	return "", fmt.Errorf("no rule %q", name)
}

// Timers chooses when timeouts may fire, AnyTime when it is not given. Reports of
// programs that start timers say which it was.
func Timers(rule TimerRule) Option {
	return Option{func(s *settings) error {
		if rule != AnyTime && rule != AtQuiescence {
			return fmt.Errorf("explore.Timers(%q): wanted AnyTime or AtQuiescence", rule)
		}
		s.timers = rule
		return nil
	}}
}
