package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
	rewriter "github.com/modelcheck-go/modelcheck/internal/rewrite"
)

// rewriting says how ordinary tests are rewritten: the flags of modelcheck test that are
// about it.
type rewriting struct {
	with  []string // modules that are put under control too
	races bool     // data races on ordinary variables are looked for
}

func (w *rewriting) declare(fs *flag.FlagSet) {
	fs.Func("with", "put the `module` under control too, one that go.mod requires, if the tests are ordinary ones", func(path string) error {
		w.add(rewriting{with: []string{path}})
		return nil
	})
}

// add adds what other asks for.
func (w *rewriting) add(other rewriting) {
	for _, path := range other.with {
		if !slices.Contains(w.with, path) {
			w.with = append(w.with, path)
		}
	}
	w.races = w.races || other.races
}

// isolateVariable has every schedule run in a process of its own.
const isolateVariable = "MODELCHECK_ISOLATE"

// driverCommand begins the command that runs ordinary tests.
const driverCommand = "modelcheck test"

// driver is that command with its flags. It stands in saved schedules and in the
// commands of reports.
func (w rewriting) driver() string {
	driver := driverCommand
	for _, path := range w.with {
		driver += " -with=" + path
	}
	if w.races {
		driver += " -race"
	}
	return driver
}

// parseDriver is the opposite of driver.
func parseDriver(text string) (*rewriting, error) {
	flags, ok := strings.CutPrefix(text, driverCommand)
	w := new(rewriting)
	fs := flag.NewFlagSet(driverCommand, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	w.declare(fs)
	fs.BoolVar(&w.races, "race", false, "") // of its commands, where settings declare it
	err := fs.Parse(strings.Fields(flags))
	if err == nil && (!ok || fs.NArg() > 0) {
		err = fmt.Errorf("want %q and its flags", driverCommand)
	}
	if err != nil {
		return nil, fmt.Errorf("line \"# driver: %s\": %w: use the modelcheck command of the version that wrote it", text, err)
	}
	return w, nil
}

// prepare has r build the tests of packages rewritten. What that takes is written into
// the directory dir.
func (w rewriting) prepare(ctx context.Context, std stdio, s *settings, r *gotest.Runner, patterns []string, dir string) (*rewriter.Build, error) {
	progress := newProgress(std.err, s.verbose)
	progress.show("rewriting %s", strings.Join(patterns, " "))
	build, err := rewriter.Prepare(ctx, rewriter.Config{BuildFlags: r.BuildFlags, Patterns: patterns, With: w.with, Races: w.races, Cache: cacheDir()}, dir)
	progress.clear()
	if err != nil {
		return nil, err
	}
	r.BuildFlags, r.BuildEnv, r.Unvetted = append(r.BuildFlags, build.Flags...), build.Env, true
	r.TestFlags = skipUnexplored(r.TestFlags)
	r.Env = append(r.Env, "MODELCHECK_DRIVER="+w.driver())
	if !s.sets(isolateVariable) {
		r.Env = append(r.Env, "MODELCHECK_WORKERS=1")
	}
	return build, nil
}

// cacheDir is where copies of modules are kept, "" if there is no place for them.
func cacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "modelcheck")
}

// skipUnexplored adds what is not run to what the user wants to skip.
func skipUnexplored(flags []string) []string {
	const flag = "-test.skip"
	pattern := rewriter.Skip
	for i, f := range flags {
		if value, ok := strings.CutPrefix(f, flag+"="); ok {
			pattern += "|" + value
		} else if f == flag && i+1 < len(flags) {
			pattern += "|" + flags[i+1]
		}
	}
	return append(slices.Clip(flags), flag+"="+pattern)
}
