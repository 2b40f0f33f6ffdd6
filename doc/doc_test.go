// Package doc_test executes what the documents say: it writes the files that they
// show, runs the commands that they give, and compares the output.
package doc_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

var rewrite = flag.Bool("rewrite", false, "write what the commands print into the documents")

// In a document
//
//   - a block of Go after a line <!-- file: NAME --> is that file,
//   - a block of Go after <!-- fragment --> is part of a function, which has to
//     compile,
//   - a block "console" is a session: commands after "$ ", each with its output, in
//     which a line "..." stands for any lines,
//   - a block "yaml" is a workflow of GitHub Actions, whose "run:" lines have to
//     succeed,
//   - a block "sh" after <!-- ci --> has commands that .ci/run has too,
//   - a block "sh" after <!-- nightly --> has long tests, which have to succeed when
//     they are short,
//   - a block after <!-- drawing --> is nothing of these.
//
// Any other block is an error, and so are indented ones, so that no command escapes.
// A command within a sentence, such as "modelcheck run -v", has to be one that there is,
// with flags that there are.
//
// All that a document has happens in one directory, in order.
func TestDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("building the programs of the documents takes longer than a short test may")
	}
	documents, err := filepath.Glob("*.md")
	if err != nil || len(documents) == 0 {
		t.Fatalf("want documents, found %v (%v)", documents, err)
	}
	documents = append(documents, "../README.md")
	bin := build(t)
	for _, name := range documents {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s := &session{t: t, dir: t.TempDir(), bin: bin}
			if !strings.Contains(string(text), "$ go mod init") {
				s.module()
			}
			got := s.document(string(text))
			if *rewrite {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := gocmp.Diff(strings.Split(string(text), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s is out of date; go test ./doc -rewrite mends it (-document +now):\n%s", name, diff)
			}
		})
	}
}

// build makes the modelcheck command and returns the directory that it is in.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir, "../cmd/modelcheck").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

type session struct {
	t        *testing.T
	dir, bin string
}

var (
	block    = regexp.MustCompile("(?ms)^(?:<!-- ([a-z]+)(?:: ([^ \n]+))? -->\n)?```([^\n]*)\n(.*?)^```$")
	indented = regexp.MustCompile("(?m)^\n(?:    |\t)\\S.*$")
	inline   = regexp.MustCompile("`modelcheck ([^`]+)`")
)

// document returns the text of a document with the output of its commands as it is
// now.
func (s *session) document(text string) string {
	prose := block.ReplaceAllString(text, "")
	for _, escaped := range indented.FindAllString(prose, -1) {
		s.t.Errorf("an indented block, which nobody executes:%s", escaped)
	}
	for _, command := range inline.FindAllStringSubmatch(prose, -1) {
		s.exists(command[1])
	}
	return block.ReplaceAllStringFunc(text, func(all string) string {
		parts := block.FindStringSubmatch(all)
		mark, name, language, body := parts[1], parts[2], parts[3], parts[4]
		switch {
		case mark == "file":
			s.write(name, body)
		case mark == "fragment":
			s.compile(body)
		case language == "console":
			return strings.TrimSuffix(all, body+"```") + s.console(body) + "```"
		case language == "yaml":
			s.workflow(body)
		case language == "sh" && mark == "ci":
			s.inCI(body)
		case language == "sh" && mark == "nightly":
			s.nightly(body)
		case mark != "drawing":
			s.t.Errorf("a block %q that nobody executes:\n%s", language, body)
		}
		return all
	})
}

// module makes the directory a module, where the document does not.
func (s *session) module() {
	if out, err := s.shell("go mod init example.com/module && go mod edit -require=" + modulePath + "@v0.0.0 -replace=" + modulePath + "=../modelcheck"); err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
}

const modulePath = "github.com/modelcheck-go/modelcheck"

