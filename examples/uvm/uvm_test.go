package uvm

import (
	"strings"
	"testing"

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
	sampled               // a few thousand random schedules are
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
	{"interim-return-flag", interimReturn.guardedBy(aFlag).lifecycle, sharedCrash, large, verdict{
		panics("close of closed channel"), breaks("I1"), breaks("I2")}},
	{"hardened-flag", hardened.guardedBy(aFlag).lifecycle, sharedCrash, large, verdict{panics("close of closed channel")}},
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

// each runs f for every row, named by its variant and the words for its environment.
func each(t *testing.T, rows []row, words func(environment) []string, f func(*testing.T, row)) {
	for _, r := range rows {
		t.Run(r.variant+"/"+strings.Join(words(r.env), "-"), func(t *testing.T) { f(t, r) })
	}
}

func TestTask(t *testing.T)    { each(t, tasks, environment.words, check) }
func TestMachine(t *testing.T) { each(t, machines, environment.happenings, check) }

// check explores a row, or as much of it as it takes to find everything expected.
func check(t *testing.T, r row) {
	opts := r.options()
	if r.want != nil {
		opts = append(opts, explore.Expect(r.want...))
	}
	if r.effort == sampled || r.effort == large && r.want == nil && testing.Short() {
		explore.Check(t, r.body(r.env), append(opts, explore.Schedules(5_000))...)
	} else {
		explore.Exhaust(t, r.body(r.env), opts...)
	}
}

func TestTaskShowsNothingElse(t *testing.T) {
	each(t, tasks, environment.words, showsNothingElse)
}

func TestMachineShowsNothingElse(t *testing.T) {
	each(t, machines, environment.happenings, showsNothingElse)
}

// forever is never met, so that a campaign which expects it goes on after all that
// can be found has been.
var forever = breaks("no such thing")

// Exploring stops when it has seen what is expected. That there is nothing else to
// see is another question.
func showsNothingElse(t *testing.T, r row) {
	if r.want == nil {
		return
	}
	run, opts := explore.RunExhaustive, append(r.options(), explore.Expect(append(r.want, forever)...))
	if r.effort != proved {
		run, opts = explore.Run, append(opts, explore.Schedules(500))
	}
	got := run(r.body(r.env), opts...)
	complete := r.effort != proved || got.Coverage.Complete
	if len(got.Findings) != 1 || got.Findings[0].Kind != explore.Missed || !complete {
		t.Errorf("wanted what is expected and nothing else, found:\n%v", got)
	}
}

// The design that keeps everything keeps it in any world. Where the relay hangs a
// machine cannot be closed, which is not the task's fault.
func TestHardenedAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		env := environment{
			tasks:    rapid.IntRange(1, 3).Draw(t, "tasks"),
			execs:    rapid.IntRange(0, 2).Draw(t, "execs"),
			outlives: rapid.Bool().Draw(t, "outlives"),
			crash:    rapid.Bool().Draw(t, "crash"),
			cancel:   rapid.Bool().Draw(t, "cancel"),
			timeouts: rapid.Bool().Draw(t, "timeouts"),
		}
		if rapid.Bool().Draw(t, "hangs") {
			env.output = hangs
		} else {
			env.ownsHost = rapid.Bool().Draw(t, "ownsHost")
		}
		r := explore.Run(hardened.lifecycle(env), explore.Schedules(100), explore.Seed(rapid.Uint64().Draw(t, "seed")))
		for _, f := range r.Findings {
			if f.Kind != explore.NeverReached { // 100 schedules are not many
				t.Fatalf("%v", r)
			}
		}
	})
}
