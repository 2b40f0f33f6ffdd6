package racing_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/internal/racing"
	"github.com/modelcheck-go/modelcheck/sched"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(built.dir)
		os.Exit(code)
	}))
}

// maxRuns bounds the exhaustive search of one script.
const maxRuns = 20_000

// verdict reports whether body has a data race in some schedule; ok is false if there are
// too many to run them all and none of those run has one. Whatever else is found is passed
// over.
func verdict(t *testing.T, body func(), opts ...explore.Option) (racy, ok bool) {
	t.Helper()
	r := explore.RunExhaustive(body, append(opts,
		explore.Expect(explore.Races(""), explore.Blocked("", "", ""), explore.Held(""), explore.Panics("")),
		explore.Schedules(maxRuns), explore.Minimize(0), explore.Sequential())...)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	for _, f := range r.Findings {
		if f.Kind != explore.Missed {
			t.Fatal(r)
		}
		missed, _, _ := strings.Cut(f.Message, ";")
		if strings.Contains(missed, string(sched.DataRace)) {
			return false, r.Coverage.Complete
		}
	}
	return true, true
}

// TestLitmus compares the table with what is found in all schedules.
func TestLitmus(t *testing.T) {
	for _, row := range racing.Litmus {
		t.Run(row.Name, func(t *testing.T) {
			racy, ok := verdict(t, row.Body)
			if !ok {
				t.Fatal("not all schedules were run")
			}
			if racy != row.Racy {
				t.Errorf("a data race: %t, want %t", racy, row.Racy)
			}
		})
	}
}

// TestLitmusNatively compares the table with what the race detector says.
func TestLitmusNatively(t *testing.T) {
	n := native(t)
	var lines []string
	for _, row := range racing.Litmus {
		lines = append(lines, "400 litmus "+row.Name)
	}
	reported := n.run(t, lines)
	for i, row := range racing.Litmus {
		switch {
		case reported[i] == row.Racy:
			if row.Blind != "" && !row.Racy {
				t.Errorf("%s: the race detector agrees: so it is not true that %s", row.Name, row.Blind)
			}
		case row.Blind != "":
		case reported[i] && !n.again(t, lines[i]): // it was another row's
		case reported[i]:
			t.Errorf("%s: the race detector reports a race, want none", row.Name)
		default:
			t.Logf("%s: the race detector saw nothing in 400 runs", row.Name)
		}
	}
}

// fixed are scripts that TestOracle begins with: in each nothing but what the two do
// between the accesses could order them, and it does not.
var fixed = []string{
	"write0 rlock0 runlock0 tell0 | told0 rlock0 runlock0 read0",
	"write0 load0 tell0 | told0 load0 read0",
	"write0 store0 tell0 | told0 store0 read0",
	"write0 fill1 tell0 | told0 fill1 read0",
	"write0 ifvcas0 vload0 tell0 | told0 ifvcas0 vload0 read0",
	"write0 done0 tell0 | told0 done0 read0",
	"write0 iferr0 tell0 | told0 iferr0 read0 read0",
}

// TestOracle draws scripts and compares: where the race detector reports a race in one of
// many native runs, there is one in some schedule. MODELCHECK_LONG=n takes n scripts, and
// RACING_SEED others.
func TestOracle(t *testing.T) {
	n := native(t)
	count, runs, seed := settings(t)
	r := rand.New(rand.NewPCG(seed, 0))
	var scripts []racing.Script
	var lines []string
	var racy []bool
	var err error
	big := 0
	for len(scripts) < count+len(fixed) {
		s := racing.Draw(r)
		if k := len(scripts); k < len(fixed) {
			if s, err = racing.Parse(fixed[k]); err != nil {
				t.Fatal(err)
			}
		}
		v, ok := verdict(t, func() { s.Perform(0) })
		if !ok {
			big++
			continue
		}
		scripts, racy = append(scripts, s), append(racy, v)
		lines = append(lines, fmt.Sprintf("%d %s", runs, s))
	}
	reported := n.run(t, lines)
	found, confirmed := 0, 0
	for i, s := range scripts {
		if reported[i] && !racy[i] && n.again(t, fmt.Sprintf("%d %s", 20*runs, s)) {
			t.Errorf("%v: a data race natively, but in no schedule", s)
		}
		if racy[i] {
			found++
		}
		if racy[i] && reported[i] {
			confirmed++
		}
	}
	t.Logf("seed %d: %d scripts, %d more were too big; %d native runs each; %d have a race in some schedule, of which the race detector saw %d; %d have none",
		seed, len(scripts), big, runs, found, confirmed, len(scripts)-found)
	if found == 0 || confirmed == 0 || found == len(scripts) {
		t.Error("nothing was compared")
	}
}

