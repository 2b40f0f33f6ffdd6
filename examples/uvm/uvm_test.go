package uvm

import (
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
	"github.com/modelcheck-go/modelcheck/explore"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// verdict is what exploring a design shows: nothing, or all of these.
type verdict = []explore.Expectation

var (
	pass   verdict
	leak   = explore.Blocked // a goroutine, what it waits in, and for what
	breaks = explore.Broken
	panics = explore.Panics
)

// What a task shows that is closed while the machine, or its output, is still on.
var (
	early    = verdict{breaks("I1"), breaks("I2")}
	earlyOwn = verdict{breaks("I1"), breaks("I2"), breaks("I3")}
)

// world has the environments that most designs are judged in: nothing goes wrong, or
// the machine crashes.
var (
	shared      = environment{}
	owned       = environment{ownsHost: true}
	sharedCrash = environment{crash: true}
	ownedCrash  = environment{crash: true, ownsHost: true}
)

// effort is how a row is judged.
type effort int

const (
	proved  effort = iota // all trace classes are explored
	large                 // so they are, which takes a while
	sampled               // 5,000 random schedules are
)

// row is a program to explore, and what that shows.
type row struct {
	variant string
	body    func(environment) func()
	env     environment
	effort  effort
	want    verdict
}

var tasks = []row{
	{"buggy", buggy.lifecycle, shared, proved, verdict{leak("waitForHostExit", "receive", "uvm.waitBlock")}},
	{"buggy", buggy.lifecycle, owned, proved, pass},
	{"interim", interim.lifecycle, shared, proved, early},
	{"interim", interim.lifecycle, owned, proved, earlyOwn},
	{"interim-return", interimReturn.lifecycle, shared, proved, pass},
	{"interim-return", interimReturn.lifecycle, owned, proved, pass},
	{"done", done.lifecycle, shared, proved, early},
	{"done", done.lifecycle, owned, proved, earlyOwn},
	{"done-return", doneReturn.lifecycle, shared, proved, pass},
	{"done-return", doneReturn.lifecycle, owned, proved, pass},
	{"closed", closed.lifecycle, shared, proved, pass},
	{"closed", closed.lifecycle, owned, proved, pass},
	{"hardened", hardened.lifecycle, shared, proved, pass},
	{"hardened", hardened.lifecycle, owned, proved, pass},

	// A container that outlives its first process does not wake waitForHostExit before
	// the exit code is known.
	{"interim", interim.lifecycle, environment{outlives: true}, proved, verdict{breaks("I2")}},
	{"done", done.lifecycle, environment{outlives: true, ownsHost: true}, proved, verdict{breaks("I2"), breaks("I3")}},

	// After a crash only one design keeps what all but two keep without.
	{"buggy", buggy.lifecycle, sharedCrash, large, early},
	{"buggy", buggy.lifecycle, ownedCrash, large, earlyOwn},
	{"interim-return", interimReturn.lifecycle, sharedCrash, large, early},
	{"interim-return", interimReturn.lifecycle, ownedCrash, large, earlyOwn},
	{"done-return", doneReturn.lifecycle, ownedCrash, large, earlyOwn},
	{"closed", closed.lifecycle, ownedCrash, large, earlyOwn},
	{"hardened", hardened.lifecycle, sharedCrash, large, pass},
	{"hardened", hardened.lifecycle, ownedCrash, large, pass},
	{"hardened", hardened.lifecycle, environment{crash: true, init: endless}, large, pass},
	{"hardened", hardened.lifecycle, environment{crash: true, init: endless, ownsHost: true}, large, pass},

	// A relay that is never done with the output.
	{"buggy", buggy.lifecycle, environment{crash: true, output: hangs}, proved, verdict{
		leak("waitForHostExit", "receive", "outputProcessingDone")}},
	{"interim-return", interimReturn.lifecycle, environment{crash: true, output: hangs}, proved, verdict{
		leak("waitForHostExit", "receive", "outputProcessingDone")}},
	{"done-return", doneReturn.lifecycle, environment{crash: true, output: hangs}, proved, pass},
	{"closed", closed.lifecycle, environment{crash: true, output: hangs}, proved, pass},
	{"hardened", hardened.lifecycle, environment{crash: true, output: hangs}, proved, pass},
	{"done-return", doneReturn.lifecycle, environment{ownsHost: true, output: hangs}, proved, verdict{
		leak("waitInitExit", "receive", "waitCh"), leak("containerd", "receive", "closed"), breaks("I1")}},
	{"hardened", hardened.lifecycle, environment{ownsHost: true, output: hangs}, proved, verdict{
		leak("waitInitExit", "receive", "waitCh"), leak("containerd", "receive", "closed"), breaks("I1"),
		leak("waitForHostExit", "select", "waitCh")}},

	// More tasks, more processes, and containers that do not want to go.
	{"interim-return", interimReturn.lifecycle, environment{tasks: 2}, proved, pass},
	{"closed", closed.lifecycle, environment{tasks: 2}, proved, pass},
	{"hardened", hardened.lifecycle, environment{tasks: 2}, proved, pass},
	{"interim-return", interimReturn.lifecycle, environment{execs: 1, outlives: true, failing: true}, proved, pass},
	{"closed", closed.lifecycle, environment{execs: 1, outlives: true, failing: true}, proved, pass},
	{"hardened", hardened.lifecycle, environment{execs: 1, outlives: true, failing: true}, proved, pass},
	{"interim-return", interimReturn.lifecycle, environment{execs: 1, failing: true, timeouts: true, ownsHost: true}, sampled, pass},
	{"closed", closed.lifecycle, environment{execs: 1, failing: true, timeouts: true, ownsHost: true}, sampled, pass},
	{"hardened", hardened.lifecycle, environment{execs: 1, failing: true, timeouts: true, ownsHost: true}, sampled, pass},
	{"hardened", hardened.lifecycle, environment{tasks: 2, execs: 1, failing: true, timeouts: true, crash: true, ownsHost: true}, sampled, pass},

	// Other ways to wait for the VM, see machines.
	{"done-return-late-channel", doneReturn.with(lateChannel).lifecycle, environment{early: true}, proved, pass},
	{"closed-late-channel", closed.with(lateChannel).lifecycle, environment{early: true}, proved, pass},
	{"done-return-callers-context", doneReturn.with(callersContext).lifecycle, environment{cancel: true}, proved, pass},
	{"done-return-callers-context", doneReturn.with(callersContext).lifecycle, environment{cancel: true, output: unwanted}, large, verdict{
		breaks("I5"), breaks("I1"), breaks("I2")}},
	{"hardened-callers-context", hardened.with(callersContext).lifecycle, environment{cancel: true, output: unwanted}, large, verdict{breaks("I5")}},
	{"buggy-reconnecting", buggy.with(reconnecting).lifecycle, sharedCrash, proved, verdict{
		leak("waitForHostExit", "receive", "outputProcessingDone"), leak("relay", "receive", "outputProcessingDone")}},
	{"interim-return-reconnecting", interimReturn.with(reconnecting).lifecycle, sharedCrash, proved, verdict{
		leak("waitForHostExit", "receive", "outputProcessingDone"), leak("relay", "receive", "outputProcessingDone")}},
	{"buggy-reconnecting", buggy.with(reconnecting).lifecycle, owned, proved, pass},
	{"buggy-reconnecting", buggy.with(reconnecting).lifecycle, ownedCrash, proved, pass},

	// Other things than a sync.Once.
	{"interim-return-flag", interimReturn.guardedBy(aFlag).lifecycle, shared, proved, pass},
	{"interim-return-flag", interimReturn.guardedBy(aFlag).lifecycle, sharedCrash, sampled, verdict{
		panics("close of closed channel"), breaks("I1"), breaks("I2")}},
	{"hardened-flag", hardened.guardedBy(aFlag).lifecycle, sharedCrash, sampled, verdict{panics("close of closed channel")}},
	{"hardened-swap", hardened.guardedBy(aSwap).lifecycle, sharedCrash, large, pass},
	{"hardened-swap", hardened.guardedBy(aSwap).lifecycle, ownedCrash, large, pass},
}

var (
	crash     = environment{crash: true}
	unstarted = environment{unstarted: true, closes: true}
)

// machines has a utility VM without tasks, and somebody who calls Wait.
var machines = []row{
	{"plain", plain.alone, crash, proved, pass},
	{"plain", plain.alone, environment{closes: true}, proved, pass},
	{"plain", plain.alone, unstarted, proved, pass},
	{"plain", plain.alone, environment{crash: true, output: hangs}, proved, verdict{leak("waiter", "receive", "outputProcessingDone")}},

	{"proposed", proposed.alone, environment{crash: true, closes: true, cancel: true}, proved, pass},
	{"proposed", proposed.alone, environment{crash: true, early: true}, proved, pass},
	{"proposed", proposed.alone, unstarted, proved, verdict{
		leak("closer", "receive", "waitCh"), leak("waiter", "receive", "waitCh"), leak("observer", "receive", "exitCh")}},
	{"proposed", proposed.alone, environment{crash: true, output: hangs}, proved, verdict{leak("waiter", "receive", "waitCh")}},

	{"closes-unstarted", closesUnstarted.alone, unstarted, proved, pass},
	{"closes-unstarted", closesUnstarted.alone, environment{crash: true, closes: true}, proved, pass},
	{"late-channel", lateChannel.alone, crash, proved, pass},
	{"late-channel", lateChannel.alone, environment{crash: true, early: true}, proved, verdict{leak("waiter", "receive", "nil channel")}},
	{"callers-context", callersContext.alone, environment{crash: true, cancel: true}, proved, verdict{breaks("I5")}},
	{"callers-context", callersContext.alone, environment{crash: true, cancel: true, output: unwanted}, proved, verdict{breaks("I5")}},
	{"output-last", outputLast.alone, crash, proved, verdict{breaks("I6")}},
	{"reconnecting", reconnecting.alone, crash, proved, verdict{
		leak("waiter", "receive", "outputProcessingDone"), leak("relay", "receive", "outputProcessingDone")}},
	{"reconnecting", reconnecting.alone, environment{closes: true}, proved, verdict{breaks("I6")}},
}

func (r row) options() []explore.Option {
	timers := explore.AtQuiescence
	if r.env.timeouts {
		timers = explore.AnyTime
	}
	return []explore.Option{explore.Timers(timers)}
}

// trials are the rows as Compare wants them. Words name an environment.
func trials(rows []row, words func(environment) []string) []explore.Trial {
	var out []explore.Trial
	for _, r := range rows {
		t := explore.Trial{
			Design: r.variant, World: strings.Join(words(r.env), ", "), Body: r.body(r.env),
			Want: r.want, Large: r.effort == large, Options: r.options(),
		}
		if r.effort == sampled {
			t.Sample = 5_000
		}
		out = append(out, t)
	}
	return out
}

func invariants(names ...string) []explore.Invariant {
	out := []explore.Invariant{explore.NoLeak("I0"), explore.NoPanic("no panic")}
	for _, name := range names {
		out = append(out, explore.Invariant{Name: name})
	}
	return out
}

func TestTask(t *testing.T) {
	c := explore.Compare(t, trials(tasks, environment.words), invariants("I1", "I2", "I3", "I4", "I5", "I7")...)
	readme.CheckMatrix(t, "tasks", c)
}

func TestMachine(t *testing.T) {
	c := explore.Compare(t, trials(machines, environment.happenings), invariants("I5", "I6")...)
	readme.CheckMatrix(t, "machines", c)
}

// The design that keeps everything keeps it in any world. Where the relay hangs a
// machine cannot be closed, which is not the task's fault.
func TestHardenedAnywhere(t *testing.T) {
	explore.Property(t, func(rt *rapid.T) func() {
		env := environment{
			tasks:    rapid.IntRange(1, 3).Draw(rt, "tasks"),
			execs:    rapid.IntRange(0, 2).Draw(rt, "execs"),
			outlives: rapid.Bool().Draw(rt, "outlives"),
			crash:    rapid.Bool().Draw(rt, "crash"),
			cancel:   rapid.Bool().Draw(rt, "cancel"),
			timeouts: rapid.Bool().Draw(rt, "timeouts"),
		}
		if rapid.Bool().Draw(rt, "hangs") {
			env.output = hangs
		} else {
			env.ownsHost = rapid.Bool().Draw(rt, "ownsHost")
		}
		return hardened.lifecycle(env)
	})
}
