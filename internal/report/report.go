// Package report turns what one run showed into what people read. It decides
// nothing and looks at nothing but its arguments, so the same run gives the same
// text on every machine.
package report

import (
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Run is one run as a capturing run recorded it.
type Run struct {
	Origin
	Findings []sched.Finding
	Trace    []sched.TraceEvent
	Final    sched.Final
	// Dir is the directory that file names are relative to, or "".
	Dir string
}

// Line says in one line what is wrong.
func Line(f sched.Finding, dir string) string {
	return visible(sentence(f, dir))
}

func sentence(f sched.Finding, dir string) string {
	who, at := Title(f.Goroutine, f.Name), " at "+Place(f.Site, dir)
	switch f.Kind {
	case sched.BlockedForever:
		s := who + " blocked: " + f.Op + " " + f.Object + at
		if f.Class != "" {
			s += " (" + f.Class + ")"
		}
		return s
	case sched.PollsForEver:
		return who + " polls for ever: " + f.Object + at
	case sched.LockHeld:
		return f.Object + " held for ever by " + who + ": " + f.Op + at
	case sched.Panic:
		return who + " panicked: " + f.Message + at
	case sched.Goexit:
		return who + " left by Goexit" + at + ": " + f.Message
	case sched.AssertionBroken:
		return "broken assertion: " + f.Message + ", " + who + at
	case sched.InvariantBroken:
		return "broken invariant " + strconv.Quote(f.Object) + ": " + f.Message
	case sched.StepBoundReached:
		return f.Message
	case sched.DataRace:
		return "data race on " + f.Object + ": " + f.Op + " by " + who + at + ", " +
			f.Other.Op + " by " + Title(f.Other.Goroutine, f.Other.Name) + " at " + Place(f.Other.Site, dir)
	}
	return string(f.Kind) + ": " + f.Message
}

// Title names a goroutine: by the user's name, if it has one, and its path.
func Title(path, name string) string {
	if name == "" {
		return path
	}
	return name + " (" + path + ")"
}

const unknownPlace = "unknown place"

// Place writes a site as file:line, the file relative to dir when it is in dir
// or near it, else with the directory that it lies in.
func Place(s sched.Site, dir string) string {
	if s.Line == 0 {
		return unknownPlace
	}
	return file(s, dir) + ":" + strconv.Itoa(s.Line)
}

func file(s sched.Site, dir string) string {
	if dir != "" && filepath.IsAbs(s.File) {
		rel, err := filepath.Rel(dir, s.File)
		if err == nil && strings.Count(rel, "..") <= maxUp {
			return filepath.ToSlash(rel)
		}
	}
	parent, name := filepath.Split(filepath.ToSlash(s.File))
	return filepath.Base(parent) + "/" + name
}

// maxUp is how many directories up still counts as near: from one package of a
// module to another.
const maxUp = 3

// visible writes what does not print, such as control characters, as Go writes it
// in a quoted string: what a program says can neither break a format of lines nor
// reach the terminal as a command.
func visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool { return !unicode.IsPrint(r) }
