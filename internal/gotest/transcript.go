package gotest

import (
	"bytes"
	"io"
	"strings"
)

// A testLog is what one test printed and how it ended.
type testLog struct {
	name   string // "" collects what no test printed
	output strings.Builder
	ended  bool
	failed bool
}

// A transcript files the output of a test binary run with -test.v=test2json
// under the tests that printed it. There, package testing puts the byte
// [marker] before every line of its own, even when a test left its last line
// unfinished, so that no output of a test is mistaken for such a line.
type transcript struct {
	log     io.Writer  // when not nil, receives the lines without markers
	tests   []*testLog // in the order in which they started; tests[0] is no test
	current *testLog
	rest    []byte // begin of a line whose end has not come yet
}

const marker = 0x16

func newTranscript(log io.Writer) *transcript {
	outside := &testLog{}
	return &transcript{log: log, tests: []*testLog{outside}, current: outside}
}

// Write implements [io.Writer]; it never fails.
func (t *transcript) Write(p []byte) (int, error) {
	t.rest = append(t.rest, p...)
	for {
		end := lineEnd(t.rest)
		if end < 0 {
			return len(p), nil
		}
		t.line(string(t.rest[:end]))
		t.rest = t.rest[end:]
	}
}

// lineEnd is the length of the first line in b, which a newline ends or the
// marker of the next line; -1 when neither has come yet.
func lineEnd(b []byte) int {
	newline := bytes.IndexByte(b, '\n')
	if next := bytes.IndexByte(b[min(1, len(b)):], marker); next >= 0 && (newline < 0 || next < newline) {
		return next + 1
	}
	if newline < 0 {
		return -1
	}
	return newline + 1
}

// close takes a last line without newline.
func (t *transcript) close() {
	if len(t.rest) > 0 {
		t.line(string(t.rest))
		t.rest = nil
	}
}

func (t *transcript) line(line string) {
	text, framing := strings.CutPrefix(line, string(rune(marker)))
	if framing && t.frame(text) {
		if !strings.HasPrefix(text, "=== NAME") {
			t.print(text)
		}
		return
	}
	t.current.output.WriteString(text)
	t.print(text)
}

func (t *transcript) print(line string) {
	if t.log != nil {
		io.WriteString(t.log, line)
	}
}

// frame takes a line of package testing's own and reports whether it was one
// that says which test comes next or how one ended.
func (t *transcript) frame(line string) bool {
	fields := append(strings.Fields(line), "", "", "")
	switch mark, verb, name := fields[0], fields[1], fields[2]; {
	case verb == "" && (mark == "PASS" || mark == "FAIL"):
		t.current = t.tests[0]
	case mark == "===":
		t.enter(name)
		t.current.ended = t.current.ended && verb != "RUN"
	case mark == "---":
		t.enter(name)
		t.current.ended = true
		t.current.failed = t.current.failed || verb == "FAIL:"
	default:
		return false
	}
	return true
}

// enter makes name the test that the following output belongs to.
func (t *transcript) enter(name string) {
	for _, test := range t.tests {
		if test.name == name {
			t.current = test
			return
		}
	}
	t.current = &testLog{name: name}
	t.tests = append(t.tests, t.current)
}
