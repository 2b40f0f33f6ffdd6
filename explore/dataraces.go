package explore

import "fmt"

// racesVariable overrides IgnoreRaces.
const racesVariable = "MODELCHECK_RACES"

// IgnoreRaces says that data races on model.Shared variables are no findings: what they
// lead to is explored all the same, each access being a step. It is for a program in
// which they are meant, as in a published benchmark, or in which a Shared stands for
// something that is not a plain variable, such as a file. Without it a data race is a
// finding, see [sched.DataRace], because a Go program that has one means nothing: the
// compiler and the processor may reorder what is not synchronised.
func IgnoreRaces() Option {
	return Option{func(s *settings) error {
		s.ignoreRaces = true
		return nil
	}}
}

// ignoresRaces reads a value of racesVariable.
func ignoresRaces(text string) (bool, error) {
	switch text {
	case "report":
		return false, nil
	case "ignore":
		return true, nil
	}
	return false, fmt.Errorf("no rule %q", text)
}
