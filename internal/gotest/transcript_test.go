package gotest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// logged is a testLog as a value that can be compared.
type logged struct {
	Name, Output  string
	Ended, Failed bool
}

func (t *transcript) logged() []logged {
	var all []logged
	for _, test := range t.tests {
		all = append(all, logged{test.name, test.output.String(), test.ended, test.failed})
	}
	return all
}

// ^ stands for the marker in the streams below.
func transcriptOf(stream string, log *strings.Builder, size int) *transcript {
	t := newTranscript(log)
	for rest := strings.ReplaceAll(stream, "^", "\x16"); rest != ""; {
		n := min(size, len(rest))
		t.Write([]byte(rest[:n]))
		rest = rest[n:]
	}
	t.close()
	return t
}

func TestOutputGoesToTheTestThatPrintedIt(t *testing.T) {
	for _, test := range []struct {
		name, stream string
		want         []logged
		log          string
	}{
		{
			name:   "outside of all tests",
			stream: "before\n^=== RUN   TestA\n^--- PASS: TestA (0.00s)\n^PASS\nafter\n",
			want:   []logged{{"", "before\nafter\n", false, false}, {"TestA", "", true, false}},
			log:    "before\n=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nafter\n",
		},
		{
			name: "subtests",
			stream: "^=== RUN   TestA\none\n^=== RUN   TestA/sub\ntwo\n^=== NAME  TestA\nthree\n^=== NAME  \n" +
				"^    --- FAIL: TestA/sub (0.00s)\n^--- FAIL: TestA (0.00s)\n^FAIL\n",
			want: []logged{{"", "", false, false}, {"TestA", "one\nthree\n", true, true}, {"TestA/sub", "two\n", true, true}},
			log: "=== RUN   TestA\none\n=== RUN   TestA/sub\ntwo\nthree\n" +
				"    --- FAIL: TestA/sub (0.00s)\n--- FAIL: TestA (0.00s)\nFAIL\n",
		},
		{
			name: "parallel tests",
			stream: "^=== RUN   TestA\n^=== PAUSE TestA\n^=== RUN   TestB\n^=== PAUSE TestB\n^=== CONT  TestA\na\n^=== CONT  TestB\nb\n" +
				"^=== NAME  TestA\na\n^--- PASS: TestB (0.00s)\n^--- SKIP: TestA (0.00s)\n",
			want: []logged{{"", "", false, false}, {"TestA", "a\na\n", true, false}, {"TestB", "b\n", true, false}},
			log: "=== RUN   TestA\n=== PAUSE TestA\n=== RUN   TestB\n=== PAUSE TestB\n=== CONT  TestA\na\n=== CONT  TestB\nb\n" +
				"a\n--- PASS: TestB (0.00s)\n--- SKIP: TestA (0.00s)\n",
		},
		{
			name:   "unfinished lines and lines that only look like framing",
			stream: "^=== RUN   TestA\n--- FAIL: TestA (0.00s)\nno end^--- PASS: TestA (0.00s)\n",
			want:   []logged{{"", "", false, false}, {"TestA", "--- FAIL: TestA (0.00s)\nno end", true, false}},
			log:    "=== RUN   TestA\n--- FAIL: TestA (0.00s)\nno end--- PASS: TestA (0.00s)\n",
		},
		{
			name:   "the same test twice, then a crash",
			stream: "^=== RUN   TestA\n^--- FAIL: TestA (0.00s)\n^=== RUN   TestA\npanic: boom",
			want:   []logged{{"", "", false, false}, {"TestA", "panic: boom", false, true}},
			log:    "=== RUN   TestA\n--- FAIL: TestA (0.00s)\n=== RUN   TestA\npanic: boom",
		},
		{
			name:   "attributes of a test",
			stream: "^=== RUN   TestA\n^=== ATTR  TestA key value\nx\n",
			want:   []logged{{"", "", false, false}, {"TestA", "x\n", false, false}},
			log:    "=== RUN   TestA\n=== ATTR  TestA key value\nx\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, size := range []int{1, 2, 7, 1000} { // the stream comes in any pieces
				var log strings.Builder
				got := transcriptOf(test.stream, &log, size)
				if diff := cmp.Diff(test.want, got.logged()); diff != "" {
					t.Errorf("pieces of %d: tests differ (-want +got)\n%s", size, diff)
				}
				if diff := cmp.Diff(test.log, log.String()); diff != "" {
					t.Errorf("pieces of %d: log differs (-want +got)\n%s", size, diff)
				}
			}
		})
	}
}
