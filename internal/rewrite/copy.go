package rewrite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

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

// copyModules copies the other modules that packages belong to into dir: the go command
// takes no overlay of what is in its cache. It moves their files from files into the
// copies, and returns the directories of these by their paths.
func (c Config) copyModules(ctx context.Context, list []*packages.Package, files map[string][]byte, dir string) (map[string]string, error) {
	copies := map[string]string{}
	for _, p := range list {
		if p.Module.Main || copies[movedPath(p.Module.Path)] != "" {
			continue
		}
		to := filepath.Join(dir, fmt.Sprintf("module%d", len(copies)))
		from, err := copyModule(p.Module, list, to)
		if err != nil {
			return nil, err
		}
		if err := moveFiles(from, to, files); err != nil {
			return nil, err
		}
		if _, err := c.goCommand(ctx, "mod", "edit", "-module="+movedPath(p.Module.Path), filepath.Join(to, "go.mod")); err != nil {
			return nil, err
		}
		copies[movedPath(p.Module.Path)] = to
	}
	return copies, nil
}

// copyModule copies a module to the directory to, and says where it was.
func copyModule(m *packages.Module, list []*packages.Package, to string) (from string, err error) {
	if from = m.Dir; m.Replace != nil {
		from = m.Replace.Dir
	}
	if from != "" {
		return from, os.CopyFS(to, os.DirFS(from))
	}
	for _, p := range list {
		if !p.Module.Main {
			continue
		}
		all := vendored(p.Module.Dir)
		if i := slices.IndexFunc(all, func(v vendoredModule) bool { return v.path == m.Path }); i >= 0 {
			return all[i].dir, all[i].copy(to, all)
		}
	}
	return "", fmt.Errorf("module %s: its source is not to be found", m.Path)
}

// placed returns the text of a Go file that tells the compiler where it was before it was
// copied.
func placed(name string, text []byte) []byte {
	return append([]byte("//line "+name+":1\n"), text...)
}

// moveFiles writes those of the files that are in the directory from into its copy to, and
// deletes them from files.
func moveFiles(from, to string, files map[string][]byte) error {
	for _, name := range sortedKeys(files) {
		rel, err := filepath.Rel(from, name)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		copied := filepath.Join(to, rel)
		if err := os.Remove(copied); err != nil { // files of the cache are read-only, and so are their copies
			return err
		}
		if err := os.WriteFile(copied, placed(name, files[name]), 0o666); err != nil {
			return err
		}
		delete(files, name)
	}
	return nil
}
