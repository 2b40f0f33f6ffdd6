package gotest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFlagsOfGoTestAreSorted(t *testing.T) {
	for _, test := range []struct{ args, build, test, err string }{
		{"", "", "", ""},
		{"-tags a,b", "-tags a,b", "", ""},
		{"-tags=a -count=2", "-tags=a", "-test.count=2", ""},
		{"-count 2 -tags a -failfast -mod=mod", "-tags a -mod=mod", "-test.count 2 -test.failfast", ""},
		{"--count=2 --cover", "--cover", "-test.count=2", ""},
		{"-skip X -args -v -run=Y z", "", "-test.skip X -v -run=Y z", ""},
		{"-count", "", "-test.count", ""}, // the test binary will complain
		{"./pkg", "", "", `want flags of go test after --, found "./pkg": packages stand before --`},
		{"-failfast ./pkg", "", "", `want flags of go test after --, found "./pkg": packages stand before --`},
		{"-run=X", "", "", `flag -run after --: modelcheck sets it itself; modelcheck help run lists what may stand before --`},
		{"-json", "", "", `flag -json after --: modelcheck sets it itself; modelcheck help run lists what may stand before --`},
	} {
		build, testFlags, err := SplitFlags(strings.Fields(test.args))
		got := []string{strings.Join(build, " "), strings.Join(testFlags, " "), ""}
		if err != nil {
			got[2] = err.Error()
		}
		if diff := cmp.Diff([]string{test.build, test.test, test.err}, got); diff != "" {
			t.Errorf("%s: differs (-want +got)\n%s", test.args, diff)
		}
	}
}
