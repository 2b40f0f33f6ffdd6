package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// module is where the packages are that rewritten programs import.
const module = "github.com/modelcheck-go/modelcheck"

// replaced are the packages of the standard library that have a counterpart under
// control, below model/std in this module.
var replaced = map[string]bool{
	"context": true, "math/rand": true, "math/rand/v2": true, "sync": true, "sync/atomic": true, "testing": true, "testing/quick": true, "time": true,
}

// A unit is a type-checked package to be rewritten.
type unit struct {
	fset       *token.FileSet
	pkg        *types.Package
	info       *types.Info
	files      []*ast.File
	moved      map[string]string      // other paths of packages
	prefix     string                 // of the names that are put into its files
	controlled func(path string) bool // whether a package is rewritten or has a counterpart
	races      bool                   // accesses to variables are told of
	captured   map[*types.Var]bool    // see shared
	addressed  map[*types.Var]bool    // see addresses
	problems   []Problem
}

// A Problem is something that cannot be put under control.
type Problem struct {
	Pos  token.Position
	Text string
}

func (p Problem) String() string { return fmt.Sprintf("%v: %s", p.Pos, p.Text) }

// file rewrites one file.
type file struct {
	*unit
	splices
	ast   *ast.File
	tok   *token.File
	path  []ast.Node        // from the file down to the node around the one at hand
	comms map[ast.Node]bool // sends and receives that are what a case of a select does
	names map[string]string // of imports to be added, by path
	tail  string            // declarations to be added
}

// choosePrefix finds a prefix that no identifier of the package has.
func (u *unit) choosePrefix() {
	u.prefix = "modelcheck_"
	for _, f := range u.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				for strings.HasPrefix(id.Name, u.prefix) {
					u.prefix += "_"
				}
			}
			return true
		})
	}
}

// rewrite returns the text of f under control.
func (u *unit) rewrite(f *ast.File, src []byte) []byte {
	r := &file{unit: u, splices: splices{src: src}, ast: f, tok: u.fset.File(f.FileStart),
		comms: map[ast.Node]bool{}, names: map[string]string{}}
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CommClause); ok {
			r.comms[communication(c)] = true
		}
		if n != nil {
			r.path = append(r.path, n)
			return true
		}
		n = r.path[len(r.path)-1]
		r.path = r.path[:len(r.path)-1]
		r.node(n)
		return true
	})
	r.redirect()
	head := r.language()
	return slices.Concat([]byte(head), r.bytes(), []byte(r.tail))
}

// node rewrites n, whose children are rewritten already.
func (r *file) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.SendStmt:
		r.send(n)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			r.receive(n)
		}
	case *ast.CallExpr:
		r.builtin(n)
	case *ast.RangeStmt:
		r.rangeOver(n)
	case *ast.SelectStmt:
		r.choose(n)
	case *ast.GoStmt:
		r.start(n)
	case *ast.FuncDecl:
		r.test(n)
	case *ast.Ident:
		r.use(n)
		if !r.isSelected(n) {
			r.read(n)
		}
	case *ast.SelectorExpr:
		r.read(n)
	case *ast.IndexExpr:
		r.element(n)
	case *ast.AssignStmt:
		r.wrote(n, n.Lhs, n.Rhs)
	case *ast.IncDecStmt:
		r.wrote(n, []ast.Expr{n.X}, nil)
	}
}

// isSelected reports whether id is the field, method or member in a selector.
func (r *file) isSelected(id *ast.Ident) bool {
	s, ok := r.path[len(r.path)-1].(*ast.SelectorExpr)
	return ok && s.Sel == id
}

// lang returns the qualified name of a function of package lang.
func (r *file) lang(name string) string { return r.imported("model/std/lang", "lang") + "." + name }

// imported returns the name of a package to be imported.
func (r *file) imported(path, name string) string {
	if path != "testing" {
		path = module + "/" + path
	}
	r.names[path] = r.prefix + name
	return r.names[path]
}

