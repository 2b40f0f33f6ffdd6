package rewrite

import (
	"go/ast"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"
)

// test: func TestX(t *testing.T) { body } becomes
//
//	func TestX(t *testing.T) { Explore(t, func(t *testing.T) { body }) }
//
// where the first T is that of the original package testing, as the go command wants
// it, and the second its counterpart.
func (r *file) test(n *ast.FuncDecl) {
	if !r.isTest(n) {
		return
	}
	t := r.prefix + "t"
	parameter := r.text(n.Type.Params)
	r.replace(r.at(n.Type.Params.Pos()), r.at(n.Type.Params.End()), "("+t+" *"+r.imported("testing", "testing")+".T)")
	r.close(r.at(n.Body.Lbrace)+1, " "+r.imported("model/std/testing", "explore")+".Explore("+t+", func"+parameter+" {")
	r.open(r.at(n.Body.Rbrace), "})")
}

// isTest reports whether n is a test function, as the go command sees it.
func (r *file) isTest(n *ast.FuncDecl) bool {
	if n.Recv != nil || n.Body == nil || !isTestName(n.Name.Name, "Test") || !strings.HasSuffix(r.tok.Name(), "_test.go") {
		return false
	}
	f, ok := r.info.Defs[n.Name].(*types.Func)
	return ok && isTestSignature(f.Signature())
}

func isTestSignature(s *types.Signature) bool {
	return s.TypeParams() == nil && s.Params().Len() == 1 && s.Results().Len() == 0 &&
		types.TypeString(s.Params().At(0).Type(), nil) == "*testing.T"
}

// isTestName reports whether name is prefix, or goes on with anything but a
// lower-case letter.
func isTestName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return false
	}
	first, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(first)
}
