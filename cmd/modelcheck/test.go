package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
	rewriter "github.com/modelcheck-go/modelcheck/internal/rewrite"
)

func testCommand() command {
	return command{
		name:  "test",
		usage: "[flags] PACKAGES [-- flags of go test]",
		short: "explore ordinary tests: real channels, go statements, package sync",
		long: `Rewrites the packages, and what they import from their module, so that goroutines,
channels, locks, contexts and time are under the control of the scheduler; builds
their tests, and runs every test function under many schedules. A schedule in which
a goroutine is blocked for ever, a lock is left held, something panics or the test
fails is a finding. Sources stay as they are; lines in reports are theirs.

With -race, data races on ordinary variables are findings too: two accesses by
different goroutines, one of them a write, that nothing orders. This does not take Go's
race detector, nor cgo; see "modelcheck help races" for what is looked at.

Packages of other modules are not rewritten without -with, nor are those of the standard library that
wait for the world outside: a goroutine that blocks there is reported as such.
Examples and fuzz targets are not run.
`,
		prepare: func(fs *flag.FlagSet) action {
			var s settings
			var w rewriting
			var x exports
			s.declare(fs)
			s.declareSearch(fs)
			w.declare(fs)
			x.declare(fs)
			fs.Func("shard", shardUsage, s.setShard)
			s.switches(fs, "isolate", isolateVariable, "run every schedule in a process of its own, for tests that keep something in variables of their package")
			replays := fs.String("replay", "", "run one `schedule`, or the file that holds it, and nothing else")
			return func(ctx context.Context, std stdio, args, passed []string) (int, error) {
				if *replays != "" {
					if err := s.aimAt(std.in, *replays, &w); err != nil {
						return 0, err
					}
				}
				return testPackages(ctx, std, &s, w, x, args, passed)
			}
		},
	}
}

// aimAt has the tests run under a schedule, given as text or as the name of a file that
// says which test it belongs to.
func (s *settings) aimAt(in io.Reader, schedule string, w *rewriting) error {
	if isSchedule(schedule) {
		s.env = append(s.env, replayVariable+"="+schedule)
		return checkSchedule(schedule)
	}
	t, err := readTarget(in, schedule)
	if err != nil {
		return err
	}
	if s.run != "" {
		t.run = s.run
	}
	if t.ordinary != nil {
		w.add(*t.ordinary)
	}
	s.aim(t)
	return nil
}

func testPackages(ctx context.Context, std stdio, s *settings, w rewriting, x exports, patterns, passed []string) (int, error) {
	switch {
	case len(patterns) == 0:
		return 0, errors.New("want packages: modelcheck test ./... takes all of this module")
	case s.sets("MODELCHECK_WORKERS") && !s.sets(isolateVariable):
		return 0, errors.New("flag -workers: these tests share the variables of their packages, so their schedules run one after the other, unless -isolate gives each a process")
	}
	w.races, s.race = w.races || s.race, false // without Go's detector, which sees nothing of the schedule
	r, err := s.runner(std, passed)
	if err == nil {
		err = x.writable()
	}
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "modelcheck")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	build, err := w.prepare(ctx, std, s, r, patterns, dir)
	if err != nil {
		return 0, err
	}
	return runRewritten(ctx, std, s, r, x, build, patterns)
}

func runRewritten(ctx context.Context, std stdio, s *settings, r *gotest.Runner, x exports, build *rewriter.Build, patterns []string) (int, error) {
	results, err := runAll(ctx, r, newProgress(std.err, s.verbose), patterns, "a function TestX in a file x_test.go")
	if err != nil {
		return 0, err
	}
	if !s.sets(replayVariable) {
		confirm(ctx, r, results)
	}
	err = x.write(std, s.shard, results)
	printResults(std, paint(s.color.enabled(std.out)), s.verbose, results)
	if build.Unexplored > 0 {
		fmt.Fprintf(std.err, "not run: %s\n", plural(build.Unexplored, "example or fuzz target"))
	}
	return exitCode(results), err
}
