package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// newModel runs modelcheck new in dir.
func newModel(args ...string) (exit int, stdout, stderr string) {
	var out, err bytes.Buffer
	exit = run(append([]string{"new"}, args...), nil, &out, &err)
	return exit, out.String(), err.String()
}

// module makes a module in a new directory, which becomes the current one. It uses the
// modelcheck of this working tree, whose root it is told.
func module(t *testing.T, root string) {
	t.Helper()
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	put(t, "go.sum", string(sums))
	put(t, "go.mod", "module example.test/m\n\ngo 1.26\n\nrequire "+modulePath+" v0.0.0\n\nreplace "+modulePath+" => "+root+"\n")
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A new model builds, its tests pass, and a design shows what its README says.
func TestNewModelWorks(t *testing.T) {
	module(t, "../..")
	exit, stdout, stderr := newModel("lifecycle", "internal/Job-pool")
	const want = `internal/Job-pool/README.md
internal/Job-pool/designs.go
internal/Job-pool/environment.go
internal/Job-pool/invariants.go
internal/Job-pool/service.go
internal/Job-pool/service_test.go

modelcheck run ./internal/Job-pool shows what is right and wrong with it.
`
	if diff := cmp.Diff(want, stdout); diff != "" || exit != exitOK || stderr != "" {
		t.Fatalf("exit %d, %s (-want +got)\n%s", exit, stderr, diff)
	}
	command := exec.Command("go", "test", "-count=1", "-v", "./...")
	command.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOFLAGS=-mod=mod")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	matrix := regexp.MustCompile(`(?m)^ *(waits|sends|looks|buffers|closes-jobs|forgets|closes-twice) .*$`).FindAllString(string(out), -1)
	for i, line := range matrix {
		matrix[i] = strings.Join(strings.Fields(strings.Split(line, "clients=")[0]), " ")
	}
	if diff := cmp.Diff([]string{
		"waits stops=1 proved proved proved proved",
		"waits stops=0, cancels proved proved proved proved",
		"waits stops=2, cancels, crashes proved proved proved proved",
		"sends stops=1 BROKEN proved proved proved",
		"looks stops=1 BROKEN proved proved proved",
		"buffers stops=1 proved BROKEN proved proved",
		"closes-jobs stops=1 proved proved proved BROKEN",
		"forgets stops=1 proved proved BROKEN proved",
		"closes-twice stops=1 proved proved proved proved",
		"closes-twice stops=2 proved proved proved BROKEN",
	}, matrix); diff != "" {
		t.Errorf("matrix (-want +got)\n%s\n%s", diff, out)
	}
}

func TestNewModelRefuses(t *testing.T) {
	module(t, "../..")
	if err := os.MkdirAll("full", 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, "full/notes.txt", "mine")
	outside := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "want a template and a directory, found 0 arguments"},
		{[]string{"lifecycle"}, "want a template and a directory, found 1 argument"},
		{[]string{"livecycle", "a"}, `unknown template "livecycle": did you mean "lifecycle"?`},
		{[]string{"", "a"}, `unknown template "": want one of lifecycle`},
		{[]string{"../template/lifecycle", "a"}, `unknown template "../template/lifecycle": want one of lifecycle`},
		{[]string{"lifecycle", "full"}, "want a new or empty directory, found notes.txt in full: nothing was written"},
		{[]string{"lifecycle", "2-pools"}, `want a directory whose name can be that of a package, found "2-pools"`},
		{[]string{"lifecycle", "main"}, `want a directory whose name can be that of a package, found "main"`},
		{[]string{"lifecycle", filepath.Join(outside, "pool")},
			"want a directory in a Go module, found no go.mod in " + filepath.Join(outside, "pool") + " or above: go mod init makes one"},
	} {
		exit, stdout, stderr := newModel(c.args...)
		want := "modelcheck: new: " + c.want + "\n"
		if exit != exitError || stdout != "" || stderr != want {
			t.Errorf("new %q: exit %d, %q, wanted %q", c.args, exit, stdout+stderr, want)
		}
	}
	entries, _ := os.ReadDir("full")
	if len(entries) != 1 {
		t.Errorf("files were written: %v", entries)
	}
}

// A module that does not require modelcheck is told how to.
func TestNewModelNamesWhatIsMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "go.mod", "module m\n")
	exit, stdout, _ := newModel("lifecycle", "pool")
	if exit != exitOK || !strings.Contains(stdout, "does not require modelcheck yet: go get "+modulePath+"\n") {
		t.Errorf("exit %d, %s", exit, stdout)
	}
}
