package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

// progress shows what is being done: on a terminal in one line that is always the
// latest, elsewhere in a line now and then, if something takes long.
type progress struct {
	w        io.Writer
	terminal bool
	width    int // of the terminal
	told     time.Time
}

// plainEvery is the time between two lines where there is no terminal.
var plainEvery = 10 * time.Second

func newProgress(w io.Writer, silent bool) *progress {
	p := &progress{w: w, terminal: isTerminal(w), told: time.Now()}
	if silent {
		p.w, p.terminal = io.Discard, false
	}
	p.width = terminalWidth(w)
	return p
}

// show says what is being done; only a terminal needs to know.
func (p *progress) show(format string, args ...any) {
	if p.terminal {
		io.WriteString(p.w, cut(fmt.Sprintf(format, args...), p.width))
	}
}

// update says how far it is.
func (p *progress) update(where string, at gotest.Progress) {
	text := where + " " + describeProgress(at)
	switch {
	case p.terminal:
		p.clear()
		io.WriteString(p.w, cut(text, p.width))
	case time.Since(p.told) >= plainEvery:
		p.told = time.Now()
		fmt.Fprintln(p.w, text)
	}
}

func (p *progress) clear() {
	if p.terminal {
		io.WriteString(p.w, "\r\x1b[K")
	}
}

// describeProgress says it in words. There is no estimate of the share that is done
// before it means something.
func describeProgress(at gotest.Progress) string {
	parts := []string{fmt.Sprintf("%s: %d schedules", at.Test, at.Schedules)}
	if at.Share == 0 {
		parts[0] = fmt.Sprintf("%s: %d of %d schedules", at.Test, at.Schedules, at.Asked)
	}
	parts = append(parts, fmt.Sprintf("%.0f/s", at.PerSecond))
	if at.Classes > 0 {
		classes := fmt.Sprintf("%d classes", at.Classes)
		if at.Share == 0 {
			classes += fmt.Sprintf(", %d new lately", at.New)
		}
		parts = append(parts, classes)
	}
	if at.Found > 0 {
		parts = append(parts, fmt.Sprintf("%d expected findings", at.Found))
	}
	if at.Share >= 0.01 {
		parts = append(parts, fmt.Sprintf("about %.0f %% (estimate)", 100*at.Share))
	}
	return strings.Join(parts, ", ")
}

// cut shortens a line so that it does not wrap; 0 is any width.
func cut(line string, width int) string {
	if width < 2 || utf8.RuneCountInString(line) < width {
		return line
	}
	return string([]rune(line)[:width-2]) + "…"
}
