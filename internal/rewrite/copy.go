package rewrite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

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
		from := p.Module.Dir
		if p.Module.Replace != nil {
			from = p.Module.Replace.Dir
		}
		to := filepath.Join(dir, fmt.Sprintf("module%d", len(copies)))
		if err := copyModule(from, to, files); err != nil {
			return nil, err
		}
		if _, err := c.goCommand(ctx, "mod", "edit", "-module="+movedPath(p.Module.Path), filepath.Join(to, "go.mod")); err != nil {
			return nil, err
		}
		copies[movedPath(p.Module.Path)] = to
	}
	return copies, nil
}

func copyModule(from, to string, files map[string][]byte) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	for _, name := range sortedKeys(files) {
		rel, err := filepath.Rel(from, name)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		copied := filepath.Join(to, rel)
		if err := os.Remove(copied); err != nil { // files of the cache are read-only, and so are their copies
			return err
		}
		if err := os.WriteFile(copied, files[name], 0o666); err != nil {
			return err
		}
		delete(files, name)
	}
	return nil
}
