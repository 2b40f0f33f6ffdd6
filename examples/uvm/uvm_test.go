package uvm

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
	"github.com/modelcheck-go/modelcheck/examples/internal/trial"
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
	races  = explore.Races
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

// row is a program to explore, and what that shows.
type row struct {
	variant string
	body    func(environment) func()
	env     environment
	effort  trial.Effort
	want    verdict
}

var tasks = []row{
	{"buggy", buggy.lifecycle, shared, trial.Proved, verdict{leak("waitForHostExit", "receive", "uvm.waitBlock")}},
	{"buggy", buggy.lifecycle, owned, trial.Proved, pass},
	{"interim", interim.lifecycle, shared, trial.Proved, early},
	{"interim", interim.lifecycle, owned, trial.Proved, earlyOwn},
	{"interim-return", interimReturn.lifecycle, shared, trial.Proved, pass},
	{"interim-return", interimReturn.lifecycle, owned, trial.Proved, pass},
	{"done", done.lifecycle, shared, trial.Proved, early},
	{"done", done.lifecycle, owned, trial.Proved, earlyOwn},
	{"done-return", doneReturn.lifecycle, shared, trial.Proved, pass},
	{"done-return", doneReturn.lifecycle, owned, trial.Proved, pass},
	{"closed", closed.lifecycle, shared, trial.Proved, pass},
	{"closed", closed.lifecycle, owned, trial.Proved, pass},
	{"hardened", hardened.lifecycle, shared, trial.Proved, pass},
	{"hardened", hardened.lifecycle, owned, trial.Proved, pass},

	// A container that outlives its first process does not wake waitForHostExit before
	// the exit code is known.
	{"interim", interim.lifecycle, environment{outlives: true}, trial.Proved, verdict{breaks("I2")}},
	{"done", done.lifecycle, environment{outlives: true, ownsHost: true}, trial.Proved, verdict{breaks("I2"), breaks("I3")}},

	// After a crash only one design keeps what all but two keep without.
	{"buggy", buggy.lifecycle, sharedCrash, trial.Large, early},
	{"buggy", buggy.lifecycle, ownedCrash, trial.Large, earlyOwn},
	{"interim-return", interimReturn.lifecycle, sharedCrash, trial.Large, early},
	{"interim-return", interimReturn.lifecycle, ownedCrash, trial.Large, earlyOwn},
	{"done-return", doneReturn.lifecycle, ownedCrash, trial.Large, earlyOwn},
	{"closed", closed.lifecycle, ownedCrash, trial.Large, earlyOwn},
	{"hardened", hardened.lifecycle, sharedCrash, trial.Large, pass},
	{"hardened", hardened.lifecycle, ownedCrash, trial.Large, pass},
	{"hardened", hardened.lifecycle, environment{crash: true, init: endless}, trial.Large, pass},
	{"hardened", hardened.lifecycle, environment{crash: true, init: endless, ownsHost: true}, trial.Large, pass},

	// A relay that is never done with the output.
	{"buggy", buggy.lifecycle, environment{crash: true, output: hangs}, trial.Proved, verdict{
		leak("waitForHostExit", "receive", "outputProcessingDone")}},
	{"interim-return", interimReturn.lifecycle, environment{crash: true, output: hangs}, trial.Proved, verdict{
		leak("waitForHostExit", "receive", "outputProcessingDone")}},
	{"done-return", doneReturn.lifecycle, environment{crash: true, output: hangs}, trial.Proved, pass},
	{"closed", closed.lifecycle, environment{crash: true, output: hangs}, trial.Proved, pass},
	{"hardened", hardened.lifecycle, environment{crash: true, output: hangs}, trial.Proved, pass},
	{"done-return", doneReturn.lifecycle, environment{ownsHost: true, output: hangs}, trial.Proved, verdict{
		leak("waitInitExit", "receive", "waitCh"), leak("containerd", "receive", "closed"), breaks("I1")}},
	{"hardened", hardened.lifecycle, environment{ownsHost: true, output: hangs}, trial.Proved, verdict{
		leak("waitInitExit", "receive", "waitCh"), leak("containerd", "receive", "closed"), breaks("I1"),
		leak("waitForHostExit", "select", "waitCh")}},

	// More tasks, more processes, and containers that do not want to go.
	{"interim-return", interimReturn.lifecycle, environment{tasks: 2}, trial.Proved, pass},
	{"closed", closed.lifecycle, environment{tasks: 2}, trial.Proved, pass},
	{"hardened", hardened.lifecycle, environment{tasks: 2}, trial.Proved, pass},
	{"interim-return", interimReturn.lifecycle, environment{execs: 1, outlives: true, failing: true}, trial.Proved, pass},
	{"leaves-execs", leavesExecs.lifecycle, environment{execs: 1}, trial.Proved, verdict{
		leak("exec waitForExit", "receive", "p.exit"), breaks("I4")}},
	{"closed", closed.lifecycle, environment{execs: 1, outlives: true, failing: true}, trial.Proved, pass},
	{"hardened", hardened.lifecycle, environment{execs: 1, outlives: true, failing: true}, trial.Proved, pass},
	{"interim-return", interimReturn.lifecycle, environment{execs: 1, failing: true, timeouts: true, ownsHost: true}, trial.Sampled, pass},
	{"closed", closed.lifecycle, environment{execs: 1, failing: true, timeouts: true, ownsHost: true}, trial.Sampled, pass},
	{"hardened", hardened.lifecycle, environment{execs: 1, failing: true, timeouts: true, ownsHost: true}, trial.Sampled, pass},
	{"hardened", hardened.lifecycle, environment{tasks: 2, execs: 1, failing: true, timeouts: true, crash: true, ownsHost: true}, trial.Sampled, pass},

	{"hasty", hasty.lifecycle, environment{outlives: true}, trial.Proved, verdict{breaks("I7")}},
	{"leaves-host", leavesHost.lifecycle, owned, trial.Proved, verdict{breaks("I8")}},

	// Who deletes the task waits for it, but not for ever.
	{"interim-return", interimReturn.lifecycle, environment{deletes: true}, trial.Proved, pass},
	{"hardened", hardened.lifecycle, environment{deletes: true}, trial.Proved, pass},
	{"hardened", hardened.lifecycle, environment{deletes: true, ownsHost: true}, trial.Proved, pass},
	{"hardened", hardened.lifecycle, environment{deletes: true, crash: true}, trial.Large, pass},
	{"hardened", hardened.lifecycle, environment{deletes: true, outlives: true, failing: true}, trial.Sampled, verdict{breaks("I2")}},
	{"hardened", hardened.lifecycle, environment{deletes: true, timeouts: true}, trial.Sampled, verdict{breaks("I2")}},
	{"done-return", doneReturn.lifecycle, environment{deletes: true, ownsHost: true, output: hangs}, trial.Proved, verdict{
		leak("waitInitExit", "receive", "waitCh"), breaks("I1")}},

	// Other ways to wait for the VM, see machines.
	{"done-return-late-channel", doneReturn.with(lateChannel).lifecycle, environment{early: true}, trial.Proved, verdict{races("uvm.waitCh")}},
	{"closed-late-channel", closed.with(lateChannel).lifecycle, environment{early: true}, trial.Proved, verdict{races("uvm.waitCh")}},
	{"done-return-callers-context", doneReturn.with(callersContext).lifecycle, environment{cancel: true}, trial.Proved, pass},
	{"done-return-callers-context", doneReturn.with(callersContext).lifecycle, environment{cancel: true, output: unwanted}, trial.Large, verdict{
		breaks("I5"), breaks("I1"), breaks("I2")}},
	{"hardened-callers-context", hardened.with(callersContext).lifecycle, environment{cancel: true, output: unwanted}, trial.Large, verdict{breaks("I5")}},
	{"buggy-reconnecting", buggy.with(reconnecting).lifecycle, sharedCrash, trial.Proved, verdict{
		leak("waitForHostExit", "receive", "outputProcessingDone"), leak("relay", "receive", "outputProcessingDone")}},
	{"interim-return-reconnecting", interimReturn.with(reconnecting).lifecycle, sharedCrash, trial.Proved, verdict{
		leak("waitForHostExit", "receive", "outputProcessingDone"), leak("relay", "receive", "outputProcessingDone")}},
	{"buggy-reconnecting", buggy.with(reconnecting).lifecycle, owned, trial.Proved, pass},
	{"buggy-reconnecting", buggy.with(reconnecting).lifecycle, ownedCrash, trial.Proved, pass},

	// Other things than a sync.Once.
	{"interim-return-flag", interimReturn.guardedBy(aFlag).lifecycle, shared, trial.Proved, pass},
	{"interim-return-flag", interimReturn.guardedBy(aFlag).lifecycle, sharedCrash, trial.Sampled, verdict{
		panics("close of closed channel"), breaks("I1"), breaks("I2"), races("closeHostOnce")}},
	{"hardened-flag", hardened.guardedBy(aFlag).lifecycle, sharedCrash, trial.Sampled, verdict{
		panics("close of closed channel"), races("closeOnce"), races("closeHostOnce")}},
	{"hardened-swap", hardened.guardedBy(aSwap).lifecycle, sharedCrash, trial.Large, pass},
	{"hardened-swap", hardened.guardedBy(aSwap).lifecycle, ownedCrash, trial.Large, pass},
}

