package explore

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
)

// TestBytesReachAllSchedules: what bytes can dictate is what brute force finds.
func TestBytesReachAllSchedules(t *testing.T) {
	body := func() {
		c := model.NewChan[int](0)
		for i := range 2 {
			model.Go(func() { c.Send(i) })
		}
		c.Recv()
		model.Choose(3)
		c.Recv()
	}
	want := map[uint64]bool{}
	set := mustSettings(t, WithStrategy("brute"))
	w := newWorker(body, &set)
	defer w.close()
	search := &brute{}
	for run := uint64(0); search.Begin(run); run++ {
		r := w.execute(search, false)
		want[r.Hash] = true
		search.End(r)
	}
	got := map[uint64]bool{}
	for input := [6]byte{}; input[0] < 4; {
		got[w.execute(&dictated{left: append([]byte(nil), input[:]...)}, false).Hash] = true
		input[5]++
		for i := 5; i > 0 && input[i] == 4; i-- {
			input[i] = 0
			input[i-1]++
		}
	}
	if diff := cmp.Diff(want, got); len(want) < 5 || diff != "" {
		t.Errorf("of %d schedules (-brute +bytes):\n%s", len(want), diff)
	}
}

// A program that waits in a loop ends whatever the bytes are.
func TestBytesAreFairInTheEnd(t *testing.T) {
	body := func() {
		var ready model.Bool
		model.Go(func() { ready.Store(true) })
		for !ready.Load() {
			_ = 0
		}
	}
	set := mustSettings(t)
	for _, input := range [][]byte{nil, {0, 0, 0}, make([]byte, 100), {1, 1, 1, 1}} {
		if r := fuzzOnce(body, set, input); r.Failed() {
			t.Errorf("%v: %s", input, r)
		}
	}
}

// TestFuzzTargets runs targets as go test without -fuzz does: with their seeds and
// with what is in testdata/fuzz.
func TestFuzzTargets(t *testing.T) {
	p := newProperties(t)
	p.passes("^FuzzPump$", "order", nil, "draw workers: ")
	dir := filepath.Join(p.dir, "testdata", "fuzz", "FuzzPump")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// As the seed, but for the schedule: another worker's result is the first.
	input := "go test fuzz v1\n[]byte(\"" + strings.Repeat(`\xff`, 16) + `\x08` + strings.Repeat(`\x00`, 7) + strings.Repeat(`\x03`, 20) + "\")\n"
	if err := os.WriteFile(filepath.Join(dir, "many"), []byte(input), 0o644); err != nil {
		t.Fatal(err)
	}
	p.passes("^FuzzPump$", "", nil, "--- PASS: FuzzPump/many")
	p.fails("^FuzzPump$", "order", nil, "--- FAIL: FuzzPump/many", "[rapid] draw workers: 8", "blocked: send chan results", "schedule: mc1:")
}

// TestFuzzing lets go test -fuzz find a workload and a schedule.
func TestFuzzing(t *testing.T) {
	if os.Getenv("MODELCHECK_LONG") == "" {
		t.Skip("builds with coverage and fuzzes for up to a minute: set MODELCHECK_LONG=1")
	}
	cmd := exec.Command("go", "test", "-run=^$", "-fuzz=^FuzzOrder$", "-fuzztime=60s", "./testdata/property")
	out, err := cmd.CombinedOutput()
	defer os.RemoveAll("testdata/property/testdata")
	if err == nil || !strings.Contains(string(out), "panicked: found") {
		t.Errorf("%v: %s", err, out)
	}
	t.Logf("%s", out)
}
