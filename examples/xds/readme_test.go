package xds

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/sched"
)

// TestREADME compares the parts of README.md that are output with what is put out
// now. UPDATE_README=1 writes them anew.
func TestREADME(t *testing.T) {
	const name = "README.md"
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(old)
	for _, l := range leaks {
		text = replacePart(t, text, l.variant, l.text(t))
	}
	text = replacePart(t, text, "verdicts", verdicts())
	if os.Getenv("UPDATE_README") != "" {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(text, "\n"), strings.Split(string(old), "\n")); diff != "" {
		t.Errorf("%s is out of date, UPDATE_README=1 go test -run README mends it (-want +found):\n%s", name, diff)
	}
}

// replacePart puts text between the lines <!-- title --> and <!-- end -->.
func replacePart(t *testing.T, readme, title, text string) string {
	t.Helper()
	start := "<!-- " + title + " -->\n"
	before, rest, ok := strings.Cut(readme, start)
	_, after, end := strings.Cut(rest, "<!-- end -->")
	if !ok || !end {
		t.Fatalf("wanted a part %q in the README, found none", title)
	}
	return before + start + text + "<!-- end -->" + after
}

// leaks are short schedules under which the buggy receiver leaks. In the first, the
// issue's, all goes by default, but the callback rejects the first request.
var leaks = []leakingSchedule{
	{"buggy", environment{requests: 2}, "mc1:m.4-3=m.4_choose+1:d04daf02"},
	{"buggy-refusing", environment{requests: 1, mayRefuse: true}, "mc1:m.4-1=m.4_choose+1,m.3-1=m.4.1_try_select%:f2a3d1af"},
	{"buggy-stopping", environment{requests: 1, server: mayShutDown}, "mc1:m.2-0=m.2_choose+1,m.4-2=m.4.1_try_select%:3beeab18"},
}

type leakingSchedule struct {
	variant  string
	env      environment
	schedule string
}

// text returns the report of the leak.
func (l leakingSchedule) text(t *testing.T) string {
	t.Helper()
	r := explore.Replay(serve(buggy, l.env), l.schedule, explore.Name(fmt.Sprintf("%s/n=%d", l.variant, l.env.requests)))
	if r.Err != nil || len(r.Findings) != 1 || r.Findings[0].Kind != sched.BlockedForever {
		t.Fatalf("wanted a leak, found:\n%v", r)
	}
	return "```\n" + r.String() + "```\n"
}

func verdicts() string {
	var b strings.Builder
	b.WriteString("| variant | n | the world besides | verdict |\n|---|---|---|---|\n")
	for _, row := range streams {
		row.env.requests = row.n
		shows := ""
		if len(row.want) == 0 {
			r := explore.RunExhaustive(serve(row.design, row.env))
			shows = fmt.Sprintf("%s, proved: %d trace classes", r.Verdict(), r.Coverage.Classes)
		} else {
			all := make([]string, len(row.want))
			for i, e := range row.want {
				all[i] = e.String()
			}
			shows = strings.Join(all, "; ")
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", row.variant, row.n, row.env, shows)
	}
	return b.String()
}

// String says what an environment has besides a client and a callback for requests.
func (e environment) String() string {
	var words []string
	if e.mayRefuse {
		words = append(words, "may refuse the stream")
	}
	switch e.server {
	case mayShutDown:
		words = append(words, "may shut down")
	case shutsDown:
		words = append(words, "shuts down")
	}
	if e.mock {
		words = append(words, "is a mock")
	}
	return strings.Join(words, ", ")
}
