package rewrite

import (
	"context"
	"crypto/sha256"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

// movedPath is the import path of a package of another module under control. It is not
// its own, because the tool needs some of these modules itself, as they are.
func movedPath(path string) string { return "controlled.invalid/" + path }

var majorSuffix = regexp.MustCompile(`/(v[0-9]+)$`)

// anyVersion returns a version that a module of that path may have.
func anyVersion(path string) string {
	if m := majorSuffix.FindStringSubmatch(path); m != nil {
		return m[1] + ".0.0"
	}
	return "v0.0.0"
}

// copyModules copies the other modules that packages belong to: the go command takes no
// overlay of what is in its cache. It moves their files from files into the copies, and
// returns the directories of these by their paths.
func (c Config) copyModules(ctx context.Context, list []*packages.Package, files map[string][]byte, dir string) (map[string]string, error) {
	copies := map[string]string{}
	for _, p := range list {
		path := movedPath(p.Module.Path)
		if p.Module.Main || copies[path] != "" {
			continue
		}
		from, err := sourceOf(p.Module, list)
		if err != nil {
			return nil, err
		}
		own := from.take(files)
		in := dir
		if c.Cache != "" && from.fixed {
			in = c.Cache
			prune(in)
		}
		to := filepath.Join(in, "module-"+from.key(own))
		if err := c.writeCopy(ctx, from, own, to); err != nil {
			return nil, err
		}
		copies[path] = to
	}
	return copies, nil
}

// writeCopy makes the copy to of a module, with own in place of some of its files. It is
// there whole or not at all, and so can be used again, and by others at the same time.
func (c Config) writeCopy(ctx context.Context, from moduleSource, own map[string][]byte, to string) error {
	if now := time.Now(); os.Chtimes(to, now, now) == nil {
		return nil // it is there, and in use
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	partial, err := os.MkdirTemp(filepath.Dir(to), "partial")
	if err != nil {
		return err
	}
	defer os.RemoveAll(partial)
	if err := from.copy(partial); err != nil {
		return err
	}
	for _, name := range sortedKeys(own) {
		rel, err := filepath.Rel(from.dir, name)
		if err != nil {
			return err
		}
		copied := filepath.Join(partial, rel)
		if err := os.Remove(copied); err != nil { // files of the cache are read-only, and so are their copies
			return err
		}
		if err := os.WriteFile(copied, placed(name, own[name]), 0o666); err != nil {
			return err
		}
	}
	if err := c.rename(ctx, from, filepath.Join(partial, "go.mod")); err != nil {
		return err
	}
	if err := os.Rename(partial, to); err != nil {
		if _, there := os.Stat(to); there != nil { // not somebody else's, either
			return err
		}
	}
	return nil
}

// rename gives a copy its path, and a language that has generic functions: all that
// go1.21 changed since is what it allows.
func (c Config) rename(ctx context.Context, from moduleSource, modfile string) error {
	m, err := c.mainModule(ctx, modfile)
	if err != nil {
		return err
	}
	args := []string{"mod", "edit", "-module=" + movedPath(from.path)}
	if version.Compare("go"+m.goVersion, oldLanguage) < 0 {
		args = append(args, "-go="+strings.TrimPrefix(oldLanguage, "go"))
	}
	_, err = c.goCommand(ctx, append(args, modfile)...)
	return err
}

// keepUnused is how long copies stay that nobody uses.
const keepUnused = 30 * 24 * time.Hour

// prune removes what was last used long ago, as far as it can.
func prune(cache string) {
	entries, _ := os.ReadDir(cache) // not there yet
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keepUnused {
			os.RemoveAll(filepath.Join(cache, e.Name()))
		}
	}
}

// moduleSource is where a module comes from.
type moduleSource struct {
	path, version, dir string
	fixed              bool // what belongs to that version never changes
	copy               func(to string) error
}

// take removes the files of the module from files and returns them.
func (m moduleSource) take(files map[string][]byte) map[string][]byte {
	own := map[string][]byte{}
	for name, text := range files {
		if rel, err := filepath.Rel(m.dir, name); err == nil && filepath.IsLocal(rel) {
			own[name] = text
			delete(files, name)
		}
	}
	return own
}

// key names the copy of the module with the files own.
func (m moduleSource) key(own map[string][]byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "copies since go.mod is raised: %q %q %q\n", m.path, m.version, m.dir)
	for _, name := range sortedKeys(own) {
		fmt.Fprintf(h, "%q %d\n%s", name, len(own[name]), own[name])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// sourceOf says where the module m is: in the module cache, replaced by a directory, or
// vendored by one of those in the list.
func sourceOf(m *packages.Module, list []*packages.Package) (moduleSource, error) {
	s := moduleSource{path: m.Path, version: m.Version, dir: m.Dir}
	if m.Replace != nil {
		s.dir, s.version = m.Replace.Dir, m.Replace.Version
	}
	if s.dir != "" {
		s.fixed = s.version != ""
		s.copy = func(to string) error { return os.CopyFS(to, os.DirFS(s.dir)) }
		return s, nil
	}
	for _, p := range list {
		if !p.Module.Main {
			continue
		}
		all := vendored(p.Module.Dir)
		if i := slices.IndexFunc(all, func(v vendoredModule) bool { return v.path == m.Path }); i >= 0 {
			s.dir, s.copy = all[i].dir, func(to string) error { return all[i].copy(to, all) }
			return s, nil
		}
	}
	return s, fmt.Errorf("module %s: its source is not to be found", m.Path)
}

// placed returns the text of a Go file that tells the compiler where it was before it was
// copied.
func placed(name string, text []byte) []byte {
	return append([]byte("//line "+name+":1\n"), text...)
}
