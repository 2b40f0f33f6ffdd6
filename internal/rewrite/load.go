package rewrite

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Config says what to rewrite.
type Config struct {
	Dir        string   // where the go command runs; "" is the current directory
	BuildFlags []string // of the go command
	Patterns   []string // packages whose tests are to be put under control
}

// load returns the packages to be put under control, with their tests: those that the
// patterns match and what these import from the main module.
func (c Config) load(ctx context.Context) ([]*packages.Package, error) {
	overview, err := c.packages(ctx, packages.NeedName|packages.NeedFiles|packages.NeedModule|packages.NeedImports|packages.NeedDeps, c.Patterns)
	if err != nil {
		return nil, err
	}
	var paths []string
	packages.Visit(overview, func(p *packages.Package) bool {
		if controllable(p) {
			paths = append(paths, p.PkgPath)
		}
		return true
	}, nil)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if len(paths) == 0 {
		return nil, fmt.Errorf("no package of the main module in %s: want packages of the module in the current directory", strings.Join(c.Patterns, " "))
	}
	return c.packages(ctx, packages.LoadSyntax|packages.NeedModule|packages.NeedForTest, paths)
}

func (c Config) packages(ctx context.Context, mode packages.LoadMode, patterns []string) ([]*packages.Package, error) {
	list, err := packages.Load(&packages.Config{Context: ctx, Dir: c.Dir, Mode: mode, BuildFlags: c.BuildFlags, Tests: true}, patterns...)
	if err != nil {
		return nil, err
	}
	return list, loadErrors(list)
}

// loadErrors are the errors of the packages. A package that does not compile has, besides
// those of the type checker, what the compiler printed, and all of them once more for
// its tests.
func loadErrors(list []*packages.Package) error {
	var checked, other []string
	packages.Visit(list, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			if e.Kind == packages.TypeError || e.Kind == packages.ParseError {
				checked = append(checked, e.Error())
			} else {
				other = append(other, e.Error())
			}
		}
	})
	if len(checked) == 0 {
		checked = other
	}
	slices.Sort(checked)
	if checked = slices.Compact(checked); len(checked) == 0 {
		return nil
	}
	return errors.New(strings.Join(checked, "\n"))
}

// controllable reports whether p is an ordinary package of the main module.
func controllable(p *packages.Package) bool {
	return p.Module != nil && p.Module.Main && !isOwn(p.PkgPath) && !strings.HasSuffix(p.PkgPath, ".test") &&
		!strings.HasSuffix(p.PkgPath, "_test")
}

// isOwn reports whether the package is one that rewritten programs link.
func isOwn(path string) bool {
	rest, ok := strings.CutPrefix(path, module+"/")
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(rest, "/")
	return slices.Contains([]string{"sched", "model", "explore", "std", "internal"}, first)
}

// rewritten returns the texts of the files of the packages under control, by name, and
// what stands in the way.
func rewritten(list []*packages.Package) (map[string][]byte, []Problem, error) {
	paths := map[string]bool{}
	for _, p := range list {
		paths[p.PkgPath] = true
	}
	files := map[string][]byte{}
	var problems []Problem
	for _, p := range list {
		if strings.HasSuffix(p.PkgPath, ".test") {
			continue // the go command writes it
		}
		u := &unit{fset: p.Fset, pkg: p.Types, info: p.TypesInfo, files: p.Syntax,
			controlled: func(path string) bool { return paths[path] || replaced[path] || isOwn(path) }}
		u.choosePrefix()
		for _, f := range p.Syntax {
			name := p.Fset.Position(f.FileStart).Filename
			if _, done := files[name]; done {
				continue // as part of the package without its tests
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return nil, nil, err
			}
			files[name] = u.rewrite(f, src)
		}
		problems = append(problems, u.problems...)
	}
	return files, problems, nil
}

// unexplored counts the examples, fuzz targets and benchmarks in the tests, which are
// not run.
func unexplored(list []*packages.Package) int {
	n := 0
	seen := map[token.Position]bool{}
	for _, p := range list {
		for _, f := range p.Syntax {
			if !strings.HasSuffix(filepath.Base(p.Fset.Position(f.FileStart).Filename), "_test.go") {
				continue
			}
			for _, d := range f.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Recv != nil || seen[p.Fset.Position(d.Pos())] {
					continue
				}
				seen[p.Fset.Position(d.Pos())] = true
				if isTestName(d.Name.Name, "Example") || isTestName(d.Name.Name, "Fuzz") {
					n++
				}
			}
		}
	}
	return n
}
