package rewrite

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// mainModule is a main module by itself.
type mainModule struct {
	path, file, goVersion string
	requires              map[string]bool // by path
	c                     Config
}

// mainModule returns the module whose go.mod is file.
func (c Config) mainModule(ctx context.Context, file string) (*mainModule, error) {
	text, err := c.goCommand(ctx, "mod", "edit", "-json", file)
	if err != nil {
		return nil, err
	}
	var read struct {
		Module  struct{ Path string }
		Go      string
		Require []struct{ Path string }
	}
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	m := &mainModule{path: read.Module.Path, file: file, goVersion: read.Go, requires: map[string]bool{}, c: c}
	for _, r := range read.Require {
		m.requires[r.Path] = true
	}
	return m, nil
}

func (m *mainModule) has(path string) bool { return m.path == path }

func (m *mainModule) dir() string { return filepath.Dir(m.file) }

// link writes a copy of the module's go.mod that requires this module too and takes the
// copies of others, with its go.sum. The go command takes what is vendored from copies:
// it would read no other list of it than the one in the vendor directory.
func (m *mainModule) link(ctx context.Context, b *Build, dir string, copies map[string]string) error {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return err
	}
	modfile := filepath.Join(dir, "go.mod")
	if err := os.WriteFile(modfile, text, 0o666); err != nil {
		return err
	}
	args, err := m.replacements(ctx, dir, copies)
	if err != nil {
		return err
	}
	sums := [][]byte{readIfThere(filepath.Join(m.dir(), "go.sum"))}
	if m.path != module {
		require, sum := requireOwn()
		args, sums = append(args, require...), append(sums, sum)
	}
	if version.Compare("go"+m.goVersion, "go"+goVersion) < 0 {
		args = append(args, "-go="+goVersion)
		if m.goVersion != "" {
			args = append(args, "-godebug=default="+version.Lang("go"+m.goVersion))
		}
	}
	if _, err := m.c.goCommand(ctx, append(append([]string{"mod", "edit"}, args...), modfile)...); err != nil {
		return err
	}
	b.Flags = append(b.Flags, "-modfile="+modfile, "-mod=mod")
	return os.WriteFile(filepath.Join(dir, "go.sum"), bytes.Join(sums, []byte("\n")), 0o666)
}

// replacements are the flags of go mod edit for what is copied.
func (m *mainModule) replacements(ctx context.Context, dir string, copies map[string]string) ([]string, error) {
	var args []string
	for _, path := range sortedKeys(copies) {
		args = append(args, "-require="+path+"@"+anyVersion(path), "-replace="+path+"="+copies[path])
	}
	list := vendored(m.dir())
	own, err := m.c.ownRequirements(ctx)
	if err != nil {
		return nil, err
	}
	for i, v := range list {
		if own[v.path] {
			continue // it may take packages that are not vendored
		}
		to := filepath.Join(dir, fmt.Sprintf("vendored%d", i))
		if err := v.copy(to, list); err != nil {
			return nil, err
		}
		args = append(args, "-replace="+v.path+"@"+v.version+"="+to)
	}
	return args, nil
}

// goVersion is the version of the language that this module needs.
const goVersion = "1.26.0"

// requireOwn returns the flags of go mod edit that make a module require this one, and
// what that needs in its go.sum.
func requireOwn() (args []string, sums []byte) {
	dir, release := source()
	args = append(args, "-require="+module+"@"+release)
	if dir != "" {
		args = append(args, "-replace="+module+"="+dir)
		sums = readIfThere(filepath.Join(dir, "go.sum"))
	}
	return args, sums
}

// refuseOwn refuses packages of main modules that the scheduler is itself built with: they
// would import what imports them.
func (c Config) refuseOwn(ctx context.Context, list []*packages.Package) error {
	own, err := c.ownRequirements(ctx)
	if err != nil {
		return err
	}
	var main []string
	for _, p := range list {
		if p.Module.Main && own[p.Module.Path] {
			main = append(main, p.PkgPath)
		}
	}
	if len(main) == 0 {
		return nil
	}
	dir, _ := source()
	needed, err := Config{Dir: dir}.goCommand(ctx, "list", "-deps", "./model/std/...")
	if err != nil {
		return err
	}
	for path := range strings.Lines(needed) {
		if path = strings.TrimSpace(path); slices.Contains(main, path) {
			return fmt.Errorf("package %s: the scheduler is itself built with it, so it cannot be under control by this name: leave it out, or try a copy of its module with another path in go.mod and imports", path)
		}
	}
	return nil
}

// ownRequirements lists the modules that this one requires, by path.
func (c Config) ownRequirements(ctx context.Context) (map[string]bool, error) {
	dir, _ := source()
	if dir == "" {
		return nil, nil
	}
	m, err := c.mainModule(ctx, filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	return m.requires, nil
}

func readIfThere(name string) []byte {
	text, _ := os.ReadFile(name) // a module without dependencies has no go.sum
	return text
}
