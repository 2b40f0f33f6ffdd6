package gotest

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEveryFailureIsToldOnce(t *testing.T) {
	crash := errors.New("the tests crashed: exit status 2")
	const (
		passed = "^=== RUN   TestA\nout\n^--- PASS: TestA (0.00s)\n^PASS\n"
		failed = "^=== RUN   TestA\nout\n^--- FAIL: TestA (0.00s)\n^FAIL\n"
		nested = "^=== RUN   TestA\n^=== RUN   TestA/x\nout\n^=== NAME  TestA\n^    --- FAIL: TestA/x (0.00s)\n^--- FAIL: TestA (0.00s)\n^FAIL\n"
	)
	for _, test := range []struct {
		name, stream     string
		events           []Event
		runErr, eventErr error
		want             []Problem
	}{
		{name: "all passed", stream: passed, events: []Event{{Test: "TestA", Verdict: Pass}}},
		{name: "expected finding", stream: passed, events: []Event{{Test: "TestA", Verdict: Expected, Findings: []Finding{{"lock held", ""}}}}},
		{
			name: "failed check", stream: failed, runErr: errFailed,
			events: []Event{{Test: "TestA", Verdict: Fail, Findings: []Finding{{"lock held", "a holds mu"}}, Replay: "go test"}},
			want:   []Problem{{Test: "TestA", What: "a holds mu", Output: "out\n", Replay: "go test"}},
		},
		{
			name: "failed check that its test hides", stream: passed,
			events: []Event{{Test: "TestA", Verdict: Fail}},
			want:   []Problem{{Test: "TestA", What: "the check failed", Output: "out\n"}},
		},
		{
			name: "two failed checks in a test", stream: failed, runErr: errFailed,
			events: []Event{{Test: "TestA", Verdict: Fail, Message: "first"}, {Test: "TestA", Verdict: Broken, Message: "second"}},
			want:   []Problem{{Test: "TestA", What: "first", Output: "out\n"}, {Harness: true, Test: "TestA", What: "second"}},
		},
		{
			name: "failed check in a subtest", stream: nested, runErr: errFailed,
			events: []Event{{Test: "TestA/x", Verdict: Fail, Message: "m"}},
			want:   []Problem{{Test: "TestA/x", What: "m", Output: "out\n"}},
		},
		{
			name: "failed subtest without check", stream: nested, runErr: errFailed,
			want: []Problem{{Test: "TestA/x", What: "the test failed outside of a check", Output: "out\n"}},
		},
		{
			name: "failure after a passed check", stream: failed, runErr: errFailed,
			events: []Event{{Test: "TestA", Verdict: Pass}},
			want:   []Problem{{Test: "TestA", What: "the test failed outside of a check", Output: "out\n"}},
		},
		{
			name: "panic in a subtest", stream: strings.TrimSuffix(nested, "^FAIL\n") + "panic: boom\n", runErr: crash,
			want: []Problem{{Harness: true, Test: "TestA/x", What: "the tests crashed: exit status 2", Output: "panic: boom\nout\n"}},
		},
		{
			name: "crash after a failed check", stream: strings.TrimSuffix(failed, "^FAIL\n") + "^=== RUN   TestB\npanic: boom\n", runErr: crash,
			events: []Event{{Test: "TestA", Verdict: Fail, Message: "m"}},
			want: []Problem{
				{Test: "TestA", What: "m", Output: "out\n"},
				{Harness: true, Test: "TestB", What: "the tests crashed: exit status 2", Output: "panic: boom\n"},
			},
		},
		{
			name: "failed binary after a failed check that its test hides", stream: passed + "leak\n", runErr: errFailed,
			events: []Event{{Test: "TestA", Verdict: Fail, Message: "m"}},
			want: []Problem{
				{Test: "TestA", What: "m", Output: "out\n"},
				{What: "the test binary failed, though no test did", Output: "leak\n"},
			},
		},
		{
			name: "failed binary without failed test", stream: passed + "leak\n", runErr: errFailed,
			want: []Problem{{What: "the test binary failed, though no test did", Output: "leak\n"}},
		},
		{
			name: "bad event", stream: passed, eventErr: errors.New("event line 1: bad"),
			want: []Problem{{Harness: true, What: "event line 1: bad"}},
		},
		{
			name: "bad event in a failed binary", stream: passed + "leak\n", runErr: errFailed, eventErr: errors.New("event line 1: bad"),
			want: []Problem{
				{Harness: true, What: "event line 1: bad"},
				{What: "the test binary failed, though no test did", Output: "leak\n"},
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			transcript := transcriptOf(test.stream, &strings.Builder{}, 1000)
			got := problems(test.events, transcript, test.runErr, test.eventErr)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems differ (-want +got)\n%s", diff)
			}
		})
	}
}
