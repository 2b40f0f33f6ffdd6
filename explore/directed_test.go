package explore

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// busy takes n steps that matter to nobody.
func busy(n int) {
	var own model.Shared[int]
	for range n {
		own.Get()
	}
}

// TestDirectedTurnsOneThingAround: bugs that need one thing to wait for something
// else that is far away are found at once, and by a random walk not at all.
func TestDirectedTurnsOneThingAround(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULES", "40")
	const far = 30
	for name, body := range map[string]func(){
		"another case": func() {
			value, done := model.NewChan[int](1), model.NewChan[int](0)
			value.Send(1)
			model.Go(func() {
				busy(far)
				done.Close()
			})
			model.Assert(model.Select(value.RecvCase(nil), done.RecvCase(nil)) == 0, "it is not done yet")
		},
		"another partner": func() {
			c := model.NewChan[int](0)
			for i, steps := range []int{0, far} {
				model.Go(func() {
					busy(steps)
					c.Send(i)
				})
			}
			model.Assert(c.Recv() == 0, "the near one is first")
			c.Recv()
		},
		"another lock holder": func() {
			var mu model.Mutex
			first := -1
			for i, steps := range []int{0, far} {
				model.Go(func() {
					busy(steps)
					inside(&mu, func() {
						if first < 0 {
							first = i
						}
						model.Assert(first == 0, "the near one is first")
					})
				})
			}
		},
	} {
		for seed := range uint64(10) {
			if r := Run(body, Seed(seed), WithStrategy("directed")); r.Verdict() != "fail" || r.Schedules > 4 {
				t.Errorf("%s, seed %d: wanted it found in 4 schedules: %s", name, seed, r)
			}
			if r := Run(body, Seed(seed), WithStrategy("random")); r.Verdict() != "pass" {
				t.Errorf("%s, seed %d: a random walk finds it too: %s", name, seed, r)
			}
		}
	}
}

// flipsIn returns the flips of a schedule 0 of body, in order.
func flipsIn(body func(), seed uint64) []flip {
	e := sched.New(sched.Config{})
	defer e.Close()
	walk := newScout(seed)
	r := e.Run(body, walk, sched.RunOptions{Log: true, IgnoreRaces: true})
	flips := walk.profile(r).flips
	slices.SortFunc(flips, func(a, b flip) int {
		return slices.Compare(
			[]int32{int32(a.kind), a.routine, a.op, a.choice, a.other}, []int32{int32(b.kind), b.routine, b.op, b.choice, b.other})
	})
	return flips
}

// TestFlips: what there is to flip in runs in which only one thing can happen, or it
// does not matter which.
func TestFlips(t *testing.T) {
	for _, test := range []struct {
		name string
		body func()
		want []flip
	}{
		{"nothing shared", func() {
			model.Go(func() { busy(3) })
			busy(3)
		}, nil},
		{"buffered channel", func() {
			c := model.NewChan[int](1)
			model.Go(func() { c.Send(1) })
			c.Recv()
		}, nil},
		{"a lock, one after the other", func() {
			var mu model.Mutex
			inside(&mu, func() {})
			model.Go(func() { inside(&mu, func() {}) })
		}, nil},
		{"cases that were not taken", func() {
			a, b := model.NewChan[int](1), model.NewChan[int](1)
			a.Send(1)
			model.Select(model.Chan[int]{}.RecvCase(nil), a.RecvCase(nil), b.RecvCase(nil)) // main's operation 1
			model.Go(func() {})
		}, []flip{{kind: otherCase, op: 1, choice: 2}}},
		{"timeout", func() {
			a := model.NewChan[int](1)
			late := model.After(time.Second)
			a.Send(1)
			model.Select(a.RecvCase(nil), late.RecvCase(nil)) // main's operation 2, after the timer's start
		}, []flip{{kind: otherCase, op: 2, choice: 1}}},
		{"try", func() {
			a, b := model.NewChan[int](1), model.NewChan[int](1)
			a.Send(1)
			model.TrySelect(a.RecvCase(nil), b.RecvCase(nil))
			model.Go(func() {})
		}, []flip{{kind: otherCase, op: 1, choice: -1}, {kind: otherCase, op: 1, choice: 1}}},
	} {
		for seed := range uint64(10) {
			got := flipsIn(test.body, seed)
			if test.name == "timeout" && len(got) == 1 && got[0].choice == 0 {
				continue // the timeout won already
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(flip{})); diff != "" {
				t.Errorf("%s, seed %d (-want +got):\n%s", test.name, seed, diff)
			}
		}
	}
	many := func() {
		var mu model.Mutex
		work := func() {
			for range 50 {
				inside(&mu, func() {})
			}
		}
		model.Go(work)
		work()
	}
	if n := len(flipsIn(many, 1)); n != maxFlips {
		t.Errorf("%d flips, wanted no more than %d", n, maxFlips)
	}
}

// TestPortfolioStartsDirected: every flip has its turn, in schedules 1, 3, 5 and so on,
// and where there is none nothing changes.
func TestPortfolioStartsDirected(t *testing.T) {
	for _, flips := range []int{0, 1, 3} {
		s := newPortfolio(toySetup)
		s.learn(&profile{flips: make([]flip, flips)})
		var directed, others []int
		for run := 1; run <= 20; run++ {
			s.Begin(uint64(run))
			if s.turn == Strategy(s.first) {
				directed = append(directed, run)
			} else {
				others = append(others, slices.Index(s.rest, s.turn))
			}
		}
		if want := []int{1, 3, 5}[:flips]; !slices.Equal(directed, want) {
			t.Errorf("%d flips: schedules %v are directed, wanted %v", flips, directed, want)
		}
		for i, m := range others {
			if s.rest[m] != s.rest[(1+i)%len(s.rest)] {
				t.Errorf("%d flips: turns %v", flips, others)
			}
		}
	}
}
