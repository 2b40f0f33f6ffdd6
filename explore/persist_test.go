package explore

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFileNamesAreSafe(t *testing.T) {
	for part, want := range map[string]string{
		"TestX":      "TestX",
		"n=2":        "n=2",
		"a.b":        "a.b",
		"a b":        "a%20b",
		"..":         "%2E%2E",
		".hidden":    "%2Ehidden",
		"dot.":       "dot%2E",
		"":           "%",
		"%":          "%25",
		`a\b:c*d?"|`: "a%5Cb%3Ac%2Ad%3F%22%7C",
		"CON":        "%43ON",
		"nul.txt":    "%6Eul.txt",
		"com1":       "%63om1",
		"com10":      "com10",
		"é":          "%C3%A9",
	} {
		if got := escape(part); got != want {
			t.Errorf("escape(%q) = %q, wanted %q", part, got, want)
		}
	}
}

func TestLongFileNamesAreCut(t *testing.T) {
	long := strings.Repeat("x", 400)
	a, b := escape(long+"a"), escape(long+"b")
	if a == b || len(a) > maxPart || len(b) > maxPart {
		t.Errorf("%q and %q", a, b)
	}
}

func TestFileNamesTellTestsApart(t *testing.T) {
	safe := regexp.MustCompile(`^[A-Za-z0-9_=+,%-][A-Za-z0-9_=+,%.-]*$`)
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.StringN(0, 300, 600).Draw(t, "a")
		b := rapid.StringN(0, 300, 600).Draw(t, "b")
		x, y := escape(a), escape(b)
		if (a == b) != (x == y) {
			t.Fatalf("%q and %q", x, y)
		}
		if !safe.MatchString(x) || len(x) > maxPart || strings.HasSuffix(x, ".") {
			t.Fatalf("%q is no safe file name", x)
		}
	})
}

func TestScheduleFile(t *testing.T) {
	s := savedSchedule{
		test: "TestX/sub", pkg: "./pkg", driver: "modelcheck test -with=example.com/m", strategy: "random", seed: 7, index: 12, timers: Hasty, steps: 5, hash: 0xabc,
		findings: []string{"main blocked: send nil channel at x.go:1"}, schedule: schedule{}.String(),
	}
	dir := t.TempDir()
	name, err := save(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.FromSlash("testdata/modelcheck/TestX/sub/cd9df12d27ed0142.schedule"); name != want {
		t.Errorf("saved as %s, wanted %s", name, want)
	}
	again, err := save(dir, s)
	if err != nil || again != name {
		t.Errorf("saved again as %s (%v)", again, err)
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	const want = `# modelcheck schedule v1
# test: TestX/sub
# package: ./pkg
# driver: modelcheck test -with=example.com/m
# finding: main blocked: send nil channel at x.go:1
# timers: hasty
# seed: 7 schedule: 12 strategy: random
# operations: 5, hash 0000000000000abc
mc1::a2c85bbb
`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	entries, err := os.ReadDir(filepath.Join(dir, filepath.Dir(name)))
	if err != nil || len(entries) != 1 {
		t.Errorf("directory has %v (%v), wanted one file", entries, err)
	}
	got, err := saved(dir, "TestX/sub")
	if err != nil {
		t.Fatal(err)
	}
	wantFiles := []savedFile{{name: name, savedSchedule: savedSchedule{test: s.test, timers: s.timers, schedule: s.schedule}}}
	if diff := cmp.Diff(wantFiles, got, cmp.AllowUnexported(savedFile{}, savedSchedule{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := saved(dir, "TestX"); got != nil || err != nil {
		t.Errorf("TestX has %v, %v", got, err)
	}
}

func TestScheduleFileErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", `not a schedule file: wanted its first line to be "# modelcheck schedule v1", found ""`},
		{"mc1::a2c85bbb\n", `not a schedule file: wanted its first line to be "# modelcheck schedule v1", found "mc1::a2c85bbb"`},
		{"# modelcheck schedule v2\nmc9:\n", `schedule file of unknown version "v2": this version of modelcheck reads v1`},
		{"# modelcheck schedule v1\n", "there is no schedule in it"},
		{"# modelcheck schedule v1\nmc1::a2c85bbb\n<<<<<<< HEAD\n", "wanted one schedule, found a second line without #"},
	} {
		if _, err := parseFile([]byte(test.text)); err == nil || err.Error() != test.want {
			t.Errorf("%q:\n got %v\nwant %s", test.text, err, test.want)
		}
	}
	f, err := parseFile([]byte("# modelcheck schedule v1\r\n# test: T\r\n\r\nmc1::a2c85bbb\r\n"))
	if err != nil || f.schedule != "mc1::a2c85bbb" || f.test != "T" {
		t.Errorf("with carriage returns: %+v, %v", f, err)
	}
}
