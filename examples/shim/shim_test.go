package shim

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

// verdict is what exploring a service shows: nothing, or all of these.
type verdict = []explore.Expectation

var (
	pass   verdict
	blocks = explore.Blocked // a goroutine, what it waits in, and for what
	breaks = explore.Broken
	panics = explore.Panics
)

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
func neighbour(e *environment)     { e.creates, e.neighbour = true, true }
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
	effort  trial.Effort
	want    verdict
}

var services = []row{
	{"landed", landed, private(1), trial.Proved, pass},
	{"landed", landed, shared(1), trial.Proved, pass},
	{"landed", landed, private(2), trial.Large, pass},
	{"landed", landed, shared(2, fails), trial.Large, pass},
	{"landed", landed, private(3), trial.Sampled, pass},
	{"landed", landed, shared(3, fails), trial.Sampled, pass},

	// May the send block? Not with the guard in Start, whatever the capacity; without
	// the guard the capacity only decides how many execs it takes.
	{"unbuffered", unbuffered, private(1), trial.Proved, pass},
	{"unbuffered", unbuffered, private(2), trial.Large, pass},
	{"unbuffered", unbuffered, shared(2, fails), trial.Large, pass},
	{"unguarded", unguarded, private(1), trial.Proved, verdict{breaks("C6")}},
	{"unguarded", unguarded, private(2), trial.Large, verdict{breaks("C6")}},
	{"unguarded", unguarded, private(3), trial.Sampled, verdict{breaks("C6"),
		blocks("start exec", "send", "count"), blocks("", "lock", "lifecycleMu")}},
	{"unguarded", unguarded, shared(1), trial.Proved, verdict{breaks("C3"), breaks("C6")}},
	{"unguarded-unbuffered", unguardedUnbuffered, private(1), trial.Proved, verdict{breaks("C6")}},
	{"unguarded-unbuffered", unguardedUnbuffered, private(2), trial.Large, verdict{breaks("C6"),
		blocks("start exec", "send", "count"), blocks("", "lock", "lifecycleMu")}},

	// Other ways to wait.
	{"cond", broadcasts, private(1), trial.Proved, pass},
	{"cond", broadcasts, private(2), trial.Large, pass},
	{"cond", broadcasts, shared(2), trial.Large, pass},
	{"cond", broadcasts, private(1, twoContainers), trial.Sampled, pass},
	{"cond-signal", signals, private(2), trial.Large, pass},
	{"cond-signal", signals, private(1, twoContainers), trial.Sampled, verdict{breaks("C1"),
		blocks("init exit", "wait", "execsChanged")}},
	{"cond-once", looksOnce, private(1), trial.Proved, pass},
	{"cond-once", looksOnce, private(2), trial.Large, verdict{breaks("C3"), breaks("C6")}},
	{"notify", notify, private(1), trial.Proved, pass},
	{"notify", notify, private(2), trial.Large, pass},
	{"notify", notify, shared(2), trial.Large, pass},
	{"notify-unbuffered", notifyUnbuffered, private(1), trial.Proved, pass},
	{"notify-unbuffered", notifyUnbuffered, private(2), trial.Large, verdict{breaks("C1"),
		blocks("start exec", "send", "news"), blocks("", "lock", "lifecycleMu")}},
	{"offer", offer, private(1), trial.Proved, pass},
	{"offer", offer, private(2), trial.Large, pass},
	{"offer", offer, shared(2), trial.Large, pass},
	{"offer-unbuffered", offerUnbuffered, private(1), trial.Proved, verdict{breaks("C1"),
		blocks("init exit", "receive", "news")}},

	// To wait for ever, or not.
	{"landed", landed, shared(1, stubborn), trial.Proved, verdict{breaks("C1"), blocks("init exit", "receive", "count")}},
	{"landed", landed, shared(2, stubborn, settles), trial.Proved, pass},
	{"watchdog", watchdog, private(1), trial.Sampled, verdict{breaks("C3"), breaks("C6")}},
	{"watchdog", watchdog, shared(1, stubborn), trial.Sampled, verdict{breaks("C3"), breaks("C6")}},

	// What came before.
	{"unordered", unordered, private(1), trial.Proved, verdict{breaks("C3")}},
	{"unordered", unordered, shared(1), trial.Proved, verdict{breaks("C3")}},
	{"locks-mu", locksMu, private(0, creates), trial.Proved, verdict{breaks("C1"), blocks("create", "lock", "mu")}},
	{"locks-mu", locksMu, private(0, neighbour), trial.Proved, verdict{breaks("1 exit of init, found 0"), breaks("1 exit of init of container 2, found 0"),
		blocks("create", "lock", "mu"), blocks("processExits", "lock", "mu")}},
	{"locks-mu-once", locksMuOnce, private(0, creates), trial.Proved, pass},
	{"locks-mu-once", locksMuOnce, private(0, neighbour), trial.Proved, pass},
	{"landed", landed, private(0, creates), trial.Proved, pass},
	{"postpones-all", postponesAll, private(1), trial.Proved, verdict{breaks("C3")}},
	{"postpones-all", postponesAll, private(2), trial.Large, verdict{breaks("C1"), breaks("C2"), breaks("C3")}},
	{"postpones-init", postponesInit, private(1), trial.Proved, verdict{breaks("C3")}},
	{"postpones-init", postponesInit, shared(1), trial.Proved, verdict{breaks("C1"), breaks("C3")}},
	{"postpones-init", postponesInit, private(2), trial.Large, verdict{breaks("C1"), breaks("C3")}},

	// What is wrong still, or was until lately.
	{"retains", retains, private(1, deletes), trial.Proved, verdict{breaks("containerInitExit"), breaks("C8")}},
	{"landed", landed, private(1, deletes), trial.Proved, verdict{breaks("runningExecs"), breaks("C8")}},
	{"landed", landed, private(1, shutsDown), trial.Large, verdict{panics("send on closed channel"),
		breaks("runningExecs"), breaks("C8")}},
	{"drops", drops, private(1, shutsDown), trial.Large, verdict{breaks("runningExecs"), breaks("C8")}},
	{"landed", landed, private(1, startsInit), trial.Proved, verdict{breaks("C3"), breaks("C6")}},
	{"landed", landed, shared(1, startsInit), trial.Proved, verdict{breaks("C3"), breaks("C6")}},
	{"landed", landed, private(1, creates), trial.Proved, verdict{breaks("C6")}},
	{"landed", landed, shared(1, creates), trial.Proved, verdict{breaks("C3"), breaks("C6")}},
	{"early-init", earlyInit, private(1, startsInit), trial.Proved, pass},
	{"early-init", earlyInit, shared(1, startsInit), trial.Proved, pass},
	{"early-init", earlyInit, shared(1, creates, startsInit), trial.Proved, pass},
	{"landed", landed, private(1, twice), trial.Large, verdict{breaks("C2"), breaks("C3"), breaks("C4"), breaks("C6"),
		panics("makechan: size out of range")}},
	{"forgets-failed", forgetsFailed, private(1, twice), trial.Large, pass},
	{"forgets-failed", forgetsFailed, shared(1, twice, fails), trial.Large, pass},
	{"landed", landed, private(1, failsLate), trial.Proved, verdict{breaks("C2")}},
	{"landed", landed, shared(1, failsLate), trial.Proved, verdict{breaks("C2"), breaks("C3")}},

	{"mended", mended, private(2, creates, startsInit, twice, fails), trial.Sampled, pass},
	{"mended", mended, shared(2, creates, startsInit, twice, fails), trial.Sampled, pass},
}

