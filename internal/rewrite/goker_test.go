package rewrite_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/gotest"
	"github.com/modelcheck-go/modelcheck/internal/report"
	"golang.org/x/tools/go/packages"
)

// A kernel is one program of GoKer: a bug of a real project, cut down to what shows it.
// They are part of the Go distribution, which runs them to test its profile of leaked
// goroutines; see runtime/testdata/testgoroutineleakprofile/goker/README.md there.
type kernel struct {
	name  string // of its function
	file  string
	leaks []*regexp.Regexp // goroutine's function and wait reason, as that test has them
	sure  bool             // every run there shows all leaks
}

// kernels reads the kernels and what Go's own test expects of them.
func kernels(t *testing.T) []kernel {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "src", "runtime")
	files, _ := filepath.Glob(filepath.Join(dir, "testdata", "testgoroutineleakprofile", "goker", "*.go"))
	if len(files) == 0 {
		t.Skipf("no GoKer kernels below %s: want the source of a Go that has them", dir)
	}
	expected := expectations(t, filepath.Join(dir, "goroutineleakprofile_test.go"))
	var list []kernel
	for _, file := range files {
		if name := entryOf(parse(t, file)); name != "" {
			k := expected[name]
			k.name, k.file = name, file
			list = append(list, k)
		}
	}
	return list
}

func parse(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// expectations are the arguments of makeTest and makeFlakyTest in Go's test.
func expectations(t *testing.T, file string) map[string]kernel {
	found := map[string]kernel{}
	ast.Inspect(parse(t, file), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		id, ok := call.Fun.(*ast.Ident)
		if !ok || id.Name != "makeTest" && id.Name != "makeFlakyTest" {
			return true
		}
		k := kernel{sure: id.Name == "makeTest"}
		for _, a := range call.Args[1:] {
			k.leaks = append(k.leaks, regexp.MustCompile(text(a)))
		}
		found[text(call.Args[0])] = k
		return true
	})
	return found
}

// text is the value of a string literal, "" of anything else.
func text(x ast.Expr) string {
	if lit, ok := x.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		s, _ := strconv.Unquote(lit.Value)
		return s
	}
	return ""
}

// entryOf returns the function that the file registers.
func entryOf(f *ast.File) (name string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "register" && len(call.Args) == 2 {
				name = text(call.Args[0])
			}
		}
		return true
	})
	return name
}

// alone returns the source of a kernel that is run once and by itself: without the
// profile at its end, and without the loop in its entry that runs it many times to
// make the bug likely. Everything stays where it is.
func alone(t *testing.T, k kernel) []byte {
	t.Helper()
	src, err := os.ReadFile(k.file)
	if err != nil {
		t.Fatal(err)
	}
	f := parse(t, k.file)
	at := func(p token.Pos) int { return int(p - f.FileStart) }
	blank := func(n ast.Node) {
		for i := at(n.Pos()); i < at(n.End()); i++ {
			if src[i] != '\n' {
				src[i] = ' '
			}
		}
	}
	src = bytes.ReplaceAll(src, []byte("100000"), []byte("3     ")) // Kubernetes58107
	once := func(bound ast.Expr, op token.Token) bool {
		lit, ok := bound.(*ast.BasicLit)
		if !ok || lit.Kind != token.INT {
			return false
		}
		blank(lit)
		src[at(lit.Pos())] = '1'
		if op == token.LEQ {
			src[at(lit.Pos())] = '0'
		}
		return true
	}
	for _, d := range f.Decls {
		entry, ok := d.(*ast.FuncDecl)
		if !ok || entry.Name.Name != k.name {
			continue
		}
		looped := false
		for _, s := range entry.Body.List {
			code := src[at(s.Pos()):at(s.End())]
			switch s := s.(type) {
			case *ast.AssignStmt:
				if bytes.Contains(code, []byte("pprof.Lookup")) {
					blank(s)
				}
			case *ast.DeferStmt:
				if bytes.Contains(code, []byte("prof.WriteTo")) {
					blank(s)
				}
			case *ast.ForStmt:
				if c, ok := s.Cond.(*ast.BinaryExpr); ok && !looped {
					looped = once(c.Y, c.Op)
				}
			case *ast.RangeStmt:
				if !looped {
					looped = once(s.X, token.LSS)
				}
			}
		}
	}
	for path, use := range map[string]string{"os": "os.Stdout", "runtime": "runtime.GC", "runtime/pprof": "pprof.Lookup", "time": "time.Now"} {
		if slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return text(i.Path) == path }) {
			src = fmt.Appendf(src, "\nvar _ = %s\n", use)
		}
	}
	return src
}

