package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

func runCommand() command {
	return command{
		name:  "run",
		usage: "[flags] PACKAGES [-- flags of go test]",
		short: "run the checks of packages and show what they found",
		long: `Builds the tests of those packages that use explore, runs them, and prints one
table of all checks, then what was found, then what failed and how to replay it.
The table has the number of schedules and how long each of them took, on average.

For tests that compare designs (explore.Compare) it prints which design keeps
which invariant, and the shortest schedules that break the others. With -markdown
that is all that it prints on standard output, for a document.
`,
		prepare: func(fs *flag.FlagSet) action {
			var s settings
			s.declare(fs)
			s.declareSearch(fs)
			var x exports
			x.declare(fs)
			fs.Func("shard", shardUsage, s.setShard)
			fs.BoolVar(&s.complete, "require-complete", false, "a check that passes without having explored everything is incomplete (exit code 3)")
			inMarkdown := fs.Bool("markdown", false, "print comparisons of designs in Markdown, and only them")
			return func(ctx context.Context, std stdio, args, passed []string) (int, error) {
				return runPackages(ctx, std, &s, x, *inMarkdown, args, passed)
			}
		},
	}
}

func runPackages(ctx context.Context, std stdio, s *settings, x exports, inMarkdown bool, patterns, passed []string) (int, error) {
	if len(patterns) == 0 {
		return 0, errors.New("want packages: modelcheck run ./... takes all of this module")
	}
	r, err := s.runner(std, passed)
	if err == nil {
		err = x.writable()
	}
	if err != nil {
		return 0, err
	}
	if !s.short {
		r.Env = append([]string{"MODELCHECK_PROVE=1"}, r.Env...)
	}
	results, err := runAll(ctx, r, newProgress(std.err, s.verbose), patterns, wantedCheck)
	if err != nil {
		return 0, err
	}
	if s.verbose {
		fmt.Fprintln(std.out)
	}
	if s.complete {
		gotest.RequireComplete(results)
	}
	err = x.write(std, s.shard, results)
	if inMarkdown {
		exit, failed := printMarkdown(std, results)
		return exit, errors.Join(failed, err)
	}
	printResults(std, paint(s.color.enabled(std.out)), s.verbose, results)
	return exitCode(results), err
}

// printResults prints for people.
func printResults(std stdio, p paint, verbose bool, results []gotest.Result) {
	sections := slices.Concat([]string{table(p, results), findings(results, verbose)},
		matrices(p, results, verbose), problems(p, results), []string{summary(results)})
	printSections(std.out, sections...)
}

// printMarkdown leaves standard output to what goes into the document.
func printMarkdown(std stdio, results []gotest.Result) (exit int, err error) {
	sections := markdown(results)
	printSections(std.out, sections...)
	printSections(std.err, append(problems(false, results), summary(results))...)
	if exit = exitCode(results); exit == exitOK && len(sections) == 0 {
		return 0, errors.New("no test compared designs: want one that calls explore.Compare")
	}
	return exit, nil
}

// wantedCheck is what the commands want that run tests as they are.
const wantedCheck = "a test that calls explore.Check"

// runAll runs the packages one after the other, so that each has the machine
// for itself and trace times can be compared.
// What is wanted is for the error when there is none: a test that does this or that.
func runAll(ctx context.Context, r *gotest.Runner, progress *progress, patterns []string, wanted string) ([]gotest.Result, error) {
	packages, err := r.List(ctx, patterns)
	if err != nil {
		return nil, err
	}
	if len(packages) == 0 {
		hint := ""
		if wanted == wantedCheck {
			hint = "; modelcheck test explores ordinary ones"
		}
		return nil, fmt.Errorf("no test to run in %s: want %s%s", strings.Join(patterns, " "), wanted, hint)
	}
	var results []gotest.Result
	for i, p := range packages {
		where := fmt.Sprintf("[%d/%d] %v", i+1, len(packages), p)
		progress.show("%s", where)
		r.Progress = func(at gotest.Progress) { progress.update(where, at) }
		result := r.Run(ctx, p)
		progress.clear()
		if ctx.Err() != nil {
			return nil, errors.New("interrupted")
		}
		results = append(results, result)
	}
	if checks, problems := count(results); checks == 0 && problems == 0 && r.Shard.Count == 0 {
		return nil, fmt.Errorf("no check ran%s: want %s, and a -run that matches it", r.Which(), wanted)
	}
	return results, nil
}

func count(results []gotest.Result) (checks, problems int) {
	for _, r := range results {
		checks += len(r.Events)
		problems += len(r.Problems)
	}
	return checks, problems
}

func exitCode(results []gotest.Result) int {
	exit := exitOK
	for _, r := range results {
		for _, p := range r.Problems {
			switch {
			case p.Harness:
				return exitError
			case !p.Partial:
				exit = exitFinding
			case exit == exitOK:
				exit = exitIncomplete
			}
		}
	}
	return exit
}