var (
	crash     = environment{crash: true}
	unstarted = environment{unstarted: true, closes: true}
)

// machines has a utility VM without tasks, and somebody who calls Wait.
var machines = []row{
	{"plain", plain.alone, crash, trial.Proved, pass},
	{"plain", plain.alone, environment{closes: true}, trial.Proved, pass},
	{"plain", plain.alone, unstarted, trial.Proved, pass},
	{"plain", plain.alone, environment{crash: true, output: hangs}, trial.Proved, verdict{leak("waiter", "receive", "outputProcessingDone")}},

	{"proposed", proposed.alone, environment{crash: true, closes: true, cancel: true}, trial.Proved, pass},
	{"proposed", proposed.alone, environment{crash: true, early: true}, trial.Proved, pass},
	{"proposed", proposed.alone, unstarted, trial.Proved, verdict{
		leak("closer", "receive", "waitCh"), leak("waiter", "receive", "waitCh"), leak("observer", "receive", "exitCh")}},
	{"proposed", proposed.alone, environment{crash: true, output: hangs}, trial.Proved, verdict{leak("waiter", "receive", "waitCh")}},

	{"closes-unstarted", closesUnstarted.alone, unstarted, trial.Proved, pass},
	{"closes-unstarted", closesUnstarted.alone, environment{crash: true, closes: true}, trial.Proved, pass},
	{"late-channel", lateChannel.alone, crash, trial.Proved, pass},
	{"late-channel", lateChannel.alone, environment{crash: true, early: true}, trial.Proved, verdict{leak("waiter", "receive", "nil channel"), races("uvm.waitCh")}},
	{"callers-context", callersContext.alone, environment{crash: true, cancel: true}, trial.Proved, verdict{breaks("I5")}},
	{"callers-context", callersContext.alone, environment{crash: true, cancel: true, output: unwanted}, trial.Proved, verdict{breaks("I5")}},
	{"output-last", outputLast.alone, crash, trial.Proved, verdict{breaks("I6")}},
	{"reconnecting", reconnecting.alone, crash, trial.Proved, verdict{
		leak("waiter", "receive", "outputProcessingDone"), leak("relay", "receive", "outputProcessingDone")}},
	{"reconnecting", reconnecting.alone, environment{closes: true}, trial.Proved, verdict{breaks("I6")}},
}

