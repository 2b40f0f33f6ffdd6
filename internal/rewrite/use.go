package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// refused are functions that cannot be put under control, by their full names.
var refused = map[string]string{
	"runtime.LockOSThread":      "runtime.LockOSThread is not supported: goroutines under control share threads",
	"reflect.Select":            "reflect.Select is not supported: use a select statement",
	"reflect.MakeChan":          "reflect.MakeChan is not supported: use make",
	"(reflect.Value).Send":      "operations on channels through reflection are not supported",
	"(reflect.Value).TrySend":   "operations on channels through reflection are not supported",
	"(reflect.Value).Recv":      "operations on channels through reflection are not supported",
	"(reflect.Value).TryRecv":   "operations on channels through reflection are not supported",
	"(reflect.Value).Close":     "operations on channels through reflection are not supported",
	"testing/synctest.Test":     "package testing/synctest is not supported: the scheduler controls time itself",
	"testing/synctest.Run":      "package testing/synctest is not supported: the scheduler controls time itself",
	module + "/explore.Check":   "this package explores schedules itself: use modelcheck run",
	module + "/explore.Run":     "this package explores schedules itself: use modelcheck run",
	module + "/explore.Exhaust": "this package explores schedules itself: use modelcheck run",
	module + "/explore.Compare": "this package explores schedules itself: use modelcheck run",
}

// A counterpart takes the place of one function or type of a package of which the rest
// stays as it is.
type counterpart struct {
	path, pkg string // of the package that has it, under the same name
	keep      string // a declaration that uses the original, so that its import is not left over
}

var counterparts = map[string]counterpart{
	"runtime.Gosched":      {"model/std/lang", "lang", "var _ = %s"},
	"runtime.Goexit":       {"model/std/lang", "lang", "var _ = %s"},
	"runtime.NumGoroutine": {"model/std/lang", "lang", "var _ = %s"},
	"iter.Pull":            {"model/std/lang", "lang", "var _ = %s[int]"},
	"iter.Pull2":           {"model/std/lang", "lang", "var _ = %s[int, int]"},
	"io.Pipe":              {"model/std/io", "io", "var _ = %s"},
	"io.PipeReader":        {"model/std/io", "io", "type _ = %s"},
	"io.PipeWriter":        {"model/std/io", "io", "type _ = %s"},
}

// use looks at what an identifier refers to.
func (r *file) use(id *ast.Ident) {
	obj := r.info.Uses[id]
	if obj == nil || obj.Pkg() == nil {
		return
	}
	if c, ok := counterparts[obj.Pkg().Path()+"."+obj.Name()]; ok && obj.Parent() == obj.Pkg().Scope() {
		r.exchange(id, c)
		return
	}
	if f, ok := obj.(*types.Func); ok {
		f = f.Origin()
		switch why := refused[f.FullName()]; {
		case why != "":
			r.refuse(id, "%s", why)
			return
		case f.Pkg() == r.pkg && r.isTestFunc(f):
			r.refuse(id, "%s is used as an ordinary function: move its body into another one that both call", f.Name())
			return
		}
	}
	if !r.controlled(obj.Pkg().Path()) {
		r.boundary(id, obj)
	}
}

func (r *file) isTestFunc(f *types.Func) bool {
	return f.Signature().Recv() == nil && isTestName(f.Name(), "Test") && isTestSignature(f.Signature()) &&
		strings.HasSuffix(r.fset.Position(f.Pos()).Filename, "_test.go")
}

// exchange: runtime.Gosched becomes lang.Gosched, and io.Pipe the Pipe of package
// model/std/io.
func (r *file) exchange(id *ast.Ident, c counterpart) {
	var original ast.Node = id
	if s, ok := r.parent().(*ast.SelectorExpr); ok && s.Sel == id {
		original = s
	}
	r.keep(fmt.Sprintf(c.keep, r.text(original)))
	r.replace(r.at(original.Pos()), r.at(original.End()), r.imported(c.path, c.pkg)+"."+id.Name)
}

// keep adds a declaration to the end of the file, once.
func (r *file) keep(declaration string) {
	if line := "\n" + declaration + "\n"; !strings.Contains(r.tail, line) {
		r.tail += line
	}
}

// boundary refuses what obj, which belongs to code that is not under control, shares
// with its user if it is of a type with a counterpart under control: the program would not
// compile. A function that takes a channel is refused where it is called in a run, since
// that it operates on the channel would not be seen; channels that come from there are
// noticed when they are used.
func (r *file) boundary(id *ast.Ident, obj types.Object) {
	if _, ok := obj.(*types.TypeName); ok {
		return // its fields and methods, if used
	}
	outside := "package " + obj.Pkg().Path() + " is not under control"
	if first, _, _ := strings.Cut(obj.Pkg().Path(), "/"); strings.Contains(first, ".") {
		outside += ": give -with and the path of its module"
	}
	if t := sharedIn(obj.Type(), isCounterpart); t != "" {
		r.refuse(id, "%s has to do with %s, and %s", obj.Name(), t, outside)
		return
	}
	f, ok := obj.(*types.Func)
	if !ok {
		return
	}
	c := sharedIn(f.Signature().Params(), isChannel)
	if c == "" {
		return
	}
	why := fmt.Sprintf("%s takes a channel (%s), and %s", obj.Name(), c, outside)
	if f.Signature().TypeParams() != nil {
		r.refuse(id, "%s", why)
		return
	}
	var whole ast.Node = id
	if s, ok := r.parent().(*ast.SelectorExpr); ok && s.Sel == id {
		whole = s
	}
	r.open(r.at(whole.Pos()), r.lang("Outside")+"(")
	r.close(r.at(whole.End()), ", "+strconv.Quote(why)+")")
}

// sharedIn names a type in t, the type of a function or variable, that is meant; "" if there
// is none. Named types are not looked into.
func sharedIn(t types.Type, meant func(types.Type) bool) string {
	return shared(t, meant, map[types.Type]bool{})
}

func shared(t types.Type, meant func(types.Type) bool, seen map[types.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	if meant(t) {
		return t.String()
	}
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return shared(t.Elem(), meant, seen)
	case *types.Slice:
		return shared(t.Elem(), meant, seen)
	case *types.Array:
		return shared(t.Elem(), meant, seen)
	case *types.Map:
		return shared(t.Key(), meant, seen) + shared(t.Elem(), meant, seen)
	case *types.Signature:
		return shared(t.Params(), meant, seen) + shared(t.Results(), meant, seen)
	case *types.Tuple:
		for v := range t.Variables() {
			if s := shared(v.Type(), meant, seen); s != "" {
				return s
			}
		}
	}
	return ""
}

func isChannel(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// isCounterpart reports whether the type is another one under control. Those that are
// not are aliases of the original.
func isCounterpart(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch path, name := named.Obj().Pkg().Path(), named.Obj().Name(); path {
	case "sync":
		return name != "Locker"
	case "sync/atomic":
		return true
	case "time":
		return name == "Timer" || name == "Ticker"
	case "io":
		return name == "PipeReader" || name == "PipeWriter"
	case "testing":
		return name == "T"
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