func settings(t *testing.T) (count, runs int, seed uint64) {
	count, runs, seed = 60, 30, 1
	if text := os.Getenv("MODELCHECK_LONG"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("MODELCHECK_LONG=%q: want a number of scripts", text)
		}
		count, runs = n, 200
	}
	if text := os.Getenv("RACING_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("RACING_SEED=%q: want a number", text)
		}
	}
	return count, runs, seed
}

// binary is a build of the command native.
type binary struct{ file string }

// built is what native has built.
var built struct {
	once sync.Once
	dir  string
	out  []byte
	err  error
}

// native builds the command once, and skips the test where the race detector is not to
// be had.
func native(t *testing.T) binary {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "racing"); built.err != nil {
			return
		}
		built.out, built.err = exec.Command("go", "build", "-race", "-o", built.dir, "./native").CombinedOutput()
	})
	switch out := built.out; {
	case built.err == nil:
	case bytes.Contains(out, []byte("cgo")), bytes.Contains(out, []byte("-race is not supported")), bytes.Contains(out, []byte("C compiler")):
		t.Skipf("no race detector here: %s", out)
	default:
		t.Fatalf("go build -race: %v\n%s", built.err, out)
	}
	return binary{filepath.Join(built.dir, "native")}
}

// run gives the lines to the command and says for each whether a race on a Shared was
// reported.
func (b binary) run(t *testing.T, lines []string) []bool {
	t.Helper()
	const atOnce = 200 // what is blocked for ever stays until the process ends
	var all []bool
	for len(lines) > 0 {
		n := min(atOnce, len(lines))
		all = append(all, b.process(t, lines[:n])...)
		lines = lines[n:]
	}
	return all
}

func (b binary) process(t *testing.T, lines []string) []bool {
	t.Helper()
	var report bytes.Buffer
	cmd := exec.Command(b.file)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	cmd.Stderr = &report
	// Every race is to be reported, however often it was before.
	cmd.Env = append(os.Environ(), "GORACE=exitcode=0 atexit_sleep_ms=0 suppress_equal_stacks=0 suppress_equal_addresses=0")
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	} else if err != nil {
		t.Fatalf("%v\n%s", err, report.String()[max(0, report.Len()-5000):])
	}
	return raced(t, report.String(), lines)
}

// raced says of which lines the report has a race between two accesses to Shareds. One
// that began under an earlier line may be told under a later one, so a race that must
// not be is to be looked for again in a process of its own.
func raced(t *testing.T, report string, lines []string) []bool {
	t.Helper()
	verdicts := make([]bool, len(lines))
	at, access := -1, false
	for text := range strings.Lines(report) {
		text = strings.TrimSuffix(text, "\n")
		switch {
		case at+1 < len(lines) && text == "== "+lines[at+1]:
			at++
		case access && strings.Contains(text, "model.(*Shared["):
			verdicts[at] = true
		}
		access = strings.Contains(text, "ead at 0x") || strings.Contains(text, "rite at 0x")
	}
	if at != len(lines)-1 {
		t.Fatalf("the process ended early:\n%s", report[max(0, len(report)-5000):])
	}
	return verdicts
}

// again reports whether a race shows when nothing else is run in the process.
func (b binary) again(t *testing.T, line string) bool {
	t.Helper()
	return b.process(t, []string{line})[0]
}
