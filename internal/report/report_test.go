package report

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/sched"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func site(file string, line int) sched.Site { return sched.Site{File: file, Line: line, Func: "p.f"} }

func TestLine(t *testing.T) {
	at := site("/d/x.go", 7)
	for _, test := range []struct {
		want string
		f    sched.Finding
	}{
		{"receiver (main.2) blocked: send chan reqCh (cap 0) at stream.go:41", sched.Finding{
			Kind: sched.BlockedForever, Goroutine: "main.2", Name: "receiver", Op: "send", Object: "chan reqCh (cap 0)",
			Site: site("/home/me/mod/stream/stream.go", 41),
		}},
		{"mutex at other.go:3 held for ever by main.1: lock at ../other/other.go:7", sched.Finding{
			Kind: sched.LockHeld, Goroutine: "main.1", Op: "lock", Object: "mutex at other.go:3", Site: site("/home/me/mod/other/other.go", 7),
		}},
		{"main blocked: lock mutex mu at d/x.go:7 (deadlock)", sched.Finding{Kind: sched.BlockedForever, Class: "deadlock", Goroutine: "main", Op: "lock", Object: "mutex mu", Site: at}},
		{`w (main.1) panicked: one\ntwo\x00 at d/x.go:7`, sched.Finding{Kind: sched.Panic, Goroutine: "main.1", Name: "w", Op: "panic", Site: at, Message: "one\ntwo\x00"}},
		{"main left by Goexit at d/x.go:7: why", sched.Finding{Kind: sched.Goexit, Goroutine: "main", Site: at, Message: "why"}},
		{"broken assertion: D1, main at d/x.go:7", sched.Finding{Kind: sched.AssertionBroken, Goroutine: "main", Site: at, Message: "D1"}},
		{`broken invariant "one leader": two`, sched.Finding{Kind: sched.InvariantBroken, Goroutine: "main", Object: "one leader", Site: at, Message: "two"}},
		{"cut", sched.Finding{Kind: sched.StepBoundReached, Message: "cut"}},
		{"blocked outside the model: it waits", sched.Finding{Kind: "blocked outside the model", Message: "it waits"}},
	} {
		if got := Line(test.f, "/home/me/mod/stream"); got != test.want {
			t.Errorf("\n got %s\nwant %s", got, test.want)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, test := range []struct{ file, dir, want string }{
		{"/m/p/x.go", "/m/p", "x.go:7"},
		{"/m/p/sub/x.go", "/m/p", "sub/x.go:7"},
		{"/m/q/x.go", "/m/p", "../q/x.go:7"},
		{"/cache/mod/v/x.go", "/home/me/deep/down/p", "v/x.go:7"},
		{"/m/p/x.go", "", "p/x.go:7"},
		{"example.com/m/p/x.go", "/m/p", "p/x.go:7"}, // built with -trimpath
	} {
		if got := Place(site(test.file, 7), test.dir); got != test.want {
			t.Errorf("%s seen from %q: %s, wanted %s", test.file, test.dir, got, test.want)
		}
	}
	if got := Place(sched.Site{}, "/m"); got != "unknown place" {
		t.Errorf("no place: %s", got)
	}
}
