package explore

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
)

// progressOf is what must be the same however often a search was interrupted.
type progressOf struct {
	Verdict          string
	Coverage         Coverage
	Schedules, Steps int
	Expected         []string
	Schedule         string
}

func progressIn(r Report) progressOf {
	return progressOf{r.Verdict(), *r.Coverage, r.Schedules, r.Steps, lines(r.Expected), r.Schedule}
}

// TestInterruptedSearches stops searches after every few runs and goes on, each time
// with a new engine and from the file: what they report in the end is the same.
func TestInterruptedSearches(t *testing.T) {
	rendezvous := func() {
		c := model.NewChan[int](0)
		for i := range 3 {
			model.Go(func() { c.Send(i) })
		}
		for range 3 {
			c.Recv()
		}
	}
	for _, c := range []struct {
		name string
		body func()
		opts []Option
	}{
		{"counter", counter2x5, nil},
		{"brute force", rendezvous, []Option{WithStrategy("brute")}},
		{"rendezvous and select", func() {
			a, b := model.NewChan[int](0), model.NewChan[int](1)
			model.Go(func() { a.Send(1) })
			model.Go(func() { b.Send(1); b.Send(2) })
			for range 3 {
				model.Select(a.RecvCase(nil), b.RecvCase(nil))
			}
		}, nil},
		{"crashes that are expected", func() {
			var mu model.Mutex
			first := -1
			for i := range 4 {
				model.Go(func() {
					mu.Lock()
					defer mu.Unlock()
					if first < 0 {
						first = i
					}
					if first == 2 {
						panic(fmt.Sprint("after ", first))
					}
				})
			}
		}, []Option{Expect(Panics("after 2"), Never("nothing"))}},
		{"conditions", func() {
			var x model.Int32
			for range 3 {
				model.Go(func() { x.Add(x.Load() + 1) })
			}
			model.Sometimes(x.Load() == 1, "one")
			model.Sometimes(x.Load() > 2, "more than two")
		}, []Option{Expect(Never("no such thing"), Never("nothing"))}},
		{"read locks released by others", func() {
			var rw model.RWMutex
			var x model.Int32
			rw.RLock()
			model.Go(func() { x.Load(); rw.RUnlock() })
			model.Go(func() { x.Store(1); rw.Lock(); rw.Unlock() })
			model.Go(func() { rw.RLock(); x.Load(); rw.RUnlock() })
		}, nil},
		{"wait group that is used again too early", func() {
			var wg model.WaitGroup
			wg.Add(1)
			model.Go(func() { wg.Done(); wg.Add(1); wg.Done() })
			defer func() { _ = recover() }()
			wg.Wait()
		}, nil},
		{"timers", func() {
			c := model.NewTimer(1).C
			done := model.NewChan[int](1)
			model.Go(func() { done.Send(1) })
			model.Select(c.RecvCase(nil), done.RecvCase(nil))
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole := RunExhaustive(c.body, append(c.opts, Minimize(0))...)
			if whole.Err != nil || !whole.Coverage.Complete {
				t.Fatal(whole)
			}
			file := filepath.Join(t.TempDir(), "position")
			step := max(1, whole.Schedules/12)
			var r Report
			parts := 0
			for n := step; parts == 0 || !r.Coverage.Complete; n += step {
				parts++
				r = RunExhaustive(c.body, append(c.opts, Minimize(0), Checkpoint(file), Schedules(n))...)
				if r.Err != nil || r.Coverage == nil || n > 2*whole.Schedules+2*step {
					t.Fatalf("part %d: %s", parts, r)
				}
				if _, err := os.Stat(file); r.Coverage.Complete == (err == nil) {
					t.Fatalf("after part %d, complete %v: the file: %v", parts, r.Coverage.Complete, err)
				}
			}
			if diff := cmp.Diff(progressIn(whole), progressIn(r)); diff != "" || parts < 2 {
				t.Errorf("in %d parts (-at once +in parts):\n%s", parts, diff)
			}
		})
	}
}

// killed is explored by a process that is killed.
func killed() {
	var mu model.Mutex
	add := func() {
		for range 4 {
			mu.Lock()
			mu.Unlock()
		}
	}
	model.Go(add)
	model.Go(add)
	add()
}

const victimVariable = "MODELCHECK_TEST_VICTIM"

