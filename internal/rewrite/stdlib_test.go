package rewrite_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
	"github.com/modelcheck-go/modelcheck/internal/rewrite"
)

// The standard library's own tests of the packages that have a counterpart under control
// are an oracle for it. They are read from the user's Go, never copied into this
// repository. What is left out of them is named, with the reason.
var libraryTests = []struct {
	pkg      string
	files    []string
	excluded map[string]string // declarations, by the name of the function or variable
}{
	{"sync", []string{
		"cond_test.go", "map_reference_test.go", "map_test.go", "mutex_test.go", "once_test.go", "oncefunc_test.go", "pool_test.go", "rwmutex_test.go", "waitgroup_test.go",
	}, map[string]string{
		"HammerSemaphore":           "uses semaphores of the runtime that only its own tests see",
		"TestSemaphore":             "uses HammerSemaphore",
		"TestMutexMisuse":           "runs itself as another process to see fatal errors, which are findings here",
		"misuseTests":               "belongs to TestMutexMisuse",
		"init":                      "belongs to TestMutexMisuse",
		"TestMutexFairness":         "measures how long a goroutine waits on a real processor",
		"TestIssue76126":            "runs itself as another process to see a panic, which is a finding here",
		"TestPool":                  "looks inside: what one processor keeps, and what a collection leaves",
		"TestPoolNew":               "the same",
		"TestPoolGC":                "counts finalizers",
		"TestPoolRelease":           "the same",
		"testPool":                  "the same",
		"TestPoolDequeue":           "tests a part of Pool that is not under control",
		"TestPoolChain":             "the same",
		"testPoolDequeue":           "the same",
		"TestIssue40999":            "waits for finalizers",
		"TestOnceXGC":               "looks at what a collection leaves",
		"TestMapMatchesHashTrieMap": "tests a part of Map that is not under control",
		"applyHashTrieMap":          "the same",
		"_":                         "the same",
		"TestMapRangeNoAllocations": "counts allocations",
		"TestMapClearOneAllocation": "the same",
		"TestOnceFunc":              "counts allocations, and those of the scheduler are among them",
		"TestOnceValue":             "the same",
		"TestOnceValues":            "the same",
	}},
	{"context", []string{"afterfunc_test.go", "net_test.go", "x_test.go"}, map[string]string{
		"TestParentFinishesChild":     "looks at unexported fields",
		"TestChildFinishesFirst":      "the same",
		"TestCancelRemoves":           "the same",
		"TestCustomContextGoroutines": "the same",
		"TestAllocs":                  "counts allocations",
		"TestSimultaneousCancels":     "goes through a map whose keys are contexts: their order is not under control",
	}},
}

// libraryModule writes the tests of a package into a module of their own.
func libraryModule(t *testing.T, pkg string, files []string, excluded map[string]string) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(pkg))
	dir := t.TempDir()
	at := filepath.Join(dir, filepath.FromSlash(pkg)) // stack traces have the last element
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "go.mod"), "module library\n\ngo 1.26.0\n")
	write(filepath.Join(at, "library.go"), "package "+path.Base(pkg)+"\n")
	unused := maps.Clone(excluded)
	for _, file := range files {
		src, err := os.ReadFile(filepath.Join(from, file))
		if err != nil {
			t.Skipf("no tests of package %s here: %v", pkg, err)
		}
		write(filepath.Join(at, file), without(t, file, string(src), excluded, unused))
	}
	if len(unused) > 0 {
		t.Errorf("package %s has no %v", pkg, slices.Sorted(maps.Keys(unused)))
	}
	return dir
}

// without returns the source without the declarations that are excluded, without
// benchmarks and examples, and without the imports that then have no use. Everything else
// stays on its line.
func without(t *testing.T, file, src string, excluded, unused map[string]string) string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(src)
	blank := func(n ast.Node) {
		for i := n.Pos() - f.FileStart; i < n.End()-f.FileStart; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	used := map[string]bool{}
	for _, d := range f.Decls {
		name := ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			name = d.Name.Name
			if d.Recv != nil {
				name = strings.TrimLeft(src[d.Recv.List[0].Type.Pos()-f.FileStart:d.Recv.List[0].Type.End()-f.FileStart], "*") + "." + name
			}
		case *ast.GenDecl:
			switch s := d.Specs[0].(type) {
			case *ast.ValueSpec:
				name = s.Names[0].Name
			case *ast.TypeSpec:
				name = s.Name.Name
			case *ast.ImportSpec:
				continue
			}
		}
		_, gone := excluded[name]
		delete(unused, name)
		if gone || strings.HasPrefix(name, "Benchmark") || strings.HasPrefix(name, "Example") {
			blank(d)
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := s.X.(*ast.Ident); ok {
					used[id.Name] = true
				}
			}
			return true
		})
	}
	for _, spec := range f.Imports {
		name := path.Base(importPath(spec))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name != "." && name != "_" && !used[name] {
			blank(spec)
		}
	}
	return string(text)
}

