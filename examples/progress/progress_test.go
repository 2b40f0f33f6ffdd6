package progress

import (
	"fmt"
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
	"github.com/modelcheck-go/modelcheck/explore"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// verdict is what exploring a system shows: nothing, or all of these.
type verdict = []explore.Expectation

var (
	pass   verdict
	blocks = explore.Blocked // a goroutine, what it waits in, and for what
	breaks = explore.Broken
)

// effort is how a row is judged.
type effort int

const (
	proved  effort = iota // all trace classes are explored
	large                 // so they are, which takes a second or more
	sampled               // 5,000 random schedules are
)

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
	{"landed", landed, clients(1, messages(2)), large, pass},
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

func readerTrials() []explore.Trial {
	var trials []explore.Trial
	for _, r := range systems {
		trials = append(trials, r.effort.apply(explore.Trial{
			Design: r.variant, World: r.env.world(), Size: r.env.size(),
			Body: follow(r.design, r.env), Want: r.want,
		}))
	}
	return trials
}

func TestMultiReader(t *testing.T) {
	invariants := []explore.Invariant{explore.NoLeak("B0"), {Name: "B1"}, {Name: "B2"}, {Name: "B3"}, {Name: "B5"}}
	readme.CheckMatrix(t, "systems", explore.Compare(t, readerTrials(), invariants...))
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

func statusTrials() []explore.Trial {
	var trials []explore.Trial
	for _, r := range statuses {
		trials = append(trials, explore.Trial{
			Design: r.variant, World: fmt.Sprintf("cap=%d", r.status.capacity), Size: fmt.Sprintf("updates=%d", r.status.updates),
			Body: r.status.serve, Want: r.want,
		})
	}
	return trials
}

func TestStatus(t *testing.T) {
	readme.CheckMatrix(t, "statuses", explore.Compare(t, statusTrials(), explore.NoLeak("B0"), explore.Invariant{Name: "B6"}))
}

func (e effort) apply(t explore.Trial) explore.Trial {
	t.Large = e == large
	if e == sampled {
		t.Sample = 5_000
	}
	return t
}

// What landed holds for any build and any clients.
func TestLandedAnywhere(t *testing.T) {
	explore.Property(t, func(rt *rapid.T) func() {
		env := environment{
			clients:  rapid.IntRange(1, 3).Draw(rt, "clients"),
			messages: rapid.IntRange(0, 4).Draw(rt, "messages"),
			ids:      rapid.IntRange(0, 2).Draw(rt, "ids"),
			twice:    rapid.Bool().Draw(rt, "twice"),
			piped:    rapid.Bool().Draw(rt, "piped"),
		}
		env.leaving = rapid.IntRange(0, env.clients).Draw(rt, "leaving")
		return follow(landed, env)
	})
}
