package report

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/sched"
	"go.uber.org/goleak"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew; commit the changes only if you understand them")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func site(file string, line int) sched.Site { return sched.Site{File: file, Line: line, Func: "p.f"} }

// stream is the run of a receiver that is left behind at its send.
var stream = Run{
	Dir: "/home/me/mod/stream",
	Findings: []sched.Finding{{
		Kind: sched.BlockedForever, Goroutine: "main.2", Name: "receiver", Op: "send", Object: "chan reqCh (cap 0)",
		Site: site("/home/me/mod/stream/stream.go", 41), ObjectSite: site("/home/me/mod/stream/stream.go", 12), Since: 3,
		Wakers:  []string{"main received from it, last at step 3, stream.go:30, and returned after step 4"},
		Holding: []string{"mutex mu (locked at stream.go:39)"},
	}, {
		Kind: sched.LockHeld, Goroutine: "main.1", Op: "lock", Object: "mutex at other.go:3",
		Site: site("/home/me/mod/other/other.go", 7), ObjectSite: site("/home/me/mod/other/other.go", 7), Since: 2,
		Wakers: []string{"main.1 acquired it at other.go:7 and has returned without unlocking it"},
	}},
	Trace: []sched.TraceEvent{
		{Step: 1, Goroutine: "main", Op: "go", Site: site("/home/me/mod/stream/stream.go", 20)},
		{Step: 2, Goroutine: "main.1", Op: "lock", Object: "mutex at other.go:3", Site: site("/home/me/mod/other/other.go", 7), Preemption: true, Switch: true},
		{Step: 2, Goroutine: "main.1", Op: "log", Note: "two\nlines", Site: site("/home/me/mod/other/other.go", 8)},
		{Step: 3, Goroutine: "main.2", Name: "receiver", Op: "send", Object: "chan reqCh (cap 0)", Partner: "main", Site: site("/home/me/mod/stream/stream.go", 41), Switch: true},
		{Step: 4, Goroutine: "main", Op: "select", Object: "context", Note: "case 1: receive, closed", Switch: true},
	},
}

// long is a run of more steps than are shown.
var long = func() Run {
	r := Run{Findings: []sched.Finding{{Kind: sched.StepBoundReached, Message: "the run was cut"}}}
	for i := range 1000 {
		r.Trace = append(r.Trace, sched.TraceEvent{Step: i + 1, Goroutine: "main", Op: "yield", Site: site("/elsewhere/x.go", i)})
	}
	return r
}()

func TestText(t *testing.T) {
	for name, run := range map[string]Run{
		"stream": stream,
		"long":   long,
		"bare":   {Findings: []sched.Finding{{Kind: "never reached", Message: `"cancel won" held in none of 10 schedules`}}},
	} {
		t.Run(name, func(t *testing.T) {
			golden := filepath.Join("testdata", name+".txt")
			got := Text(run)
			if *rewrite {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLine(t *testing.T) {
	at := site("/d/x.go", 7)
	for _, test := range []struct {
		want string
		f    sched.Finding
	}{
		{"receiver (main.2) blocked: send chan reqCh (cap 0) at stream.go:41", stream.Findings[0]},
		{"mutex at other.go:3 held for ever by main.1: lock at ../other/other.go:7", stream.Findings[1]},
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