// kernelModule writes the kernels into a module of their own, each with a test that calls
// it, and returns its directory.
func kernelModule(t *testing.T, list []kernel) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tests := "package main\n\nimport \"testing\"\n"
	for _, k := range list {
		write(filepath.Base(k.file), alone(t, k))
		tests += fmt.Sprintf("\nfunc Test%s(t *testing.T) { %s() }\n", k.name, k.name)
	}
	write("go.mod", []byte("module goker\n\ngo 1.26.0\n"))
	write("main.go", []byte("package main\n\nconst yieldCount = 10\n\nfunc register(string, func()) {}\n\nfunc main() {}\n"))
	write("kernels_test.go", []byte(tests))
	return dir
}

// A naming knows the functions of the kernels by their names in Go's stack traces.
type naming struct {
	starts map[string][]string // function that a go statement starts, by its place
	single map[string]bool     // places of selects with one case
}

func place(file string, line int) string { return fmt.Sprintf("%s:%d", filepath.Base(file), line) }

func nameFunctions(t *testing.T, dir string, list []kernel) naming {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadSyntax}, ".")
	if err != nil || len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		t.Fatalf("cannot load the kernels: %v, %v", err, loaded[0].Errors)
	}
	n := naming{map[string][]string{}, map[string]bool{}}
	methods := map[string][]string{} // names in traces of the method or function started, by place
	for _, f := range loaded[0].Syntax {
		ast.Inspect(f, func(x ast.Node) bool {
			if g, ok := x.(*ast.GoStmt); ok {
				p := loaded[0].Fset.Position(g.Pos())
				methods[place(p.Filename, p.Line)] = calledFunctions(loaded[0], g.Call)
			}
			return true
		})
	}
	for _, k := range list {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, k.file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				n.function(fset, d.Body, declaredName(d), ".func", methods)
			}
		}
	}
	return n
}

// function notes what the body of the function called name starts. Its function literals
// are called name.func1 and so on, and theirs name.func1.1.
func (n naming) function(fset *token.FileSet, body *ast.BlockStmt, name, infix string, methods map[string][]string) {
	literals := 0
	names := map[*ast.FuncLit]string{}
	ast.Inspect(body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			literals++
			names[x] = fmt.Sprintf("%s%s%d", name, infix, literals)
			n.function(fset, x.Body, names[x], ".", methods)
			return false
		case *ast.SelectStmt:
			if len(x.Body.List) == 1 {
				p := fset.Position(x.Pos())
				n.single[place(p.Filename, p.Line)] = true
			}
		}
		return true
	})
	ast.Inspect(body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			p := fset.Position(x.Pos())
			at := place(p.Filename, p.Line)
			if lit, ok := x.Call.Fun.(*ast.FuncLit); ok {
				n.starts[at] = append(n.starts[at], names[lit])
			} else {
				n.starts[at] = append(n.starts[at], methods[at]...)
			}
		}
		return true
	})
}

func declaredName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	switch r := d.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		return "(*" + r.X.(*ast.Ident).Name + ")." + d.Name.Name
	case *ast.Ident:
		return r.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

// calledFunctions are those that the call may be of: several for a method of an
// interface.
func calledFunctions(p *packages.Package, call *ast.CallExpr) []string {
	var id *ast.Ident
	switch f := call.Fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	f, ok := p.TypesInfo.Uses[id].(*types.Func)
	if !ok {
		return nil
	}
	recv := f.Signature().Recv()
	if recv == nil {
		return []string{f.Name()}
	}
	iface, ok := recv.Type().Underlying().(*types.Interface)
	if !ok {
		return []string{methodName(recv.Type(), f.Name())}
	}
	var all []string
	for _, name := range p.Types.Scope().Names() {
		t := p.Types.Scope().Lookup(name).Type()
		if _, ok := t.Underlying().(*types.Interface); !ok && types.Implements(types.NewPointer(t), iface) {
			all = append(all, methodName(types.NewPointer(t), f.Name()))
		}
	}
	return all
}

func methodName(recv types.Type, name string) string {
	typ := types.TypeString(recv, func(*types.Package) string { return "" })
	if strings.HasPrefix(typ, "*") {
		typ = "(" + typ + ")"
	}
	return typ + "." + name
}

