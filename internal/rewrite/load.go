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
	With       []string // paths of other modules to be put under control with them
	Races      bool     // look for data races on ordinary variables
	Cache      string   // directory that keeps copies of such modules from one time to the next; "" for none
}

// load returns the packages to be put under control: those that the patterns match and
// what these import from the main module, with their tests, and from the modules With,
// without.
func (c Config) load(ctx context.Context) ([]*packages.Package, error) {
	overview, err := c.packages(ctx, packages.NeedName|packages.NeedFiles|packages.NeedModule|packages.NeedImports|packages.NeedDeps, true, c.Patterns)
	if err != nil {
		return nil, err
	}
	paths := map[string][]string{} // by module, that of the main module under ""
	packages.Visit(overview, func(p *packages.Package) bool {
		switch {
		case !controllable(p):
		case p.Module.Main:
			paths[""] = append(paths[""], p.PkgPath)
		default:
			paths[p.Module.Path] = append(paths[p.Module.Path], p.PkgPath)
		}
		return true
	}, nil)
	if len(paths[""]) == 0 {
		return nil, fmt.Errorf("no package of the main module in %s: want packages of the module in the current directory", strings.Join(c.Patterns, " "))
	}
	list, err := c.packages(ctx, packages.LoadSyntax|packages.NeedModule|packages.NeedForTest, true, unique(paths[""]))
	if err != nil {
		return nil, err
	}
	for _, module := range c.With {
		if len(paths[module]) == 0 {
			return nil, fmt.Errorf("no package of module %s is used: want the path of a module as go.mod has it", module)
		}
		others, err := c.packages(ctx, packages.LoadSyntax|packages.NeedModule, false, unique(paths[module]))
		if err != nil {
			return nil, err
		}
		list = append(list, others...)
	}
	return list, nil
}

func unique(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}

func (c Config) packages(ctx context.Context, mode packages.LoadMode, tests bool, patterns []string) ([]*packages.Package, error) {
	list, err := packages.Load(&packages.Config{Context: ctx, Dir: c.Dir, Mode: mode, BuildFlags: c.BuildFlags, Tests: tests}, patterns...)
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

// controllable reports whether p is an ordinary package of a module.
func controllable(p *packages.Package) bool {
	return p.Module != nil && !isOwn(p.PkgPath) && !strings.HasSuffix(p.PkgPath, ".test") &&
		!strings.HasSuffix(p.PkgPath, "_test")
}

// isOwn reports whether the package is one that rewritten programs link.
func isOwn(path string) bool {
	rest, ok := strings.CutPrefix(path, module+"/")
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(rest, "/")
	return slices.Contains([]string{"sched", "model", "explore", "internal"}, first)
}

// rewritten returns the texts of the files of the packages under control, by name, and
// what stands in the way.
func (c Config) rewritten(list []*packages.Package) (map[string][]byte, []Problem, error) {
	paths, moved := map[string]bool{}, map[string]string{}
	for _, p := range list {
		paths[p.PkgPath] = true
		if !p.Module.Main {
			moved[p.PkgPath] = movedPath(p.PkgPath)
		}
	}
	files := map[string][]byte{}
	var problems []Problem
	for _, p := range list {
		if strings.HasSuffix(p.PkgPath, ".test") {
			continue // the go command writes it
		}
		u := &unit{fset: p.Fset, pkg: p.Types, info: p.TypesInfo, files: p.Syntax, moved: moved,
			controlled: func(path string) bool { return paths[path] || replaced[path] || isOwn(path) }}
		u.choosePrefix()
		if u.races = c.Races; u.races {
			u.captured, u.addressed = u.shared(), u.addresses()
		}
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
