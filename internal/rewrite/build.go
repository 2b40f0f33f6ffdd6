package rewrite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	Env        []string // KEY=value, likewise
	Unexplored int      // examples and fuzz targets among the tests: they are not run
}

// Skip is the pattern of what is not run, for the flag -test.skip.
const Skip = "^(Example|Fuzz)"

// Prepare rewrites packages and writes what the go command needs to build their tests
// under control into the directory dir, which must exist. It changes nothing else.
func Prepare(ctx context.Context, c Config, dir string) (*Build, error) {
	host, err := c.host(ctx)
	if err != nil {
		return nil, err
	}
	list, err := c.load(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.refuseOwn(ctx, list); err != nil {
		return nil, err
	}
	files, problems, err := c.rewritten(list)
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
	if host.has(module) && len(copies) == 0 {
		return b, nil
	}
	return b, host.link(ctx, b, dir, copies)
}

// A host is what the packages belong to: a module or a workspace.
type host interface {
	// has reports whether it is, or has, the module of that path.
	has(path string) bool
	// link makes b's go command find this module too, and the copies of others by their
	// paths. What it writes goes into dir.
	link(ctx context.Context, b *Build, dir string, copies map[string]string) error
}

// host finds out where the go command is.
func (c Config) host(ctx context.Context) (host, error) {
	out, err := c.goCommand(ctx, "env", "GOWORK", "GOMOD")
	if err != nil {
		return nil, err
	}
	work, mod, _ := strings.Cut(strings.TrimRight(out, "\n"), "\n")
	switch {
	case work != "" && work != "off":
		return c.workspace(ctx, work)
	case mod == "" || mod == os.DevNull:
		return nil, errors.New("no go.mod here: want to be run in a module or a workspace")
	}
	return c.mainModule(ctx, mod)
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
