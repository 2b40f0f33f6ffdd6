// Package gotest builds and drives the test binaries of packages whose tests
// explore schedules, and reads what they report.
//
// A command line tool cannot load a user's test functions. It builds the test
// binary of each package (go test -c), runs it in the package's directory as
// go test would, and learns the verdicts from the file that the environment
// variable MODELCHECK_EVENTS names: package explore appends one JSON object
// per line to it for every check that ended. See [Event] for the fields.
//
// Results come in the order in which go list names the packages and, within a
// package, in the order in which the tests started; neither depends on timing.
package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// explorePath is the package that writes events: a test binary that does not
// link it has nothing to report.
const explorePath = "github.com/modelcheck-go/modelcheck/explore"

// A Runner builds and runs test binaries. The zero value runs in the current
// directory, without a time limit.
type Runner struct {
	BuildFlags []string       // flags of go build, for go list and go test -c alike
	BuildEnv   []string       // KEY=value for go list and go build, on top of the process's environment
	Unvetted   bool           // do not let go vet look at what is built
	TestFlags  []string       // flags of the test binary, such as -test.run=X
	Env        []string       // KEY=value, on top of the process's environment
	Timeout    time.Duration  // of one test binary; 0 means none
	Shard      Shard          // which of the tests to run
	Progress   func(Progress) // when not nil, called about once a second while a check works for long
	Log        io.Writer      // when not nil, receives what a failing build and the tests print, at once
}

// A Package is one whose test binary links explore.
type Package struct {
	ImportPath string
	Dir        string // absolute
	Binary     string // its test binary, "" if Build has not built one
}

// String names the package as a user in the current directory would: relative
// when it lies below, by import path otherwise.
func (p Package) String() string {
	cwd, err := os.Getwd()
	if err != nil {
		return p.ImportPath
	}
	rel, err := filepath.Rel(cwd, p.Dir)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return p.ImportPath
	case rel == ".":
		return rel
	}
	return "./" + filepath.ToSlash(rel)
}

// List returns the packages among those that patterns match whose tests use
// explore, directly or through a helper package. Patterns that match nothing
// and packages that go list cannot load are errors.
func (r *Runner) List(ctx context.Context, patterns []string) ([]Package, error) {
	args := slices.Concat([]string{"list", "-test", "-json=ImportPath,Dir,Deps"}, r.BuildFlags, []string{"--"}, patterns)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(cmd.Environ(), r.BuildEnv...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, goError(err, stderr.String())
	}
	return decodeList(out)
}

// decodeList picks the test binaries ("p.test") that link explore from the
// output of go list, which names ordinary packages and test variants too.
func decodeList(out []byte) ([]Package, error) {
	var packages []Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir string
			Deps            []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("output of go list: %w", err)
		}
		path, isTest := strings.CutSuffix(p.ImportPath, ".test")
		if isTest && slices.ContainsFunc(p.Deps, isExplore) {
			packages = append(packages, Package{ImportPath: path, Dir: p.Dir})
		}
	}
}

// isExplore knows explore also where it is recompiled for its own tests:
// "explore [explore.test]".
func isExplore(dep string) bool {
	path, _, _ := strings.Cut(dep, " ")
	return path == explorePath
}

// goError prefers what the go command printed to its bare exit status.
func goError(err error, stderr string) error {
	if text := strings.TrimSpace(stderr); text != "" {
		return errors.New(text)
	}
	return fmt.Errorf("go: %w", err)
}
