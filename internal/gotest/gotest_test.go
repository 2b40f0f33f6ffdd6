package gotest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListKeepsTestBinariesThatLinkExplore(t *testing.T) {
	const out = `
{"ImportPath":"m/direct","Dir":"/m/direct","Deps":["fmt"]}
{"ImportPath":"m/direct.test","Dir":"/m/direct","Deps":["fmt","github.com/modelcheck-go/modelcheck/explore"]}
{"ImportPath":"m/direct [m/direct.test]","Dir":"/m/direct","ForTest":"m/direct","Deps":["github.com/modelcheck-go/modelcheck/explore"]}
{"ImportPath":"m/without.test","Dir":"/m/without","Deps":["github.com/modelcheck-go/modelcheck/explorer"]}
{"ImportPath":"m/only/imports","Dir":"/m/only","Deps":["github.com/modelcheck-go/modelcheck/explore"]}
{"ImportPath":"github.com/modelcheck-go/modelcheck/explore.test","Dir":"/m/explore",
 "Deps":["github.com/modelcheck-go/modelcheck/explore [github.com/modelcheck-go/modelcheck/explore.test]"]}
`
	want := []Package{{ImportPath: "m/direct", Dir: "/m/direct"}, {ImportPath: "github.com/modelcheck-go/modelcheck/explore", Dir: "/m/explore"}}
	got, err := decodeList([]byte(out))
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, packages differ (-want +got)\n%s", err, diff)
	}
}

func TestPackagesBelowTheCurrentDirectoryHaveRelativeNames(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for at, want := range map[string]string{
		dir:            ".",
		dir + "/a":     "./a",
		dir + "/a/b":   "./a/b",
		dir + "/..":    "m/p",
		"/other/place": "m/p",
	} {
		if got := (Package{ImportPath: "m/p", Dir: at}).String(); got != want {
			t.Errorf("package in %s is called %q, want %q", at, got, want)
		}
	}
}
