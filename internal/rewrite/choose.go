package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// communication returns the send or receive that the case does, nil for the default.
func communication(c *ast.CommClause) ast.Node {
	switch s := c.Comm.(type) {
	case *ast.SendStmt:
		return s
	case *ast.ExprStmt:
		return ast.Unparen(s.X)
	case *ast.AssignStmt:
		return ast.Unparen(s.Rhs[0])
	}
	return nil
}

// choose: a select becomes a switch over lang.Select. The channels and the values to
// send move to its head, where they are evaluated once and in order; what a case
// assigns to stays, to be evaluated when the case has gone.
func (r *file) choose(n *ast.SelectStmt) {
	var names, operands []string
	hasDefault := false
	for _, clause := range n.Body.List {
		c := clause.(*ast.CommClause)
		if c.Comm == nil {
			hasDefault = true
			continue
		}
		name := fmt.Sprintf("%sc%d", r.prefix, len(names))
		operand, assignment := r.caseOf(c, name, n.Select)
		r.replaceStatement(c.Case, c.Colon+1, fmt.Sprintf("case %d:%s", len(names), assignment))
		names, operands = append(names, name), append(operands, operand)
	}
	init := ""
	if len(names) > 0 {
		init = strings.Join(names, ", ") + " := " + strings.Join(operands, ", ") + "; "
		init += r.resync(init, n.Select)
	}
	arguments := append([]string{fmt.Sprint(hasDefault)}, names...)
	head := "switch " + init + r.lang("Select") + "(" + strings.Join(arguments, ", ") + ") "
	r.replaceStatement(n.Select, n.Body.Lbrace, head)
	if hasDefault {
		return
	}
	// A select without default that never falls through ends a function.
	end := `default: panic("unreachable") `
	if len(names) > 0 {
		end = "; " + end
	}
	r.open(r.at(n.Body.Rbrace), end)
}

// caseOf returns the operand that stands for a case in the head of the switch, at base,
// and what the case assigns.
func (r *file) caseOf(c *ast.CommClause, name string, base token.Pos) (operand, assignment string) {
	if s, ok := c.Comm.(*ast.SendStmt); ok {
		return r.lang("ToCase") + "(" + r.move(s.Chan, base) + ").Val(" + r.move(s.Value, base) + ")", ""
	}
	receive := communication(c).(*ast.UnaryExpr)
	if a, ok := c.Comm.(*ast.AssignStmt); ok {
		assignment = r.assignment(a, name, c.Case)
	}
	return r.lang("FromCase") + "(" + r.move(receive.X, base) + ")", assignment
}

// assignment is what is left of v, ok := <-c in the case that is called name.
func (r *file) assignment(a *ast.AssignStmt, name string, base token.Pos) string {
	left, right := r.move(a.Lhs[0], base), name+".V"
	if len(a.Lhs) == 2 {
		r.checkOK(a)
		left += ", " + r.move(a.Lhs[1], base)
		right += ", " + name + ".OK"
	}
	return " " + left + " " + a.Tok.String() + " " + right + ";"
}
