package explore

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/modelcheck-go/modelcheck/internal/report"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

func fine() {
	c := model.NewChan[int](0)
	for i := range 2 {
		model.Go(func() { c.Send(i) })
	}
	c.Recv()
	c.Recv()
}

// setRapid sets a flag of rapid for the rest of the test.
func setRapid(t *testing.T, name, value string) {
	t.Helper()
	f := flag.Lookup("rapid." + name)
	old := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Value.Set(old) })
}

func (t *fakeTB) mustContain(real *testing.T, parts ...string) {
	real.Helper()
	for _, p := range parts {
		if !strings.Contains(t.log.String(), p) {
			real.Errorf("%q is not in:\n%s", p, t.log.String())
		}
	}
}

func TestCheckPasses(t *testing.T) {
	inDir(t, t.TempDir())
	tb := check("TestFine", fine)
	if tb.failed {
		t.Error(tb.log.String())
	}
	entries, _ := os.ReadDir(saveDir)
	if len(entries) != 0 {
		t.Errorf("left %v", entries)
	}
}

// A failing Check says what is wrong and how to see it again; the next one fails
// with the saved schedule at once; when the bug is mended it says that the file
// can go.
func TestCheckLifeOfAFailure(t *testing.T) {
	dir := t.TempDir()
	inDir(t, dir)
	setRapid(t, "seed", "7")

	first := check("TestLeaky/some case", leaky)
	if !first.failed {
		t.Fatal("passed")
	}
	files, err := saved(dir, "TestLeaky/some case")
	if err != nil || len(files) != 1 || files[0].err != nil {
		t.Fatalf("saved %v, %v", files, err)
	}
	schedule := files[0].schedule
	leak := "receiver (main.1) blocked: send chan reqCh (cap 0) at " + siteIn(t, "expect_test.go", "leak").String()
	command := "To reproduce: MODELCHECK_REPLAY='" + schedule + `' go test -run='^TestLeaky$/^some case$' ./explore`
	first.mustContain(t, "[rapid] failed after", leak, "schedule: "+schedule, "seed ", command,
		"saved as testdata/modelcheck/TestLeaky/some%20case/")
	if n := strings.Count(first.log.String(), "To reproduce: MODELCHECK"); n != 1 {
		t.Errorf("the report is there %d times:\n%s", n, first.log.String())
	}

	second := check("TestLeaky/some case", leaky)
	if !second.failed || strings.Contains(second.log.String(), "[rapid]") {
		t.Errorf("wanted the saved schedule to fail first:\n%s", second.log.String())
	}
	second.mustContain(t, leak, "it is the saved schedule "+files[0].name, command)

	mended := check("TestLeaky/some case", func() {
		reqCh := model.NewChan[int](1)
		ctx, cancel := model.WithCancel(model.Background())
		model.GoNamed("receiver", func() { reqCh.Send(1) })
		model.GoNamed("canceler", cancel)
		model.Select(reqCh.RecvCase(nil), ctx.Done().RecvCase(nil))
	})
	if mended.failed {
		t.Errorf("failed:\n%s", mended.log.String())
	}

	other := check("TestLeaky/some case", fine)
	if other.failed {
		t.Errorf("failed:\n%s", other.log.String())
	}
	if got := mended.log.String() + other.log.String(); !strings.Contains(got, "passes now: it can be deleted") && !strings.Contains(got, "no longer applies") {
		t.Errorf("nothing is said about the saved schedule:\n%s", got)
	}
	if left, _ := saved(dir, "TestLeaky/some case"); len(left) != 1 {
		t.Error("the saved schedule is gone")
	}
}

