package gotest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEventsKeepEveryField(t *testing.T) {
	const line = `{"v":1,"test":"TestXDS/buggy/n=2","variant":"buggy/n=2","check":"check","verdict":"expected",` +
		`"strategy":"portfolio","seed":18446744073709551615,"schedules":100000,"steps":1234,"elapsed_ns":99,` +
		`"findings":[{"kind":"blocked forever","text":"receiver (main.2) blocked","new":1}],"schedule":"mc1:x",` +
		`"trace_ns":7,"replay":"go test","message":"m","new":{}}` + "\n"
	want := []Event{{
		Version: 1, Test: "TestXDS/buggy/n=2", Variant: "buggy/n=2", Check: "check", Verdict: Expected,
		Strategy: "portfolio", Seed: 1<<64 - 1, Schedules: 100000, Steps: 1234, Elapsed: 99,
		Findings: []Finding{{"blocked forever", "receiver (main.2) blocked"}}, Schedule: "mc1:x",
		TraceTime: 7, Replay: "go test", Message: "m",
	}}
	got, err := readEvents(write(t, line))
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, events differ (-want +got)\n%s", err, diff)
	}
}

func TestNoEventFileMeansNoEvents(t *testing.T) {
	got, err := readEvents(filepath.Join(t.TempDir(), "none"))
	if got != nil || err != nil {
		t.Errorf("found %v, %v", got, err)
	}
}

func TestBadEventLinesAreErrorsThatNameTheLine(t *testing.T) {
	const good = `{"v":1,"test":"TestA","verdict":"pass"}` + "\n"
	for line, want := range map[string]string{
		"":                      "",
		"\n":                    `event line 2: want a JSON object with a version "v", found ""`,
		"noise\n":               `event line 2: want a JSON object with a version "v", found "noise"`,
		good[:20]:               `event line 2: want a JSON object with a version "v", found "{\"v\":1,\"test\":\"TestA"`,
		good[:10] + "\n":        `event line 2: want a JSON object with a version "v", found "{\"v\":1,\"te"`,
		"{}\n":                  `event line 2: want version 1, found 0: use the modelcheck command of the version that go.mod requires`,
		`{"v":2,"test":7}`:      `event line 2: want version 1, found 2: use the modelcheck command of the version that go.mod requires`,
		`{"v":1}`:               `event line 2: want the name of a test, found none in "{\"v\":1}"`,
		`{"v":1,"test":"A"}`:    `event line 2: want verdict pass, expected, fail, error or incomplete, found ""`,
		good + good + "noise\n": `event line 4: want a JSON object with a version "v", found "noise"`,
	} {
		events, err := readEvents(write(t, good+line))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("line %q: error %q, want %q", line, got, want)
		}
		if len(events) == 0 {
			t.Errorf("line %q: the events before it are lost", line)
		}
	}
}

func write(t *testing.T, text string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "events")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}
