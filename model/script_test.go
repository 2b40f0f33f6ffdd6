package model_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// A script is a small program over objects that its goroutines share. It is performed
// natively and under control; what it comes to in one world is compared with what it
// comes to in the other. See verbs for what the instructions do.
type script struct {
	caps  [2]int // of the channels; -1: the nil channel. caps[0] limits the group too
	parts [][]instr
}

// instr is an instruction: a verb, which of two objects it is about, and a number
// whose meaning depends on the verb.
type instr struct {
	verb string
	x, y int
}

// String returns the script on one line, as parseScript reads it.
func (s script) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d:", s.caps[0], s.caps[1])
	for i, part := range s.parts {
		if i > 0 {
			b.WriteString(" |")
		}
		for _, in := range part {
			fmt.Fprintf(&b, " %s(%d,%d)", in.verb, in.x, in.y)
		}
	}
	return b.String()
}

// parseScript undoes String.
func parseScript(line string) (s script, err error) {
	head, rest, _ := strings.Cut(line, ":")
	if _, err := fmt.Sscan(head, &s.caps[0], &s.caps[1]); err != nil {
		return s, fmt.Errorf("script %q: want two capacities and a colon first: %w", line, err)
	}
	for text := range strings.SplitSeq(rest, "|") {
		var part []instr
		for word := range strings.FieldsSeq(text) {
			verb, args, _ := strings.Cut(word, "(")
			in := instr{verb: verb}
			if _, err := fmt.Sscanf(args, "%d,%d)", &in.x, &in.y); err != nil || verbs[verb].do == nil {
				return s, fmt.Errorf("script %q: %q is no instruction", line, word)
			}
			part = append(part, in)
		}
		s.parts = append(s.parts, part)
	}
	return s, nil
}

// needs reports whether the script has an instruction for objects of the family.
func (s script) needs(f family) bool {
	for _, part := range s.parts {
		for _, in := range part {
			if verbs[in.verb].needs&f != 0 {
				return true
			}
		}
	}
	return false
}

// scripts draws scripts whose schedules can all be run, or nearly all: the others
// are found out by running them. Each has a few verbs only, so that its goroutines
// meet.
var scripts = rapid.Custom(func(t *rapid.T) script {
	from := freeThemes
	if rapid.IntRange(0, 4).Draw(t, "in a bubble") == 0 {
		from = timedThemes
	}
	menu := slices.Clone(rapid.SampledFrom(from).Draw(t, "theme"))
	if rapid.Bool().Draw(t, "two themes") {
		menu = append(menu, rapid.SampledFrom(from).Draw(t, "theme")...)
	}
	if raceEnabled {
		menu = append(slices.DeleteFunc(menu, misused), "yield")
	}
	var s script
	for i := range s.caps {
		s.caps[i] = rapid.SampledFrom([]int{0, 1, 2, 0, 1, 3, -1}).Draw(t, "capacity")
	}
	few := rapid.SliceOfN(rapid.SampledFrom(menu), 2, 6).Draw(t, "verbs")
	instrs := rapid.Custom(func(t *rapid.T) instr {
		return instr{rapid.SampledFrom(few).Draw(t, "verb"), rapid.IntRange(0, 1).Draw(t, "x"), rapid.IntRange(0, 3).Draw(t, "y")}
	})
	s.parts = rapid.SliceOfN(rapid.SliceOfN(instrs, 1, 8), 2, 4).Draw(t, "parts")
	s.trim()
	return s
})

// maxOrders bounds the number of orders of a script's steps, if none of them waits
// for another.
const maxOrders = 20_000

// trim drops last instructions of the longest parts until there are few enough
// orders.
func (s *script) trim() {
	for {
		orders, all, longest := 1.0, 0, 0
		for i, part := range s.parts {
			for k := range steps(part) {
				all++
				orders *= float64(all) / float64(k+1)
			}
			if steps(part) > steps(s.parts[longest]) {
				longest = i
			}
		}
		if orders <= maxOrders {
			return
		}
		s.parts[longest] = s.parts[longest][:len(s.parts[longest])-1]
	}
}

func steps(part []instr) (n int) {
	for _, in := range part {
		n += verbs[in.verb].steps
	}
	return n
}