// TestVictim is the process that TestSearchSurvivesKill kills.
func TestVictim(t *testing.T) {
	file := os.Getenv(victimVariable)
	if file == "" {
		t.Skip("only for TestSearchSurvivesKill, which runs it as a process of its own")
	}
	checkpointEvery = 20 * time.Millisecond
	r := RunExhaustive(killed, Checkpoint(file))
	text, err := json.Marshal(progressIn(r))
	if err != nil || r.Err != nil {
		t.Fatal(err, r)
	}
	if err := os.WriteFile(file+".result", text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestSearchSurvivesKill kills a process that searches, at random moments and for good
// (SIGKILL), and starts it again: it loses nothing and counts nothing twice.
func TestSearchSurvivesKill(t *testing.T) {
	const most = 12
	wanted := 3
	if os.Getenv("MODELCHECK_LONG") != "" {
		wanted = most
	}
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	file := filepath.Join(t.TempDir(), "position")
	start := func() *exec.Cmd {
		cmd := exec.Command(os.Args[0], "-test.run=^TestVictim$")
		cmd.Env = append(os.Environ(), victimVariable+"="+file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	kills, last := 0, uint64(0)
	for tries := 0; tries < most && kills < wanted; tries++ {
		cmd := start()
		before := last
		for deadline := time.Now().Add(20 * time.Second); last == before && time.Now().Before(deadline); { // it gets somewhere
			time.Sleep(5 * time.Millisecond)
			last = max(last, nextIn(file))
			if _, err := os.Stat(file + ".result"); err == nil {
				break
			}
		}
		time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err != nil {
			kills++
		}
		if _, err := os.Stat(file + ".result"); err == nil {
			break
		}
	}
	if _, err := os.Stat(file + ".result"); err != nil {
		if err := start().Wait(); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file + ".result")
	if err != nil {
		t.Fatal(err)
	}
	var got progressOf
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := progressIn(RunExhaustive(killed))
	want.Expected, got.Expected = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after %d kills (-at once +killed):\n%s", kills, diff)
	}
	if kills == 0 || last == 0 {
		t.Errorf("killed %d times, the last time after schedule %d: nothing was tested", kills, last)
	}
	t.Logf("killed %d times, last seen at schedule %d of %d", kills, last, want.Schedules)
}

// nextIn returns the schedule that the checkpoint goes on with, 0 if there is none.
func nextIn(file string) uint64 {
	f, err := os.Open(file)
	if err != nil {
		return 0
	}
	defer f.Close()
	dec := gob.NewDecoder(bufio.NewReader(f))
	var version int
	var p checkpoint
	if dec.Decode(&version) != nil || dec.Decode(&p) != nil {
		return 0
	}
	return p.Next
}

// A checkpoint of something else is refused, and says why.
func TestCheckpointsOfOtherSearches(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "position")
	half := func(opts ...Option) Report {
		return RunExhaustive(counter2x5, append([]Option{Schedules(20), Checkpoint(file)}, opts...)...)
	}
	if r := half(); r.Err != nil {
		t.Fatal(r)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const end = "; delete it, or give the name of another file"
	for _, c := range []struct {
		name string
		opts []Option
		data []byte // in the file; nil: the checkpoint
		want string
	}{
		{"the same", nil, nil, ""},
		{"more runs", []Option{Schedules(30)}, nil, ""},
		{"variant", []Option{Name("x")}, nil, "wanted the variant x, found "},
		{"strategy", []Option{WithStrategy("brute")}, nil, "wanted the strategy brute, found dpor"},
		{"steps", []Option{Steps(7)}, nil, "wanted the number of steps 7, found 50000"},
		{"timers", []Option{Timers(AtQuiescence)}, nil, "wanted the rule for timers only when no goroutine can go on, found at any moment"},
		{"expectations", []Option{Expect(Panics("x"))}, nil, `wanted the list of expectations ["panic: x"], found []`},
		{"no checkpoint", nil, []byte("hello"), "it is not a checkpoint, or is damaged (unexpected EOF)"},
		{"half a checkpoint", nil, whole[:len(whole)/2], "it is damaged (unexpected EOF)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := c.data
			if data == nil {
				data = whole
			}
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
			r := half(c.opts...)
			want := ""
			if c.want != "" {
				want = "checkpoint " + file + " is of another search: " + c.want + end
			}
			if got := fmt.Sprint(r.Err); r.Err != nil != (want != "") || want != "" && got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if left, _ := os.ReadFile(file); want != "" && string(left) != string(data) {
				t.Error("the file was changed")
			}
		})
	}
	if r := Run(fine, Checkpoint(file)); r.Err == nil || !strings.Contains(r.Err.Error(), "strategy portfolio cannot save its position") {
		t.Errorf("a search that samples: %s", r)
	}
	t.Setenv("MODELCHECK_CHECKPOINT", file)
	if r := Run(fine); r.Failed() {
		t.Errorf("the variable concerns a search that samples: %s", r)
	}
	p, err := (&keeper{file: file, owner: owner{Binary: "other"}}).read()
	if p != nil || err == nil {
		t.Errorf("read %v, %v", p, err)
	}
}

func TestCheckpointOfAnotherProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "position")
	RunExhaustive(counter2x5, Schedules(20), Checkpoint(file))
	set, err := exhaustSettings(counter2x5, []Option{Checkpoint(file)})
	if err != nil {
		t.Fatal(err)
	}
	k, err := newKeeper(&set, "")
	if err != nil {
		t.Fatal(err)
	}
	k.owner.Binary = "another"
	if _, err := k.read(); err == nil || !strings.Contains(err.Error(), "the program or how it is built has changed since") {
		t.Errorf("%v", err)
	}
}

