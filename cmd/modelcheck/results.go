package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
	"github.com/modelcheck-go/modelcheck/internal/report"
)

// exports are the files and streams for other programs that results go to besides
// the table for people.
type exports struct {
	junit, sarif, results string
	github                bool
}

func (x *exports) declare(fs *flag.FlagSet) {
	fs.StringVar(&x.junit, "junit", "", "write the results as JUnit XML to `file`")
	fs.StringVar(&x.sarif, "sarif", "", "write what failed as SARIF to `file`")
	fs.BoolVar(&x.github, "github", false, "print what failed as annotations of GitHub Actions, and append a summary to $GITHUB_STEP_SUMMARY")
	fs.StringVar(&x.results, "results", "", "write the results to `file`, for modelcheck merge")
}

func (x *exports) writable() error { return writable(x.junit, x.sarif, x.results) }

// write does what the flags ask for. What it prints comes before all else, so that
// it is on lines of its own.
func (x *exports) write(std stdio, shard gotest.Shard, results []gotest.Result) error {
	suite := suiteOf(results)
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{x.junit, suite.JUnit},
		{x.sarif, suite.SARIF},
		{x.results, func(w io.Writer) error { return writeResults(w, shard, results) }},
	} {
		if file.name == "" {
			continue
		}
		if err := writeFile(file.name, file.write); err != nil {
			return err
		}
	}
	if !x.github {
		return nil
	}
	if summary := os.Getenv("GITHUB_STEP_SUMMARY"); summary != "" {
		f, err := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		if err := errors.Join(suite.Markdown(f), f.Close()); err != nil {
			return err
		}
	}
	return suite.Annotations(std.out)
}

// suiteOf has a check for each event, and one for each problem that is about no
// event.
func suiteOf(results []gotest.Result) report.Suite {
	s := report.Suite{Tool: version()}
	for _, r := range results {
		first := len(s.Checks)
		for _, e := range r.Events {
			s.Checks = append(s.Checks, checkOf(r.Package, e))
		}
		for _, p := range r.Problems {
			c := problemOf(r.Package, p)
			same := func(e report.Check) bool {
				return e.Test == p.Test && p.Test != "" && e.Output == "" && (e.Failed || e.Broken)
			}
			if i := slices.IndexFunc(s.Checks[first:], same); i >= 0 {
				s.Checks[first+i].Output, s.Checks[first+i].Message = c.Output, c.Message
				continue
			}
			s.Checks = append(s.Checks, c)
		}
	}
	return s
}

func checkOf(pkg gotest.Package, e gotest.Event) report.Check {
	c := report.Check{
		Package: pkg.ImportPath, Dir: directory(pkg), Test: e.Test, Variant: e.Variant, Verdict: string(e.Verdict), Strategy: e.Strategy,
		Schedules: e.Schedules, Elapsed: e.Elapsed, Message: e.Message, Replay: e.Replay, Run: e.Run, Survey: e.Survey,
		Failed: e.Verdict == gotest.Fail || e.Verdict == gotest.Incomplete, Broken: e.Verdict == gotest.Broken,
	}
	for _, f := range e.Findings {
		c.Kinds = append(c.Kinds, f.Kind)
	}
	if c.Message == "" && len(e.Findings) > 0 {
		c.Message = e.Findings[0].String()
	}
	return c
}

func problemOf(pkg gotest.Package, p gotest.Problem) report.Check {
	verdict := gotest.Fail
	if p.Harness {
		verdict = gotest.Broken
	}
	return report.Check{
		Package: pkg.ImportPath, Dir: directory(pkg), Test: p.Test, Verdict: string(verdict), Failed: !p.Harness, Broken: p.Harness,
		Message: p.What, Output: p.Output, Replay: p.Replay,
	}
}

// directory is the package's as seen from here, with slashes.
func directory(pkg gotest.Package) string {
	cwd, err := os.Getwd()
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(cwd, pkg.Dir)
	if err != nil || !filepath.IsLocal(rel) {
		return path.Base(pkg.ImportPath)
	}
	return filepath.ToSlash(rel)
}

// version is that of this binary.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return strings.Trim(info.Main.Version, "()")
	}
	return "unknown"
}

// resultsVersion is the version of the file that run -results writes.
const resultsVersion = 1

type savedResults struct {
	Version int             `json:"version"`
	Shard   string          `json:"shard,omitempty"` // such as 2/5; "" for all tests
	Results []gotest.Result `json:"results"`
}

func writeResults(w io.Writer, shard gotest.Shard, results []gotest.Result) error {
	if results == nil {
		results = []gotest.Result{}
	}
	saved := savedResults{Version: resultsVersion, Results: results}
	if shard.Count > 0 {
		saved.Shard = shard.String()
	}
	return json.NewEncoder(w).Encode(saved)
}

func readResults(in io.Reader, file string) (saved savedResults, err error) {
	data, err := readInput(in, file, "modelcheck run -results FILE writes results")
	if err != nil {
		return saved, err
	}
	var head struct {
		Version int
		Results []json.RawMessage
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return saved, fmt.Errorf("%s: want a file that modelcheck run -results wrote: %w", file, err)
	}
	if head.Version != resultsVersion || head.Results == nil {
		return saved, fmt.Errorf("%s: want a file that modelcheck run -results wrote, of version %d, found another", file, resultsVersion)
	}
	if err := json.Unmarshal(data, &saved); err != nil {
		return saved, fmt.Errorf("%s: %w", file, err)
	}
	return saved, nil
}
