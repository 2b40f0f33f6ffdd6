package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/report"
)

// What min writes is a schedule file that replay reads.
func TestMinWritesASavedSchedule(t *testing.T) {
	var b bytes.Buffer
	doc := &report.Doc{
		Origin:   report.Origin{Package: "./pump", Test: "TestPump/n=1", Schedule: "mc1:m-1=m.1_lock:2074dbc4"},
		Findings: []report.Finding{{Text: "main blocked"}},
	}
	with := &rewriting{with: []string{"example.com/a", "example.com/b"}}
	if err := writeSaved(&b, doc, target{workload: "0102", ordinary: with}, "hasty"); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "simpler.schedule")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := readTarget(nil, file)
	root, _ := filepath.Abs("../..")
	want := target{
		pkg: filepath.Join(root, "pump"), run: "^TestPump$/^n=1$", schedule: doc.Schedule, workload: "0102", ordinary: with, timers: "hasty", file: file,
		recorded: recorded{findings: []string{"main blocked"}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(target{}, rewriting{}, recorded{})); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
