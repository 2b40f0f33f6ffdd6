package progress

import (
	"fmt"
	"os"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// verdict is what exploring a system shows: nothing, or all of these.
type verdict = []explore.Expectation

var (
	pass   verdict
	blocks = explore.Blocked // a goroutine, what it waits in, and for what
	breaks = explore.Broken
)

// effort is how a pass is established, or that nothing else is wrong than expected.
type effort int

const (
	proved  effort = iota // all schedules
	large                 // all schedules with MODELCHECK_LONG=1, since it takes a second or more; else sampled
	sampled               // some thousand, no proof
)

func (e effort) String() string { return [...]string{"proved", "proved", "sampled"}[e] }

// The environments: so many clients, and what else.
func clients(n int, more ...func(*environment)) environment {
	e := environment{clients: n}
	for _, m := range more {
		m(&e)
	}
	return e
}

func messages(n int) func(*environment) { return func(e *environment) { e.messages = n } }

func leaving(e *environment)  { e.leaving = 1 }
func otherCtx(e *environment) { e.otherCtx = true }
func twice(e *environment)    { e.twice = true }
func piped(e *environment)    { e.piped = true }
func forgets(e *environment)  { e.piped, e.forgets = true, true }
func twoIDs(e *environment)   { e.ids = 2 }

// lost is what a reader looks like that nobody wakes.
var lost = verdict{blocks("client", "wait", "pipe.cond"), blocks("watcher", "select", "done")}

var systems = []struct {
	variant string
	design  design
	env     environment
	effort  effort
	want    verdict
}{
	{"buggy", buggy, clients(1), proved, pass},
	{"buggy", buggy, clients(1, leaving), proved, verdict{blocks("pipe", "receive", "client 1 pipe")}},
	{"buggy", buggy, clients(3, messages(3), twoIDs, leaving, piped), sampled, verdict{blocks("pipe", "receive", "client 1 pipe")}},

	{"landed", landed, clients(1), proved, pass},
	{"landed", landed, clients(1, leaving), proved, pass},
	{"landed", landed, clients(1, messages(1)), proved, pass},
	{"landed", landed, clients(1, messages(2)), sampled, pass},
	{"landed", landed, clients(2), large, pass},
	{"landed", landed, clients(1, messages(1), leaving), sampled, pass},
	{"landed", landed, clients(2, messages(2), leaving), sampled, pass},
	{"landed", landed, clients(3, messages(3), twoIDs, leaving, piped), sampled, pass},
	{"landed", landed, clients(1, leaving, otherCtx), proved, lost},

	// Other ways to mend it.
	{"closing", closing, clients(1, leaving), large, pass},
	{"closing", closing, clients(2, messages(2), leaving), sampled, pass},
	{"closing", closing, clients(1, leaving, otherCtx), proved, pass},
	{"closing", closing, clients(1, messages(1), leaving, otherCtx), sampled, verdict{breaks("B5")}},
	{"closing-only", closingOnly, clients(1, leaving), sampled, verdict{blocks("pipe", "receive", "client 1 pipe")}},
	{"unlocked", unlocked, clients(1, leaving), proved, pass},
	{"after-func", afterFunc, clients(1, leaving), proved, pass},
	{"after-func", afterFunc, clients(2, messages(2), leaving), sampled, pass},
	{"no-goroutine", noGoroutine, clients(1, leaving), proved, pass},
	{"no-goroutine", noGoroutine, clients(2, messages(2), leaving), sampled, pass},

	// Clients that come late.
	{"never-late", neverLate, clients(1), proved, pass},
	{"never-late", neverLate, clients(2), sampled, lost},
	{"stops-replay", stopsReplay, clients(2, messages(1)), sampled, pass},
	{"stops-replay", stopsReplay, clients(2, messages(2)), sampled, verdict{breaks("B1"), breaks("B5")}},
	{"registers-late", registersLate, clients(2), sampled, pass},
	{"registers-late", registersLate, clients(2, messages(1)), sampled, lost},
	{"registers-late", registersLate, clients(2, messages(2)), sampled, append(verdict{breaks("B1"), breaks("B5")}, lost...)},

	// Wake-ups that are lost.
	{"wakes-unlocked", wakesUnlocked, clients(1), proved, lost},
	{"wakes-unlocked", wakesUnlocked, clients(1, leaving), proved, lost},
	{"before-locks", beforeLocks, clients(1), proved, lost},
	{"before-locks", beforeLocks, clients(1, leaving), proved, lost},
	{"reader-only", watchesReaderOnly, clients(1, leaving), proved, pass},
	{"signals", signals, clients(1, leaving), proved, pass},
	{"signals", signals, clients(1, twice), proved, pass},
	{"signals", signals, clients(1, twice, messages(2), leaving), sampled, pass},
	{"signals-reader-only", signalsReaderOnly, clients(1, leaving), proved, pass},
	{"signals-reader-only", signalsReaderOnly, clients(1, twice), proved, lost},
	{"landed", landed, clients(1, forgets), proved, append(verdict{
		blocks("handle", "wait", "main pipe.cond"), blocks("follower", "select", "MultiReader.done"),
		blocks("pipe", "receive", "client 1 pipe")}, lost...)},
}

func TestMultiReader(t *testing.T) {
	for _, r := range systems {
		t.Run(fmt.Sprintf("%s/%v", r.variant, r.env), func(t *testing.T) {
			explored(t, r.effort, follow(r.design, r.env), r.want)
		})
	}
}

func TestMultiReaderShowsNothingElse(t *testing.T) {
	for _, r := range systems {
		if r.want != nil {
			t.Run(fmt.Sprintf("%s/%v", r.variant, r.env), func(t *testing.T) {
				showsNothingElse(t, r.effort, follow(r.design, r.env), r.want)
			})
		}
	}
}

var statuses = []struct {
	variant string
	status  status
	want    verdict
}{
	{"direct", status{capacity: 0, updates: 1}, pass},
	{"direct", status{capacity: 0, updates: 2}, verdict{blocks("main.1", "send", "ch"), blocks("main", "wait", "errgroup")}},
	{"direct", status{capacity: 1, updates: 2}, pass},
	{"direct", status{capacity: 1, updates: 3}, verdict{blocks("main.1", "send", "ch"), blocks("main", "wait", "errgroup")}},
	{"direct", status{capacity: 8, updates: 9}, pass},
	{"direct", status{capacity: 8, updates: 10}, verdict{blocks("main.1", "send", "ch"), blocks("main", "wait", "errgroup")}},
	{"drains", status{capacity: 0, updates: 3, drains: true}, pass},
	{"drains", status{capacity: 8, updates: 10, drains: true}, pass},
}

func TestStatus(t *testing.T) {
	for _, r := range statuses {
		t.Run(fmt.Sprintf("%s/%v", r.variant, r.status), func(t *testing.T) { explored(t, proved, r.status.serve, r.want) })
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
