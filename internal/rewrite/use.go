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
	"runtime.Goexit":            "runtime.Goexit is not supported: return from the goroutine's function",
	"runtime.LockOSThread":      "runtime.LockOSThread is not supported: goroutines under control share threads",
	"runtime.NumGoroutine":      "runtime.NumGoroutine is not supported: it counts the goroutines of the tool too",
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

// use looks at what an identifier refers to.
func (r *file) use(id *ast.Ident) {
	obj := r.info.Uses[id]
	if obj == nil || obj.Pkg() == nil {
		return
	}
	if f, ok := obj.(*types.Func); ok {
		f = f.Origin()
		switch why := refused[f.FullName()]; {
		case why != "":
			r.refuse(id, "%s", why)
			return
		case f.FullName() == "runtime.Gosched":
			r.gosched(id)
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

// gosched: runtime.Gosched becomes lang.Gosched. The import of package runtime may be
// left without a use then.
func (r *file) gosched(id *ast.Ident) {
	s, ok := r.parent().(*ast.SelectorExpr)
	if !ok {
		r.refuse(id, "runtime.Gosched cannot be found without the name of its package: import it in the ordinary way")
		return
	}
	r.tail = "\nvar _ = " + r.text(s) + "\n"
	r.replace(r.at(s.Pos()), r.at(s.End()), r.lang("Gosched"))
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
	case "testing":
		return t.Name() == "T"
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
