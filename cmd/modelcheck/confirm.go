package main

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

// confirm replays every finding in a fresh process. The schedules of a test share the
// variables of its package: a finding that does not show where no schedule came before
// may be due to what one left behind, and is no finding.
func confirm(ctx context.Context, r *gotest.Runner, results []gotest.Result) {
	for _, result := range results {
		for i := range result.Events {
			e := &result.Events[i]
			if e.Verdict != gotest.Fail || e.Schedule == "" || shows(ctx, r, result.Package, *e) {
				continue
			}
			e.Verdict = gotest.Broken
			for k := range result.Problems {
				if p := &result.Problems[k]; p.Test == e.Test {
					p.Harness = true
					p.What = "the finding does not show in a process of its own: the test leaves something behind in a package-level variable; " +
						"set it anew at the begin of the test, or give -isolate (found was " + p.What + ")"
				}
			}
		}
	}
}

// shows reports whether the schedule of e shows something in a process of its own.
func shows(ctx context.Context, r *gotest.Runner, p gotest.Package, e gotest.Event) bool {
	schedule := e.Schedule
	if len(schedule) > longSchedule {
		file, err := writeSchedule(schedule)
		if err != nil {
			return true // what cannot be tried stands as it was found
		}
		defer os.Remove(file)
		schedule = file
	}
	alone := *r
	alone.Log = nil
	alone.Env = append(slices.Clone(r.Env), replayVariable+"="+schedule, "MODELCHECK_NOSAVE=1", "MODELCHECK_MINIMIZE=0")
	alone.TestFlags = append(slices.Clone(r.TestFlags), "-test.run=^"+regexp.QuoteMeta(e.Test)+"$")
	for _, again := range alone.Run(ctx, p).Events {
		if again.Test == e.Test && again.Verdict == gotest.Fail {
			return true
		}
	}
	return ctx.Err() != nil
}

// writeSchedule writes a temporary file that holds the schedule, and returns its name.
func writeSchedule(schedule string) (string, error) {
	f, err := os.CreateTemp("", "*.schedule")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString("# modelcheck schedule v1\n" + schedule + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}
