package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// Accesses to elements, for data races:
//
//	s[i]         *lang.Read(&s[i], "s[i]")
//	m[k]         lang.ReadMap(m, "m")[k]
//	s[i] = v     *lang.Write(&s[i], "s[i]") = v
//	m[k] = v     lang.WriteMap(m, "m")[k] = v
//
// A write is told of before the right side is evaluated, so only if nothing can happen in
// between: where the statement calls no function and receives nothing. Of s[i] = f() it is
// told after it, if s and i are variables that f cannot change. What append and copy do
// and what a loop over a slice reads is left out.

// element tells of reading or writing n, an element of something.
func (r *file) element(n *ast.IndexExpr) {
	if !r.races || !r.inFunction() {
		return
	}
	stmt, written := r.writing(n)
	if r.isMap(n.X) {
		switch {
		case !written:
			r.wrapMap("ReadMap", n.X)
		case r.immediate(stmt):
			r.wrapMap("WriteMap", n.X)
		}
		return
	}
	switch {
	case !written:
		r.read(n)
	case r.told(n) && r.immediate(stmt):
		r.write(n)
	}
}

func (r *file) isMap(x ast.Expr) bool {
	t := r.info.TypeOf(x)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func (r *file) wrapMap(function string, m ast.Expr) {
	name := strconv.Quote(r.text(m))
	r.open(r.at(m.Pos()), r.lang(function)+"(")
	r.close(r.at(m.End()), ", "+name+")")
}

// writing returns the statement that writes n, if one does.
func (r *file) writing(n ast.Expr) (ast.Stmt, bool) {
	switch p := r.parent().(type) {
	case *ast.AssignStmt:
		for _, x := range p.Lhs {
			if ast.Unparen(x) == n {
				return p, true
			}
		}
	case *ast.IncDecStmt:
		return p, true
	case *ast.RangeStmt:
		return nil, p.Key != nil && ast.Unparen(p.Key) == n || p.Value != nil && ast.Unparen(p.Value) == n
	}
	return nil, false
}

// immediate reports whether nothing else can happen while the statement is executed.
func (r *file) immediate(n ast.Stmt) bool {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		return !r.yields(n.X)
	case *ast.AssignStmt:
		return !r.yields(n.Lhs...) && !r.yields(n.Rhs...)
	}
	return false
}

// yields reports whether evaluating the expressions may run other code, conversions and
// functions of the language left out.
func (r *file) yields(list ...ast.Expr) (found bool) {
	for _, x := range list {
		ast.Inspect(x, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				tv := r.info.Types[n.Fun]
				found = found || !tv.IsType() && !tv.IsBuiltin()
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

// own reports whether x is a constant or a variable that only the statements of its own
// function change.
func (r *file) own(x ast.Expr) bool {
	if r.info.Types[x].Value != nil {
		return true
	}
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := r.info.Uses[id].(*types.Var)
	return ok && !r.reachable(id) && !r.addressed[v]
}

// addresses finds the variables whose address is taken.
func (u *unit) addresses() map[*types.Var]bool {
	list := map[*types.Var]bool{}
	note := func(x ast.Expr) {
		if id, ok := ast.Unparen(x).(*ast.Ident); ok {
			if v, ok := u.info.Uses[id].(*types.Var); ok {
				list[v] = true
			}
		}
	}
	for _, f := range u.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					note(n.X)
				}
			case *ast.SelectorExpr: // of a method, perhaps of a pointer
				note(n.X)
			}
			return true
		})
	}
	return list
}
