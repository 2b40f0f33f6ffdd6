package explore

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// propertyBinary builds the properties in testdata once.
var propertyBinary = sync.OnceValues(func() (string, error) {
	var err error
	if propertyDir, err = os.MkdirTemp("", "property"); err != nil {
		return "", err
	}
	file := filepath.Join(propertyDir, "property.test")
	out, err := exec.Command("go", "test", "-c", "-o", file, "./testdata/property").CombinedOutput()
	if err != nil {
		return "", &exec.Error{Name: string(out), Err: err}
	}
	return file, nil
})

var propertyDir string // to be removed

// properties runs a test of testdata/property in dir as go test would.
type properties struct {
	t   *testing.T
	dir string
}

func newProperties(t *testing.T) properties {
	t.Helper()
	return properties{t, t.TempDir()}
}

// run returns what the test prints, and whether it passes.
func (p properties) run(test, bug string, args ...string) (string, bool) {
	p.t.Helper()
	file, err := propertyBinary()
	if err != nil {
		p.t.Fatal(err)
	}
	// From some seeds rapid does not come down to the smallest value.
	flags := []string{"-test.v", "-test.run=" + test, "-rapid.seed=1"}
	cmd := exec.Command(file)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "BUG="+bug)
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			flags = append(flags, a)
		} else {
			cmd.Env = append(cmd.Env, a)
		}
	}
	cmd.Args = append(cmd.Args, flags...)
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		p.t.Fatal(err)
	}
	return string(out), err == nil
}

// fails runs a test that must fail, passes one that must pass; both look for parts
// of what it prints.
func (p properties) fails(test, bug string, args []string, parts ...string) string {
	p.t.Helper()
	out, ok := p.run(test, bug, args...)
	if ok {
		p.t.Errorf("passed")
	}
	p.hold(out, parts)
	return out
}

func (p properties) passes(test, bug string, args []string, parts ...string) string {
	p.t.Helper()
	out, ok := p.run(test, bug, args...)
	if !ok {
		p.t.Errorf("failed")
	}
	p.hold(out, parts)
	return out
}

func (p properties) hold(out string, parts []string) {
	p.t.Helper()
	for _, part := range parts {
		if !strings.Contains(out, part) {
			p.t.Errorf("%q is not in what it prints", part)
		}
	}
	if p.t.Failed() {
		p.t.Fatal(out)
	}
}

func (p properties) files(pattern string) []string {
	p.t.Helper()
	list, err := filepath.Glob(filepath.Join(p.dir, filepath.FromSlash(pattern)))
	if err != nil {
		p.t.Fatal(err)
	}
	return list
}

// A failing property tells the smallest workload and its schedule, and how to bring
// both back; the next go test fails with them at once; when the bug is mended it says
// that the files can go.
func TestLifeOfAFailingProperty(t *testing.T) {
	for _, test := range []struct{ name, run string }{
		{"test", "^TestPump$"}, {"subtest", "^TestSub$/^a_pump$"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProperties(t)
			first := p.fails(test.run, "leak", []string{"-rapid.seed=3"},
				"[rapid] failed after", "workload:\n", "    workers: 3\n", "    capacity: 0\n", `    names: []string{"a", "a"}`,
				"blocked: send chan results (cap 0)", "schedule: mc1:", "saved as testdata/modelcheck/", "finding in case ", "seed ")
			if strings.Contains(first, "flaky") {
				t.Errorf("rapid calls it flaky:\n%s", first)
			}
			saved := p.files("testdata/modelcheck/*/*.schedule")
			saved = append(saved, p.files("testdata/modelcheck/*/*/*.schedule")...)
			if len(saved) != 1 {
				t.Fatalf("saved %v", saved)
			}

			second := p.fails(test.run, "leak", nil, "it is the saved schedule", "    workers: 3\n", "blocked: send chan results (cap 0)")
			if strings.Contains(second, "[rapid] failed") {
				t.Errorf("rapid looked for it again:\n%s", second)
			}

			command := regexp.MustCompile(`To reproduce: MODELCHECK_WORKLOAD='(\S*)' MODELCHECK_REPLAY='(\S*)' go test -v -run='(\S*)' `).FindStringSubmatch(first)
			if command == nil || command[3] != strings.ReplaceAll(test.run, "^a_pump$", "^a_pump$") {
				t.Fatalf("no command in:\n%s", first)
			}
			variables := []string{"MODELCHECK_WORKLOAD=" + command[1], "MODELCHECK_REPLAY=" + command[2]}
			elsewhere := newProperties(t)
			elsewhere.fails(test.run, "leak", variables, "draw workers: 3", "1 finding in the given schedule", "blocked: send chan results (cap 0)")
			elsewhere.passes(test.run, "", variables, "0 findings in the given schedule")
			p.fails(test.run, "leak", []string{"MODELCHECK_REPLAY=" + strings.TrimPrefix(saved[0], p.dir+string(filepath.Separator))}, "1 finding in the given schedule")
			p.fails(test.run, "leak", variables[1:], "it has no workload")
			p.fails(test.run, "leak", append(variables, "MODELCHECK_WORKLOAD=x"), `wanted hexadecimal numbers with commas between them, found "x"`)
			p.fails(test.run, "leak", append(variables, "MODELCHECK_WORKLOAD=1"), "its workload cannot be drawn any more")

			p.passes(test.run, "", nil, "passes now: it can be deleted", "nothing found in ")
		})
	}
}