func (r row) options() []explore.Option {
	timers := explore.AtQuiescence
	if r.env.timeouts {
		timers = explore.AnyTime
	}
	return []explore.Option{explore.Timers(timers)}
}

// trials are the rows as Compare wants them. Words name an environment.
func trials(rows []row, words func(environment) string) []explore.Trial {
	var out []explore.Trial
	for _, r := range rows {
		out = append(out, r.effort.Of(explore.Trial{
			Design: r.variant, World: words(r.env), Body: r.body(r.env), Want: r.want, Options: r.options(),
		}))
	}
	return out
}

func invariants(names ...string) []explore.Invariant {
	out := []explore.Invariant{explore.NoLeak("I0"), explore.NoPanic("no panic"), explore.NoRace("no race")}
	for _, name := range names {
		out = append(out, explore.Invariant{Name: name})
	}
	return out
}

func TestTask(t *testing.T) {
	c := explore.Compare(t, trials(tasks, environment.words), invariants("I1", "I2", "I3", "I4", "I5", "I7", "I8")...)
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

// words says what an environment is.
func (e environment) words() string {
	host := "shared"
	if e.ownsHost {
		host = "owned"
	}
	return trial.World(host, e.happenings())
}

// happenings says what may happen in it that mostly does not.
func (e environment) happenings() string {
	return trial.World(
		trial.If(e.tasks > 1, "tasks"), trial.If(e.execs > 0, "execs"), trial.If(e.init == endless, "endless"),
		trial.If(e.outlives, "outlives"), trial.If(e.crash, "crash"), trial.If(e.output == hangs, "hangs"),
		trial.If(e.output == unwanted, "unlogged"), trial.If(e.cancel, "cancel"), trial.If(e.timeouts, "timeouts"),
		trial.If(e.failing, "failing"), trial.If(e.unstarted, "unstarted"), trial.If(e.early, "early"),
		trial.If(e.closes, "closes"), trial.If(e.deletes, "deletes"),
	)
}
