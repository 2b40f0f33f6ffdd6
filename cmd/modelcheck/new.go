package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// templates has a package of Go for each kind of model. They are part of this module,
// and so are built and tested with it.
//
//go:embed template
var templates embed.FS

func newCommand() command {
	return command{
		name:  "new",
		usage: "TEMPLATE DIRECTORY",
		short: "write a model to begin with",
		long: `Writes a model of the kind that TEMPLATE names into DIRECTORY, which must be new or
empty: a package with the name of the directory, tests, and a README.md that says
how to go on.

Templates:
  lifecycle   a service that is started, takes jobs, and is stopped
`,
		prepare: func(*flag.FlagSet) action {
			return func(_ context.Context, std stdio, args, _ []string) (int, error) {
				if len(args) != 2 {
					return 0, fmt.Errorf("want a template and a directory, found %s", plural(len(args), "argument"))
				}
				return exitOK, writeModel(std, args[0], args[1])
			}
		},
	}
}

func writeModel(std stdio, template, dir string) error {
	files, err := templateFiles(template)
	if err != nil {
		return err
	}
	name, err := packageName(dir)
	if err != nil {
		return err
	}
	mod, err := goMod(dir)
	if err != nil {
		return err
	}
	if err := makeEmpty(dir); err != nil {
		return err
	}
	for _, f := range files {
		if err := writeTemplateFile(f, template, filepath.Join(dir, path.Base(f)), name); err != nil {
			return err
		}
		fmt.Fprintln(std.out, filepath.ToSlash(filepath.Join(dir, path.Base(f))))
	}
	if !requiresModelcheck(mod) {
		fmt.Fprintf(std.out, "\n%s does not require modelcheck yet: go get %s\n", mod, modulePath)
	}
	fmt.Fprintf(std.out, "\nmodelcheck run %s shows what is right and wrong with it.\n", relative(dir))
	return nil
}

func templateFiles(template string) ([]string, error) {
	files, err := fs.Glob(templates, "template/"+template+"/*")
	if err == nil && len(files) > 0 && fs.ValidPath(template) && !strings.Contains(template, "/") {
		return files, nil
	}
	return nil, unknown("template", template, templateNames())
}

func templateNames() []string {
	var names []string
	entries, _ := templates.ReadDir("template")
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// packageName is the name of a package in dir: that of the directory, without what no
// name may have, as in go-redis or v2.pool.
func packageName(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	base := filepath.Base(abs)
	name := strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, base)
	if !token.IsIdentifier(name) || name == "_" || name == "main" {
		return "", fmt.Errorf("want a directory whose name can be that of a package, found %q", base)
	}
	return name, nil
}

// goMod returns the go.mod file of the module that dir is in.
func goMod(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := abs; ; at = filepath.Dir(at) {
		file := filepath.Join(at, "go.mod")
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("want a directory in a Go module, found no go.mod in %s or above: go mod init makes one", abs)
		}
	}
}

// makeEmpty makes sure that dir is there and empty.
func makeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.MkdirAll(dir, 0o777)
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("want a new or empty directory, found %s in %s: nothing was written", entries[0].Name(), dir)
	}
	return nil
}

func writeTemplateFile(from, template, to, name string) error {
	text, err := templates.ReadFile(from)
	if err != nil {
		return err
	}
	if path.Ext(from) == ".go" {
		text = regexp.MustCompile(`(?m)^(package |// Package )`+template+`\b`).ReplaceAll(text, []byte("${1}"+name))
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

const modulePath = "github.com/modelcheck-go/modelcheck"

// requiresModelcheck reports whether a go.mod file is modelcheck's own or names it.
func requiresModelcheck(mod string) bool {
	text, err := os.ReadFile(mod)
	return err == nil && slices.Contains(strings.Fields(string(text)), modulePath)
}

// relative is dir as the go command wants it: ./dir, or as it is if it is absolute.
func relative(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	clean := filepath.ToSlash(filepath.Clean(dir))
	if clean == "." || clean == ".." || strings.HasPrefix(clean, "../") {
		return clean
	}
	return "./" + clean
}
