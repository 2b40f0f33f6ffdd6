package explore

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// leaky leaks its sender when the receiver gives up first, and is fine otherwise.
func leaky() {
	reqCh := model.Named(model.NewChan[int](0), "reqCh")
	ctx, cancel := model.WithCancel(model.Background())
	model.GoNamed("receiver", func() {
		reqCh.Send(1) // @leak
	})
	model.GoNamed("canceler", cancel)
	model.Select(reqCh.RecvCase(nil), ctx.Done().RecvCase(nil))
}

func TestExpectations(t *testing.T) {
	leak := Blocked("receiver", "send", "reqCh")
	unmet := Panics("close of closed channel")
	both := func() {
		mu := model.Named(new(model.Mutex), "mu")
		if model.Choose(2) == 0 {
			mu.Lock()
			return
		}
		var wg model.WaitGroup
		wg.Add(-1)
	}
	for _, test := range []struct {
		name    string
		body    func()
		expect  []Expectation
		verdict string
		want    []string // findings, or what was found as expected
	}{
		{"met", leaky, []Expectation{leak}, "expected",
			[]string{"receiver (main.1) blocked: send chan reqCh (cap 0) at expect_test.go:" + line(t, "leak")}},
		{"met by path", leaky, []Expectation{Blocked("main.1", "", "")}, "expected",
			[]string{"receiver (main.1) blocked: send chan reqCh (cap 0) at expect_test.go:" + line(t, "leak")}},
		{"missed", func() { model.Go(func() {}) }, []Expectation{leak}, "fail",
			[]string{`expected finding missed: in 1 schedule nothing showed "blocked forever: receiver send reqCh"; nothing else was found`}},
		{"one met, one missed", leaky, []Expectation{leak, unmet}, "fail",
			[]string{fmt.Sprintf("expected finding missed: in %d", budgetOf(200)) + ` schedules nothing showed "panic: close of closed channel"; found instead: ` +
				"receiver (main.1) blocked: send chan reqCh (cap 0) at expect_test.go:" + line(t, "leak")}},
		{"other goroutine", leaky, []Expectation{Blocked("canceler", "send", "reqCh")}, "fail",
			[]string{"receiver (main.1) blocked: send chan reqCh (cap 0) at expect_test.go:" + line(t, "leak")}},
		{"other operation", leaky, []Expectation{Blocked("receiver", "receive", "reqCh")}, "fail",
			[]string{"receiver (main.1) blocked: send chan reqCh (cap 0) at expect_test.go:" + line(t, "leak")}},
		{"part of a name", leaky, []Expectation{Blocked("receiver", "send", "req")}, "fail",
			[]string{"receiver (main.1) blocked: send chan reqCh (cap 0) at expect_test.go:" + line(t, "leak")}},
		{"two in different schedules", both, []Expectation{Held("mu"), Panics("negative WaitGroup counter")}, "expected", nil},
		{"one of two", both, []Expectation{Panics("negative WaitGroup counter")}, "fail", nil},
		{"never", func() {
			model.Go(func() {})
			model.Sometimes(false, "cancel won")
		}, []Expectation{Never("cancel won")}, "expected", nil},
		{"assertion", func() {
			model.Go(func() {})
			model.Assert(false, "D1: the error is the result")
		}, []Expectation{Broken("D1")}, "expected", nil},
		{"end condition", func() {
			model.Go(func() {})
			model.AtEnd("D2", func() error { return errTest })
		}, []Expectation{Broken("D2")}, "expected", nil},
		{"endless", func() {
			model.Go(func() {})
			for {
				model.Gosched()
			}
		}, []Expectation{Endless()}, "expected", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Run(test.body, Expect(test.expect...), Schedules(200), Steps(500))
			if r.Verdict() != test.verdict {
				t.Fatalf("wanted verdict %q: %s", test.verdict, r)
			}
			if test.want != nil {
				if diff := cmp.Diff(test.want, append(lines(r.Findings), lines(r.Expected)...)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			if test.verdict == "expected" && r.Schedule != "" {
				replayed := Replay(test.body, r.Schedule, Steps(500))
				if r.Hash != replayed.Hash || replayed.Verdict() != "fail" {
					t.Errorf("%s\nreplayed: %s", r, replayed)
				}
			}
		})
	}
}

type testError string

func (e testError) Error() string { return string(e) }

const errTest = testError("not right")

// line returns the number of the marked line of this file.
func line(t *testing.T, mark string) string {
	_, file, _, _ := runtime.Caller(0)
	return strconv.Itoa(siteIn(t, file, mark).Line)
}

// Failing schedules that do the same as one seen before are not looked at again.
func TestExpectedFailuresAreExaminedOnce(t *testing.T) {
	runs := 0
	r := Run(func() {
		runs++
		model.Go(func() {})
		model.Select()
	}, Expect(Blocked("main", "select", ""), Never("nothing")), Workers(1))
	if extra := runs - r.Schedules; extra > 10 {
		t.Errorf("%d runs besides %d schedules", extra, r.Schedules)
	}
}

// A schedule that shows both something expected and something else fails.
func TestUnexpectedBesideExpected(t *testing.T) {
	body := func() {
		mu := model.Named(new(model.Mutex), "mu")
		model.Go(func() { mu.Lock() })
		model.NewChan[int](0).Recv()
	}
	r := Run(body, Expect(Held("mu")))
	if len(r.Findings) != 1 || r.Findings[0].Kind != sched.BlockedForever {
		t.Errorf("wanted the blocked goroutine alone: %s", r)
	}
}

func TestMentions(t *testing.T) {
	for _, test := range []struct {
		text, words string
		want        bool
	}{
		{"mutex mu", "mu", true},
		{"mutex muxed", "mu", false},
		{"mutex amu", "mu", false},
		{"muxed mu", "mu", true},
		{"chan mu (cap 0)", "mu", true},
		{"chan mu_2 (cap 0)", "mu", false},
		{"send chan out (cap 1) | receive context", "out", true},
		{"mutex mü", "m", false},
		{"mutex mü", "mü", true},
		{"mutex", "", true},
		{"", "", true},
		{"", "mu", false},
		{"D1: error lost", "D1", true},
		{"D10: error lost", "D1", false},
		{"nil channel", "nil channel", true},
	} {
		if got := mentions(test.text, test.words); got != test.want {
			t.Errorf("mentions(%q, %q) = %v", test.text, test.words, got)
		}
	}
}
