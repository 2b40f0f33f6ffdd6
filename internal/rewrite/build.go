package rewrite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// A Build is what the go command needs to build tests under control.
type Build struct {
	Flags      []string // for go list and go test
	Unexplored int      // examples and fuzz targets among the tests: they are not run
}

// Skip is the pattern of what is not run, for the flag -test.skip.
const Skip = "^(Example|Fuzz)"

// Prepare rewrites packages and writes what the go command needs to build their tests
// under control into the directory dir, which must exist. It changes nothing else.
func Prepare(ctx context.Context, c Config, dir string) (*Build, error) {
	main, err := c.mainModule(ctx)
	if err != nil {
		return nil, err
	}
	list, err := c.load(ctx)
	if err != nil {
		return nil, err
	}
	files, problems, err := rewritten(list)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, errorOf(problems)
	}
	b := &Build{Unexplored: unexplored(list)}
	copies, err := c.copyModules(ctx, list, files, dir)
	if err != nil {
		return nil, err
	}
	overlay, err := writeOverlay(dir, files)
	if err != nil {
		return nil, err
	}
	b.Flags = append(b.Flags, "-overlay="+overlay)
	if main.path != module || len(copies) > 0 {
		modfile, err := main.writeModfile(ctx, dir, copies)
		if err != nil {
			return nil, err
		}
		b.Flags = append(b.Flags, "-modfile="+modfile, "-mod=mod")
	}
	return b, nil
}

func errorOf(problems []Problem) error {
	list := make([]error, len(problems))
	for i, p := range problems {
		list[i] = errors.New(p.String())
	}
	return errors.Join(list...)
}

// writeOverlay writes the files, and the JSON file that tells the go command of them,
// whose name it returns. What it writes depends on the files alone.
func writeOverlay(dir string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for i, name := range sortedKeys(files) {
		replace[name] = filepath.Join(dir, fmt.Sprintf("%d_%s", i, filepath.Base(name)))
		if err := os.WriteFile(replace[name], files[name], 0o666); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o666)
}

// mainModule is the module that the packages belong to.
type mainModule struct {
	path, dir, goVersion string
	c                    Config
}

// mainModule finds the main module. It refuses set-ups in which the go command takes
// no other go.mod.
func (c Config) mainModule(ctx context.Context) (*mainModule, error) {
	out, err := c.goCommand(ctx, "env", "GOWORK", "GOMOD")
	if err != nil {
		return nil, err
	}
	work, mod, _ := strings.Cut(strings.TrimRight(out, "\n"), "\n")
	switch {
	case work != "" && work != "off":
		return nil, fmt.Errorf("%s is in use: a workspace is not supported, set GOWORK=off", work)
	case mod == "" || mod == os.DevNull:
		return nil, errors.New("no go.mod here: want to be run in a module")
	}
	m := &mainModule{dir: filepath.Dir(mod), c: c}
	if _, err := os.Stat(filepath.Join(m.dir, "vendor", "modules.txt")); err == nil {
		return nil, fmt.Errorf("%s has a vendor directory: that is not supported, move it away for the time being", m.dir)
	}
	text, err := c.goCommand(ctx, "mod", "edit", "-json", mod)
	if err != nil {
		return nil, err
	}
	var file struct {
		Module struct{ Path string }
		Go     string
	}
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		return nil, fmt.Errorf("%s: %w", mod, err)
	}
	m.path, m.goVersion = file.Module.Path, file.Go
	return m, nil
}

// writeModfile writes a copy of the module's go.mod that requires this module too and
// takes the copies of others, with its go.sum, and returns its name.
func (m *mainModule) writeModfile(ctx context.Context, dir string, copies map[string]string) (string, error) {
	text, err := os.ReadFile(filepath.Join(m.dir, "go.mod"))
	if err != nil {
		return "", err
	}
	modfile := filepath.Join(dir, "go.mod")
	if err := os.WriteFile(modfile, text, 0o666); err != nil {
		return "", err
	}
	own, release := source()
	args := []string{"mod", "edit"}
	for _, path := range sortedKeys(copies) {
		args = append(args, "-require="+path+"@"+anyVersion(path), "-replace="+path+"="+copies[path])
	}
	if m.path != module {
		args = append(args, "-require="+module+"@"+release)
	}
	var sums [][]byte
	if own != "" && m.path != module {
		args = append(args, "-replace="+module+"="+own)
		sums = append(sums, readIfThere(filepath.Join(own, "go.sum")))
	}
	if version.Compare("go"+m.goVersion, "go"+goVersion) < 0 {
		args = append(args, "-go="+goVersion)
		if m.goVersion != "" {
			args = append(args, "-godebug=default="+version.Lang("go"+m.goVersion))
		}
	}
	if _, err := m.c.goCommand(ctx, append(args, modfile)...); err != nil {
		return "", err
	}
	sums = append(sums, readIfThere(filepath.Join(m.dir, "go.sum")))
	return modfile, os.WriteFile(filepath.Join(dir, "go.sum"), bytes.Join(sums, []byte("\n")), 0o666)
}

// goVersion is the version of the language that this module needs.
const goVersion = "1.26.0"

func readIfThere(name string) []byte {
	text, _ := os.ReadFile(name) // a module without dependencies has no go.sum
	return text
}

// source returns the directory of this module's source, "" when it is not to be found,
// and its version.
func source() (dir, release string) {
	release = "v0.0.0"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == module && strings.HasPrefix(info.Main.Version, "v") {
		release = info.Main.Version
	}
	_, file, _, _ := runtime.Caller(0)
	dir = filepath.Dir(filepath.Dir(filepath.Dir(file)))
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return "", release
	}
	return dir, release
}

// goCommand runs the go command and returns what it prints.
func (c Config) goCommand(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = c.Dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), nil
}
