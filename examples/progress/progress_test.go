package progress

import (
	"fmt"
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
	"github.com/modelcheck-go/modelcheck/examples/internal/trial"
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
func twice(e *environment)    { e.readers = 2 }
func thrice(e *environment)   { e.readers = 3 }
func fourfold(e *environment) { e.readers = 4 }
func piped(e *environment)    { e.piped = true }
func forgets(e *environment)  { e.piped, e.forgets = true, true }
func twoIDs(e *environment)   { e.ids = 2 }

// lost is what a reader looks like that nobody wakes.
var lost = verdict{blocks("client", "wait", "pipe.cond"), blocks("watcher", "select", "done")}

var systems = []struct {
	variant string
	design  design
	env     environment
	effort  trial.Effort
	want    verdict
}{
	{"buggy", buggy, clients(1), trial.Proved, pass},
	{"buggy", buggy, clients(1, leaving), trial.Proved, verdict{blocks("pipe", "receive", "client 1 pipe")}},
	{"buggy", buggy, clients(3, messages(3), twoIDs, leaving, piped), trial.Sampled, verdict{blocks("pipe", "receive", "client 1 pipe")}},

	{"landed", landed, clients(1), trial.Proved, pass},
	{"landed", landed, clients(1, leaving), trial.Proved, pass},
	{"landed", landed, clients(1, messages(1)), trial.Proved, pass},
	{"landed", landed, clients(1, messages(2)), trial.Large, pass},
	{"landed", landed, clients(2), trial.Large, pass},
	{"landed", landed, clients(1, messages(1), leaving), trial.Sampled, pass},
	{"landed", landed, clients(2, messages(2), leaving), trial.Sampled, pass},
	{"landed", landed, clients(3, messages(3), twoIDs, leaving, piped), trial.Sampled, pass},
	{"landed", landed, clients(1, leaving, otherCtx), trial.Proved, lost},

	// Other ways to mend it.
	{"closing", closing, clients(1, leaving), trial.Large, pass},
	{"closing", closing, clients(2, messages(2), leaving), trial.Sampled, pass},
	{"closing", closing, clients(1, leaving, otherCtx), trial.Proved, pass},
	{"closing", closing, clients(1, messages(1), leaving, otherCtx), trial.Sampled, verdict{breaks("B5")}},
	{"closing-only", closingOnly, clients(1, leaving), trial.Sampled, verdict{blocks("pipe", "receive", "client 1 pipe")}},
	{"unlocked", unlocked, clients(1, leaving), trial.Proved, pass},
	{"no-cause", noCause, clients(1, leaving), trial.Proved, verdict{breaks("B2")}},
	{"after-func", afterFunc, clients(1, leaving), trial.Proved, pass},
	{"after-func", afterFunc, clients(2, messages(2), leaving), trial.Sampled, pass},
	{"no-goroutine", noGoroutine, clients(1, leaving), trial.Proved, pass},
	{"no-goroutine", noGoroutine, clients(2, messages(2), leaving), trial.Sampled, pass},

	// Clients that come late.
	{"never-late", neverLate, clients(1), trial.Proved, pass},
	{"never-late", neverLate, clients(2), trial.Sampled, lost},
	{"registers-early", registersEarly, clients(2, messages(2)), trial.Sampled, verdict{breaks("B1"), breaks("B3"), breaks("B5")}},
	{"stops-replay", stopsReplay, clients(2, messages(1)), trial.Sampled, pass},
	{"stops-replay", stopsReplay, clients(2, messages(2)), trial.Sampled, verdict{breaks("B1"), breaks("B5")}},
	{"registers-late", registersLate, clients(2), trial.Sampled, pass},
	{"registers-late", registersLate, clients(2, messages(1)), trial.Sampled, lost},
	{"registers-late", registersLate, clients(2, messages(2)), trial.Sampled, append(verdict{breaks("B1"), breaks("B5")}, lost...)},

	// Wake-ups that are lost.
	{"registers-late", registersLate, clients(2, messages(3)), trial.Sampled, append(verdict{breaks("B1"), breaks("B3"), breaks("B5")}, lost...)},
	{"wakes-unlocked", wakesUnlocked, clients(1), trial.Proved, lost},
	{"wakes-unlocked", wakesUnlocked, clients(1, leaving), trial.Proved, lost},
	{"before-locks", beforeLocks, clients(1), trial.Proved, lost},
	{"before-locks", beforeLocks, clients(1, leaving), trial.Proved, lost},
	{"reader-only", watchesReaderOnly, clients(1, leaving), trial.Proved, pass},
	{"signals", signals, clients(1, leaving), trial.Proved, pass},
	{"signals", signals, clients(1, twice), trial.Proved, pass},
	{"signals", signals, clients(1, twice, messages(2), leaving), trial.Sampled, pass},
	{"signals", signals, clients(1, fourfold), trial.Sampled, lost},
	{"signals-reader-only", signalsReaderOnly, clients(1, leaving), trial.Proved, pass},
	{"signals-reader-only", signalsReaderOnly, clients(1, twice), trial.Proved, lost},
	{"landed", landed, clients(1, forgets), trial.Proved, append(verdict{breaks("B4"),
		blocks("handle", "wait", "main pipe.cond"), blocks("follower", "select", "MultiReader.done"),
		blocks("pipe", "receive", "client 1 pipe")}, lost...)},
}

func readerTrials() []explore.Trial {
	var trials []explore.Trial
	for _, r := range systems {
		trials = append(trials, r.effort.Of(explore.Trial{
			Design: r.variant, World: r.env.world(), Size: r.env.size(),
			Body: follow(r.design, r.env), Want: r.want,
		}))
	}
	return trials
}

func TestMultiReader(t *testing.T) {
	invariants := []explore.Invariant{explore.NoLeak("B0"), {Name: "B1"}, {Name: "B2"}, {Name: "B3"}, {Name: "B4"}, {Name: "B5"}}
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
	{"cancels", status{capacity: 0, updates: 2, drains: true, cancels: true}, pass},
	{"cancels", status{capacity: 0, updates: 3, drains: true, cancels: true}, verdict{breaks("B6")}},
	{"cancels", status{capacity: 8, updates: 10, drains: true, cancels: true}, verdict{breaks("B6")}},
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

// What landed holds for any build and any clients.
func TestLandedAnywhere(t *testing.T) {
	explore.Property(t, func(rt *rapid.T) func() {
		env := environment{
			clients:  rapid.IntRange(1, 3).Draw(rt, "clients"),
			messages: rapid.IntRange(0, 4).Draw(rt, "messages"),
			ids:      rapid.IntRange(0, 2).Draw(rt, "ids"),
			readers:  rapid.IntRange(1, 3).Draw(rt, "readers"),
			piped:    rapid.Bool().Draw(rt, "piped"),
		}
		env.leaving = rapid.IntRange(0, env.clients).Draw(rt, "leaving")
		return follow(landed, env)
	})
}
