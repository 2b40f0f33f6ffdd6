package racing_test

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/modelcheck-go/modelcheck/internal/planted"
)

// row finds the rows of the table of edges: the deed, and what it says of it.
var row = regexp.MustCompile(`(?m)^\t(deed\w+): +\{(.+)\},$`)

// TestEveryEdgeIsNeeded empties one row of the table of edges after the other: TestLitmus
// notices each.
func TestEveryEdgeIsNeeded(t *testing.T) {
	if os.Getenv("MODELCHECK_LONG") == "" {
		t.Skip("this builds the package for each edge: set MODELCHECK_LONG")
	}
	const file = "../../sched/edges.go"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := row.FindAllSubmatchIndex(text, -1)
	if len(rows) < 20 {
		t.Fatalf("%s has %d rows, want 20 at least: change the pattern with the code", file, len(rows))
	}
	for _, at := range rows {
		t.Run(string(text[at[2]:at[3]]), func(t *testing.T) {
			without := append(append([]byte(nil), text[:at[4]]...), text[at[5]:]...)
			failures := litmusWith(t, file, without)
			if len(failures) == 0 {
				t.Error("TestLitmus notices nothing")
			}
			t.Logf("noticed by %q", failures)
		})
	}
}

var failure = regexp.MustCompile(`--- FAIL: TestLitmus/(\S+)`)

// litmusWith runs TestLitmus with another text of the file, and returns which of its tests
// fail.
func litmusWith(t *testing.T, file string, text []byte) (failures []string) {
	t.Helper()
	out, err := exec.Command("go", "test", "-overlay", planted.Overlay(t, file, text), "-run", "^TestLitmus$", ".").CombinedOutput()
	for _, m := range failure.FindAllSubmatch(out, -1) {
		failures = append(failures, string(m[1]))
	}
	if err != nil && failures == nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return failures
}