func TestCheckNotesOnSavedSchedules(t *testing.T) {
	put := func(t *testing.T, test, name, text string) {
		t.Helper()
		if err := writeAtomically(filepath.Join(saveDir, dirOf(test), name), text); err != nil {
			t.Fatal(err)
		}
	}
	const header = "# modelcheck schedule v1\n# test: T\n"
	stale := schedule{{place{"main", 2}, action{goroutine: "main.9", op: "lock", number: -1, partnerCase: -1, value: -1}}}.String()
	for _, test := range []struct {
		name, text string
		failed     bool
		want       string
	}{
		{"passes", header + schedule{}.String(), false, "explore: saved schedule testdata/modelcheck/T/x.schedule passes now: it can be deleted"},
		{"stale", header + stale, false, "explore: saved schedule testdata/modelcheck/T/x.schedule: the schedule no longer applies at step 3: wanted main.9 lock, enabled: main receive with main.1; main receive with main.2; main.1 send with main; main.2 send with main"},
		{"damaged", header + "mc1::a2c85bbc", true, `explore: error: saved schedule testdata/modelcheck/T/x.schedule: schedule altered: its checksum is "a2c85bbc", that of its text "a2c85bbb": copy it again, all of it`},
		{"no file", "", true, "explore: error: saved schedule testdata/modelcheck/T/x.schedule: not a schedule file"},
		{"other test's", strings.Replace(header, "T\n", "t\n", 1) + schedule{}.String(), false, "nothing found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inDir(t, t.TempDir())
			put(t, "T", "x.schedule", test.text)
			tb := check("T", fine, Seed(1), Schedules(50))
			if tb.failed != test.failed {
				t.Errorf("failed: %v", tb.failed)
			}
			tb.mustContain(t, test.want)
			if !test.failed {
				tb.mustContain(t, fmt.Sprintf("nothing found in %d schedules", budgetOf(50)))
			}
			if test.name == "other test's" && strings.Contains(tb.log.String(), "saved") {
				t.Errorf("another test's schedule was run:\n%s", tb.log.String())
			}
			if expects := check("T", leaky, Seed(1), Expect(Blocked("receiver", "send", "reqCh"))); expects.failed || strings.Contains(expects.log.String(), "saved") {
				t.Errorf("a test with expectations looked at the saved schedule:\n%s", expects.log.String())
			}
		})
	}
}

