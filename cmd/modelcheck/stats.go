package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

func statsCommand() command {
	return command{
		name:  "stats",
		usage: "[flags] PACKAGES [-- flags of go test]",
		short: "say what the schedules of checks are like, and what may be concluded",
		long: `Runs the checks with MODELCHECK_STATS=1, which takes several times as long, and
prints for each: how many trace classes its schedules belong to and how their
number grew, steps and preemptions, operations that came in one order only, and
what may be said about schedules that were not tried. The lines of bars go from
the first number to the last. A finding ends nothing here: it says how many of the
schedules fail. Exits like run.
`,
		prepare: func(fs *flag.FlagSet) action {
			var s settings
			s.declare(fs)
			s.declareSearch(fs)
			page := fs.String("html", "", "write the same as a page to `file`")
			return func(ctx context.Context, std stdio, args, passed []string) (int, error) {
				if len(args) == 0 {
					return 0, errors.New("want packages: modelcheck stats ./... takes all of this module")
				}
				s.env = append(s.env, "MODELCHECK_STATS=1")
				r, err := s.runner(std, passed)
				if err == nil {
					err = writable(*page)
				}
				if err != nil {
					return 0, err
				}
				results, err := runAll(ctx, r, newProgress(std.err, s.verbose), args, wantedCheck)
				if err != nil {
					return 0, err
				}
				if *page != "" {
					err = writeFile(*page, suiteOf(results).SurveyPage)
				}
				p := paint(s.color.enabled(std.out))
				printSections(std.out, append(append(surveys(p, results), problems(p, results)...), summary(results))...)
				return exitCode(results), err
			}
		},
	}
}

// surveys has a section for each check. One that could not be carried out has no
// statistics.
func surveys(p paint, results []gotest.Result) []string {
	var sections []string
	for _, r := range results {
		for _, e := range r.Events {
			name := fmt.Sprintf("%s: %s", where(r.Package, e.Test), color(p, word(e.Verdict)))
			if e.Survey == nil {
				sections = append(sections, name+", without statistics\n")
				continue
			}
			sections = append(sections, fmt.Sprintf("%s\n%v", name, e.Survey))
		}
	}
	return sections
}
