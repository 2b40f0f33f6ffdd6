package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// start: go f() becomes lang.Go(f). A function literal without parameters and results
// is passed as it is.
func (r *file) start(n *ast.GoStmt) {
	f, ok := n.Call.Fun.(*ast.FuncLit)
	if !ok || len(n.Call.Args) > 0 || f.Type.Results != nil {
		r.startCall(n)
		return
	}
	r.replace(r.at(n.Go), r.at(f.Pos()), r.lang("Go")+"(")
	r.replace(r.at(f.End()), r.at(n.Call.End()), ")")
}

// startCall is start for other calls. What the statement evaluates, that is the
// function value, the receiver and the arguments, is evaluated before lang.Go:
//
//	lang.Go(func() func() { f := x.m; a0 := a; return func() { f(a0, 1) } }())
func (r *file) startCall(n *ast.GoStmt) {
	evaluated := ""
	evaluate := func(x ast.Expr, name string) {
		evaluated += name + " := " + r.move(x, n.Go) + "; "
	}
	function := r.prefix + "f"
	if r.isStatic(n.Call.Fun) {
		function = r.move(n.Call.Fun, n.Go)
	} else {
		evaluate(n.Call.Fun, function)
	}
	var args []string
	for i, a := range n.Call.Args {
		name := fmt.Sprintf("%sa%d", r.prefix, i)
		switch tv := r.info.Types[a]; {
		case tv.Value != nil || tv.IsNil():
			args = append(args, r.move(a, n.Go))
		case isTuple(tv.Type): // f(g()), where g has several results
			for k := range tv.Type.(*types.Tuple).Len() {
				args = append(args, fmt.Sprintf("%s%d", name, k))
			}
			evaluate(a, strings.Join(args, ", "))
		default:
			r.checkUntyped(a, tv.Type)
			args = append(args, name)
			evaluate(a, name)
		}
	}
	if n.Call.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	}
	text := r.lang("Go") + "(func() func() { " + evaluated + "return func() { " + function + "(" + strings.Join(args, ", ") + ") } }())"
	r.replaceStatement(n.Go, n.End(), text)
}

func isTuple(t types.Type) bool {
	_, ok := t.(*types.Tuple)
	return ok
}

// isStatic reports whether f names a function, which needs no evaluation, and if it
// is generic or built in cannot be put into a variable.
func (r *file) isStatic(f ast.Expr) bool {
	var id *ast.Ident
	switch f := ast.Unparen(f).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		if r.info.Selections[f] != nil {
			return false // a method or field
		}
		id = f.Sel
	case *ast.IndexExpr:
		return r.isStatic(f.X)
	case *ast.IndexListExpr:
		return r.isStatic(f.X)
	default:
		return false
	}
	switch r.info.Uses[id].(type) {
	case *types.Func, *types.Builtin:
		return true
	}
	return false
}

// checkUntyped refuses arguments whose type depends on the parameter: as a variable
// of their own they would have another one.
func (r *file) checkUntyped(x ast.Expr, t types.Type) {
	b, ok := ast.Unparen(x).(*ast.BinaryExpr)
	if !ok {
		return
	}
	plain := types.Typ[types.Int]
	switch b.Op {
	case token.SHL, token.SHR:
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		plain = types.Typ[types.Bool]
	default:
		return
	}
	left := r.info.Types[b.X]
	if types.Identical(t, plain) || b.Op == token.SHL && left.Value == nil || b.Op == token.SHR && left.Value == nil {
		return
	}
	r.refuse(x, "this argument of a go statement becomes a %v only by being passed: put it into a variable first", t)
}
