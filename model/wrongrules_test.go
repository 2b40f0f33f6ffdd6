package model_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/internal/planted"
)

// wrongRules are rules of Go's semantics and how they can be got wrong: text of a file of
// the controlled world, and what to have in its place. Each takes away something that Go
// can do: what is done besides TestDifferential does not see, but the tables of outcomes do.
var wrongRules = []struct{ says, file, right, wrong string }{
	{"Signal wakes the goroutine that has waited for the shortest time", "../sched/cond.go",
		"g.notify(o.queued[0], o)\n\t\t\to.queued = slices.Delete(o.queued, 0, 1)",
		"g.notify(o.queued[len(o.queued)-1], o)\n\t\t\to.queued = slices.Delete(o.queued, len(o.queued)-1, len(o.queued))"},
	{"Broadcast wakes one", "../sched/cond.go",
		"range o.queued {\n\t\t\tg.notify(w, o)\n\t\t}\n\t\to.queued = o.queued[:0]",
		"range o.queued[:min(1, len(o.queued))] {\n\t\t\tg.notify(w, o)\n\t\t}\n\t\to.queued = o.queued[min(1, len(o.queued)):]"},
	{"a Signal before the Wait is remembered", "../sched/cond.go",
		"g.notified = false", "g.notified = g.Object(r, KindCond).wakes > 0"},
	{"another text for the close of a closed channel", "../sched/panic.go",
		"runtimeError(\"close of closed channel\")", "runtimeError(\"close of a closed channel\")"},
	{"another text for an RUnlock without a lock", "../sched/panic.go",
		"sync: RUnlock of unlocked RWMutex", "sync: runlock of unlocked rwmutex"},
	{"readers get in although a writer waits", "../sched/execute.go",
		"case OpRLock:\n\t\treturn g.obj.writer == nil", "case OpRLock:\n\t\treturn g.obj.holder == nil"},
	{"TryRLock succeeds although a writer waits", "../sched/lock.go",
		"} else if o.writer != nil {", "} else if o.holder != nil {"},
	{"the writer does not wait for the readers", "../sched/execute.go",
		"return g.obj.readers == 0", "return true"},
	{"a wait group that is used again too early is not noticed", "../sched/waitgroup.go",
		"n := 1 + max(0, o.sleepers()-o.tokens)", "n := 1"},
	{"a negative counter is let pass", "../sched/waitgroup.go",
		"case o.count < 0:", "case o.count < -9:"},
	{"the default is not taken when a partner is about to communicate", "../sched/execute.go",
		"!g.poll.waits && !g.definite()", "!g.poll.waits && n == 0"},
	{"of the cases that can go the first is taken", "../sched/execute.go",
		"for _, c := range g.cases {\n\t\tn += g.ways(c.Chan, c.Send)", "for _, c := range g.cases {\n\t\tif n > 0 {\n\t\t\tbreak\n\t\t}\n\t\tn += g.ways(c.Chan, c.Send)"},
	{"closing does not wake senders", "../sched/chan.go",
		"e.enabled.addAll(&ch.sending)\n\te.enabled.addAll(&ch.receiving)\n\tg.enableAll(ch.senders)", "e.enabled.addAll(&ch.receiving)"},
	{"values that are left in a closed channel are lost", "../sched/chan.go",
		"if ch.n == 0 {\n\t\tg.result = -1", "if ch.n == 0 || ch.closed {\n\t\tg.result = -1"},
	{"a channel has room for one more value", "../sched/chan.go",
		"o.capacity, o.full = capacity, capacity", "o.capacity, o.full = capacity, capacity\n\tif capacity > 0 {\n\t\to.full++\n\t}"},
	{"Once does its function again", "../sched/waitgroup.go",
		"o.holder, o.count = nil, 1", "o.holder = nil"},
	{"a OnceFunc panics only once", "oncefunc.go",
		"if !returned {\n\t\t\tpanic(reason)\n\t\t}", ""},
	{"children have the error of their parent for a cause", "contextcancel.go",
		"child.cancelAfter(g, err, cause)", "child.cancelAfter(g, err, err)"},
	{"a cancellation does not reach the children", "contextcancel.go",
		"child.cancelAfter(g, err, cause)", "_ = child"},
	{"a second cancellation changes the cause", "contextcancel.go",
		"if !g.Cancel(c.done.object(g)) {\n", "if !g.Cancel(c.done.object(g)) {\n\t\tc.cause = cause\n"},
	{"a value hides those of other keys", "contextvalue.go",
		"if c.key == key {", "if c.key == key || key != &cancelCtxKey && key != &deadlineCtxKey {"},
	{"a function is called although its stop has reported success", "contextafter.go",
		"return c.closeAlone(c.enter(\"context stop\"), Canceled, nil)", "return c.enter(\"context stop\") != nil"},
	{"TryAcquire overtakes those who wait", "semaphore.go",
		"s.size-s.taken < n || len(s.waiters) > 0", "s.size-s.taken < n"},
	{"a pool never gives anything back", "pool.go",
		"|| len(p.items) == 0", "|| len(p.items) >= 0"},
	{"Stop of a timer that has fired reports success", "../sched/time.go",
		"t.stopped = true\n\treturn t.disarm()", "t.stopped = true\n\tt.disarm()\n\treturn true"},
	{"a context without cancel is done with its parent", "contextvalue.go",
		"{ return RecvOnly[struct{}]{} }", "{ return c.parent.Done() }"},
	{"the error of a group does not cancel its context", "errgroup.go",
		"\t\tg.cancel(err)", "\t\t_ = err"},
	{"a group returns its last error", "errgroup.go",
		"g.first.Do(func() { g.fail(err) })", "g.fail(err)"},
	{"the limit of a group is changed while goroutines are active", "errgroup.go",
		"active != 0", "active > 9"},
	{"Reset of a timer keeps a value that was not received", "../sched/time.go",
		"active = t.disarm()\n\tt.arm(addTime", "active = t.armed\n\tt.rest()\n\tt.arm(addTime"},
	{"timers that are due at once fire in one order, before others go on", "../sched/time.go",
		"n > 1 && t.when == e.now", "n > 9 && t.when == e.now"},
	{"a pool gives back whatever it has", "pool.go",
		"g.Choose(len(p.items)+1)", "g.Choose(len(p.items))"},
	{"a daemon is found to be blocked", "go.go",
		"g.Go(fn, name, true)", "g.Go(fn, name, false)"},
}