// A workload shrinks although the failing schedule is rare, and not from one bug into
// another.
func TestPropertiesShrink(t *testing.T) {
	p := newProperties(t)
	p.fails("^TestRare$", "rare", []string{"-rapid.seed=1"}, "    n: 11\n", "panicked: rare")
	p = newProperties(t)
	p.fails("^TestKinds$", "two", []string{"-rapid.seed=1", "-rapid.checks=1"}, "    n: 501\n", "blocked: select")
}

// Flags and fail files of rapid mean what they mean to it.
func TestPropertiesObeyRapid(t *testing.T) {
	p := newProperties(t)
	p.passes("^TestPump$", "", nil, "nothing found in 100 cases, ", "[rapid] OK, passed 100 tests")
	p.passes("^TestPump$", "", []string{"-rapid.checks=10"}, "nothing found in 10 cases, ")
	p.passes("^TestPump$", "", []string{"-test.short"}, "nothing found in 20 cases, ")
	p.passes("^TestPump$", "", []string{"MODELCHECK_SCHEDULES=1000", "-rapid.checks=10"}, "nothing found in 10 cases, ")

	fails := func(args ...string) string {
		p = newProperties(t)
		out := p.fails("^TestPump$", "leak", append(args, "MODELCHECK_NOSAVE=1"))
		return out[strings.Index(out, "workload:\n"):strings.Index(out, "To reproduce: MODELCHECK")]
	}
	a, again := fails("-rapid.seed=5"), fails("-rapid.seed=5")
	if diff := cmp.Diff(a, again); diff != "" {
		t.Errorf("one seed of rapid, two reports (-one +other):\n%s", diff)
	}
	file := p.files("testdata/rapid/TestPump/*.fail")
	if len(file) == 0 || len(p.files("testdata/modelcheck/*/*")) != 0 {
		t.Fatalf("fail files %v", file)
	}
	name := strings.TrimPrefix(file[0], p.dir+string(filepath.Separator))
	p.fails("^TestPump$", "leak", []string{"MODELCHECK_NOSAVE=1"}, "[rapid] failed after 0 tests", "    workers: 3\n")
	for _, f := range file {
		if err := os.Rename(f, filepath.Join(p.dir, filepath.Base(f))); err != nil {
			t.Fatal(err)
		}
	}
	p.fails("^TestPump$", "leak", []string{"-rapid.failfile=" + filepath.Base(name), "MODELCHECK_NOSAVE=1"}, "[rapid] failed after 0 tests")

	p = newProperties(t)
	p.fails("^TestPump$", "leak", []string{"-rapid.nofailfile"}, "workload:\n", "saved as testdata/modelcheck/", "To reproduce: MODELCHECK_WORKLOAD=")
	p.fails("^TestPump$", "leak", []string{"-rapid.nofailfile"}, "it is the saved schedule", "    workers: 3\n")
	if left := p.files("testdata/rapid/*"); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

// What fails is reproduced in one way, and leaves one file: a schedule tells more than
// the seed in a fail file of rapid. Files that were there before, or that the user
// names, stay.
func TestOneWayToReproduce(t *testing.T) {
	once := func(out string) {
		t.Helper()
		if n := strings.Count(out, "To reproduce"); n != 1 {
			t.Errorf("%d ways to reproduce:\n%s", n, out)
		}
	}
	p := newProperties(t)
	once(p.fails("^TestPump$", "leak", nil, "To reproduce: MODELCHECK_WORKLOAD="))
	once(p.fails("^TestTraps$/^in_the_property$", "", nil, "To reproduce, specify -run=", "-rapid.failfile="))
	once(p.fails("^TestTraps$/^stuck$", "", nil, "To reproduce, specify -run=", "note: the workload was not made smaller: each try would take 200ms"))

	p = newProperties(t)
	once(p.fails("^TestChecked$", "leak", nil, "To reproduce: MODELCHECK_REPLAY=", "saved as testdata/modelcheck/"))
	if left := p.files("testdata/rapid"); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	p = newProperties(t)
	once(p.fails("^TestChecked$", "leak", []string{"MODELCHECK_NOSAVE=1"}, "To reproduce: MODELCHECK_REPLAY="))
	if left := append(p.files("testdata/rapid"), p.files("testdata/modelcheck")...); len(left) != 0 {
		t.Errorf("left %v", left)
	}

	old := []string{"old.fail", "testdata/rapid/TestChecked/TestChecked-1.fail"}
	for _, name := range old {
		name = filepath.Join(p.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(failFileOfChecked), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	once(p.fails("^TestChecked$", "leak", []string{"MODELCHECK_NOSAVE=1", "-rapid.failfile=old.fail"}, "[rapid] failed after 0 tests"))
	once(p.fails("^TestChecked$", "leak", []string{"MODELCHECK_NOSAVE=1"}, "[rapid] failed after 0 tests"))
	for _, name := range old {
		if len(p.files(name)) == 0 {
			t.Errorf("%s is gone", name)
		}
	}
}

// failFileOfChecked draws the seed 0.
var failFileOfChecked = "v0.4.8#1\n" + strings.Repeat("0x0\n", 64)

// Statistics of a property are about all its cases, and what is claimed is about those.
func TestPropertyStatistics(t *testing.T) {
	p := newProperties(t)
	const risk = "risk: with 95 % confidence a fresh case, a workload as rapid draws it with up to 20 schedules, fails with probability below 3.0 %"
	out := p.passes("^TestPump$", "", []string{"MODELCHECK_STATS=1"}, "trace classes of 100 cases\n", "steps:", risk)
	if strings.Contains(out, "saturation") || strings.Contains(out, "new in the last") {
		t.Errorf("claims about classes of other programs:\n%s", out)
	}
	out = p.fails("^TestPump$", "leak", []string{"MODELCHECK_STATS=1"}, "trace classes of ")
	if strings.Contains(out, "risk:") {
		t.Errorf("a claim though something was found:\n%s", out)
	}
	p.passes("^TestExpected$", "", []string{"MODELCHECK_STATS=1"}, "trace classes of ")
}

// What must not be done in a property is told; what may is coped with.
func TestPropertyTraps(t *testing.T) {
	const misuse = "error: the function to explore uses rt"
	for _, test := range []struct {
		name   string
		passes bool
		want   []string
		never  string
	}{
		{"draw", false, []string{misuse}, "overrun"},
		{"fail", false, []string{misuse}, ""},
		{"error", false, []string{misuse}, ""},
		{"skip", false, []string{misuse}, "overrun"},
		{"nil", false, []string{"found nil: call rt.Skip for a workload"}, ""},
		{"goexit", false, []string{"[rapid] failed after 0 tests", "goexit", "schedule: mc1:"}, ""},
		{"in the property", false, []string{"never above 3", "draw n: 4", "the property failed before there was anything to explore"}, "flaky"},
		{"end of the property", false, []string{"use rt, not t"}, "panic"},
		{"outer skip", false, []string{"use rt, not t"}, "panic"},
		{"outer fatal", false, []string{"t is not rt", "use rt, not t"}, "panic"},
		{"nothing concurrent", false, []string{"nothing concurrent explored"}, "[rapid] failed"},
		{"never", false, []string{`"luck" never held in 100 schedules`}, "[rapid] failed"},
		{"skips all workloads", false, []string{"only generated 0 valid tests"}, ""},
		{"skips some workloads", true, []string{"nothing found in 100 cases"}, ""},
		{"some of it sometimes", true, []string{"nothing found in 100 cases"}, ""},
		{"kept between runs", false, []string{"uncontrolled nondeterminism: the choices of the run"}, ""},
		{"stuck", false, []string{"workload:\n", "    n: ", "blocked outside the model", "chan receive"}, "flaky"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProperties(t)
			run, args := "^TestTraps$/^"+strings.ReplaceAll(test.name, " ", "_")+"$", []string{"MODELCHECK_WORKERS=1"}
			var out string
			if test.passes {
				out = p.passes(run, "", args, test.want...)
			} else {
				out = p.fails(run, "", args, test.want...)
			}
			if test.never != "" && strings.Contains(out, test.never) {
				t.Errorf("%q is in:\n%s", test.never, out)
			}
		})
	}
}

func TestPropertyWithExpectations(t *testing.T) {
	p := newProperties(t)
	p.passes("^TestExpected$", "", nil, "found what is expected in")
	p.fails("^TestExpected$", "five", []string{"-rapid.seed=2"}, "panicked: five", "    n: 5\n")
	p.fails("^TestExpected$", "", []string{"-rapid.checks=1", "-rapid.seed=1"}, "expected finding missed")
	if left := p.files("testdata/modelcheck/*"); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}
