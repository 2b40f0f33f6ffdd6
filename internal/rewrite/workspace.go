package rewrite

import (
	"context"
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
)

// workspace is one of several main modules.
type workspace struct {
	file      string
	goVersion string
	modules   map[string]string // directories by path
	replaced  []replacement     // of modules by directories
	c         Config
}

type replacement struct {
	Old, New struct{ Path, Version string }
}

// workspace reads the workspace whose go.work is file.
func (c Config) workspace(ctx context.Context, file string) (*workspace, error) {
	text, err := c.goCommand(ctx, "work", "edit", "-json", file)
	if err != nil {
		return nil, err
	}
	var read struct {
		Go      string
		Use     []struct{ DiskPath string }
		Replace []replacement
	}
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	w := &workspace{file: file, goVersion: read.Go, modules: map[string]string{}, c: c}
	for _, use := range read.Use {
		dir := w.absolute(use.DiskPath)
		m, err := c.mainModule(ctx, filepath.Join(dir, "go.mod"))
		if err != nil {
			return nil, err
		}
		w.modules[m.path] = dir
	}
	for _, r := range read.Replace {
		if r.New.Version == "" {
			r.New.Path = w.absolute(r.New.Path)
			w.replaced = append(w.replaced, r)
		}
	}
	return w, nil
}

// absolute returns a directory that stands in the file.
func (w *workspace) absolute(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(filepath.Dir(w.file), dir)
}

func (w *workspace) has(path string) bool { return w.modules[path] != "" }

// link writes a workspace of the same modules, and the copies of others. Another module in
// it, which has no packages, requires this one: no go.mod of the user's does.
func (w *workspace) link(ctx context.Context, b *Build, dir string, copies map[string]string) error {
	text, err := os.ReadFile(w.file)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "go.work")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return err
	}
	if err := os.WriteFile(file+".sum", readIfThere(w.file+".sum"), 0o666); err != nil {
		return err
	}
	used, err := w.c.goCommand(ctx, "work", "edit", "-json", file)
	if err != nil {
		return err
	}
	var read struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal([]byte(used), &read); err != nil {
		return err
	}
	args := []string{"work", "edit"}
	for _, use := range read.Use {
		args = append(args, "-dropuse="+use.DiskPath)
	}
	for _, path := range sortedKeys(w.modules) {
		args = append(args, "-use="+w.modules[path])
	}
	for _, path := range sortedKeys(copies) {
		args = append(args, "-use="+copies[path])
	}
	for _, r := range w.replaced {
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		args = append(args, "-replace="+old+"="+r.New.Path)
	}
	if !w.has(module) {
		bridge := filepath.Join(dir, "bridge")
		if err := w.c.writeBridge(ctx, bridge); err != nil {
			return err
		}
		args = append(args, "-use="+bridge)
	}
	if version.Compare("go"+w.goVersion, "go"+goVersion) < 0 {
		args = append(args, "-go="+goVersion)
		if w.goVersion != "" {
			args = append(args, "-godebug=default="+version.Lang("go"+w.goVersion))
		}
	}
	if _, err := w.c.goCommand(ctx, append(args, file)...); err != nil {
		return err
	}
	b.Env = append(b.Env, "GOWORK="+file)
	return nil
}

// writeBridge writes a module that requires this one.
func (c Config) writeBridge(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	modfile := filepath.Join(dir, "go.mod")
	if err := os.WriteFile(modfile, []byte("module "+movedPath("bridge")+"\n\ngo "+goVersion+"\n"), 0o666); err != nil {
		return err
	}
	args, sums := requireOwn()
	if _, err := c.goCommand(ctx, append(append([]string{"mod", "edit"}, args...), modfile)...); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666)
}
