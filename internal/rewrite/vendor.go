package rewrite

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// vendoredModule is a module whose packages the vendor directory of another has.
type vendoredModule struct {
	path, version, goVersion string
	dir                      string
}

// vendored lists the modules that the go command takes from a vendor directory in dir.
func vendored(dir string) []vendoredModule {
	vendor := filepath.Join(dir, "vendor")
	text := readIfThere(filepath.Join(vendor, "modules.txt"))
	if text == nil {
		return nil
	}
	var list []vendoredModule
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			fields := append(strings.Fields(rest), "", "")
			if fields[1] != "" && fields[1] != "=>" { // else a replacement of all versions, told before
				list = append(list, vendoredModule{path: fields[0], version: fields[1], dir: filepath.Join(vendor, filepath.FromSlash(fields[0]))})
			}
		} else if _, v, ok := strings.Cut(line, "; go "); ok && len(list) > 0 && strings.HasPrefix(line, "## ") {
			list[len(list)-1].goVersion = strings.TrimSpace(v)
		}
	}
	return list
}

// copy makes a module of the vendored packages, in the directory to. Those of other modules
// whose paths begin likewise stay out.
func (v vendoredModule) copy(to string, all []vendoredModule) error {
	roots := map[string]bool{}
	for _, other := range all {
		roots[other.dir] = other.path != v.path
	}
	err := filepath.WalkDir(v.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(v.dir, name)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && roots[name]:
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".go") {
			text = placed(name, text)
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o666)
	})
	if os.IsNotExist(err) { // none of its packages is needed
		err = os.MkdirAll(to, 0o777)
	}
	if err != nil {
		return err
	}
	text := "module " + v.path + "\n"
	if v.goVersion != "" {
		text += fmt.Sprintf("\ngo %s\n", v.goVersion)
	}
	return os.WriteFile(filepath.Join(to, "go.mod"), []byte(text), 0o666)
}
