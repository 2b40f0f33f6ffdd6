package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// Accesses to ordinary variables, for data races:
//
//	x            *lang.Read(&x, "x")
//	x = v        x = v; lang.Wrote(&x, "x")
//
// Only what several goroutines can reach is told of: variables of packages, those that a
// function literal takes from around it and that are assigned to, and fields behind
// pointers; for elements see element.go. What is told of does happen, right then; so no
// race is made up. What is left out, and with it the races on it: what stands behind a pointer that is no field, and, in statements that call functions, writes in the
// header of another statement and to fields except x.f of a variable x.

// shared finds the variables that function literals take from around them and that are
// assigned to after they were declared.
func (u *unit) shared() map[*types.Var]bool {
	captured, assigned := map[*types.Var]bool{}, map[*types.Var]bool{}
	for _, f := range u.files {
		var lits []*ast.FuncLit
		var path []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				if _, ok := path[len(path)-1].(*ast.FuncLit); ok {
					lits = lits[:len(lits)-1]
				}
				path = path[:len(path)-1]
				return true
			}
			path = append(path, n)
			switch n := n.(type) {
			case *ast.FuncLit:
				lits = append(lits, n)
			case *ast.Ident:
				v, ok := u.info.Uses[n].(*types.Var)
				if ok && len(lits) > 0 && !v.IsField() && (v.Pos() < lits[len(lits)-1].Pos() || lits[len(lits)-1].End() <= v.Pos()) {
					captured[v] = true
				}
			case *ast.AssignStmt:
				for _, x := range n.Lhs {
					if id, ok := ast.Unparen(x).(*ast.Ident); ok {
						if v, ok := u.info.Uses[id].(*types.Var); ok {
							assigned[v] = true
						}
					}
				}
			case *ast.IncDecStmt:
				if id, ok := ast.Unparen(n.X).(*ast.Ident); ok {
					if v, ok := u.info.Uses[id].(*types.Var); ok {
						assigned[v] = true
					}
				}
			}
			return true
		})
	}
	for v := range captured {
		if !assigned[v] {
			delete(captured, v)
		}
	}
	return captured
}

// told reports whether accesses to x are told of: a variable or field that several
// goroutines can reach.
func (r *file) told(x ast.Expr) bool {
	if tv, ok := r.info.Types[x]; ok {
		if _, array := tv.Type.Underlying().(*types.Array); array {
			return false // len of it may be a constant
		}
	}
	switch x := x.(type) {
	case *ast.Ident:
		return r.reachable(x)
	case *ast.IndexExpr:
		return r.info.Types[x].Addressable() && r.behind(x.X)
	case *ast.SelectorExpr:
		if s := r.info.Selections[x]; s != nil {
			return s.Kind() == types.FieldVal && r.info.Types[x].Addressable() && r.behind(x.X)
		}
		v, ok := r.info.Uses[x.Sel].(*types.Var) // of another package
		return ok && v.Pkg() != nil && r.controlled(v.Pkg().Path()) && !replaced[v.Pkg().Path()] && !isOwn(v.Pkg().Path())
	}
	return false
}

func (r *file) reachable(id *ast.Ident) bool {
	v, ok := r.info.Uses[id].(*types.Var)
	return ok && !v.IsField() && (v.Parent() == r.pkg.Scope() || r.captured[v])
}

// behind reports whether several goroutines can reach what x has fields of.
func (r *file) behind(x ast.Expr) bool {
	t := r.info.TypeOf(x)
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice:
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return r.reachable(x)
	case *ast.SelectorExpr:
		if r.info.Selections[x] != nil {
			return r.behind(x.X)
		}
		return r.told(x)
	case *ast.IndexExpr:
		return r.behind(x.X)
	}
	return false
}

// read tells of reading n, if its value is used where it stands.
func (r *file) read(n ast.Expr) {
	if !r.races || !r.inFunction() || !r.told(n) || !r.valued(n) {
		return
	}
	r.open(r.at(n.Pos()), "(*"+r.lang("Read")+"(&")
	r.close(r.at(n.End()), ", "+strconv.Quote(r.text(n))+"))")
}