// leaks describes a blocked goroutine as Go's test does, in all the ways in which it
// may: function and wait reason.
func (n naming) leaks(run *report.Doc, f report.Finding) []string {
	_, function, _ := strings.Cut(f.At.Func, ".") // of a timer: what it calls is what waits
	functions := []string{function}
	for _, s := range run.Steps {
		if s.Child == f.Goroutine && s.Op == "go" {
			functions = n.starts[place(s.At.File, s.At.Line)]
		}
	}
	var list []string
	for _, function := range functions {
		for _, reason := range n.reasons(f) {
			list = append(list, function+"(...) ["+reason+"]")
		}
	}
	return list
}

func (n naming) reasons(f report.Finding) []string {
	switch object, _, _ := strings.Cut(f.Object, " "); {
	case f.Op == "send" && strings.HasPrefix(f.Object, "nil"):
		return []string{"chan send (nil chan)"}
	case f.Op == "send":
		return []string{"chan send"}
	case f.Op == "receive" && strings.HasPrefix(f.Object, "nil"):
		return []string{"chan receive (nil chan)"}
	case f.Op == "receive":
		return []string{"chan receive"}
	case f.Op == "select" && n.single[place(f.At.File, f.At.Line)]:
		return []string{"chan receive", "chan send"}
	case f.Op == "rlock":
		return []string{"sync.RWMutex.RLock"}
	case f.Op == "wait" && object == "waitgroup":
		return []string{"sync.WaitGroup.Wait"}
	case f.Op == "wait" || f.Op == "park":
		return []string{"sync.Cond.Wait"}
	case object == "rwmutex":
		return []string{"sync.RWMutex.Lock", "sync.Mutex.Lock"}
	case object == "mutex" || f.Op == "do": // Once waits for a mutex
		return []string{"sync.Mutex.Lock"}
	}
	return []string{f.Op}
}

// excused are the kernels that show no leak here, each with the reason.
var excused = map[string]string{
	"Moby27782": "it cannot leak, see TestMoby27782CannotLeak",
}

// unlisted are leaks that Go's test does not list, each with the reason.
var unlisted = map[string]string{
	"Kubernetes1321": "Go's test leaves it out because it may crash too, and names these leaks in a comment",
}

// The mutex that was put into the kernel to remove a data race is held from before the
// reader waits for the close until it has read, and closing takes it: so it waits for
// an event only, which always comes. All schedules show that.
func TestMoby27782CannotLeak(t *testing.T) {
	if os.Getenv("MODELCHECK_LONG") == "" {
		t.Skip("this builds the kernel for itself: set MODELCHECK_LONG")
	}
	list := slices.DeleteFunc(kernels(t), func(k kernel) bool { return k.name != "Moby27782" })
	for _, r := range explore(t, kernelModule(t, list), "MODELCHECK_STRATEGY=dpor", "MODELCHECK_SCHEDULES=100000") {
		for _, e := range r.Events {
			t.Logf("%s: %s", e.Verdict, e.Message)
			if e.Verdict != gotest.Pass || !e.Complete {
				t.Errorf("wanted all schedules to pass, found verdict %s, complete %t: %s", e.Verdict, e.Complete, e.Message)
			}
		}
	}
}