func TestCheckThatCannotSave(t *testing.T) {
	inDir(t, t.TempDir())
	if err := os.WriteFile(filepath.Join(saveDir, "testdata"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tb := check("TestLeaky", leaky, Seed(1))
	tb.mustContain(t, "note: cannot save the failing schedule: ", "To reproduce: ")

	t.Run("or must not", func(t *testing.T) {
		inDir(t, t.TempDir())
		t.Setenv("MODELCHECK_NOSAVE", "1")
		tb := check("TestLeaky", leaky, Seed(1))
		if entries, _ := os.ReadDir(saveDir); !tb.failed || len(entries) != 0 || strings.Contains(tb.log.String(), "saved") {
			t.Errorf("left %v and said\n%s", entries, tb.log.String())
		}
	})
	t.Run("expected findings are not saved", func(t *testing.T) {
		inDir(t, t.TempDir())
		tb := check("TestLeaky", leaky, Seed(1), Expect(Blocked("receiver", "send", "reqCh")))
		if entries, _ := os.ReadDir(saveDir); tb.failed || len(entries) != 0 {
			t.Errorf("left %v and said\n%s", entries, tb.log.String())
		}
	})
}

func TestCheckReplays(t *testing.T) {
	inDir(t, t.TempDir())
	r := Run(leaky, Seed(1))
	t.Setenv("MODELCHECK_REPLAY", r.Schedule)
	tb := check("TestLeaky", leaky, Expect(Blocked("receiver", "send", "reqCh")))
	if !tb.failed {
		t.Error("the replayed finding did not fail the test")
	}
	tb.mustContain(t, "1 finding in the given schedule", "schedule: "+r.Schedule)
	if tb := check("TestFine", fine); !tb.failed || !strings.Contains(tb.log.String(), "the schedule no longer applies") {
		t.Errorf("replayed in another program: %s", tb.log.String())
	}

	if _, err := save(saveDir, savedSchedule{test: "TestLeaky", schedule: r.Schedule}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MODELCHECK_REPLAY", filepath.ToSlash(fileOf("TestLeaky", r.Schedule, nil)))
	check("TestLeaky", leaky).mustContain(t, "1 finding in the given schedule")
	t.Setenv("MODELCHECK_REPLAY", "nowhere.schedule")
	check("TestLeaky", leaky).mustContain(t, "explore: error: cannot read the schedule to replay: open ")
}

func TestCheckScalesAsRapidDoes(t *testing.T) {
	schedulesOf := func(tb *fakeTB) string {
		return regexp.MustCompile(`nothing found in \d+ schedules?`).FindString(tb.log.String())
	}
	factor := map[bool]string{false: "", true: " under -short"}[testing.Short()]
	for _, test := range []struct {
		name          string
		checks        string
		env           string
		opts          []Option
		full, inShort string
	}{
		{"default", "100", "", nil, "10000", "2000"},
		{"half the checks", "50", "", nil, "5000", "1000"},
		{"option", "100", "", []Option{Schedules(250)}, "250", "50"},
		{"fewer than cases", "100", "", []Option{Schedules(10)}, "10", "2"},
		{"one", "100", "", []Option{Schedules(1)}, "1", "1"},
		{"one seed", "100", "", []Option{Seed(3), Schedules(50)}, "50", "10"},
		{"environment", "100", "70", []Option{Schedules(250)}, "70", "70"},
		{"environment and seed", "100", "70", []Option{Seed(3)}, "70", "70"},
	} {
		t.Run(test.name+factor, func(t *testing.T) {
			inDir(t, t.TempDir())
			setRapid(t, "checks", test.checks)
			if test.env != "" {
				t.Setenv("MODELCHECK_SCHEDULES", test.env)
			}
			want := test.full
			if testing.Short() {
				want = test.inShort
			}
			if got := schedulesOf(check("T", fine, test.opts...)); strings.TrimSuffix(got, "s") != "nothing found in "+want+" schedule" {
				t.Errorf("%q, wanted %s schedules", got, want)
			}
		})
	}
}

// Seeds that rapid draws decide which schedules are tried: the same seed of rapid
// gives the same failure.
func TestCheckDrawsFromRapid(t *testing.T) {
	inDir(t, t.TempDir())
	t.Setenv("MODELCHECK_NOSAVE", "1")
	report := func(seed string) string {
		setRapid(t, "seed", seed)
		log := check("TestLeaky", leaky).log.String()
		return log[strings.Index(log, "explore: "):]
	}
	a, again, b := report("7"), report("7"), report("8")
	if a != again {
		t.Errorf("the same seed of rapid, two reports:\n%s\n%s", a, again)
	}
	if a == b {
		t.Errorf("two seeds of rapid, the same report:\n%s", a)
	}
}

// Once a seed has failed, rapid's attempts to shrink it cost no schedules.
func TestCheckDoesNotExploreWhileRapidShrinks(t *testing.T) {
	inDir(t, t.TempDir())
	t.Setenv("MODELCHECK_NOSAVE", "1")
	runs := 0
	tb := check("T", func() {
		runs++
		leaky()
	}, Workers(1))
	if !tb.failed || runs > 3000 {
		t.Errorf("failed %v after %d runs:\n%s", tb.failed, runs, tb.log.String())
	}
	drawn := regexp.MustCompile(`\[rapid\] draw seed: (0x[0-9a-f]+)`).FindStringSubmatch(tb.log.String())
	if drawn == nil {
		t.Fatalf("rapid does not show the seed:\n%s", tb.log.String())
	}
	seed, err := strconv.ParseUint(drawn[1], 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	tb.mustContain(t, fmt.Sprintf("seed %d)", seed))
	if strings.Contains(tb.log.String(), "flaky") {
		t.Errorf("rapid could not reproduce the failure:\n%s", tb.log.String())
	}
}

func TestCheckInCheck(t *testing.T) {
	inDir(t, t.TempDir())
	inner := &fakeTB{name: "inner"}
	for what, body := range map[string]func(){
		"explore.Check":  func() { Check(inner, fine) },
		"explore.Run":    func() { Run(fine) },
		"explore.Replay": func() { Replay(fine, "mc1::a2c85bbb") },
	} {
		tb := check("T", body)
		if !tb.failed || inner.failed {
			t.Errorf("%s: outer failed %v, inner %v", what, tb.failed, inner.failed)
		}
		tb.mustContain(t, "error: ", what+" was called inside a controlled run")
	}
}

func TestCheckWithinAProperty(t *testing.T) {
	inDir(t, t.TempDir())
	t.Setenv("MODELCHECK_NOSAVE", "1")
	setRapid(t, "seed", "7")
	tb := &fakeTB{name: "TestProperty"}
	rapid.Check(&rapidTB{TB: tb}, func(rt *rapid.T) {
		n := rapid.IntRange(0, 9).Draw(rt, "senders")
		Check(rt, func() {
			c := model.NewChan[int](3)
			for range n {
				model.Go(func() { c.Send(1) })
			}
		}, Seed(rapid.Uint64().Draw(rt, "seed")), Schedules(20), Sequential())
	})
	if !tb.failed {
		t.Fatal("passed")
	}
	tb.mustContain(t, "draw senders: 4", "blocked: send chan")
}

func TestCheckStopsBeforeTheDeadline(t *testing.T) {
	inDir(t, t.TempDir())
	c := newCampaign(fine, mustSettings(t, Schedules(1<<30)), time.Now().Add(50*time.Millisecond))
	defer c.close()
	c.explore(1, 1<<30)
	c.conclude()
	c.asked = 1 << 30
	r := c.report()
	if r.Failed() || r.Schedules == 0 || r.Schedules == r.Asked {
		t.Errorf("wanted a part of the schedules: %s", r)
	}
	if !strings.Contains(r.String(), "stopped early of 1073741824") {
		t.Errorf("the report does not say so: %s", r)
	}
}

func TestTooLittleTimeIsNoVerdictOnSometimes(t *testing.T) {
	c := newCampaign(func() { model.Go(func() {}); model.Sometimes(false, "later") }, mustSettings(t), time.Time{})
	defer c.close()
	c.explore(1, 10)
	c.worker.halt.Store(true)
	c.conclude()
	if r := c.report(); r.Failed() {
		t.Error(r)
	}
}

func mustSettings(t *testing.T, opts ...Option) settings {
	t.Helper()
	s, err := settingsOf(fine, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEvents(t *testing.T) {
	inDir(t, t.TempDir())
	file := filepath.Join(saveDir, "events")
	t.Setenv("MODELCHECK_EVENTS", file)
	t.Setenv("MODELCHECK_NOSAVE", "1")
	check("TestX/fine/n=2", fine, Seed(3), Schedules(500))
	check("TestX", leaky, Seed(1), Name("leaky"))
	check("TestX/expected", leaky, Seed(1), Expect(Blocked("receiver", "", "")))
	check("TestX/bad", fine, Schedules(-1))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []event
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Schedules > 0 && (e.ElapsedNS <= 0 || e.TraceNS <= 0) {
			t.Errorf("no time in %s", line)
		}
		got = append(got, e)
	}
	r := Run(leaky, Seed(1))
	hash := fmt.Sprintf("%016x", r.Hash)
	leak := []eventFinding{{string(sched.BlockedForever), lines(r.Findings)[0]}}
	want := []event{
		{Version: 1, Test: "TestX/fine/n=2", Variant: "fine/n=2", Check: "check", Verdict: "pass", Strategy: "portfolio", Seed: 3, Schedules: budgetOf(500), Findings: []eventFinding{}},
		{Version: 1, Test: "TestX", Variant: "leaky", Check: "check", Verdict: "fail", Strategy: "portfolio", Seed: 1, Schedules: r.Schedules, Findings: leak, Schedule: r.Schedule, Hash: hash,
			Replay: "MODELCHECK_REPLAY='" + r.Schedule + "' go test -run='^TestX$' ./explore"},
		{Version: 1, Test: "TestX/expected", Variant: "expected", Check: "check", Verdict: "expected", Strategy: "portfolio", Seed: 1, Schedules: r.Schedules, Findings: leak, Schedule: r.Schedule, Hash: hash,
			Replay: "MODELCHECK_REPLAY='" + r.Schedule + "' go test -run='^TestX$/^expected$' ./explore"},
		{Version: 1, Test: "TestX/bad", Variant: "bad", Check: "check", Verdict: "error", Strategy: "portfolio", Findings: []eventFinding{}, Message: "explore.Schedules(-1): wanted at least 1"},
	}
	for i := range 3 {
		got[i].Message = ""
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(event{}, "Steps", "ElapsedNS", "TraceNS", "Run")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i, shows := range []bool{false, true, true, false} {
		if run := got[i].Run; shows != (run != nil) {
			t.Errorf("event %d has a run: %t, want %t", i, run != nil, shows)
		} else if shows {
			want := r.doc(report.Origin{Package: "./explore", Test: got[i].Test, Replay: got[i].Replay})
			want.Variant, want.Verdict, want.Schedules = got[i].Variant, got[i].Verdict, got[i].Schedules
			if diff := cmp.Diff(want, run, cmpopts.IgnoreUnexported(report.Step{})); diff != "" {
				t.Errorf("run of event %d (-want +got):\n%s", i, diff)
			}
		}
	}
}

// A replay that shows nothing wrong hands over its run too, so that it can be looked
// at.
func TestEventOfAPassingReplay(t *testing.T) {
	inDir(t, t.TempDir())
	file := filepath.Join(saveDir, "events")
	t.Setenv("MODELCHECK_EVENTS", file)
	t.Setenv("MODELCHECK_REPLAY", schedule{}.String())
	check("TestX", fine)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	if e.Verdict != "pass" || e.Run == nil || len(e.Run.Steps) == 0 || e.Run.Schedule != (schedule{}).String() {
		t.Errorf("want a pass with its run, found %s", data)
	}
	if r := Replay(fine, schedule{}.String()); r.Trace != nil || strings.Contains(r.String(), "steps:") {
		t.Errorf("the report of a pass has steps:\n%v", r)
	}
}

func budgetOf(n int) int {
	s := settings{schedules: n}
	return s.budget()
}

func TestReplayCommands(t *testing.T) {
	inDir(t, t.TempDir())
	for _, test := range []struct{ name, want string }{
		{"TestX", "MODELCHECK_REPLAY='mc1:x' go test -run='^TestX$' ./explore"},
		{"TestX/a_b/n=2", "MODELCHECK_REPLAY='mc1:x' go test -run='^TestX$/^a_b$/^n=2$' ./explore"},
		{"TestX/it's_(odd)", `MODELCHECK_REPLAY='mc1:x' go test -run='^TestX$/^it'\''s_\(odd\)$' ./explore`},
	} {
		if got := replayCommand(test.name, "mc1:x", nil); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
	long := strings.Repeat("x", longSchedule+1)
	t.Setenv(timersVariable, "quiescence")
	if got, want := replayCommand("T", "mc1:x", nil), "MODELCHECK_TIMERS='quiescence' MODELCHECK_REPLAY='mc1:x' go test -run='^T$' ./explore"; got != want {
		t.Errorf("with a rule for timers:\n got %s\nwant %s", got, want)
	}
	t.Setenv(timersVariable, "")
	if got, want := replayCommand("T", long, nil), "MODELCHECK_REPLAY='testdata/modelcheck/T/"+hashed(long)+".schedule' go test -run='^T$' ./explore"; got != want {
		t.Errorf("long schedule:\n got %s\nwant %s", got, want)
	}
	t.Setenv(driverVariable, "modelcheck test -with=example.com/m")
	if got, want := replayCommand("T", long, nil), "modelcheck test -with=example.com/m -run='^T$' -replay='./explore/testdata/modelcheck/T/"+hashed(long)+".schedule' ./explore"; got != want {
		t.Errorf("long schedule of an ordinary test:\n got %s\nwant %s", got, want)
	}
	t.Setenv(driverVariable, "")
	if got := packageDir(startDir); got != "./explore" {
		t.Errorf("this package is %s", got)
	}
}
