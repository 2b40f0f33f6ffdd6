package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

func replayCommand() command {
	return command{
		name:  "replay",
		usage: "[flags] (FILE | -run TEST PACKAGE SCHEDULE)",
		short: "run one schedule again and show what happens",
		long: `The schedule is a string that a failing check printed (mc1:...), with the package
and the test that it belongs to, or a file that the check saved under
testdata/modelcheck, which names them itself; "-" reads such a file from
standard input. The test is built as it is, or rewritten if it is one of those that
modelcheck test explores.

Exits with 1 when the schedule still leads to a finding, 0 when it no longer
does, and 2 when it no longer fits the program.
`,
		prepare: func(fs *flag.FlagSet) action {
			var s settings
			var w rewriting
			s.declare(fs)
			w.declare(fs)
			return func(ctx context.Context, std stdio, args, passed []string) (int, error) {
				target, err := replayTarget(std.in, s.run, args)
				if err != nil {
					return 0, err
				}
				return replay(ctx, std, s, w, target, passed)
			}
		},
	}
}

func replay(ctx context.Context, std stdio, s settings, w rewriting, t target, passed []string) (int, error) {
	s.verbose = true
	results, err := t.execute(ctx, std, s, w, passed)
	if err != nil {
		return 0, err
	}
	fmt.Fprintln(std.out)
	return judgeReplay(std.out, paint(s.color.enabled(std.out)), t, results)
}

// judgeReplay goes by what the schedule led to, not by what the test expects:
// an expected finding is reproduced too.
func judgeReplay(w io.Writer, p paint, t target, results []gotest.Result) (int, error) {
	for _, r := range results {
		for _, problem := range r.Problems {
			if problem.Harness {
				return 0, fmt.Errorf("%s: %s", where(r.Package, problem.Test), problem.What)
			}
		}
	}
	e := firstEvent(results)
	if e == nil {
		return 0, errors.New("no check ran")
	}
	if found := findings(results, false); found != "" {
		printSections(w, found, p.bad(t.foundAgain(e))+"\n")
		return exitFinding, nil
	}
	fmt.Fprintln(w, p.good("no longer found")+": "+t.whyNot(e))
	return exitOK, nil
}

func firstEvent(results []gotest.Result) *gotest.Event {
	for _, r := range results {
		if len(r.Events) > 0 {
			return &r.Events[0]
		}
	}
	return nil
}

// foundAgain says whether what e found is what was to be found.
func (t target) foundAgain(e *gotest.Event) string {
	switch {
	case e.Stale != "":
		return "found, but " + e.Stale
	case !t.recorded.has(e.Findings):
		return "found, but when the schedule was saved it was: " + strings.Join(t.recorded.findings, "; ")
	}
	return "reproduced"
}

// whyNot says what it means that e found nothing.
func (t target) whyNot(e *gotest.Event) string {
	n := t.decisions()
	switch now := fmt.Sprintf("%d, hash %s", e.Steps, e.Hash); {
	case t.recorded.operations == now:
		return "the program does what it did when the schedule was saved, and nothing is wrong with that now"
	case t.recorded.operations != "":
		return fmt.Sprintf("the program does something else under this schedule than the one that it was saved for (%s then, %s now)",
			steps(t.recorded.operations), steps(now))
	case n == 0:
		return "the schedule asks for no decision, and so fits every program"
	}
	return fmt.Sprintf("the schedule fits, with its %s, and nothing is wrong", plural(n, "decision"))
}

// steps is the number of steps among what is recorded of operations.
func steps(operations string) string {
	n, _, _ := strings.Cut(operations, ",")
	if n == "1" {
		return "1 step"
	}
	return n + " steps"
}

// place is one in the source, which changes when the source does.
var place = regexp.MustCompile(`\S+\.go:\d+`)

// has reports whether the findings are those that were recorded, or nothing was.
func (r recorded) has(fs []gotest.Finding) bool {
	if len(r.findings) == 0 {
		return true
	}
	var now, then []string
	for _, f := range fs {
		now = append(now, place.ReplaceAllString(f.String(), ""))
	}
	for _, f := range r.findings {
		then = append(then, place.ReplaceAllString(f, ""))
	}
	return slices.Equal(now, then)
}

// decisions is how many decisions the schedule asks for.
func (t target) decisions() int {
	list, _, _ := strings.Cut(strings.TrimPrefix(t.schedule, scheduleVersion), ":")
	if list == "" {
		return 0
	}
	return 1 + strings.Count(list, ",")
}
