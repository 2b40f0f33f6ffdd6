package explore

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

// request waits for an answer that comes at once, for a minute at most.
func request() {
	answer := model.NewChan[int](1)
	model.Go(func() { answer.Send(1) })
	ctx, cancel := model.WithTimeout(model.Background(), time.Minute)
	defer cancel()
	answered := model.Select(answer.RecvCase(nil), ctx.Done().RecvCase(nil)) == 0
	model.Assert(answered, "the answer came in time")
}

// oversleep relies on a sleep to be longer than some work.
func oversleep() {
	done := false
	model.Go(func() { model.Gosched(); done = true })
	model.Sleep(time.Minute)
	model.Assert(done, "it is done by now")
}

func TestTimers(t *testing.T) {
	for _, c := range []struct {
		name    string
		body    func()
		opts    []Option
		verdict string
		says    string
	}{
		{"by default a timeout may hit work that is under way", request, nil, "fail", ", timeouts at any moment\n"},
		{"the same, asked for", request, []Option{Timers(AnyTime)}, "fail", ", timeouts at any moment\n"},
		{"at quiescence it does not", request, []Option{Timers(AtQuiescence)}, "pass", ", timeouts only when no goroutine can go on\n"},
		{"hastily it does", request, []Option{Timers(Hasty)}, "fail", ", timeouts at any moment, like sleeps and ticks\n"},
		{"either way it does", request, []Option{Timers(Either)}, "fail", ", timeouts only when no goroutine can go on, or at any moment, as the schedule says\n"},
		{"a sleep is long enough", oversleep, []Option{Timers(AnyTime)}, "pass", " steps\n"},
		{"hastily it is not", oversleep, []Option{Timers(Hasty)}, "fail", ", timeouts at any moment, like sleeps and ticks\n"},
		{"nor either way", oversleep, []Option{Timers(Either)}, "fail", ", timeouts only when no goroutine can go on, or at any moment, as the schedule says\n"},
		{"a program without timers has no rule", func() { model.Go(model.Gosched) }, []Option{Timers(AtQuiescence)}, "pass", ", there are no others\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Run(c.body, c.opts...)
			if got := r.Verdict(); got != c.verdict {
				t.Errorf("verdict %q, want %q:\n%v", got, c.verdict, r)
			}
			line, _, _ := strings.Cut(r.String(), "\n")
			if !strings.HasSuffix(line+"\n", c.says) {
				t.Errorf("the report says %q, want it to end in %q", line, c.says)
			}
			if r.Schedule != "" {
				if again := Replay(c.body, r.Schedule, c.opts...); again.Hash != r.Hash || again.Timers != r.Timers {
					t.Errorf("replayed: hash %x, timers %q; want %x, %q", again.Hash, again.Timers, r.Hash, r.Timers)
				}
			}
		})
	}
}

func TestWrongTimerRule(t *testing.T) {
	r := Run(request, Timers("never"))
	if got, want := r.Err.Error(), `explore.Timers("never"): wanted AnyTime, AtQuiescence, Hasty or Either`; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}

// A saved schedule is run again under the rule that it was found under, although the test
// has another now; then the test goes on with its own.
func TestSavedScheduleKeepsItsTimerRule(t *testing.T) {
	inDir(t, t.TempDir())
	t.Setenv(timersVariable, "hasty")
	found := check("TestSleeps", oversleep, Timers(AtQuiescence))
	found.mustContain(t, "1 finding in ", ", timeouts at any moment, like sleeps and ticks", "To reproduce: MODELCHECK_TIMERS='hasty' MODELCHECK_REPLAY=")
	os.Unsetenv(timersVariable)

	again := check("TestSleeps", oversleep, Timers(AtQuiescence))
	again.mustContain(t, "1 finding in the given schedule", ", timeouts at any moment, like sleeps and ticks",
		"note: timeouts happen at any moment, like sleeps and ticks, as when it was saved; when the test explores, only when no goroutine can go on",
		"To reproduce: MODELCHECK_TIMERS='hasty' MODELCHECK_REPLAY=")

	t.Setenv(timersVariable, "quiescence")
	check("TestSleeps", oversleep).mustContain(t, "the schedule no longer applies", "nothing found in ")
	os.Unsetenv(timersVariable)

	check("TestSleeps", request, Timers(AtQuiescence)).mustContain(t, "nothing found", ", timeouts only when no goroutine can go on")
}

func TestScheduleFileWithWrongTimerRule(t *testing.T) {
	_, err := parseFile([]byte("# modelcheck schedule v1\n# timers: never\nmc1::a2c85bbb\n"))
	if got, want := fmt.Sprint(err), `wanted "# timers: " and anytime, quiescence, hasty or either: no rule "never"`; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}
