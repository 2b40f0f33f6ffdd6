package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

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

Packages of other modules are not rewritten without -with, nor are those of the standard library that
wait for the world outside: a goroutine that blocks there is reported as such.
Examples and fuzz targets are not run.
`,
		prepare: func(fs *flag.FlagSet) action {
			var s settings
			s.declare(fs)
			s.declareSearch(fs)
			s.variable(fs, "replay", "MODELCHECK_REPLAY", "run one `schedule`, or the file that holds it, and nothing else", anyWord)
			var with []string
			fs.Func("with", "put the `module` under control too, one that go.mod requires", func(path string) error {
				with = append(with, path)
				return nil
			})
			return func(ctx context.Context, std stdio, args, passed []string) (int, error) {
				return testPackages(ctx, std, &s, with, args, passed)
			}
		},
	}
}

func testPackages(ctx context.Context, std stdio, s *settings, with, patterns, passed []string) (int, error) {
	switch {
	case len(patterns) == 0:
		return 0, errors.New("want packages: modelcheck test ./... takes all of this module")
	case s.race:
		return 0, errors.New("flag -race: the race detector does not see through the scheduler yet; use go test -race")
	case s.sets("MODELCHECK_WORKERS"):
		return 0, errors.New("flag -workers: these tests share the variables of their packages, so their schedules run one after the other")
	}
	r, err := s.runner(std, passed)
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "modelcheck")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	progress := newProgress(std.err, s.verbose)
	progress.show("rewriting %s", strings.Join(patterns, " "))
	build, err := rewriter.Prepare(ctx, rewriter.Config{BuildFlags: r.BuildFlags, Patterns: patterns, With: with}, dir)
	progress.clear()
	if err != nil {
		return 0, err
	}
	r.BuildFlags = append(r.BuildFlags, build.Flags...)
	r.TestFlags = append(r.TestFlags, "-test.skip=^(Example|Fuzz)")
	driver := "modelcheck test"
	for _, path := range with {
		driver += " -with=" + path
	}
	r.Env = append(r.Env, "MODELCHECK_DRIVER="+driver, "MODELCHECK_WORKERS=1")
	return runRewritten(ctx, std, s, r, build, patterns)
}

// sets reports whether a flag sets the variable.
func (s *settings) sets(variable string) bool {
	return slices.ContainsFunc(s.env, func(set string) bool { return strings.HasPrefix(set, variable+"=") })
}

func runRewritten(ctx context.Context, std stdio, s *settings, r *gotest.Runner, build *rewriter.Build, patterns []string) (int, error) {
	results, err := runAll(ctx, r, newProgress(std.err, s.verbose), patterns, "a function TestX in a file x_test.go")
	if err != nil {
		return 0, err
	}
	if !s.sets("MODELCHECK_REPLAY") {
		confirm(ctx, r, results)
	}
	p := paint(s.color.enabled(std.out))
	sections := append([]string{table(p, results), findings(results, s.verbose)}, problems(p, results)...)
	printSections(std.out, append(sections, summary(results))...)
	if build.Unexplored > 0 {
		io.WriteString(std.err, fmt.Sprintf("not run: %s\n", plural(build.Unexplored, "example or fuzz target")))
	}
	return exitCode(results), nil
}
