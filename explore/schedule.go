package explore

import (
	"fmt"
	"hash/crc32"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
)

// schedule is the list of decisions at which a run left the default policy (see
// sched.Point.Default), in order. All other decisions are the default ones, so
// every part of a schedule is a schedule too, and a short one needs few words.
type schedule []deviation

// deviation says: where place is reached, do action.
type deviation struct {
	place  place
	action action
}

// place names a decision by who has just run and how many operations of its own
// that goroutine has executed. No two decisions of a run have the same place,
// and it stays when other goroutines change.
type place struct {
	goroutine string // spawn path
	op        int
}

// action names an event by what it is, not by the order in which goroutines
// arrived.
type action struct {
	goroutine   string
	op          string // what the goroutine's pending operation is
	partner     string // spawn path of the other goroutine of a rendezvous, or ""
	number      int32  // the case of a select, -1 for none
	partnerCase int32  // the case of the partner's select, -1 for none
	isDefault   bool   // the select takes its default
	value       int32  // what Choose returns, how an Add overtakes a Wait, else -1
}

func placeOf(p *sched.Point) place {
	g, _ := p.Running()
	return place{p.Path(g), p.OpIndex(g)}
}

func actionOf(p *sched.Point, c sched.Choice) action {
	ev := p.Event(c)
	a := action{
		goroutine:   p.Path(ev.G),
		op:          word(p.Op(ev.G).Kind),
		number:      ev.Case,
		partnerCase: ev.PartnerCase,
		isDefault:   ev.Default,
		value:       -1,
	}
	if ev.Partner >= 0 {
		a.partner = p.Path(ev.Partner)
	}
	if p.IsData() || ev.Value > 0 {
		a.value = ev.Value
	}
	return a
}

// word is the name of an operation in schedules: letters and underscores.
func word(k sched.OpKind) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r
		case r == ' ':
			return '_'
		}
		return -1
	}, k.String())
}

// describe says what a is in words.
func (a action) describe() string {
	s := a.goroutine + " " + strings.ReplaceAll(a.op, "_", " ")
	if a.number >= 0 {
		s += fmt.Sprintf(" (case %d)", a.number)
	}
	if a.partner != "" {
		s += " with " + a.partner
	}
	if a.partnerCase >= 0 {
		s += fmt.Sprintf(" (case %d)", a.partnerCase)
	}
	if a.isDefault {
		s += " (default)"
	}
	if a.value >= 0 {
		s += fmt.Sprintf(" (value %d)", a.value)
	}
	return s
}

// find returns the choice that stands for a at p.
func (a action) find(p *sched.Point) (sched.Choice, bool) {
	g, ok := p.Lookup(a.goroutine)
	if !ok || !p.Enabled(g) {
		return sched.Choice{}, false
	}
	for alt := range int32(p.Alternatives(g)) {
		c := sched.Choice{G: g, Alt: alt}
		if actionOf(p, c) == a {
			return c, true
		}
	}
	return sched.Choice{}, false
}

// The text form is
//
//	mc1:m-3=m.2_receive@m.1,m.1-7=m_select/1@m.2/0:89abcdef
//
// that is the version, the deviations in order, and a CRC-32 of all before it
// (which detects every change of up to four neighbouring bytes). "m.1-7" is the
// place: goroutine main.1 has just run and executed 7 operations. Then comes the
// goroutine that goes on and what it does: "/1" is the case of its select, "@m.2"
// its partner, "/0" the case of the partner's select, "%" the default of a
// select, "+3" the value of a Choose. No character means anything to a shell.
const (
	textPrefix    = "mc"
	textVersion   = "1"
	checksumChars = 8
)

// String returns the schedule's text.
func (s schedule) String() string {
	var b strings.Builder
	b.WriteString(textPrefix + textVersion + ":")
	for i, d := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(d.place.text())
		b.WriteByte('=')
		b.WriteString(d.action.text())
	}
	return b.String() + ":" + checksum(b.String())
}

func checksum(s string) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(s))) }

func (p place) text() string { return shortPath(p.goroutine) + "-" + strconv.Itoa(p.op) }

