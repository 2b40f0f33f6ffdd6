package model_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// TestEverythingHasAnExample: every exported function and type of the package has an
// example whose output is checked, its own or that of a function or method of the type.
func TestEverythingHasAnExample(t *testing.T) {
	arguments := []string{"CancelCauseFunc", "CancelFunc", "Locker", "Object"} // examples of others have them
	p := documentation(t)
	for _, f := range p.Funcs {
		if !shows(f.Examples) {
			t.Errorf("%s has no example with an output", f.Name)
		}
	}
	for _, typ := range p.Types {
		all := typ.Examples
		for _, f := range slices.Concat(typ.Funcs, typ.Methods) {
			all = append(all, f.Examples...)
		}
		if !shows(all) && !slices.Contains(arguments, typ.Name) {
			t.Errorf("%s has no example with an output", typ.Name)
		}
	}
}

func shows(list []*doc.Example) bool {
	return slices.ContainsFunc(list, func(ex *doc.Example) bool { return ex.Output != "" || ex.EmptyOutput })
}

// documentation reads the package with its tests.
func documentation(t *testing.T) *doc.Package {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(set, files, "github.com/modelcheck-go/modelcheck/model")
	if err != nil {
		t.Fatal(err)
	}
	return p
}
