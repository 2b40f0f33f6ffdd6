package main

import (
	"io"
	"testing"
)

func TestColorsOnlyWhereWanted(t *testing.T) {
	for _, test := range []struct {
		mode          colorMode
		noColor, term string
		want          bool
	}{
		{"", "", "xterm", false}, // the writer is no terminal
		{"auto", "", "xterm", false},
		{"never", "", "xterm", false},
		{"always", "", "xterm", true},
		{"always", "1", "dumb", true},
	} {
		t.Setenv("NO_COLOR", test.noColor)
		t.Setenv("TERM", test.term)
		if got := test.mode.enabled(io.Discard); got != test.want {
			t.Errorf("%+v: enabled = %v", test, got)
		}
	}
}
