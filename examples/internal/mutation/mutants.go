package mutation

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is a change to the source: something that synchronises is taken away.
type mutant struct {
	file, where string // the function, or the variable, that it is in
	what        string // in words, with the text that is taken away
}

func (m mutant) String() string { return m.file + " " + m.where + ": " + m.what }

// edit is a text to put in at a place.
type edit struct {
	offset int
	text   string
}

// source is a file whose every mutant can be switched on: number n, counted from 1
// over all files, is on if the variable MUTANT is n.
type source struct {
	name    string
	text    string
	fset    *token.FileSet
	where   string
	edits   []edit
	counted bool
	mutants *[]mutant
	locks   map[string]int // number of the mutant by lock, in one function
}

// instrument returns the text of a file with its mutants in it, which it adds to list.
// Only what is in the functions and variables called names is changed, or everything if
// there are none.
//
// With counted set, a counter stands for what each lock guards, see switches.
func instrument(dir, name string, names []string, counted bool, list *[]mutant) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	s := &source{name: name, text: string(text), fset: token.NewFileSet(), counted: counted, mutants: list}
	f, err := parser.ParseFile(s.fset, name, text, 0)
	if err != nil {
		return "", err
	}
	for _, d := range f.Decls {
		for _, part := range parts(d) {
			if len(names) == 0 || slices.Contains(names, part.name) {
				s.where, s.locks = part.name, map[string]int{}
				ast.Inspect(part.node, s.visit)
			}
		}
	}
	slices.SortStableFunc(s.edits, func(a, b edit) int { return a.offset - b.offset })
	var b strings.Builder
	at := 0
	for _, e := range s.edits {
		b.WriteString(s.text[at:e.offset] + e.text)
		at = e.offset
	}
	return b.String() + s.text[at:], nil
}

// part is a declaration that has a name.
type part struct {
	name string
	node ast.Node
}

func parts(d ast.Decl) []part {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []part{{d.Name.Name, d}}
	case *ast.GenDecl:
		var list []part
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				list = append(list, part{v.Names[0].Name, v})
			}
		}
		return list
	}
	return nil
}

func (s *source) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			s.statement(n, call)
		}
	case *ast.DeferStmt:
		s.statement(n, n.Call)
	case *ast.ForStmt:
		if len(n.Body.List) == 0 && n.Init == nil && n.Cond != nil && strings.Contains(s.of(n.Cond), ".Recv()") {
			k := s.number("for " + s.of(n.Cond))
			s.wrap(n, fmt.Sprintf("if mutant != %d { ", k), " }")
		}
	case *ast.CallExpr:
		if called := s.of(n.Fun); (called == "model.Select" || called == "model.TrySelect") && !n.Ellipsis.IsValid() {
			for _, arg := range n.Args {
				if len(n.Args) > 1 || called == "model.TrySelect" {
					k := s.number("select case " + s.of(arg))
					s.wrap(arg, fmt.Sprintf("mutated(%d, ", k), ")")
				}
			}
		}
	}
	return true
}

// statement makes a mutant of a call that only synchronises.
func (s *source) statement(n ast.Node, call *ast.CallExpr) {
	fun := s.of(call.Fun)
	i := strings.LastIndex(fun, ".")
	object, method := fun[:max(i, 0)], fun[i+1:]
	k := 0
	switch method {
	case "Lock", "Unlock", "RLock", "RUnlock":
		if k = s.locks[object]; k == 0 {
			k = s.number("lock " + object)
			s.locks[object] = k
		}
	case "Send":
		if len(call.Args) != 1 {
			return
		}
		k = s.number(fun + "(" + s.of(call.Args[0]) + ")")
	case "Close", "close", "closeReqCh", "Broadcast", "Signal", "Recv", "Wait", "cancel", "shutdown":
		if len(call.Args) > 0 {
			return
		}
		k = s.number(fun + "()")
	default:
		return
	}
	after := " }"
	switch _, deferred := n.(*ast.DeferStmt); {
	case !s.counted:
	case method == "Lock" && !deferred:
		after += fmt.Sprintf("; guarded(&%s, true)", object)
	case method == "RLock" && !deferred:
		after += fmt.Sprintf("; guarded(&%s, false)", object)
	}
	s.wrap(n, fmt.Sprintf("if mutant != %d { ", k), after)
}

func (s *source) number(what string) int {
	*s.mutants = append(*s.mutants, mutant{s.name, s.where, what})
	return len(*s.mutants)
}

func (s *source) wrap(n ast.Node, before, after string) {
	s.edits = append(s.edits, edit{s.fset.Position(n.Pos()).Offset, before}, edit{s.fset.Position(n.End()).Offset, after})
}

// of is the text of n on one line.
func (s *source) of(n ast.Node) string {
	text := s.text[s.fset.Position(n.Pos()).Offset:s.fset.Position(n.End()).Offset]
	return strings.Join(strings.Fields(text), " ")
}

// switches declares what instrumented files use. What a lock guards is mostly made of
// ordinary variables, and a section of code in which nothing can wait is not interrupted:
// so guarded stands for them, a counter that is read and written in two steps. If the lock
// is not there two goroutines can be between the two.
const switches = `package %s

import (
	"errors"
	"os"
	"strconv"
	"sync"

	"github.com/modelcheck-go/modelcheck/model"
)

var mutant, _ = strconv.Atoi(os.Getenv("MUTANT"))

func mutated(n int, c model.Case) model.Case {
	if mutant == n {
		return model.Case{}
	}
	return c
}

// state is what a lock guards.
type state struct {
	value  model.Shared[int]
	writes int
}

var states sync.Map // by lock

func guarded(lock any, write bool) {
	v, known := states.LoadOrStore(lock, new(state))
	s := v.(*state)
	if !known {
		model.AtEnd("guarded: no write is lost", func() error {
			states.Delete(lock)
			if s.value.Get() != s.writes {
				return errors.New("one is lost")
			}
			return nil
		})
	}
	n := s.value.Get()
	if write {
		s.writes++
		s.value.Set(n + 1)
	}
}
`
