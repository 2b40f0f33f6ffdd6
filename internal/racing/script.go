// Package racing has programs that may have data races: some classic ones, whose verdict
// is known, and any number that are drawn at random. Each is performed under control,
// where package sched looks for data races, and natively in a binary built with -race,
// where Go's race detector does. It is the oracle of the former; see the test.
package racing

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Script is a small program: what each of its goroutines does.
type Script struct{ Parts [][]Instr }

// Instr is an instruction: a verb, and which of two objects it is about.
type Instr struct {
	Verb string
	X    int
}

// String returns the script on one line, as Parse reads it.
func (s Script) String() string {
	var b strings.Builder
	for i, part := range s.Parts {
		if i > 0 {
			b.WriteString(" | ")
		}
		for k, in := range part {
			if k > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%s%d", in.Verb, in.X)
		}
	}
	return b.String()
}

// Parse undoes String.
func Parse(line string) (s Script, err error) {
	for text := range strings.SplitSeq(line, "|") {
		var part []Instr
		for word := range strings.FieldsSeq(text) {
			n := len(word) - 1
			in := Instr{word[:n], int(word[n] - '0')}
			if verbs[in.Verb].do == nil || in.X < 0 || in.X > 1 {
				return s, fmt.Errorf("script %q: %q is no instruction", line, word)
			}
			part = append(part, in)
		}
		s.Parts = append(s.Parts, part)
	}
	return s, nil
}

// themes are verbs that have to do with each other; what stands twice is drawn more
// often.
var themes = [][]string{
	strings.Fields("send recv send recv ifrecv close"),
	strings.Fields("fill drain fill drain ifdrain fillclose"),
	strings.Fields("select send recv fill drain iffull"),
	strings.Fields("lock unlock lock unlock iflock"),
	strings.Fields("rlock runlock wlock wunlock ifrlock ifwlock"),
	strings.Fields("done wait done wait"),
	strings.Fields("once oncego once"),
	strings.Fields("cwait signal broadcast raise flagged"),
	strings.Fields("load store ifload add ifcas swap"),
	strings.Fields("vload vstore ifvcas ifvnew"),
	strings.Fields("put ifget take load store"),
	strings.Fields("cancel cancelled iferr cause derive after"),
	strings.Fields("acquire release iftake"),
	strings.Fields("groupgo groupwait"),
	strings.Fields("pput pget"),
	strings.Fields("alarm timer go"),
	strings.Fields("await store add go"),
}

// Draw draws a script in which the same variable is accessed twice at least, from two
// goroutines, and few other things happen: so some have a race and some have not.
func Draw(r *rand.Rand) Script {
	menu := themes[r.IntN(len(themes))]
	if r.IntN(2) == 0 {
		menu = append(menu[:len(menu):len(menu)], themes[r.IntN(len(themes))]...)
	}
	few := make([]string, 2+r.IntN(3))
	for i := range few {
		few[i] = menu[r.IntN(len(menu))]
	}
	s := Script{Parts: make([][]Instr, 2+r.IntN(2))}
	for i := range s.Parts {
		for range 1 + r.IntN(4) {
			s.Parts[i] = append(s.Parts[i], Instr{few[r.IntN(len(few))], r.IntN(8) / 5})
		}
	}
	first := r.IntN(len(s.Parts))
	second := (first + 1) % len(s.Parts)
	write, access := Instr{"write", 0}, Instr{[]string{"read", "write"}[r.IntN(2)], 0}
	if r.IntN(2) == 0 {
		s.insert(r, first, write)
		s.insert(r, second, access)
		return s
	}
	// One comes after the other, so that all depends on whether what they do orders them.
	s.Parts[first] = append(append([]Instr{write}, s.Parts[first]...), Instr{"tell", 0})
	s.Parts[second] = append(append([]Instr{{"told", 0}}, s.Parts[second]...), access)
	return s
}

// insert puts an instruction somewhere into a part.
func (s *Script) insert(r *rand.Rand, part int, in Instr) {
	p := s.Parts[part]
	i := r.IntN(len(p) + 1)
	p = append(p[:i:i], append([]Instr{in}, p[i:]...)...)
	s.Parts[part] = p
}
