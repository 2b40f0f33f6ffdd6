package gotest

import (
	"errors"
	"slices"
	"strings"
)

// A Problem is one reason why the run of a package is not a success.
type Problem struct {
	Harness bool   // the check could not be carried out; otherwise it was and failed
	Partial bool   // nothing failed, but a search did not come to its end
	Test    string // full name; "" when it concerns the whole test binary
	What    string // in words; never empty
	Output  string // of the test or the tool, complete lines
	Replay  string // shell command that shows the finding again, or ""
}

// problems judges a finished test binary. Every failed check, every test that
// failed for another reason, and every irregular end of the binary is one
// problem, so that no failure is lost and none is told twice.
func problems(events []Event, t *transcript, runErr, eventErr error) []Problem {
	crashed := runErr != nil && !errors.Is(runErr, errFailed)
	if crashed {
		t.reopenCrashed()
	}
	list := t.failedChecks(events)
	list = append(list, t.failedTests(events)...)
	if eventErr != nil {
		list = append(list, Problem{Harness: true, What: eventErr.Error()})
	}
	switch {
	case crashed:
		list = append(list, Problem{Harness: true, Test: t.running(), What: runErr.Error(), Output: t.unfinished()})
	case runErr != nil && !t.anyFailed():
		list = append(list, Problem{What: "the test binary failed, though no test did", Output: t.unfinished()})
	}
	return list
}

// reopenCrashed undoes the end of a test that panicked. Package testing calls it
// failed, and its parents, before it prints the panic under the name of the
// last.
func (t *transcript) reopenCrashed() {
	last := t.current.name
	for _, test := range t.tests {
		if test.failed && (test.name == last || strings.HasPrefix(test.name, last+"/")) {
			test.ended, test.failed = false, false
		}
	}
}

// failedChecks are the problems that events tell. The output of a test with
// several failed checks goes with the first.
func (t *transcript) failedChecks(events []Event) []Problem {
	var list []Problem
	told := map[string]bool{}
	for _, e := range events {
		if !e.Verdict.failed() {
			continue
		}
		p := Problem{Harness: e.Verdict == Broken, Partial: e.Verdict == Incomplete, Test: e.Test, What: e.what(), Replay: e.Replay}
		if !told[e.Test] {
			told[e.Test] = true
			p.Output = t.output(e.Test)
		}
		list = append(list, p)
	}
	return list
}

// failedTests are the failed tests that no failed check explains. A test
// that failed with one of its subtests is told only if it has output of its
// own.
func (t *transcript) failedTests(events []Event) []Problem {
	var list []Problem
	for i, test := range t.tests {
		if !test.failed || explained(test.name, events) {
			continue
		}
		output := test.output.String()
		if output == "" && t.failedBelow(i) {
			continue
		}
		list = append(list, Problem{Test: test.name, What: "the test failed outside of a check", Output: output})
	}
	return list
}

func explained(test string, events []Event) bool {
	for _, e := range events {
		if e.Test == test && e.Verdict.failed() {
			return true
		}
	}
	return false
}

// failedBelow reports whether a subtest of test i failed.
func (t *transcript) failedBelow(i int) bool {
	for _, test := range t.tests {
		if test.failed && strings.HasPrefix(test.name, t.tests[i].name+"/") {
			return true
		}
	}
	return false
}

func (t *transcript) anyFailed() bool {
	return slices.ContainsFunc(t.tests, func(test *testLog) bool { return test.failed })
}

func (t *transcript) output(name string) string {
	if i := t.index(name); i >= 0 {
		return t.tests[i].output.String()
	}
	return ""
}

// unfinished is the output of no test and of the tests that did not end: what
// a crash leaves behind.
func (t *transcript) unfinished() string {
	var all strings.Builder
	for _, test := range t.tests {
		if !test.ended {
			all.WriteString(test.output.String())
		}
	}
	return all.String()
}

// running is the test that ran when the binary ended, of a test and its subtest the
// latter; "" when none did.
func (t *transcript) running() string {
	for _, test := range slices.Backward(t.tests[1:]) {
		if !test.ended {
			return test.name
		}
	}
	return ""
}

func (v Verdict) failed() bool { return v == Fail || v == Broken || v == Incomplete }

// what says why the check failed.
func (e Event) what() string {
	switch {
	case e.Message != "":
		return e.Message
	case len(e.Findings) > 0:
		return e.Findings[0].String()
	}
	return "the check failed"
}