// redirect makes the file import what its program needs under control.
func (r *file) redirect() {
	for _, spec := range r.ast.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil:
		case path == "C":
			r.refuse(spec, "a package that uses cgo cannot be put under control")
		case replaced[path]:
			r.replace(r.at(spec.Path.Pos()), r.at(spec.Path.End()), strconv.Quote(module+"/model/std/"+path))
		case r.moved[path] != "":
			r.replace(r.at(spec.Path.Pos()), r.at(spec.Path.End()), strconv.Quote(r.moved[path]))
		}
	}
	added := ""
	for _, path := range sortedKeys(r.names) {
		added += "; import " + r.names[path] + " " + strconv.Quote(path)
	}
	r.close(r.at(r.ast.Name.End()), added)
}

// move cuts the text of n, to be put where base is. If n is on another line, or has
// several, a comment tells the compiler where the text was. What follows the text
// has to begin with what resync returns.
func (r *file) move(n ast.Node, base token.Pos) string {
	text := r.cut(r.at(n.Pos()), r.at(n.End()))
	if r.line(n.Pos()) == r.line(base) && !strings.Contains(text, "\n") {
		return text
	}
	return r.lineComment(n.Pos()) + text
}

// resync returns the comment that leads back to pos after text that has moved, if any
// is needed.
func (r *file) resync(text string, pos token.Pos) string {
	if !strings.Contains(text, lineMark) {
		return ""
	}
	return r.lineComment(pos)
}

// replaceStatement replaces what stands from from to to by text that moved.
func (r *file) replaceStatement(from, to token.Pos, text string) {
	r.replace(r.at(from), r.at(to), text)
	r.close(r.at(to), r.resync(text, to))
}

const lineMark = "/*line "

func (r *file) line(pos token.Pos) int { return r.fset.PositionFor(pos, false).Line }

func (r *file) lineComment(pos token.Pos) string {
	p := r.fset.PositionFor(pos, false)
	return fmt.Sprintf(lineMark+"%s:%d:%d*/", p.Filename, p.Line, p.Column)
}

// at returns the offset of a position in the file.
func (r *file) at(p token.Pos) int { return r.tok.Offset(p) }

// refuse notes that n cannot be put under control.
func (r *file) refuse(n ast.Node, format string, args ...any) {
	r.problems = append(r.problems, Problem{r.fset.Position(n.Pos()), fmt.Sprintf(format, args...)})
}

// parent returns the node around the one at hand, parentheses left out.
func (r *file) parent() ast.Node {
	for i := len(r.path) - 1; i >= 0; i-- {
		if _, ok := r.path[i].(*ast.ParenExpr); !ok {
			return r.path[i]
		}
	}
	return nil
}

// channel returns the type of the channel x, nil if it is none.
func (r *file) channel(x ast.Expr) *types.Chan {
	return channelOf(r.info.TypeOf(x))
}

// channelOf returns the channel type that t is, or that operations on a t of a
// type parameter see.
func channelOf(t types.Type) *types.Chan {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return coreChannel(p)
	}
	c, _ := t.Underlying().(*types.Chan)
	return c
}

// coreChannel returns the channel type that all types of the constraint have in
// common, with the direction of the one that allows least.
func coreChannel(p *types.TypeParam) *types.Chan {
	var core *types.Chan
	iface := p.Constraint().Underlying().(*types.Interface)
	for i := range iface.NumEmbeddeds() {
		for _, t := range terms(iface.EmbeddedType(i)) {
			c, ok := t.Underlying().(*types.Chan)
			if !ok {
				return nil
			}
			if core == nil || c.Dir() != types.SendRecv {
				core = c
			}
		}
	}
	return core
}

// terms returns the types of a union, or t itself.
func terms(t types.Type) []types.Type {
	switch u := types.Unalias(t).(type) {
	case *types.Union:
		var list []types.Type
		for i := range u.Len() {
			list = append(list, u.Term(i).Type())
		}
		return list
	default:
		if iface, ok := t.Underlying().(*types.Interface); ok {
			var list []types.Type
			for i := range iface.NumEmbeddeds() {
				list = append(list, terms(iface.EmbeddedType(i))...)
			}
			return list
		}
		return []types.Type{t}
	}
}
