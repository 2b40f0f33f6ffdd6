package explore

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcheck-go/modelcheck/sched"
)

// An Expectation describes a finding that a program known to be wrong has to
// show; see Expect. Words are looked for as whole words, so "mu" is found in
// "mutex mu" but not in "mutex muxed"; "" leaves a field open.
type Expectation struct {
	text string
	met  func(f Finding) bool
}

// String says what is expected.
func (e Expectation) String() string { return e.text }

// Blocked expects a goroutine, given by name or spawn path, to be blocked forever
// in an operation ("send", "receive", "select", "lock", "rlock", "wait") on an
// object given by its name, or "nil channel".
func Blocked(goroutine, op, object string) Expectation {
	return Expectation{
		text: words(string(sched.BlockedForever), goroutine, op, object),
		met: func(f Finding) bool {
			return f.Kind == sched.BlockedForever && isGoroutine(f, goroutine) && (op == "" || f.Op == op) && mentions(f.Object, object)
		},
	}
}

// Held expects the named lock to be held when nothing can happen any more, by a
// goroutine that is gone.
func Held(object string) Expectation {
	return Expectation{
		text: words(string(sched.LockHeld), object),
		met:  func(f Finding) bool { return f.Kind == sched.LockHeld && mentions(f.Object, object) },
	}
}

// Panics expects a panic, or one of Go's fatal errors, whose text has these
// words.
func Panics(text string) Expectation {
	return Expectation{
		text: words(string(sched.Panic), text),
		met: func(f Finding) bool {
			return f.Kind == sched.Panic && (mentions(f.Message, text) || mentions(f.Class, text))
		},
	}
}

// Broken expects a broken model.Assert, model.Invariant or model.AtEnd whose
// name or message has these words.
func Broken(name string) Expectation {
	return Expectation{
		text: words("broken", name),
		met: func(f Finding) bool {
			switch f.Kind {
			case sched.AssertionBroken:
				return mentions(f.Message, name)
			case sched.InvariantBroken:
				return mentions(f.Object, name) || mentions(f.Message, name)
			}
			return false
		},
	}
}

// Races expects a data race on the named variable.
func Races(variable string) Expectation {
	return Expectation{
		text: words(string(sched.DataRace), variable),
		met:  func(f Finding) bool { return f.Kind == sched.DataRace && mentions(f.Object, variable) },
	}
}

// Endless expects a schedule that takes more steps than the bound allows.
func Endless() Expectation {
	return Expectation{
		text: string(sched.StepBoundReached),
		met:  func(f Finding) bool { return f.Kind == sched.StepBoundReached },
	}
}

// Livelocked expects that a goroutine polls in vain for ever, though schedules are fair:
// it yields between its looks, nothing that it looks at changes any more, and nothing
// else can happen. The goroutine is named as for Blocked.
func Livelocked(goroutine string) Expectation {
	return Expectation{
		text: words(string(sched.PollsForEver), goroutine),
		met:  func(f Finding) bool { return f.Kind == sched.PollsForEver && isGoroutine(f, goroutine) },
	}
}

// Never expects that the named model.Sometimes holds in no schedule.
func Never(name string) Expectation {
	return Expectation{
		text: words(string(NeverReached), name),
		met:  func(f Finding) bool { return f.Kind == NeverReached && mentions(f.Object, name) },
	}
}

func words(kind string, fields ...string) string {
	s := kind + ":"
	for _, f := range fields {
		if f == "" {
			f = "(any)"
		}
		s += " " + f
	}
	return s
}

func isGoroutine(f Finding, want string) bool {
	return want == "" || f.Name == want || f.Goroutine == want
}

// mentions reports whether the words occur in text with no letter, digit or
// underscore next to them.
func mentions(text, words string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(words)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, size := utf8.DecodeRuneInString(text[end:])
		if words == "" || !isWordRune(before) && !isWordRune(after) {
			return true
		}
		if size == 0 {
			return false
		}
		_, size = utf8.DecodeRuneInString(text[start:])
		from = start + size
	}
}

func isWordRune(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// ledger keeps account of expectations over a campaign.
type ledger struct {
	want  []Expectation
	met   []bool
	first *failure  // the first schedule that met an expectation
	found []Finding // what met an expectation, each finding once
	tally *tally    // if the campaign is to go on whatever it finds, else nil
}

func newLedger(want []Expectation, tally *tally) *ledger {
	return &ledger{want: want, met: make([]bool, len(want)), tally: tally}
}

// settled reports whether there is nothing left to look for.
func (l *ledger) settled() bool {
	return (l.tally == nil || l.tally.brief) && len(l.missing()) == 0
}

// judge notes which expectations the findings of one schedule meet. It returns the
// findings that meet none, and whether something met one for the first time.
func (l *ledger) judge(fs []Finding) (unexpected []Finding, news bool) {
	for _, f := range fs {
		same := func(g Finding) bool { return keyOf([]Finding{f}) == keyOf([]Finding{g}) }
		expected := false
		for i, e := range l.want {
			if e.met(f) {
				news = news || !l.met[i]
				l.met[i], expected = true, true
			}
		}
		if !expected {
			unexpected = append(unexpected, f)
		} else if !slices.ContainsFunc(l.found, same) {
			l.found = append(l.found, f)
			news = true
		}
	}
	return unexpected, news
}

// unexpected returns the findings that meet no expectation.
func (l *ledger) unexpected(fs []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(fs), func(f Finding) bool {
		return slices.ContainsFunc(l.want, func(e Expectation) bool { return e.met(f) })
	})
}

// missing lists the expectations that no schedule met yet.
func (l *ledger) missing() []string {
	var out []string
	for i, e := range l.want {
		if !l.met[i] {
			out = append(out, strconv.Quote(e.text))
		}
	}
	return out
}
