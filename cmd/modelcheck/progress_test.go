package main

import (
	"strings"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

func TestProgressInWords(t *testing.T) {
	for _, c := range []struct {
		at   gotest.Progress
		want string
	}{
		{gotest.Progress{Test: "TestX", Schedules: 500, Asked: 10_000, PerSecond: 8123.4}, "TestX: 500 of 10000 schedules, 8123/s"},
		{gotest.Progress{Test: "TestX", Schedules: 500, Asked: 10_000, Classes: 80, New: 3, Found: 2}, "TestX: 500 of 10000 schedules, 0/s, 80 classes, 3 new lately, 2 expected findings"},
		{gotest.Progress{Test: "TestX/a", Schedules: 500, Asked: 1_000_000, Classes: 500, Share: 0.126}, "TestX/a: 500 schedules, 0/s, 500 classes, about 13 % (estimate)"},
		{gotest.Progress{Test: "TestX/a", Schedules: 500, Classes: 500, Share: 0.009}, "TestX/a: 500 schedules, 0/s, 500 classes"},
	} {
		if got := describeProgress(c.at); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if got := cut("0123456789", 6); got != "0123…" {
		t.Errorf("cut to %q", got)
	}
	if got := cut("0123456789", 0) + cut("0123", 6); got != "01234567890123" {
		t.Errorf("cut what fits: %q", got)
	}
}

// Where there is no terminal a line comes now and then, and none is erased.
func TestProgressWithoutTerminal(t *testing.T) {
	var out strings.Builder
	p := newProgress(&out, false)
	at := gotest.Progress{Test: "TestX", Schedules: 1, Asked: 2}
	p.show("[1/1] ./x")
	p.update("[1/1] ./x", at) // too soon
	p.told = p.told.Add(-plainEvery)
	p.update("[1/1] ./x", at)
	p.update("[1/1] ./x", at)
	p.clear()
	if got, want := out.String(), "[1/1] ./x TestX: 1 of 2 schedules, 0/s\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	out.Reset()
	p = newProgress(&out, true)
	p.told = time.Time{}
	p.update("[1/1] ./x", at)
	if out.Len() > 0 {
		t.Errorf("silent, but said %q", out.String())
	}

	p = &progress{w: &out, terminal: true, width: 80}
	p.update("[1/1] ./x", at)
	p.clear()
	if got, want := out.String(), "\r\x1b[K[1/1] ./x TestX: 1 of 2 schedules, 0/s\r\x1b[K"; got != want {
		t.Errorf("on a terminal %q, want %q", got, want)
	}
}