// TestWrongRules breaks one rule after the other: one of the programs of TestDifferences
// notices, or else one that TestDifferential draws. It needs MODELCHECK_LONG=n, the number
// of programs to draw for each.
func TestWrongRules(t *testing.T) {
	if os.Getenv("MODELCHECK_LONG") == "" {
		t.Skip("this builds the package for each rule and draws programs until one notices: set MODELCHECK_LONG")
	}
	for _, rule := range wrongRules {
		t.Run(rule.says, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(rule.file)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), rule.right); n != 1 {
				t.Fatalf("%s has this text %d times, want once: change the table with the code\n%s", rule.file, n, rule.right)
			}
			t.Log(noticeWrongRule(t, rule.file, strings.Replace(string(text), rule.right, rule.wrong, 1)))
		})
	}
}

// noticed is what TestDifferential says of an outcome that is seen natively only.
var noticed = regexp.MustCompile(`(?s)failed after (\d+) tests.*no schedule gives`)

// noticeWrongRule runs the tests with another text of the file, and returns what has
// noticed.
func noticeWrongRule(t *testing.T, file, text string) string {
	overlay, binary := planted.Overlay(t, file, []byte(text)), filepath.Join(t.TempDir(), "broken.test")
	if out, err := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, look := range []func(*testing.T, string) string{regressions, drawnPrograms} {
		if what := look(t, binary); what != "" {
			return what
		}
	}
	t.Fatal("nothing is noticed")
	return ""
}

var missed = regexp.MustCompile(`--- FAIL: TestDifferences/(\S+)`)

// regressions runs TestDifferences of the binary and returns what failed, if anything.
func regressions(t *testing.T, binary string) (failed string) {
	out, err := exec.Command(binary, "-test.run=^TestDifferences$").CombinedOutput()
	if err == nil {
		return ""
	}
	m := missed.FindSubmatch(out)
	if m == nil {
		t.Fatalf("something else is wrong:\n%s", bytes.TrimSpace(out))
	}
	return "noticed by " + string(m[1])
}

// drawnPrograms runs TestDifferential of the binary and returns when it failed, if it did.
func drawnPrograms(t *testing.T, binary string) (failed string) {
	out, err := exec.Command(binary, "-test.run=^TestDifferential$", "-rapid.shrinktime=1ms", "-rapid.seed="+flag.Lookup("rapid.seed").Value.String()).CombinedOutput()
	if err == nil {
		return ""
	}
	m := noticed.FindSubmatch(out)
	if m == nil {
		t.Fatalf("something else is wrong:\n%s", bytes.TrimSpace(out))
	}
	return "noticed after " + string(m[1]) + " programs"
}
