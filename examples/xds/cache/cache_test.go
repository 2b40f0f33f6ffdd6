package cache

import (
	"fmt"
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/minimal"
	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
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

var (
	// The handler waits for itself: nobody else takes what it sends.
	alone = verdict{blocks("handler", "select", "muxed"), breaks("D2")}

	// The handler waits for the cache, and the cache for the handler.
	both = append(verdict{blocks("handler", "rlock", "cache.mu"), blocks("setter", "select", "muxed")}, alone...)

	// The client has more to send than anybody will take.
	behind = blocks("receiver", "select", "reqCh")

	late = panics("send on closed channel")
)

// effort is how a row is judged.
type effort int

const (
	proved effort = iota // all trace classes are explored
	large                // so they are, which takes a second or more
)

type row struct {
	variant string
	design  design
	env     environment
	effort  effort
	want    verdict
}

var rows = []row{
	{"landed", landed, world(1, 3, 1), proved, pass},
	{"landed", landed, world(2, 3, 1), proved, pass},
	{"landed", landed, world(3, 4, 1), proved, pass},
	{"landed", landed, world(2, 3, 1, resets), proved, pass},
	{"landed", landed, world(2, 4, 2, resets), large, pass},
	{"landed", landed, world(2, 2, 1, stays), proved, pass},
	{"landed", landed, world(2, 3, 1, stays), proved, pass},

	// Not room enough.
	{"short", short, world(2, 2, 1), proved, both},
	{"short", short, world(2, 3, 1), proved, append(verdict{behind}, both...)},
	{"short", short, world(3, 4, 1), proved, append(verdict{behind}, both...)},
	{"exact", exact, world(2, 2, 1), proved, pass},
	{"exact", exact, world(2, 3, 1), proved, alone},
	{"exact", exact, world(3, 4, 1), proved, alone},
	{"spare", spare, world(2, 3, 1), proved, pass},
	{"spare", spare, world(3, 4, 1), proved, pass},
	{"spare", spare, world(2, 4, 2, resets), large, pass},
	{"short", short, world(2, 3, 1, cancels), proved, append(verdict{behind}, alone...)},

	// Other ways.
	{"unbounded", unbounded, world(2, 3, 1), proved, pass},
	{"unbounded", unbounded, world(2, 3, 1, resets), proved, pass},
	{"unbounded", unbounded, world(2, 3, 1, stays), proved, pass},
	{"hasty", hasty, world(1, 2, 1), proved, pass},
	{"hasty", hasty, world(1, 3, 1), proved, alone},
	{"closes-first", closesFirst, world(2, 3, 1), proved, verdict{late}},
	{"unlocks", unlocks, world(2, 3, 1), proved, verdict{late}},
	{"unlocks-short", unlocksShort, world(2, 3, 1), proved, append(verdict{late, behind, blocks("setter", "select", "muxed")}, alone...)},
	{"unlocks-unbounded", unlocksUnbounded, world(2, 3, 1), proved, pass},
}

func trials() []explore.Trial {
	var trials []explore.Trial
	for _, r := range rows {
		trials = append(trials, explore.Trial{
			Design: r.variant, World: r.env.String(), Size: r.env.size(),
			Body: serve(r.design, r.env), Want: r.want, Large: r.effort == large,
		})
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
	var words []string
	if e.resets {
		words = append(words, "resets")
	}
	if e.stays {
		words = append(words, "stays")
	}
	if e.cancel {
		words = append(words, "cancels")
	}
	return strings.Join(words, ", ")
}
