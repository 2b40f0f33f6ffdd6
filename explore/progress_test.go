package explore

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A check that works for long says where it is; nobody is told who does not listen.
func TestProgressIsTold(t *testing.T) {
	inDir(t, t.TempDir())
	old := tellEvery
	tellEvery = time.Millisecond
	defer func() { tellEvery = old }()
	t.Setenv("MODELCHECK_NOSAVE", "1")
	file := filepath.Join(saveDir, "progress")
	t.Setenv(progressVariable, file)
	t.Setenv("MODELCHECK_WATCHDOG", "500ms")

	told := func(run func()) []progressLine {
		t.Helper()
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		run()
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var lines []progressLine
		for text := range strings.Lines(string(data)) {
			var line progressLine
			if err := json.Unmarshal([]byte(text), &line); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if n := len(lines); n > 0 && line.Schedules < lines[n-1].Schedules || line.Schedules > line.Asked || line.PerSecond < 0 {
				t.Errorf("after %v: %+v", lines, line)
			}
			lines = append(lines, line)
		}
		if len(lines) == 0 || lines[0].Test != "TestX" {
			t.Fatalf("told %+v", lines)
		}
		return lines
	}
	slow := func(body func()) func() {
		return func() { body(); time.Sleep(time.Millisecond) }
	}
	lines := told(func() { check("TestX", slow(races), Schedules(600), Stats()) })
	if last := lines[len(lines)-1]; last.Classes == 0 || last.Share != 0 || last.Asked != budgetOf(600) {
		t.Errorf("a check: %+v", last)
	}
	lines = told(func() { exhaust("TestX", slow(counter2x5)) })
	if last := lines[len(lines)-1]; last.Classes != last.Schedules || last.Share <= 0 || last.Share > 1 {
		t.Errorf("a proof: %+v", last)
	}

	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if tb := check("TestX", fine, Schedules(600)); tb.failed {
		t.Error(tb.log.String())
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("made the file that nobody reads")
	}
}
