package cache

import (
	"fmt"
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/minimal"
	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
	"github.com/modelcheck-go/modelcheck/examples/internal/trial"
	"github.com/modelcheck-go/modelcheck/explore"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// verdict is what exploring a stream shows: nothing, or all of these.
type verdict = []explore.Expectation

var (
	pass   verdict
	blocks = explore.Blocked // a goroutine, what it waits in, and for what
	breaks = explore.Broken
	panics = explore.Panics
)

// world returns an environment: so many types, requests and snapshots, and what else.
func world(types, requests, snapshots int, more ...func(*environment)) environment {
	e := environment{types: types, requests: requests, snapshots: snapshots}
	for _, m := range more {
		m(&e)
	}
	return e
}

func resets(e *environment)  { e.resets = true }
func stays(e *environment)   { e.stays = true }
func cancels(e *environment) { e.cancel = true }
func two(e *environment)     { e.streams = 2 }

var (
	// The handler waits for itself: nobody else takes what it sends.
	alone = verdict{blocks("handler", "select", "muxed"), breaks("D2")}

	// The handler waits for the cache, and the cache for the handler.
	both = append(verdict{blocks("handler", "rlock", "cache.mu"), blocks("setter", "select", "muxed")}, alone...)

	// The client has more to send than anybody will take.
	behind = blocks("receiver", "select", "reqCh")

	// A forwarder waits for a watch that was cancelled, or for a handler that is gone.
	unanswered = blocks("forwarder", "receive", "responses")
	untaken    = blocks("forwarder", "select", "muxed")

	late = panics("send on closed channel")
)

type row struct {
	variant string
	design  design
	env     environment
	effort  trial.Effort
	want    verdict
}

var rows = []row{
	{"landed", landed, world(1, 3, 1), trial.Proved, pass},
	{"landed", landed, world(2, 3, 1), trial.Proved, pass},
	{"landed", landed, world(3, 4, 1), trial.Proved, pass},
	{"landed", landed, world(2, 3, 1, resets), trial.Proved, pass},
	{"landed", landed, world(2, 4, 2, resets), trial.Large, pass},
	{"landed", landed, world(2, 2, 1, stays), trial.Proved, pass},
	{"landed", landed, world(2, 3, 1, stays), trial.Proved, pass},

	// Not room enough.
	{"short", short, world(2, 2, 1), trial.Proved, both},
	{"short", short, world(2, 3, 1), trial.Proved, append(verdict{behind}, both...)},
	{"short", short, world(3, 4, 1), trial.Proved, append(verdict{behind}, both...)},
	{"exact", exact, world(2, 2, 1), trial.Proved, pass},
	{"exact", exact, world(2, 3, 1), trial.Proved, alone},
	{"exact", exact, world(3, 4, 1), trial.Proved, alone},
	{"spare", spare, world(2, 3, 1), trial.Proved, pass},
	{"spare", spare, world(3, 4, 1), trial.Proved, pass},
	{"spare", spare, world(2, 4, 2, resets), trial.Large, pass},
	{"short", short, world(2, 3, 1, cancels), trial.Proved, append(verdict{behind}, alone...)},

	// Other ways.
	{"unbounded", unbounded, world(2, 3, 1), trial.Proved, pass},
	{"unbounded", unbounded, world(2, 3, 1, resets), trial.Proved, pass},
	{"unbounded", unbounded, world(2, 3, 1, stays), trial.Proved, pass},
	{"hasty", hasty, world(1, 2, 1), trial.Proved, pass},
	{"hasty", hasty, world(1, 3, 1), trial.Proved, alone},
	{"closes-first", closesFirst, world(2, 3, 1), trial.Proved, verdict{late}},
	{"unlocks", unlocks, world(2, 3, 1), trial.Proved, verdict{late}},
	{"unlocks-short", unlocksShort, world(2, 3, 1), trial.Proved, append(verdict{late, behind, blocks("setter", "select", "muxed")}, alone...)},
	{"unlocks-unbounded", unlocksUnbounded, world(2, 3, 1), trial.Proved, pass},
	{"forgets", forgets, world(1, 1, 0), trial.Proved, verdict{breaks("D6")}},

	// What was there before.
	{"keeps-forwarders", keepsForwarders, world(1, 1, 0), trial.Proved, verdict{unanswered}},
	{"keeps-forwarders", keepsForwarders, world(2, 2, 1), trial.Proved, verdict{unanswered}},
	{"forwarded", forwarded, world(1, 1, 1), trial.Proved, pass},
	{"forwarded", forwarded, world(2, 2, 1), trial.Proved, pass},
	{"forwarded", forwarded, world(1, 2, 1), trial.Proved, verdict{untaken}},
	{"forwarded", forwarded, world(2, 3, 1), trial.Large, verdict{untaken}},
	{"forwarded", forwarded, world(1, 2, 2), trial.Proved, verdict{untaken, breaks("D5")}},
	{"forwarded-or-over", forwardedOrOver, world(1, 2, 1), trial.Proved, pass},
	{"forwarded-or-over", forwardedOrOver, world(2, 3, 1), trial.Large, pass},
	{"forwarded-or-over", forwardedOrOver, world(1, 1, 1, stays), trial.Proved, pass},
	{"forwarded-or-over", forwardedOrOver, world(1, 2, 2), trial.Proved, verdict{breaks("D5")}},
	{"landed", landed, world(1, 2, 2), trial.Proved, pass},

	// Two streams.
	{"landed", landed, world(1, 1, 0, two), trial.Proved, pass},
	{"landed", landed, world(1, 1, 1, two), trial.Large, pass},
}

func trials() []explore.Trial {
	var trials []explore.Trial
	for _, r := range rows {
		trials = append(trials, r.effort.Of(explore.Trial{
			Design: r.variant, World: r.env.String(), Size: r.env.size(),
			Body: serve(r.design, r.env), Want: r.want,
		}))
	}
	return trials
}

func TestCache(t *testing.T) {
	c := explore.Compare(t, trials(), explore.NoLeak("D0"), explore.NoPanic("no panic"),
		explore.Invariant{Name: "D2"}, explore.Invariant{Name: "D5"}, explore.Invariant{Name: "D6"})
	readme.CheckMatrix(t, "streams", c)
}

func TestMinimal(t *testing.T) { minimal.Check(t, trials()) }

func TestREADME(t *testing.T) {
	readme.Check(t,
		readme.Replay(t, "short", serve(short, world(2, 2, 1)), "mc1:m.2.1-3=m.3_lock_announce,m.3-8=m.2_select/1:c370bef6"),
		readme.Replay(t, "forwarded", serve(forwarded, world(1, 2, 1)), "mc1:m-3=m.3_lock_announce:b5f3e675"),
		readme.Replay(t, "unlocks", serve(unlocks, world(2, 3, 1)), "mc1:m.2.1-4=m.3_lock_announce,m.3-11=m.2_select/1:edaac8c9"),
		readme.Replay(t, "short, cancels", serve(short, world(2, 3, 1, cancels)), "mc1:m.2-13=m.4_lock_announce:3f7e8660"),
		readme.Replay(t, "exact", serve(exact, world(2, 3, 1)), "mc1:m.2-23=m.3_lock_announce:0bd6c4b0"),
	)
}

// With room for one response of each type and one more there is always enough.
func TestSpareAnywhere(t *testing.T) {
	explore.Property(t, func(rt *rapid.T) func() {
		return serve(rapid.SampledFrom([]design{landed, spare, unbounded}).Draw(rt, "design"), environment{
			types:     rapid.IntRange(1, 4).Draw(rt, "types"),
			requests:  rapid.IntRange(1, 8).Draw(rt, "requests"),
			snapshots: rapid.IntRange(0, 3).Draw(rt, "snapshots"),
			resets:    rapid.Bool().Draw(rt, "resets"),
			cancel:    rapid.Bool().Draw(rt, "cancel"),
		})
	})
}

// size has the numbers of types, requests and snapshots.
func (e environment) size() string {
	return fmt.Sprintf("T=%d,n=%d,k=%d", e.types, e.requests, e.snapshots)
}

// String says what else an environment has.
func (e environment) String() string {
	return trial.World(trial.If(e.streams > 1, "two streams"), trial.If(e.resets, "resets"), trial.If(e.stays, "stays"), trial.If(e.cancel, "cancels"))
}