func importPath(spec *ast.ImportSpec) string { return text(spec.Path) }

// Of package golang.org/x/sync tests of these names are left out.
var extendedTests = map[string]string{
	"TestPanicDoChan":           "runs itself as another process to see a panic, which is a finding here",
	"TestPanicDoSharedByDoChan": "the same",
}

// download returns the directory of a module in the module cache. It asks the go command
// to fetch it there.
func download(t *testing.T, module string) string {
	t.Helper()
	out, err := exec.Command("go", "mod", "download", "-json", module).CombinedOutput()
	if err != nil {
		t.Skipf("cannot have %s: %v\n%s", module, err, out)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m.Dir
}

// renamed copies a module into the directory to, with another path.
func renamed(t *testing.T, from, to, path, other string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(from), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(filepath.Join(to, name), 0o777))
		}
		src, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), bytes.ReplaceAll(src, []byte(path), []byte(other)), 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// long skips the test unless there is time for it.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("MODELCHECK_LONG") == "" {
		t.Skip("this builds much: set MODELCHECK_LONG")
	}
}

func TestLibrary(t *testing.T) {
	for _, l := range libraryTests {
		t.Run(l.pkg, func(t *testing.T) {
			if l.pkg != "context" {
				long(t)
			}
			passes(t, buildTests(t, libraryModule(t, l.pkg, l.files, l.excluded), nil, "./..."))
		})
	}
	t.Run("golang.org/x/sync", func(t *testing.T) {
		long(t)
		dir := t.TempDir()
		// The scheduler needs this module, as it is: it gets another name.
		renamed(t, download(t, "golang.org/x/sync@v0.25.0"), dir, "golang.org/x/sync", "example.com/sync")
		skip := "-test.skip=" + rewrite.Skip + "|^(" + strings.Join(slices.Sorted(maps.Keys(extendedTests)), "|") + ")$"
		passes(t, buildTests(t, dir, nil, "./errgroup", "./semaphore", "./singleflight"), skip)
	})
}

// A module that the scheduler is built with is tried by its own name as far as that goes.
func TestOwnRequirement(t *testing.T) {
	long(t)
	dir := copyOf(t, download(t, "golang.org/x/sync@v0.25.0"))
	t.Chdir(dir)
	_, err := rewrite.Prepare(t.Context(), rewrite.Config{Patterns: []string{"./..."}}, t.TempDir())
	if err == nil || !strings.HasPrefix(err.Error(), "package golang.org/x/sync/semaphore: the scheduler is itself built with it") {
		t.Errorf("want the package to be named that cannot be under control, found %v", err)
	}
	passes(t, buildTests(t, dir, nil, "./errgroup"))
}

// passes checks that the tests pass under some schedules.
func passes(t *testing.T, tests built, flags ...string) {
	t.Helper()
	schedules := "MODELCHECK_SCHEDULES=3"
	if os.Getenv("MODELCHECK_LONG") != "" {
		schedules = "MODELCHECK_SCHEDULES=20"
	}
	for _, r := range tests.run(t, append(flags, "-test.short"), schedules, "MODELCHECK_STEPS=1000000") {
		for _, e := range r.Events {
			t.Logf("%s: %s, %d schedules, %d steps", e.Test, e.Verdict, e.Schedules, e.Steps)
			if e.Verdict != gotest.Pass {
				t.Errorf("%s: %s %s\n%v", e.Test, e.Verdict, e.Message, e.Findings)
			}
		}
		for _, p := range r.Problems {
			t.Errorf("%s: %s\n%.2000s", p.Test, p.What, p.Output)
		}
	}
}
