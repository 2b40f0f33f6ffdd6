package stdio

import (
	"fmt"
	"strings"
	"testing"

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

// effort is how a row is judged.
type effort int

const (
	proved  effort = iota // all trace classes are explored
	large                 // so they are, which takes a while
	sampled               // a few thousand random schedules are
)

// row is a design to explore, and what that shows.
type row struct {
	variant string
	design  design
	env     environment
	n       int
	effort  effort
	want    verdict
}

var rows = []row{
	{"cached", cached, short, 1, proved, verdict{breaks("S3")}},
	{"cached", cached, short, 2, large, verdict{breaks("S1"), breaks("S2"), breaks("S3"), panics("nil pointer dereference")}},
	{"reopened", reopened, short, 1, proved, verdict{breaks("S1")}},
	{"queried", queried, short, 1, proved, verdict{breaks("S1")}},
	{"queried", queried, short, 2, proved, verdict{breaks("S1")}},
	{"queried", queried, reopens, 2, proved, verdict{breaks("S1")}},

	{"landed", landed, short, 1, proved, pass},
	{"landed", landed, short, 2, proved, pass},
	{"landed", landed, short, 3, proved, pass},
	{"landed", landed, closed, 2, proved, pass},
	{"landed", landed, closed, 3, proved, pass},
	{"landed", landed, reading, 1, proved, pass},
	{"landed", landed, reading, 2, proved, pass},
	{"landed", landed, ended, 1, proved, pass},
	{"landed", landed, ended, 2, proved, pass},
	{"landed", landed, anyhow, 2, proved, pass},
	{"landed", landed, rough, 2, proved, pass},
	{"landed", landed, rough, 3, sampled, pass},
	{"landed", landed, everyday, 2, large, pass},
	{"landed", landed, killed, 1, proved, pass},
	{"landed", landed, lost, 1, proved, pass},

	{"no-lock", noLock, short, 1, proved, pass},
	{"no-lock", noLock, short, 2, proved, verdict{breaks("S1"), breaks("S2"), breaks("S3")}},
	{"no-nil", noNil, short, 1, proved, verdict{breaks("S3")}},
	{"swapped", swapped, short, 1, proved, verdict{
		leak("caller", "rlock", "handleLock"), leak("closer", "lock", "stdioLock"), breaks("S3")}},
	{"query-first", queryFirst, short, 1, proved, verdict{breaks("S1")}},
	{"query-first", queryFirst, reopens, 1, proved, pass},
	{"query-first", queryFirst, reopens, 2, proved, pass},

	{"skip-if-nil", skipIfNil, ending, 1, proved, verdict{breaks("S5")}},
	{"skip-if-nil", skipIfNil, reading, 1, proved, verdict{
		leak("process", "receive", "end of stdin"), leak("waitBackground", "select", "notification"),
		leak("closer", "receive", "waitBlock"), breaks("S5")}},
	{"no-once", noOnce, killed, 1, proved, verdict{panics("close of closed channel")}},
	{"no-once", noOnce, lost, 1, proved, verdict{panics("close of closed channel")}},
	{"never-unblocks", neverUnblocks, lost, 1, proved, verdict{
		leak("waitBackground", "select", "notification"), leak("closer", "receive", "waitBlock")}},
}

func (r row) body() func() {
	r.env.callers = r.n
	return r.design.lifetime(r.env)
}

func each(t *testing.T, f func(*testing.T, row)) {
	for _, r := range rows {
		name := append([]string{fmt.Sprintf("%s/n=%d", r.variant, r.n)}, r.env.words()...)
		t.Run(strings.Join(name, "-"), func(t *testing.T) { f(t, r) })
	}
}

// Rows are explored, or as much of them as it takes to find everything expected.
func TestStdio(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		explored, opts := explore.Exhaust, []explore.Option{}
		if r.effort == sampled || r.effort == large && r.want == nil && testing.Short() {
			explored, opts = explore.Check, append(opts, explore.Schedules(10_000))
		}
		if r.want != nil {
			opts = append(opts, explore.Expect(r.want...))
		}
		explored(t, r.body(), opts...)
	})
}

// forever is never met, so that a campaign which expects it goes on after all that
// can be found has been.
var forever = breaks("no such thing")

// Exploring stops when it has seen what is expected. That there is nothing else to see is
// another question.
func TestStdioShowsNothingElse(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		if r.want == nil {
			return
		}
		run, opts := explore.RunExhaustive, []explore.Option{explore.Expect(append(r.want, forever)...)}
		if r.effort != proved {
			run, opts = explore.Run, append(opts, explore.Schedules(1_000))
		}
		got := run(r.body(), opts...)
		complete := r.effort != proved || got.Coverage.Complete
		if len(got.Findings) != 1 || got.Findings[0].Kind != explore.Missed || !complete {
			t.Errorf("wanted what is expected and nothing else, found:\n%v", got)
		}
	})
}

// What landed holds in any world.
func TestLandedAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		env := environment{
			callers:    rapid.IntRange(1, 4).Draw(t, "callers"),
			closeStdin: rapid.Bool().Draw(t, "closeStdin"),
			endsStdin:  rapid.Bool().Draw(t, "endsStdin"),
			anyTime:    rapid.Bool().Draw(t, "anyTime"),
			signals:    rapid.Bool().Draw(t, "signals"),
			reopens:    rapid.Bool().Draw(t, "reopens"),
		}
		env.reads = env.closeStdin && !env.anyTime && rapid.Bool().Draw(t, "reads")
		r := explore.Run(landed.lifetime(env), explore.Schedules(100), explore.Seed(rapid.Uint64().Draw(t, "seed")))
		if r.Failed() {
			t.Fatalf("%v", r)
		}
	})
}