func (a action) text() string {
	s := shortPath(a.goroutine) + "_" + a.op
	if a.number >= 0 {
		s += "/" + strconv.Itoa(int(a.number))
	}
	if a.partner != "" {
		s += "@" + shortPath(a.partner)
	}
	if a.partnerCase >= 0 {
		s += "/" + strconv.Itoa(int(a.partnerCase))
	}
	if a.isDefault {
		s += "%"
	}
	if a.value >= 0 {
		s += "+" + strconv.Itoa(int(a.value))
	}
	return s
}

// shortPath writes "main" as "m", longPath undoes it.
func shortPath(path string) string { return "m" + strings.TrimPrefix(path, "main") }
func longPath(short string) string { return "main" + strings.TrimPrefix(short, "m") }

// parseSchedule reads a schedule's text. It accepts nothing that String does not
// produce.
func parseSchedule(text string) (schedule, error) {
	head, rest, found := strings.Cut(text, ":")
	version, isSchedule := strings.CutPrefix(head, textPrefix)
	if !found || !isSchedule {
		return nil, fmt.Errorf("not a schedule: wanted text that begins with %s%s:, found %q", textPrefix, textVersion, excerpt(text))
	}
	if version != textVersion {
		return nil, fmt.Errorf("schedule of unknown version %q: this version of modelcheck reads %s%s", textPrefix+version, textPrefix, textVersion)
	}
	end := strings.LastIndexByte(text, ':')
	sum := text[end+1:]
	if end <= len(head) || len(sum) != checksumChars {
		return nil, fmt.Errorf("schedule cut short or altered: wanted a colon and %d hexadecimal digits at its end, found %q", checksumChars, tail(text))
	}
	if want := checksum(text[:end]); sum != want {
		return nil, fmt.Errorf("schedule altered: its checksum is %q, that of its text %q: copy it again, all of it", sum, want)
	}
	return parseDeviations(rest[:len(rest)-checksumChars-1])
}

func parseDeviations(text string) (schedule, error) {
	if text == "" {
		return schedule{}, nil
	}
	var s schedule
	seen := map[place]bool{}
	for i, part := range strings.Split(text, ",") {
		d, ok := parseDeviation(part)
		if !ok {
			return nil, fmt.Errorf("schedule: deviation %d is %q: wanted something like m-3=m.2_receive@m.1", i+1, part)
		}
		if seen[d.place] {
			return nil, fmt.Errorf("schedule: deviation %d, %q, is the second for the same place", i+1, part)
		}
		seen[d.place] = true
		s = append(s, d)
	}
	return s, nil
}

var deviationForm = func() *regexp.Regexp {
	const path, number = `(m(?:\.[1-9][0-9]*)*)`, `(0|[1-9][0-9]{0,8})`
	return regexp.MustCompile(`^` + path + `-` + number + `=` + path + `_([a-z_]+)` +
		`(?:/` + number + `)?(?:@` + path + `(?:/` + number + `)?)?(%)?(?:\+` + number + `)?$`)
}()

func parseDeviation(text string) (deviation, bool) {
	m := deviationForm.FindStringSubmatch(text)
	if m == nil {
		return deviation{}, false
	}
	d := deviation{
		place{longPath(m[1]), int(parseNumber(m[2]))},
		action{
			goroutine: longPath(m[3]), op: m[4],
			number: parseNumber(m[5]), partnerCase: parseNumber(m[7]),
			isDefault: m[8] != "", value: parseNumber(m[9]),
		},
	}
	if m[6] != "" {
		d.action.partner = longPath(m[6])
	}
	return d, true
}

// parseNumber returns -1 for a number that is not there.
func parseNumber(s string) int32 {
	if s == "" {
		return -1
	}
	n, _ := strconv.Atoi(s) // the form allows digits only, and few
	return int32(n)
}

const excerptChars = 20

func excerpt(s string) string {
	if len(s) > excerptChars {
		return s[:excerptChars] + "..."
	}
	return s
}

func tail(s string) string {
	if len(s) > excerptChars {
		return "..." + s[len(s)-excerptChars:]
	}
	return s
}
