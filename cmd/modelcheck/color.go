package main

import (
	"errors"
	"io"
	"os"

	"golang.org/x/term"
)

// colorMode says when to use colours; its zero value is auto. As a flag it is
// a [flag.Value].
type colorMode string

func (m *colorMode) String() string {
	if *m == "" {
		return "auto"
	}
	return string(*m)
}

func (m *colorMode) Set(value string) error {
	switch value {
	case "auto", "always", "never":
		*m = colorMode(value)
		return nil
	}
	return errors.New("want auto, always or never")
}

// enabled decides for what is written to w. NO_COLOR is the convention of
// https://no-color.org.
func (m colorMode) enabled(w io.Writer) bool {
	switch m {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// minWidth is the narrowest report.
const minWidth = 40

// terminalWidth is how many columns w has, 0 when it is no terminal.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return max(columns, minWidth)
}

// A paint colours words; the words say by themselves what the colour says.
type paint bool

func (p paint) good(s string) string { return p.wrap("\x1b[32m", s) }
func (p paint) bad(s string) string  { return p.wrap("\x1b[1;31m", s) }

func (p paint) wrap(begin, s string) string {
	if !p {
		return s
	}
	return begin + s + "\x1b[0m"
}
