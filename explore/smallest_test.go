package explore

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
)

// pool starts workers that send their results; main takes only so many of them.
func pool(values []int) func() {
	workers, taken := values[0], values[1]
	return func() {
		results := model.Named(model.NewChan[int](1), "results")
		for range workers {
			model.Go(func() { results.Send(1) })
		}
		for range taken {
			model.TrySelect(results.RecvCase(nil))
		}
	}
}

func TestSmallest(t *testing.T) {
	for _, c := range []struct {
		name   string
		sizes  []Size
		body   func([]int) func()
		opts   []Option
		values []int
		passed []string
		err    string
	}{
		{name: "found", sizes: []Size{{"workers", 0, 3}, {"taken", 0, 2}}, body: pool,
			values: []int{2, 0}, passed: []string{"workers=0,taken=0", "workers=0,taken=1", "workers=1,taken=0", "workers=0,taken=2", "workers=1,taken=1"}},
		{name: "proved", sizes: []Size{{"workers", 1, 3}, {"taken", 1, 1}}, body: pool, opts: []Option{WithStrategy("dpor")},
			values: []int{2, 1}, passed: []string{"workers=1,taken=1"}},
		{name: "expected", sizes: []Size{{"workers", 1, 3}, {"taken", 0, 0}}, body: pool, opts: []Option{Expect(Blocked("", "send", "results"))},
			values: []int{2, 0}, passed: []string{"workers=1,taken=0"}},
		{name: "nowhere", sizes: []Size{{"workers", 0, 1}, {"taken", 0, 1}}, body: pool,
			passed: []string{"workers=0,taken=0", "workers=0,taken=1", "workers=1,taken=0", "workers=1,taken=1"}},
		{name: "philosophers", sizes: []Size{{"philosophers", 2, 9}}, body: func(n []int) func() { return func() { philosophers(n[0], false) } },
			values: []int{2}},
		{name: "no sizes", body: pool, err: "explore.Smallest: wanted at least one size and a function that makes the program, found 0 sizes"},
		{name: "no range", sizes: []Size{{"workers", 2, 1}}, body: pool, err: `explore.Smallest: wanted a name and a range from small to large, found "workers" from 2 to 1`},
		{name: "wrong option", sizes: []Size{{"workers", 1, 1}}, body: func([]int) func() { return fine }, opts: []Option{Schedules(0)},
			err: "explore.Smallest, workers=1: explore.Schedules(0): wanted at least 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Smallest(c.sizes, c.body, append(c.opts, Seed(1))...)
			var passed []string
			for _, r := range s.Passed {
				passed = append(passed, r.Name)
			}
			if diff := cmp.Diff(c.values, s.Values) + cmp.Diff(c.passed, passed); diff != "" || (s.Report != nil) != (c.values != nil) {
				t.Errorf("(-want +got)\n%s\n%v", diff, s)
			}
			if c.err != "" && (s.Err == nil || s.Err.Error() != c.err) || c.err == "" && s.Err != nil {
				t.Errorf("error %v, wanted %q", s.Err, c.err)
			}
		})
	}
}

func TestSmallestSaysWhatItTried(t *testing.T) {
	got := Smallest([]Size{{"workers", 1, 3}, {"taken", 1, 1}}, pool, WithStrategy("dpor")).String()
	lines := strings.Split(got, "\n")
	for i, want := range []string{"smallest size that fails: workers=2,taken=1", "workers=2,taken=1: fail: 1 finding, search not complete: 1 trace class in 1 run, 4 events, about 25 % (estimate)"} {
		if lines[i] != want {
			t.Errorf("line %d: %s\nwanted %s", i+1, lines[i], want)
		}
	}
	if end := "these pass:\n  workers=1,taken=1: nothing found, complete: 2 trace classes in 2 runs, 6 events\n"; !strings.HasSuffix(got, end) {
		t.Errorf("%s\nwanted at the end\n%s", got, end)
	}
}
