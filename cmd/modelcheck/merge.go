package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
)

func mergeCommand() command {
	return command{
		name:  "merge",
		usage: "[flags] FILE...",
		short: "show the results of several runs as one",
		long: `The files are those that modelcheck run -results wrote, on several machines perhaps,
each with one shard of the tests (-shard), all of which have to be there. Prints what one run of all would have
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
				var shards []string
				for _, file := range args {
					saved, err := readResults(std.in, file)
					if err != nil {
						return 0, err
					}
					all = union(all, saved.Results)
					shards = append(shards, saved.Shard)
				}
				if err := allShards(shards); err != nil {
					return 0, err
				}
				err := x.write(std, gotest.Shard{}, all)
				printResults(std, paint(color.enabled(std.out)), *verbose, all)
				return exitCode(all), err
			}
		},
	}
}

// allShards returns an error unless every shard of the tests is there, once: a machine
// whose results were lost must not look like one that found nothing.
func allShards(found []string) error {
	seen := map[string]bool{}
	for _, name := range found {
		if seen[name] && name != "" {
			return fmt.Errorf("want each shard once, found %s twice", name)
		}
		seen[name] = true
	}
	for _, name := range found {
		shard, err := gotest.ParseShard(name)
		if err != nil {
			continue // all tests
		}
		for shard.Index = 1; shard.Index <= shard.Count; shard.Index++ {
			if !seen[shard.String()] {
				return fmt.Errorf("want the results of all shards, found none of %s: run it again, and merge once more", shard)
			}
		}
	}
	return nil
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