// Each test has a file of its own in a directory.
func TestCheckpointsInADirectory(t *testing.T) {
	inDir(t, t.TempDir())
	for _, c := range []struct{ name, test, want string }{
		{"position", "TestX", "position"},
		{"new/", "TestX", "new/TestX.checkpoint"},
		{".", "TestX/sub case", "TestX%2Fsub%20case.checkpoint"},
		{"new/", "", "new/run.checkpoint"},
	} {
		if got, want := checkpointFile(c.name, c.test), filepath.Join(saveDir, filepath.FromSlash(c.want)); got != want {
			t.Errorf("%s of %q: %s, wanted %s", c.name, c.test, got, want)
		}
	}
	t.Setenv("MODELCHECK_CHECKPOINT", "below/")
	tb := exhaust("TestCounter", counter2x5, Schedules(20))
	if _, err := os.Stat(filepath.Join(saveDir, "below", "TestCounter.checkpoint")); err != nil || !tb.failed {
		t.Errorf("failed %v, %v", tb.failed, err)
	}
	if tb = exhaust("TestCounter", counter2x5); tb.failed {
		t.Error(tb.log.String())
	}
	tb.mustContain(t, "complete: 252 trace classes in 252 runs, 5544 events")

	if err := os.WriteFile(filepath.Join(saveDir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MODELCHECK_CHECKPOINT", "file/x")
	if tb = exhaust("TestCounter", counter2x5); !tb.failed {
		t.Error("a file that cannot be written was accepted")
	}
	tb.mustContain(t, "explore: error: cannot ")
}

// TestPositionsAreWhole: whoever gives a search another field has to say here whether
// position.go saves it.
func TestPositionsAreWhole(t *testing.T) {
	for _, c := range []struct {
		of    any
		saved string
		not   string // made anew in every run, or the same in all
	}{
		{dpor{}, "nodes fixed naming volatile done careful classes dporStats unreduced reason", "misfit common table enabled buf races err"},
		{naming{}, "hashes", "ids local back"},
		{dporStats{}, "runs blocked misfits events cut fair trace", ""},
		{node{}, "tick sleep tree others objects done", ""},
		{branch{}, "transition base begun wake kids", ""},
		{transition{}, "label foot wide any loose ran crash", ""},
		{operation{}, "g op", ""},
		{brute{}, "stack done runs events cut fair", "depth"},
		{fork{}, "taken width", ""},
	} {
		known := map[string]bool{}
		for _, name := range strings.Fields(c.saved + " " + c.not) {
			known[name] = true
		}
		fields := map[string]bool{}
		for f := range reflect.TypeOf(c.of).Fields() {
			fields[f.Name] = true
		}
		if diff := cmp.Diff(known, fields); diff != "" {
			t.Errorf("%T (-known +there):\n%s", c.of, diff)
		}
	}
}
