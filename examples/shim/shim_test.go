package shim

import (
	"fmt"
	"os"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// verdict is what exploring a service shows: nothing, or all of these.
type verdict = []explore.Expectation

var (
	pass   verdict
	blocks = explore.Blocked // a goroutine, what it waits in, and for what
	breaks = explore.Broken
	panics = explore.Panics
)

// effort is how a pass is established, or that nothing else is wrong than expected.
type effort int

const (
	proved  effort = iota // all schedules
	large                 // all schedules with MODELCHECK_LONG=1, since it takes a second or more; else sampled
	sampled               // some thousand, no proof
)

func (e effort) String() string { return [...]string{"proved", "proved", "sampled"}[e] }

// The environments: so many execs, and what else.
func private(execs int, more ...func(*environment)) environment {
	e := environment{execs: execs}
	for _, m := range more {
		m(&e)
	}
	return e
}

func shared(execs int, more ...func(*environment)) environment {
	return private(execs, append(more, func(e *environment) { e.sharedPIDs = true })...)
}

func twoContainers(e *environment) { e.containers = 2 }
func creates(e *environment)       { e.creates = true }
func startsInit(e *environment)    { e.startsInit = true }
func deletes(e *environment)       { e.deletes = true }
func shutsDown(e *environment)     { e.deletes, e.shutsDown = true, true }
func twice(e *environment)         { e.twice = true }
func fails(e *environment)         { e.fails = true }
func failsLate(e *environment)     { e.failsLate = true }
func stubborn(e *environment)      { e.stubborn = true }
func settles(e *environment)       { e.settles = true }

type row struct {
	variant string
	design  design
	env     environment
	effort  effort
	want    verdict
}

var services = []row{
	{"landed", landed, private(1), proved, pass},
	{"landed", landed, shared(1), proved, pass},
	{"landed", landed, private(2), large, pass},
	{"landed", landed, shared(2, fails), large, pass},
	{"landed", landed, private(3), sampled, pass},
	{"landed", landed, shared(3, fails), sampled, pass},

	// May the send block? Not with the guard in Start, whatever the capacity; without
	// the guard the capacity only decides how many execs it takes.
	{"unbuffered", unbuffered, private(1), proved, pass},
	{"unbuffered", unbuffered, private(2), sampled, pass},
	{"unbuffered", unbuffered, shared(2, fails), large, pass},
	{"unguarded", unguarded, private(1), proved, verdict{breaks("C6")}},
	{"unguarded", unguarded, private(2), sampled, verdict{breaks("C6")}},
	{"unguarded", unguarded, private(3), sampled, verdict{breaks("C6"),
		blocks("start exec", "send", "count"), blocks("", "lock", "lifecycleMu")}},
	{"unguarded", unguarded, shared(1), proved, verdict{breaks("C3"), breaks("C6")}},
	{"unguarded-unbuffered", unguardedUnbuffered, private(1), proved, verdict{breaks("C6")}},
	{"unguarded-unbuffered", unguardedUnbuffered, private(2), sampled, verdict{breaks("C6"),
		blocks("start exec", "send", "count"), blocks("", "lock", "lifecycleMu")}},

	// Other ways to wait.
	{"cond", broadcasts, private(1), proved, pass},
	{"cond", broadcasts, private(2), sampled, pass},
	{"cond", broadcasts, shared(2), large, pass},
	{"cond", broadcasts, private(1, twoContainers), sampled, pass},
	{"cond-signal", signals, private(2), sampled, pass},
	{"cond-signal", signals, private(1, twoContainers), sampled, verdict{breaks("C1"),
		blocks("init exit", "wait", "execsChanged")}},
	{"cond-once", looksOnce, private(1), proved, pass},
	{"cond-once", looksOnce, private(2), sampled, verdict{breaks("C3"), breaks("C6")}},
	{"notify", notify, private(1), proved, pass},
	{"notify", notify, private(2), sampled, pass},
	{"notify", notify, shared(2), large, pass},
	{"notify-unbuffered", notifyUnbuffered, private(1), proved, pass},
	{"notify-unbuffered", notifyUnbuffered, private(2), sampled, verdict{breaks("C1"),
		blocks("start exec", "send", "news"), blocks("", "lock", "lifecycleMu")}},
	{"offer", offer, private(1), proved, pass},
	{"offer", offer, private(2), sampled, pass},
	{"offer", offer, shared(2), large, pass},
	{"offer-unbuffered", offerUnbuffered, private(1), proved, verdict{breaks("C1"),
		blocks("init exit", "receive", "news")}},

	// To wait for ever, or not.
	{"landed", landed, shared(1, stubborn), proved, verdict{breaks("C1"), blocks("init exit", "receive", "count")}},
	{"landed", landed, shared(2, stubborn, settles), proved, pass},
	{"watchdog", watchdog, private(1), sampled, verdict{breaks("C3"), breaks("C6")}},
	{"watchdog", watchdog, shared(1, stubborn), sampled, verdict{breaks("C3"), breaks("C6")}},

	// What came before.
	{"unordered", unordered, private(1), proved, verdict{breaks("C3")}},
	{"unordered", unordered, shared(1), proved, verdict{breaks("C3")}},
	{"locks-mu", locksMu, private(0, creates), proved, verdict{breaks("C1"), blocks("create", "lock", "mu")}},
	{"locks-mu-once", locksMuOnce, private(0, creates), proved, pass},
	{"landed", landed, private(0, creates), proved, pass},
	{"postpones-all", postponesAll, private(1), proved, verdict{breaks("C3")}},
	{"postpones-all", postponesAll, private(2), sampled, verdict{breaks("C1"), breaks("C2"), breaks("C3")}},
	{"postpones-init", postponesInit, private(1), proved, verdict{breaks("C3")}},
	{"postpones-init", postponesInit, shared(1), proved, verdict{breaks("C1"), breaks("C3")}},
	{"postpones-init", postponesInit, private(2), sampled, verdict{breaks("C1"), breaks("C3")}},

	// What is wrong still, or was until lately.
	{"retains", retains, private(1, deletes), proved, verdict{breaks("containerInitExit"), breaks("C8")}},
	{"landed", landed, private(1, deletes), proved, verdict{breaks("runningExecs"), breaks("C8")}},
	{"landed", landed, private(1, shutsDown), sampled, verdict{panics("send on closed channel"),
		breaks("runningExecs"), breaks("C8")}},
	{"drops", drops, private(1, shutsDown), sampled, verdict{breaks("runningExecs"), breaks("C8")}},
	{"landed", landed, private(1, startsInit), proved, verdict{breaks("C3"), breaks("C6")}},
	{"landed", landed, shared(1, startsInit), proved, verdict{breaks("C3"), breaks("C6")}},
	{"landed", landed, private(1, creates), proved, verdict{breaks("C6")}},
	{"landed", landed, shared(1, creates), proved, verdict{breaks("C3"), breaks("C6")}},
	{"early-init", earlyInit, private(1, startsInit), proved, pass},
	{"early-init", earlyInit, shared(1, startsInit), proved, pass},
	{"early-init", earlyInit, shared(1, creates, startsInit), proved, pass},
	{"landed", landed, private(1, twice), sampled, verdict{breaks("C2"), breaks("C3"), breaks("C4"), breaks("C6"),
		panics("makechan: size out of range")}},
	{"forgets-failed", forgetsFailed, private(1, twice), proved, pass},
	{"forgets-failed", forgetsFailed, shared(1, twice, fails), proved, pass},
	{"landed", landed, private(1, failsLate), proved, verdict{breaks("C2")}},
	{"landed", landed, shared(1, failsLate), proved, verdict{breaks("C2")}},

	{"mended", mended, private(2, creates, startsInit, twice, fails), sampled, pass},
	{"mended", mended, shared(2, creates, startsInit, twice, fails), sampled, pass},
}

func TestService(t *testing.T) {
	for _, r := range services {
		t.Run(r.name(), func(t *testing.T) { explored(t, r.effort, serve(r.design, r.env), r.want) })
	}
}

func TestServiceShowsNothingElse(t *testing.T) {
	for _, r := range services {
		if r.want != nil {
			t.Run(r.name(), func(t *testing.T) { showsNothingElse(t, r.effort, serve(r.design, r.env), r.want) })
		}
	}
}

var reapings = []struct {
	variant string
	reaping reaping
	effort  effort
	want    verdict
}{
	{"waits", reaping{capacity: 1, execs: 1}, proved, pass},
	{"waits", reaping{capacity: 1, execs: 2}, proved, verdict{
		blocks("processExits", "receive", "kill"), blocks("notify", "select", "ec")}},
	{"waits", reaping{capacity: 2, execs: 2}, proved, pass},
	{"waits", reaping{capacity: 2, execs: 3}, sampled, verdict{
		blocks("processExits", "receive", "kill"), blocks("notify", "select", "ec")}},
	{"gives-up", reaping{capacity: 1, execs: 2, givesUp: true}, sampled, verdict{breaks("C9")}},
	{"gives-up", reaping{capacity: 32, execs: 2, givesUp: true}, sampled, verdict{breaks("C9")}},
}

func TestReaping(t *testing.T) {
	for _, r := range reapings {
		name := fmt.Sprintf("%s/%v", r.variant, r.reaping)
		t.Run(name, func(t *testing.T) { explored(t, r.effort, r.reaping.reap, r.want) })
		if r.want != nil {
			t.Run(name+"/nothing-else", func(t *testing.T) { showsNothingElse(t, r.effort, r.reaping.reap, r.want) })
		}
	}
}

// explored fails t unless exploring body shows what is wanted.
func explored(t *testing.T, e effort, body func(), want verdict) {
	if e == large {
		t.Parallel()
	}
	switch sampling := e == sampled || e == large && os.Getenv("MODELCHECK_LONG") == ""; {
	case sampling && want == nil:
		explore.Check(t, body, explore.Schedules(3_000))
	case sampling:
		explore.Check(t, body, explore.Schedules(200_000), explore.Expect(want...))
	case want == nil:
		explore.Exhaust(t, body)
	default:
		explore.Exhaust(t, body, explore.Expect(want...))
	}
}

// forever is never met, so that a search which expects it goes on after all that can
// be found has been.
var forever = breaks("no such thing")

// showsNothingElse fails t if exploring body shows what is not wanted. Otherwise a
// search stops when it has seen all that is.
func showsNothingElse(t *testing.T, e effort, body func(), want verdict) {
	var r explore.Report
	if e == proved {
		r = explore.RunExhaustive(body, explore.Expect(append(want, forever)...))
	} else {
		r = explore.Run(body, explore.Expect(append(want, forever)...), explore.Schedules(1_000))
	}
	if len(r.Findings) != 1 || r.Findings[0].Kind != explore.Missed || e == proved && !r.Complete {
		t.Errorf("wanted what is expected and nothing else, found:\n%v", r)
	}
}
