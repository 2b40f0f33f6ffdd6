package gotest

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// A Shard is one of Count parts of the tests of all packages, number Index from 1.
// Together the shards run every test once. The zero value is all of them.
type Shard struct {
	Index, Count int
	seen         int // tests of the packages so far
}

// ParseShard reads "2/5".
func ParseShard(text string) (Shard, error) {
	i, n, found := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	count, err2 := strconv.Atoi(n)
	if !found || err1 != nil || err2 != nil || index < 1 || index > count {
		return Shard{}, fmt.Errorf("want a shard such as 2/5: the second of five")
	}
	return Shard{Index: index, Count: count}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// take returns those of the next tests that belong to the shard.
func (s *Shard) take(tests []string) []string {
	var list []string
	for _, test := range tests {
		if s.seen%s.Count == s.Index-1 {
			list = append(list, test)
		}
		s.seen++
	}
	return list
}

// restrict returns the flag that makes the test binary run only what belongs to the
// shard, and false when that is nothing.
func (r *Runner) restrict(ctx context.Context, dir, binary string) (flag string, some bool, err error) {
	top, rest := splitPattern(r.pattern())
	if top == "" {
		top = "." // without a pattern nothing is listed
	}
	cmd := exec.CommandContext(ctx, binary, "-test.list="+top)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", false, fmt.Errorf("cannot list the tests: %s", strings.TrimSpace(string(out)))
	}
	var tests []string
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Example") || strings.HasPrefix(name, "Fuzz") {
			tests = append(tests, regexp.QuoteMeta(name))
		}
	}
	mine := r.Shard.take(tests)
	return "-test.run=^(" + strings.Join(mine, "|") + ")$" + rest, len(mine) > 0, nil
}

// Which says which tests run, after a noun; "" if all do.
func (r *Runner) Which() string {
	if r.pattern() == "" {
		return ""
	}
	return " with -run " + r.pattern()
}

// pattern is the value of the last -test.run among the flags.
func (r *Runner) pattern() string {
	pattern := ""
	for _, f := range r.TestFlags {
		if p, ok := strings.CutPrefix(f, "-test.run="); ok {
			pattern = p
		}
	}
	return pattern
}

// splitPattern cuts a pattern before the first slash that package testing takes as
// the begin of the pattern for subtests: one outside of brackets.
func splitPattern(pattern string) (top, rest string) {
	depth := 0
	for i, c := range pattern {
		switch c {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case '/':
			if depth == 0 {
				return pattern[:i], pattern[i:]
			}
		}
	}
	return pattern, ""
}