func (s *session) write(name, body string) {
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(body), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

// compile compiles a part of a function, in a package of its own.
func (s *session) compile(body string) {
	var b strings.Builder
	b.WriteString("package fragment\n\nimport (\n")
	for _, p := range []struct{ name, path string }{
		{"errors", "errors"}, {"fmt", "fmt"}, {"testing", "testing"}, {"time", "time"},
		{"explore", modulePath + "/explore"}, {"model", modulePath + "/model"}, {"rapid", "pgregory.net/rapid"},
	} {
		if strings.Contains(body, p.name+".") || p.name == "testing" {
			b.WriteString("\t\"" + p.path + "\"\n")
		}
	}
	b.WriteString(")\n\nfunc Fragment(t *testing.T) {\n" + body + "}\n")
	s.write("fragment/fragment_test.go", b.String())
	if out, err := s.shell("go mod tidy && go vet ./fragment"); err != nil {
		s.t.Errorf("%s\n%s", body, out)
	}
}

// console runs the commands of a session and returns it with their output.
func (s *session) console(body string) string {
	var got strings.Builder
	for _, part := range strings.Split("\n"+body, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		out, _ := s.shell(command)
		got.WriteString("$ " + command + "\n")
		if same(want, out) {
			out = want
		}
		if out != "" {
			got.WriteString(strings.TrimSuffix(out, "\n") + "\n")
		}
	}
	return got.String()
}

// exists checks that a command of modelcheck exists with its flags, unless what stands
// there is a topic of its help.
func (s *session) exists(command string) {
	name, rest, _ := strings.Cut(strings.TrimSpace(command), " ")
	if name == "help" {
		name = cmp.Or(rest, name)
	}
	help, err := s.shell("modelcheck help " + name)
	if err != nil {
		s.t.Errorf("`modelcheck %s`: %s", command, help)
	}
	for _, word := range strings.Fields(rest) {
		flag, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if strings.HasPrefix(word, "-") && !strings.Contains(help, "\n  -"+flag+" ") {
			s.t.Errorf("`modelcheck %s`: there is no flag -%s", command, flag)
		}
	}
}

// inCI checks that .ci/run has each of the commands.
func (s *session) inCI(body string) {
	script, err := os.ReadFile("../.ci/run")
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(body) {
		command, _, _ := strings.Cut(line, "#")
		if command = strings.TrimSpace(command); !strings.Contains(string(script), "\n"+command+"\n") {
			s.t.Errorf(".ci/run does not execute %q", command)
		}
	}
}

// nightly runs long tests at the root of the clone as the short ones that they are
// by day.
func (s *session) nightly(body string) {
	out, err := s.shell("cd ../modelcheck\nset -e\n" + long.ReplaceAllString(body, ""))
	tests := strings.Count(body, "go test")
	if ran := len(regexp.MustCompile(`(?m)^--- (PASS|SKIP): `).FindAllString(out, -1)); err != nil || ran < tests {
		s.t.Errorf("want %d tests to pass (or to be skipped by day), found %d, %v:\n%s", tests, ran, err, out)
	}
}

var long = regexp.MustCompile(`(?m)^MODELCHECK_LONG=\d+ `)

// shell runs one command where modelcheck is on the path. The clone that the
// documents speak of is this one.
func (s *session) shell(command string) (out string, err error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), 3*time.Minute)
	defer cancel()
	root, _ := filepath.Abs("..")
	cmd := exec.CommandContext(ctx, "sh", "-c", strings.ReplaceAll(command, "../modelcheck", root))
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "PATH="+s.bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "GOFLAGS="+quickly, "GOWORK=off", "GITHUB_STEP_SUMMARY=", "GITHUB_RUN_ID=7", "NO_COLOR=1")
	data, err := cmd.CombinedOutput()
	data = bytes.ReplaceAll(data, []byte(root), []byte("../modelcheck"))
	return strings.ReplaceAll(string(data), s.dir, "."), err
}

// quickly are flags of the go command that save time where they change nothing that
// shows.
const quickly = `-mod=mod -vet=off '-ldflags=-s -w'`

// workflow runs the lines "run:" of a workflow.
func (s *session) workflow(body string) {
	for line := range strings.Lines(body) {
		_, command, ok := strings.Cut(line, "run: ")
		if !ok {
			continue
		}
		if strings.Contains(command, "go install") {
			continue // modelcheck is there
		}
		for _, command := range matrix(strings.TrimSpace(command)) {
			if out, err := s.shell(command); err != nil {
				s.t.Errorf("%s: %v\n%s", command, err, out)
			}
		}
	}
}

// matrix has the commands that GitHub makes of one, for each shard.
func matrix(command string) (list []string) {
	const expression = "${{ matrix.shard }}"
	if !strings.Contains(command, expression) {
		return []string{command}
	}
	for _, shard := range []string{"1", "2", "3", "4"} {
		list = append(list, strings.ReplaceAll(command, expression, shard))
	}
	return list
}

// same reports whether the output is the wanted one but for what differs from one
// time to the next, and where the document leaves lines out.
func same(want, out string) bool {
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for line := range strings.Lines(steady(want)) {
		if strings.TrimSpace(line) == "..." {
			pattern.WriteString(`(?:.*\n)*?`)
		} else {
			pattern.WriteString(regexp.QuoteMeta(line))
		}
	}
	pattern.WriteString(`\z`)
	return regexp.MustCompile(pattern.String()).MatchString(steady(out))
}

var (
	duration = regexp.MustCompile(`\b\d+(\.\d+)?(ns|µs|ms|s)\b|\(cached\)`)
	spaces   = regexp.MustCompile(`[ \t]+`)
)

// steady takes times out of output, and the columns that they widen.
func steady(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		if strings.HasPrefix(line, "go: downloading ") {
			continue
		}
		if duration.MatchString(line) {
			line = spaces.ReplaceAllString(duration.ReplaceAllString(line, "TIME"), " ")
		}
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	if b.Len() == 1 {
		return ""
	}
	return b.String()
}
