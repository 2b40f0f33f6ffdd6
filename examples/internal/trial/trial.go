// Package trial is for the tables of verdicts in the tests of examples: it says how much
// is done to judge a row, and what its world is called.
package trial

import (
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/explore"
)

// Effort is how a row is judged.
type Effort int

const (
	Proved  Effort = iota // all trace classes are explored
	Large                 // so they are, which takes a second or more
	Sampled               // 5,000 random schedules are: there are too many classes
)

// Of returns t, to be judged with the effort e.
func (e Effort) Of(t explore.Trial) explore.Trial {
	t.Large = e == Large
	if e == Sampled {
		t.Sample = 5_000
	}
	return t
}

// World is the name of a world with these words, of which those that are empty do not
// count.
func World(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")
}

// If returns the word if it is true of a world, and "" otherwise.
func If(is bool, word string) string {
	if is {
		return word
	}
	return ""
}
