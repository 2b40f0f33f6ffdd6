package gotest

import (
	"fmt"
	"slices"
	"strings"
)

// testFlags are the flags of go test that a test binary takes with the prefix
// "test." (go help testflag); true for those that never take the next
// argument as their value.
var testFlags = map[string]bool{
	"artifacts": true, "bench": false, "benchmem": true, "benchtime": false,
	"blockprofile": false, "blockprofilerate": false, "count": false,
	"coverprofile": false, "cpu": false, "cpuprofile": false, "failfast": true,
	"fullpath": true, "fuzz": false, "fuzzminimizetime": false, "fuzztime": false,
	"list": false, "memprofile": false, "memprofilerate": false,
	"mutexprofile": false, "mutexprofilefraction": false, "outputdir": false,
	"parallel": false, "shuffle": false, "skip": false, "trace": false,
}

// ownFlags are the flags of go test that the modelcheck command has itself or
// sets for its own needs.
var ownFlags = []string{"c", "exec", "json", "o", "race", "run", "short", "timeout", "v"}

// SplitFlags sorts flags of go test into those of the build and those of the
// test binary. What follows -args goes to the test binary as it stands.
func SplitFlags(args []string) (build, test []string, err error) {
	for len(args) > 0 {
		name, _, hasValue := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
		alone, isTest := testFlags[name]
		switch {
		case !strings.HasPrefix(args[0], "-"):
			return nil, nil, fmt.Errorf("want flags of go test after --, found %q: packages stand before --", args[0])
		case name == "args":
			return build, append(test, args[1:]...), nil
		case slices.Contains(ownFlags, name):
			return nil, nil, fmt.Errorf("flag -%s after --: modelcheck sets it itself; modelcheck help run lists what may stand before --", name)
		}
		n := 1 // arguments that make up this flag
		if !hasValue && !alone && len(args) > 1 && !strings.HasPrefix(args[1], "-") {
			n = 2
		}
		if isTest {
			test = append(test, "-test."+strings.TrimLeft(args[0], "-"))
			test = append(test, args[1:n]...)
		} else {
			build = append(build, args[:n]...)
		}
		args = args[n:]
	}
	return build, test, nil
}