// TestGoKer explores the kernels and compares the leaks found with those that Go's test
// lists: every kernel shows one within 100 schedules, nothing that is not listed, and
// every finding shows again when its schedule is replayed in a process of its own.
// MODELCHECK_LONG explores all of them, from many seeds, and then every leak shows that
// Go's test is sure of.
func TestGoKer(t *testing.T) {
	list, seeds := kernels(t), 5
	if os.Getenv("MODELCHECK_LONG") == "" {
		few := []string{"Cockroach1055", "Etcd7492", "Grpc1424", "Hugo5379", "Kubernetes6632", "Moby28462"}
		list, seeds = slices.DeleteFunc(list, func(k kernel) bool { return !slices.Contains(few, k.name) }), 1
	}
	dir := kernelModule(t, list)
	n := nameFunctions(t, dir, list)
	tallies := map[string]*tally{}
	for _, k := range list {
		tallies["Test"+k.name] = &tally{kernel: k, shown: make([]int, len(k.leaks)), other: map[string]int{}}
	}
	tests, steps := buildTests(t, dir, nil, "."), "MODELCHECK_STEPS=5000"
	for seed := range seeds {
		for _, r := range tests.run(t, nil, "MODELCHECK_SCHEDULES=100", fmt.Sprintf("MODELCHECK_SEED=%d", seed), steps, "MODELCHECK_MINIMIZE=0") {
			for _, e := range r.Events {
				tallies[e.Test].add(n, e)
				if e.Schedule != "" {
					replays(t, tests, e, steps)
				}
			}
		}
	}
	t.Logf("%d kernels, %d seeds\n%-18s %-30s %-20s %s", len(list), seeds, "kernel", "schedules to a finding", "times a leak shows", "other findings")
	var medians []int
	worst := 0
	for _, k := range list {
		y := tallies["Test"+k.name]
		y.judge(t)
		if len(y.schedules) > 0 {
			slices.Sort(y.schedules)
			medians = append(medians, y.schedules[len(y.schedules)/2])
			worst = max(worst, y.schedules[len(y.schedules)-1])
		}
	}
	slices.Sort(medians)
	t.Logf("schedules to the first finding: median of the medians %d, largest median %d, worst seed %d",
		medians[len(medians)/2], medians[len(medians)-1], worst)
}

// replays checks that the schedule of e shows the same in a process of its own.
func replays(t *testing.T, tests built, e gotest.Event, env ...string) {
	t.Helper()
	for _, r := range tests.run(t, []string{"-test.run=^" + e.Test + "$"}, append(env, "MODELCHECK_REPLAY="+e.Schedule)...) {
		for _, again := range r.Events {
			if diff := cmp.Diff(e.Findings, again.Findings); diff != "" || again.Hash != e.Hash {
				t.Errorf("%s, seed %d: replaying %s gives hash %s, want %s, findings (-want +got)\n%s", e.Test, e.Seed, e.Schedule, again.Hash, e.Hash, diff)
			}
		}
		if len(r.Events) != 1 {
			t.Errorf("%s, seed %d: replaying %s gives %d verdicts: %v", e.Test, e.Seed, e.Schedule, len(r.Events), r.Problems)
		}
	}
}

// A tally is what exploring a kernel from several seeds gave.
type tally struct {
	kernel
	schedules []int          // to the first finding, for each seed that has one
	missed    int            // seeds that have none
	shown     []int          // how many seeds show each of leaks first
	other     map[string]int // what else was found first
}

func (y *tally) add(n naming, e gotest.Event) {
	if e.Verdict != gotest.Fail {
		y.missed++
		if e.Verdict != gotest.Pass {
			y.other[string(e.Verdict)+": "+e.Message]++
		}
		return
	}
	y.schedules = append(y.schedules, int(e.Schedules))
	shown := make([]bool, len(y.leaks))
	for _, f := range e.Run.Findings {
		if f.Kind != "blocked forever" {
			y.other[strings.TrimSpace(f.Kind+" "+f.Class)]++
			continue
		}
		listed := false
		for _, leak := range n.leaks(e.Run, f) {
			for i, pattern := range y.leaks {
				if pattern.MatchString(leak) {
					shown[i], listed = true, true
				}
			}
		}
		if !listed {
			y.other["unlisted "+strings.Join(n.leaks(e.Run, f), " or ")]++
		}
	}
	for i, s := range shown {
		if s {
			y.shown[i]++
		}
	}
}

func (y *tally) judge(t *testing.T) {
	for i, shown := range y.shown {
		if shown == 0 && y.sure {
			t.Errorf("%s: no leak like %v was found", y.name, y.leaks[i])
		}
	}
	if found := len(y.schedules) > 0; found == (excused[y.name] != "") || found && y.missed > 0 {
		t.Errorf("%s: %d seeds show a finding, %d do not; excused: %q", y.name, len(y.schedules), y.missed, excused[y.name])
	}
	other := slices.Sorted(maps.Keys(y.other))
	for _, o := range other {
		if strings.HasPrefix(o, "unlisted ") && unlisted[y.name] == "" {
			t.Errorf("%s: found a leak that is not listed: %s", y.name, o)
		}
	}
	t.Logf("%-18s %-30s %-20s %s %s", y.name, numbers(y.schedules), numbers(y.shown), strings.Join(other, "; "), excused[y.name])
}

func numbers(list []int) string { return strings.Trim(fmt.Sprint(list), "[]") }
