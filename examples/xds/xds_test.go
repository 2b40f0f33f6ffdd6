package xds

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

// verdict is what exploring a stream shows: nothing, or all of these.
type verdict = []explore.Expectation

var (
	pass   verdict
	leak   = explore.Blocked // a goroutine, what it waits in, and for what
	breaks = explore.Broken
	panics = explore.Panics
)

// The environments, to which n adds how many requests the client may send.
var (
	calm     = environment{}
	refusing = environment{mayRefuse: true}
	stopping = environment{server: mayShutDown}
	stops    = environment{server: shutsDown}
	rough    = environment{server: mayShutDown, mayRefuse: true}
	mocked   = environment{mock: true}
	double   = environment{streams: 2, server: mayShutDown, mayRefuse: true}
	pair     = environment{streams: 2}
)

var streams = []struct {
	variant string
	design  design
	env     environment
	n       int
	effort  trial.Effort
	want    verdict
}{
	{"buggy", buggy, calm, 1, trial.Proved, pass},
	{"buggy", buggy, calm, 2, trial.Proved, verdict{leak("receiver", "send", "reqCh")}},
	{"buggy", buggy, calm, 3, trial.Proved, verdict{leak("receiver", "send", "reqCh")}},
	{"buggy", buggy, refusing, 1, trial.Proved, verdict{leak("receiver", "send", "reqCh")}},
	{"buggy", buggy, stopping, 1, trial.Proved, verdict{leak("receiver", "send", "reqCh")}},
	{"buggy", buggy, pair, 4, trial.Sampled, verdict{leak("receiver", "send", "reqCh")}},

	{"landed", landed, rough, 1, trial.Proved, pass},
	{"landed", landed, rough, 2, trial.Proved, pass},
	{"landed", landed, rough, 3, trial.Proved, pass},
	{"landed", landed, rough, 4, trial.Proved, pass},
	{"landed", landed, pair, 1, trial.Proved, pass},
	{"landed", landed, double, 1, trial.Large, pass},
	{"landed", landed, double, 4, trial.Sampled, pass},
	{"stream-ctx", streamCtx, rough, 1, trial.Proved, pass},
	{"stream-ctx", streamCtx, rough, 2, trial.Proved, pass},
	{"stream-ctx", streamCtx, rough, 3, trial.Proved, pass},
	{"own-done", ownDone, rough, 1, trial.Proved, pass},
	{"own-done", ownDone, rough, 2, trial.Proved, pass},
	{"own-done", ownDone, rough, 3, trial.Proved, pass},
	{"drained", drained, rough, 1, trial.Proved, pass},
	{"drained", drained, rough, 2, trial.Proved, pass},
	{"drained", drained, rough, 3, trial.Proved, pass},

	{"server-ctx", serverCtx, calm, 1, trial.Proved, pass},
	{"server-ctx", serverCtx, calm, 2, trial.Proved, verdict{leak("receiver", "select", "reqCh")}},
	{"server-ctx", serverCtx, stops, 1, trial.Proved, pass},
	{"server-ctx", serverCtx, stops, 2, trial.Proved, pass},
	{"server-ctx", serverCtx, stops, 3, trial.Proved, pass},

	{"capacity-1", buffered(1), calm, 2, trial.Proved, pass},
	{"capacity-1", buffered(1), calm, 3, trial.Proved, verdict{leak("receiver", "send", "reqCh")}},
	{"capacity-2", buffered(2), calm, 3, trial.Proved, pass},
	{"capacity-2", buffered(2), calm, 4, trial.Proved, verdict{leak("receiver", "send", "reqCh")}},
	{"stop-flag", stopFlag, calm, 1, trial.Proved, pass},
	{"stop-flag", stopFlag, calm, 2, trial.Proved, verdict{leak("receiver", "send", "reqCh")}},
	{"no-close", noClose, calm, 1, trial.Proved, verdict{leak("handler", "select", "reqCh"), breaks("D2"), breaks("D3")}},
	{"handler-closes", handlerCloses, calm, 1, trial.Proved, pass},
	{"handler-closes", handlerCloses, calm, 2, trial.Proved, verdict{panics("send on closed channel")}},
	{"dropping", dropping, calm, 1, trial.Proved, verdict{breaks("D4")}},
	{"dropping", dropping, calm, 2, trial.Proved, verdict{breaks("D4")}},
	{"in-front", inFront, calm, 1, trial.Proved, verdict{breaks("D1")}},
	{"in-front", inFront, calm, 2, trial.Proved, verdict{breaks("D1"), breaks("D4")}},

	// A mock cannot be reset: when the client tries to, Recv waits for ever, and so
	// does the handler if it finds no fault. Against that no design helps; but landed
	// has yet another way to leave a goroutine behind.
	{"landed", landed, mocked, 2, trial.Proved, verdict{
		leak("receiver", "select", "reqCh"),
		leak("receiver", "select", "wire"), leak("handler", "select", "reqCh"), breaks("D2")}},
	{"own-done", ownDone, mocked, 2, trial.Proved, verdict{
		leak("receiver", "select", "wire"), leak("handler", "select", "reqCh"), breaks("D2")}},
}

func trials() []explore.Trial {
	var trials []explore.Trial
	for _, row := range streams {
		row.env.requests = row.n
		trials = append(trials, row.effort.Of(explore.Trial{
			Design: row.variant, World: row.env.String(), Size: fmt.Sprintf("n=%d", row.n),
			Body: serve(row.design, row.env), Want: row.want,
		}))
	}
	return trials
}

// TestStream proves the designs that are right, by exploring every trace class, finds
// what is wrong with the others, and shows that nothing else is.
func TestStream(t *testing.T) {
	c := explore.Compare(t, trials(), explore.NoLeak("D0"), explore.NoPanic("no panic"),
		explore.Invariant{Name: "D1"}, explore.Invariant{Name: "D2"}, explore.Invariant{Name: "D3"}, explore.Invariant{Name: "D4"})
	readme.CheckMatrix(t, "streams", c)
}

// TestLanded samples the design that landed. The proof makes it needless; it shows
// that sampling agrees.
func TestLanded(t *testing.T) {
	for n := 1; n <= 3; n++ {
		t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) {
			env := rough
			env.requests = n
			explore.Check(t, serve(landed, env), explore.Schedules(100_000))
		})
	}
}

// The designs that are right are so in any world.
func TestRightAnywhere(t *testing.T) {
	explore.Property(t, func(rt *rapid.T) func() {
		d := rapid.SampledFrom([]design{landed, streamCtx, ownDone, drained}).Draw(rt, "design")
		return serve(d, environment{
			requests:  rapid.IntRange(0, 5).Draw(rt, "requests"),
			server:    rapid.SampledFrom([]lifetime{livesOn, mayShutDown, shutsDown}).Draw(rt, "server"),
			mayRefuse: rapid.Bool().Draw(rt, "mayRefuse"),
			streams:   rapid.IntRange(1, 3).Draw(rt, "streams"),
		})
	})
}

// String says what an environment has besides a client and a callback for requests.
func (e environment) String() string {
	return trial.World(trial.If(e.streams > 1, "two streams"), trial.If(e.mayRefuse, "may refuse"), trial.If(e.server == mayShutDown, "may stop"),
		trial.If(e.server == shutsDown, "stops"), trial.If(e.mock, "mock"))
}