func (r *file) inFunction() bool {
	for _, n := range r.path {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		}
	}
	return false
}

// valued reports whether the value of n is used, and not just its address or a part.
func (r *file) valued(n ast.Expr) bool {
	is := func(x ast.Expr) bool { return x != nil && ast.Unparen(x) == n }
	switch p := r.parent().(type) {
	case *ast.SelectorExpr:
		return is(p.X) && r.refers(n)
	case *ast.UnaryExpr:
		return p.Op != token.AND
	case *ast.AssignStmt:
		for _, x := range p.Lhs {
			if is(x) {
				return false
			}
		}
	case *ast.IncDecStmt:
		return false
	case *ast.RangeStmt:
		return is(p.X)
	case *ast.IndexExpr:
		return !is(p.X) || r.refers(n)
	case *ast.SliceExpr:
		return !is(p.X) || r.refers(n)
	case *ast.CallExpr:
		if s, ok := ast.Unparen(p.Fun).(*ast.SelectorExpr); ok {
			if f, ok := r.info.Uses[s.Sel].(*types.Builtin); ok && f.Pkg() != nil { // unsafe
				return false
			}
		}
	case *ast.KeyValueExpr:
		return !is(p.Key)
	}
	return true
}

// refers reports whether n has to be read to get at what it refers to.
func (r *file) refers(n ast.Expr) bool {
	switch r.info.TypeOf(n).Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Signature, *types.Chan:
		return true
	}
	return false
}

// wrote tells of what the statement has written, or is about to where that comes to the
// same.
func (r *file) wrote(n ast.Stmt, lhs []ast.Expr, rhs []ast.Expr) {
	if !r.races || !r.inFunction() {
		return
	}
	told := ""
	for _, x := range lhs {
		x = ast.Unparen(x)
		_, element := x.(*ast.IndexExpr) // see element
		switch {
		case !r.told(x):
		case r.inList(n) && r.stays(x, len(lhs), rhs):
			told += "; " + r.lang("Wrote") + "(&" + r.text(x) + ", " + strconv.Quote(r.text(x)) + ")"
		case !element && r.immediate(n) && !r.defines(n):
			r.write(x)
		}
	}
	if told != "" {
		r.close(r.at(n.End()), told)
	}
}

// write tells of writing x where it stands.
func (r *file) write(x ast.Expr) {
	r.open(r.at(x.Pos()), "(*"+r.lang("Write")+"(&")
	r.close(r.at(x.End()), ", "+strconv.Quote(r.text(x))+"))")
}

func (r *file) defines(n ast.Stmt) bool {
	a, ok := n.(*ast.AssignStmt)
	return ok && a.Tok == token.DEFINE
}

// inList reports whether another statement can stand after n.
func (r *file) inList(n ast.Stmt) bool {
	switch p := r.parent().(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return p.Comm != n
	}
	return false
}

// stays reports whether x, to which a statement with n left sides has assigned, is still
// what it was.
func (r *file) stays(x ast.Expr, n int, rhs []ast.Expr) bool {
	if e, ok := x.(*ast.IndexExpr); ok {
		return n == 1 && r.yields(rhs...) && r.own(e.X) && r.own(e.Index) // else see element
	}
	s, ok := x.(*ast.SelectorExpr)
	if !ok || r.info.Selections[s] == nil {
		return true
	}
	id, ok := ast.Unparen(s.X).(*ast.Ident)
	if !ok || n > 1 || len(r.info.Selections[s].Index()) > 1 {
		return false
	}
	return !r.reachable(id) || !calls(rhs)
}

// calls reports whether evaluating the expressions may run other code.
func calls(list []ast.Expr) (found bool) {
	for _, x := range list {
		ast.Inspect(x, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				found = true
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			case *ast.FuncLit:
				return false
			}
			return !found
		})
	}
	return found
}
