package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
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
// with its user if the two would not see the same: channels, and types that have a
// counterpart under control.
func (r *file) boundary(id *ast.Ident, obj types.Object) {
	if _, ok := obj.(*types.TypeName); ok {
		return // its fields and methods, if used
	}
	if shared := sharedIn(obj.Type(), map[types.Type]bool{}); shared != "" {
		r.refuse(id, "%s has to do with %s, and package %s is not under control", obj.Name(), shared, obj.Pkg().Path())
	}
}

// sharedIn names a channel or a type with a counterpart in t, the type of a function
// or variable; "" if there is none. Named types are not looked into.
func sharedIn(t types.Type, seen map[types.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Chan:
		return fmt.Sprintf("a channel (%v)", t)
	case *types.Named:
		if isCounterpart(t.Obj()) {
			return t.String()
		}
		if c, ok := t.Underlying().(*types.Chan); ok {
			return fmt.Sprintf("a channel (%v)", c)
		}
	case *types.Pointer:
		return sharedIn(t.Elem(), seen)
	case *types.Slice:
		return sharedIn(t.Elem(), seen)
	case *types.Array:
		return sharedIn(t.Elem(), seen)
	case *types.Map:
		return sharedIn(t.Key(), seen) + sharedIn(t.Elem(), seen)
	case *types.Signature:
		return sharedIn(t.Params(), seen) + sharedIn(t.Results(), seen)
	case *types.Tuple:
		for v := range t.Variables() {
			if s := sharedIn(v.Type(), seen); s != "" {
				return s
			}
		}
	}
	return ""
}

// isCounterpart reports whether the type is another one under control. Those that are
// not are aliases of the original.
func isCounterpart(t *types.TypeName) bool {
	if t.Pkg() == nil {
		return false
	}
	switch t.Pkg().Path() {
	case "sync":
		return t.Name() != "Locker"
	case "sync/atomic":
		return true
	case "time":
		return t.Name() == "Timer" || t.Name() == "Ticker"
	case "io":
		return t.Name() == "PipeReader" || t.Name() == "PipeWriter"
	case "testing":
		return t.Name() == "T"
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
