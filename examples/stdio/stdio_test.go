package stdio

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

// verdict is what exploring a process shows: nothing, or all of these.
type verdict = []explore.Expectation

var (
	pass   verdict
	leak   = explore.Blocked // a goroutine, what it waits in, and for what
	breaks = explore.Broken
	panics = explore.Panics
	races  = explore.Races
)

// The environments, to which n adds how many callers there are.
var (
	short    = environment{} // a process that ends at any time
	closed   = environment{anyTime: true}
	ending   = environment{closeStdin: true}
	reading  = environment{closeStdin: true, reads: true}
	rough    = environment{closeStdin: true, anyTime: true}
	ended    = environment{endsStdin: true}
	anyhow   = environment{endsStdin: true, anyTime: true}
	killed   = environment{signals: true}
	lost     = environment{signals: true, lost: true}
	reopens  = environment{reopens: true}
	everyday = environment{closeStdin: true, anyTime: true, signals: true}
)

// row is a design to explore, and what that shows.
type row struct {
	variant string
	design  design
	env     environment
	n       int
	effort  trial.Effort
	want    verdict
}

var rows = []row{
	{"cached", cached, short, 1, trial.Proved, verdict{breaks("S3")}},
	{"cached", cached, short, 2, trial.Large, verdict{breaks("S1"), breaks("S2"), breaks("S3"), panics("nil pointer dereference"), races("cachedPipes")}},
	{"reopened", reopened, short, 1, trial.Proved, verdict{breaks("S1")}},
	{"queried", queried, short, 1, trial.Proved, verdict{breaks("S1")}},
	{"queried", queried, short, 2, trial.Proved, verdict{breaks("S1")}},
	{"queried", queried, reopens, 2, trial.Proved, verdict{breaks("S1")}},

	{"landed", landed, short, 1, trial.Proved, pass},
	{"landed", landed, short, 2, trial.Proved, pass},
	{"landed", landed, short, 3, trial.Proved, pass},
	{"landed", landed, closed, 2, trial.Proved, pass},
	{"landed", landed, closed, 3, trial.Proved, pass},
	{"landed", landed, reading, 1, trial.Proved, pass},
	{"landed", landed, reading, 2, trial.Proved, pass},
	{"landed", landed, ended, 1, trial.Proved, pass},
	{"landed", landed, ended, 2, trial.Proved, pass},
	{"landed", landed, anyhow, 2, trial.Proved, pass},
	{"landed", landed, rough, 2, trial.Proved, pass},
	{"landed", landed, rough, 3, trial.Large, pass},
	{"landed", landed, everyday, 2, trial.Large, pass},
	{"landed", landed, killed, 1, trial.Proved, pass},
	{"landed", landed, lost, 1, trial.Proved, pass},

	{"no-lock", noLock, short, 1, trial.Proved, pass},
	{"no-lock", noLock, short, 2, trial.Proved, verdict{
		breaks("S1"), breaks("S2"), breaks("S3"), races("hasCachedStdio"), races("stdin"), races("stdout")}},
	{"no-handle-lock", noHandleLock, short, 1, trial.Proved, verdict{breaks("S1")}},
	{"no-handle-lock", noHandleLock, closed, 2, trial.Proved, verdict{breaks("S1"), breaks("S6")}},
	{"no-nil", noNil, short, 1, trial.Proved, verdict{breaks("S3")}},
	{"swapped", swapped, short, 1, trial.Proved, verdict{
		leak("caller", "rlock", "handleLock"), leak("closer", "lock", "stdioLock"), breaks("S3")}},
	{"query-first", queryFirst, short, 1, trial.Proved, verdict{breaks("S1")}},
	{"query-first", queryFirst, reopens, 1, trial.Proved, pass},
	{"query-first", queryFirst, reopens, 2, trial.Proved, pass},

	{"skip-if-nil", skipIfNil, ending, 1, trial.Proved, verdict{breaks("S5")}},
	{"skip-if-nil", skipIfNil, reading, 1, trial.Proved, verdict{
		leak("process", "receive", "end of stdin"), leak("waitBackground", "select", "notification"),
		leak("closer", "receive", "waitBlock"), breaks("S5")}},
	{"no-once", noOnce, killed, 1, trial.Proved, verdict{panics("close of closed channel")}},
	{"no-once", noOnce, lost, 1, trial.Proved, verdict{panics("close of closed channel")}},
	{"never-unblocks", neverUnblocks, lost, 1, trial.Proved, verdict{
		leak("waitBackground", "select", "notification"), leak("closer", "receive", "waitBlock")}},
}

func (r row) body() func() {
	r.env.callers = r.n
	return r.design.lifetime(r.env)
}

// trial is the row as Compare wants it.
func (r row) trial() explore.Trial {
	return r.effort.Of(explore.Trial{
		Design: r.variant, World: r.env.String(), Size: fmt.Sprintf("n=%d", r.n),
		Body: r.body(), Want: r.want,
	})
}

func trials() []explore.Trial {
	var trials []explore.Trial
	for _, r := range rows {
		trials = append(trials, r.trial())
	}
	return trials
}

func TestStdio(t *testing.T) {
	c := explore.Compare(t, trials(), explore.Invariant{Name: "S1"}, explore.Invariant{Name: "S2"}, explore.Invariant{Name: "S3"},
		explore.NoLeak("S4"), explore.Invariant{Name: "S5"}, explore.Invariant{Name: "S6"}, explore.NoPanic("no panic"), explore.NoRace("no race"))
	readme.CheckMatrix(t, "verdicts", c)
}

// What landed holds in any world.
func TestLandedAnywhere(t *testing.T) {
	explore.Property(t, func(rt *rapid.T) func() {
		env := environment{
			callers:    rapid.IntRange(1, 4).Draw(rt, "callers"),
			closeStdin: rapid.Bool().Draw(rt, "closeStdin"),
			endsStdin:  rapid.Bool().Draw(rt, "endsStdin"),
			anyTime:    rapid.Bool().Draw(rt, "anyTime"),
			signals:    rapid.Bool().Draw(rt, "signals"),
			reopens:    rapid.Bool().Draw(rt, "reopens"),
		}
		env.reads = env.closeStdin && !env.anyTime && rapid.Bool().Draw(rt, "reads")
		return landed.lifetime(env)
	})
}

// String says what an environment has besides callers, a process that ends at any time,
// and somebody who closes it then.
func (e environment) String() string {
	return trial.World(
		trial.If(e.closeStdin, "closeStdin"), trial.If(e.endsStdin, "endsStdin"), trial.If(e.reads, "reads"),
		trial.If(e.anyTime, "anyTime"), trial.If(e.signals, "signals"), trial.If(e.lost, "lost"),
		trial.If(e.reopens, "reopens"),
	)
}