func serviceTrials() []explore.Trial {
	var trials []explore.Trial
	for _, r := range services {
		trials = append(trials, r.effort.Of(explore.Trial{
			Design: r.variant, World: r.env.String(), Size: fmt.Sprintf("execs=%d", r.env.execs),
			Body: serve(r.design, r.env), Want: r.want,
		}))
	}
	return trials
}

func TestService(t *testing.T) {
	invariants := []explore.Invariant{{Name: "C1"}, {Name: "C2"}, {Name: "C3"}, {Name: "C4"},
		explore.NoLeak("C5"), {Name: "C6"}, explore.NoPanic("C7"), {Name: "C8"}}
	readme.CheckMatrix(t, "services", explore.Compare(t, serviceTrials(), invariants...))
}

var reapings = []struct {
	variant string
	reaping reaping
	effort  trial.Effort
	want    verdict
}{
	{"waits", reaping{capacity: 1, execs: 1}, trial.Proved, pass},
	{"waits", reaping{capacity: 1, execs: 2}, trial.Proved, verdict{
		blocks("processExits", "receive", "kill"), blocks("notify", "select", "ec")}},
	{"waits", reaping{capacity: 2, execs: 2}, trial.Proved, pass},
	{"waits", reaping{capacity: 2, execs: 3}, trial.Large, verdict{
		blocks("processExits", "receive", "kill"), blocks("notify", "select", "ec")}},
	{"gives-up", reaping{capacity: 1, execs: 2, givesUp: true}, trial.Sampled, verdict{breaks("C9")}},
	{"gives-up", reaping{capacity: 32, execs: 2, givesUp: true}, trial.Sampled, verdict{breaks("C9")}},
}

func reapingTrials() []explore.Trial {
	var trials []explore.Trial
	for _, r := range reapings {
		trials = append(trials, r.effort.Of(explore.Trial{
			Design: r.variant, World: fmt.Sprintf("cap=%d", r.reaping.capacity), Size: fmt.Sprintf("execs=%d", r.reaping.execs),
			Body: r.reaping.reap, Want: r.want,
		}))
	}
	return trials
}

func TestReaping(t *testing.T) {
	readme.CheckMatrix(t, "reapings", explore.Compare(t, reapingTrials(), explore.NoLeak("C5"), explore.Invariant{Name: "C9"}))
}

// With what was found wrong mended, the service holds in any world.
func TestMendedAnywhere(t *testing.T) {
	explore.Property(t, func(rt *rapid.T) func() {
		return serve(mended, environment{
			containers: rapid.IntRange(1, 2).Draw(rt, "containers"),
			execs:      rapid.IntRange(0, 3).Draw(rt, "execs"),
			sharedPIDs: rapid.Bool().Draw(rt, "sharedPIDs"),
			creates:    rapid.Bool().Draw(rt, "creates"),
			startsInit: rapid.Bool().Draw(rt, "startsInit"),
			twice:      rapid.Bool().Draw(rt, "twice"),
			fails:      rapid.Bool().Draw(rt, "fails"),
		})
	})
}
