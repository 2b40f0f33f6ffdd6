package main

import (
	"context"
	"errors"
	"flag"
	"slices"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

func mergeCommand() command {
	return command{
		name:  "merge",
		usage: "[flags] FILE...",
		short: "show the results of several runs as one",
		long: `The files are those that modelcheck run -results wrote, on several machines perhaps,
each with one shard of the tests (-shard). Prints what one run of all would have
printed, and exits with the same code.
`,
		prepare: func(fs *flag.FlagSet) action {
			var color colorMode
			var x exports
			fs.Var(&color, "color", "colours: `auto`, always or never")
			verbose := fs.Bool("v", false, "show also how to replay expected findings")
			x.declare(fs)
			return func(_ context.Context, std stdio, args, _ []string) (int, error) {
				if len(args) == 0 {
					return 0, errors.New("want the files that modelcheck run -results wrote")
				}
				if err := x.writable(); err != nil {
					return 0, err
				}
				var all []gotest.Result
				for _, file := range args {
					results, err := readResults(std.in, file)
					if err != nil {
						return 0, err
					}
					all = union(all, results)
				}
				err := x.write(std, all)
				printResults(std, paint(color.enabled(std.out)), *verbose, all)
				return exitCode(all), err
			}
		},
	}
}

// union adds results to all, those of one package to the same entry.
func union(all, results []gotest.Result) []gotest.Result {
	for _, r := range results {
		i := slices.IndexFunc(all, func(a gotest.Result) bool { return a.Package.ImportPath == r.Package.ImportPath })
		if i < 0 {
			all = append(all, r)
			continue
		}
		all[i].Events = append(all[i].Events, r.Events...)
		all[i].Comparisons = append(all[i].Comparisons, r.Comparisons...)
		all[i].Problems = append(all[i].Problems, r.Problems...)
	}
	return all
}
