package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
)

// send: c <- v becomes lang.To(c).Send(v).
func (r *file) send(n *ast.SendStmt) {
	if r.comms[n] {
		return
	}
	r.open(r.at(n.Chan.Pos()), r.lang("To")+"(")
	r.replace(r.at(n.Chan.End()), r.at(n.Value.Pos()), ").Send(")
	r.close(r.at(n.Value.End()), ")")
}

// receive: <-c becomes lang.Recv(c), or lang.RecvOK(c) where two values are wanted.
func (r *file) receive(n *ast.UnaryExpr) {
	if r.comms[n] {
		return
	}
	f := "Recv"
	switch p := r.parent().(type) {
	case *ast.AssignStmt:
		if len(p.Lhs) == 2 && len(p.Rhs) == 1 {
			f = "RecvOK"
			r.checkOK(p)
		}
	case *ast.ValueSpec:
		if len(p.Names) == 2 && len(p.Values) == 1 {
			f = "RecvOK"
		}
	}
	r.replace(r.at(n.OpPos), r.at(n.X.Pos()), r.lang(f)+"(")
	r.close(r.at(n.X.End()), ")")
}

// checkOK refuses v, ok = <-c where ok has a boolean type of its own: the call that
// takes the place of the receive returns a plain bool.
func (r *file) checkOK(n *ast.AssignStmt) {
	t := r.info.TypeOf(n.Lhs[1])
	if n.Tok != token.ASSIGN || t == nil || isBlank(n.Lhs[1]) {
		return
	}
	if _, plain := types.Unalias(t).(*types.Basic); plain || types.IsInterface(t) {
		return
	}
	r.refuse(n, "the second value of this receive goes into a variable of type %v: use a plain bool", t)
}

func isBlank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "_"
}

// builtin: make, close and len of channels.
func (r *file) builtin(n *ast.CallExpr) {
	id, ok := ast.Unparen(n.Fun).(*ast.Ident)
	if !ok {
		return
	}
	b, ok := r.info.Uses[id].(*types.Builtin)
	if !ok {
		return
	}
	switch b.Name() {
	case "make":
		r.made(n)
	case "close":
		r.rename(id, "Close")
	case "delete", "clear":
		if r.races && r.isMap(n.Args[0]) && !r.yields(n.Args...) {
			r.wrapMap("WriteMap", n.Args[0])
		}
	case "len":
		if r.races && r.isMap(n.Args[0]) {
			r.wrapMap("ReadMap", n.Args[0])
		}
		if c := r.channel(n.Args[0]); c != nil && c.Dir() == types.SendOnly {
			r.rename(id, "LenTo")
		} else if c != nil {
			r.rename(id, "Len")
		}
	}
}

// made: make(chan T) becomes lang.Make(make(chan T)).
func (r *file) made(n *ast.CallExpr) {
	c := r.channel(n)
	switch {
	case c == nil:
	case c.Dir() != types.SendRecv:
		r.refuse(n, "this makes a channel of which there is one end only: make(chan T) and convert it")
	default:
		r.open(r.at(n.Pos()), r.lang("Make")+"(")
		r.close(r.at(n.End()), ")")
	}
}

func (r *file) rename(id *ast.Ident, name string) {
	r.replace(r.at(id.Pos()), r.at(id.End()), r.lang(name))
}

// rangeOver: for v := range c becomes a loop around lang.RecvOK(c).
func (r *file) rangeOver(n *ast.RangeStmt) {
	if r.channel(n.X) == nil {
		r.rangeOverMap(n)
		return
	}
	c, v, ok := r.prefix+"c", r.prefix+"v", r.prefix+"ok"
	header, body := c+" := ", "; "
	switch {
	case n.Key == nil || isBlank(n.Key):
		v = "_"
	case n.Tok == token.ASSIGN:
		key := r.move(n.Key, n.Body.Lbrace)
		body = "; " + key + " = " + v + "; " + r.resync(key, n.Body.Lbrace)
	case r.perTurn():
		v = r.text(n.Key)
	default: // one variable for all turns
		header = c + ", " + r.text(n.Key) + " := " + r.lang("Range") + "("
		body = "; " + r.text(n.Key) + " = " + v + "; "
	}
	r.replace(r.at(n.For)+len("for"), r.at(n.X.Pos()), " "+header)
	end := ""
	if header[len(header)-1] == '(' {
		end = ")"
	}
	r.close(r.at(n.X.End()), end+"; ; ")
	r.close(r.at(n.Body.Lbrace)+1, " "+v+", "+ok+" := "+r.lang("RecvOK")+"("+c+"); if !"+ok+" { break }"+body+"{")
	r.open(r.at(n.Body.Rbrace), "}")
}

// rangeOverMap: range m becomes range lang.Entries(m). In a language that has no loops
// over functions it stays as it is.
func (r *file) rangeOverMap(n *ast.RangeStmt) {
	t := r.info.TypeOf(n.X)
	if v := r.info.FileVersions[r.ast]; t == nil || v != "" && version.Compare(v, "go1.23") < 0 {
		return
	}
	if _, ok := t.Underlying().(*types.Map); ok {
		if r.races {
			r.wrapMap("ReadMap", n.X)
		}
		r.open(r.at(n.X.Pos()), r.lang("Entries")+"(")
		r.close(r.at(n.X.End()), ")")
	}
}

// perTurn reports whether each turn of a loop has variables of its own.
func (r *file) perTurn() bool {
	v := r.info.FileVersions[r.ast]
	return v == "" || version.Compare(v, "go1.22") >= 0
}

// text returns the source of n.
func (r *file) text(n ast.Node) string { return string(r.src[r.at(n.Pos()):r.at(n.End())]) }
