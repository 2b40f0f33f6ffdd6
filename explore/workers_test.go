package explore

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// logbook has the hash of every schedule, and who ran it.
type logbook struct {
	sync.Mutex
	hashes map[uint64]uint64
	ran    map[*scribe]int
}

// scribe enters what its strategy chose into a logbook.
type scribe struct {
	learner
	run  uint64
	book *logbook
}

func (s *scribe) Begin(run uint64) bool {
	s.run = run
	return s.learner.Begin(run)
}

func (s *scribe) End(r *sched.Result) {
	s.book.Lock()
	defer s.book.Unlock()
	s.book.hashes[s.run] = r.Hash
	s.book.ran[s]++
	s.learner.End(r)
}

// TestWorkersExploreTheSame: the schedules do not depend on the number of workers,
// and with several more than one works.
func TestWorkersExploreTheSame(t *testing.T) {
	const n = 10_000
	t.Setenv("MODELCHECK_SCHEDULES", fmt.Sprint(n))
	explored := func(workers int) *logbook {
		book := &logbook{hashes: map[uint64]uint64{}, ran: map[*scribe]int{}}
		r := Run(races, Seed(7), Workers(workers), WithSearch("noted", func(s Setup) Strategy {
			start, err := namedStrategy(DefaultStrategy)
			if err != nil {
				t.Error(err)
			}
			return &scribe{learner: start(s).(learner), book: book}
		}))
		if r.Failed() || r.Schedules != n {
			t.Errorf("%d workers: %s", workers, r)
		}
		return book
	}
	want := explored(1)
	if len(want.hashes) != n-1 || len(want.ran) != 1 { // schedule 0 is a walk of the campaign's own
		t.Fatalf("one worker: %d schedules by %d", len(want.hashes), len(want.ran))
	}
	helped := false
	for _, workers := range []int{2, 3, 7} {
		got := explored(workers)
		if diff := cmp.Diff(want.hashes, got.hashes); diff != "" {
			t.Errorf("%d workers (-one +several):\n%s", workers, diff)
		}
		helped = helped || len(got.ran) > 1
	}
	if !helped {
		t.Error("only the first worker ever worked")
	}
}

// TestWorkersReportTheSame: neither does the report.
func TestWorkersReportTheSame(t *testing.T) {
	rare := func(n int, what func(i int)) func() {
		return func() {
			model.Go(model.Gosched)
			what(model.Choose(n))
		}
	}
	for _, c := range []struct {
		name    string
		verdict string
		body    func()
		opts    []Option
	}{
		{"nothing", "pass", races, nil},
		{"a rare finding", "fail", rare(3000, func(i int) { model.Assert(i != 17, "rare") }), nil},
		{"many findings", "fail", rare(100, func(i int) { model.Assert(i < 97, fmt.Sprint("bad ", i)) }), nil},
		{"all that is expected", "expected", rare(2000, func(i int) {
			if i < 3 {
				panic(fmt.Sprint("kind ", i))
			}
		}), []Option{Expect(Panics("kind 0"), Panics("kind 1"), Panics("kind 2"))}},
		{"one expected finding missed", "fail", rare(500, func(i int) {
			if i < 3 {
				panic(fmt.Sprint("kind ", i))
			}
		}), []Option{Expect(Panics("kind 0"), Panics("kind 1"), Panics("kind 2"), Panics("kind 3"))}},
		{"something beside it", "fail", rare(3000, func(i int) {
			switch {
			case i < 30:
				panic("expected")
			case i == 99:
				panic("not so")
			}
		}), []Option{Expect(Panics("expected"), Never("anything"))}},
		{"conditions that hold rarely or never", "fail", rare(3000, func(i int) {
			model.Sometimes(i == 5, "five")
			model.Sometimes(i == 3000, "never")
			if i == 7 {
				model.Sometimes(false, "seldom seen")
			}
		}), nil},
		{"a rare misuse", "error", rare(2000, func(i int) {
			if i == 9 {
				Run(fine)
			}
		}), nil},
		{"a timer in one schedule", "fail", rare(3000, func(i int) {
			if i == 4 {
				model.NewTimer(1)
			}
			model.Assert(i != 8, "eight")
		}), nil},
		{"nothing else to try", "pass", func() { model.Go(func() {}) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("MODELCHECK_SCHEDULES", "10000")
			want := Run(c.body, append(c.opts, Seed(3), Workers(1))...)
			if want.Verdict() != c.verdict {
				t.Fatalf("one worker: wanted %s: %s", c.verdict, want)
			}
			repetitions := 10
			if c.name == "a rare finding" {
				repetitions = 100
			}
			if testing.Short() {
				repetitions = 3
			}
			for i := range repetitions {
				workers := []int{2, 3, 7}[i%3]
				got := Run(c.body, append(c.opts, Seed(3), Workers(workers))...)
				if diff := cmp.Diff(want, got, sameOtherwise); diff != "" {
					t.Fatalf("%d workers (-one +several):\n%s", workers, diff)
				}
			}
		})
	}
}

// The schedule that is reported as stuck is the first that is, whoever runs into one.
func TestStuckWorkers(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULES", "10000")
	release := make(chan int)
	defer close(release)
	body := func() {
		model.Go(model.Gosched)
		if model.Choose(2000) < 3 {
			<-release
		}
	}
	want := Run(body, Seed(1), Workers(1), Watchdog(soon))
	if len(want.Findings) != 1 || want.Findings[0].Kind != OutsideModel || want.Index == 0 {
		t.Fatal(want)
	}
	for _, workers := range []int{2, 3} {
		got := Run(body, Seed(1), Workers(workers), Watchdog(soon))
		want.Steps = got.Steps // those of the stuck worker are not known
		if diff := cmp.Diff(want, got, sameOtherwise); diff != "" {
			t.Errorf("%d workers (-one +several):\n%s", workers, diff)
		}
	}
}

// TestRowsAreAddedUpInOrder holds the queue against rows that come in any order.
func TestRowsAreAddedUpInOrder(t *testing.T) {
	var q rowQueue
	var got []uint64
	pop := func() {
		for s, ok := q.pop(); ok; s, ok = q.pop() {
			got = append(got, s.from)
		}
	}
	for _, s := range []stretch{{from: 8, next: 20}, {from: 0, next: 8}, {from: 30, next: 31}, {from: 40, next: 50}, {from: 20, next: 30}} {
		q.add(s)
		pop()
	}
	if diff := cmp.Diff([]uint64{0, 8, 20, 30}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	q.closeGaps()
	pop()
	if diff := cmp.Diff([]uint64{0, 8, 20, 30, 40}, got); diff != "" {
		t.Errorf("after the gap (-want +got):\n%s", diff)
	}
}

func TestWorkersOfSearches(t *testing.T) {
	for _, c := range []struct {
		name string
		opts []Option
		want int
	}{
		{"asked for", []Option{Workers(5)}, 5},
		{"strategy of the caller's", []Option{WithSearch("own", func(Setup) Strategy { return &own{} })}, 1},
		{"strategy of the caller's, asked for", []Option{Workers(5), WithSearch("own", func(Setup) Strategy { return &own{} })}, 5},
		{"complete search", []Option{WithStrategy("dpor"), Workers(5)}, 1},
		{"another one after it", []Option{WithStrategy("dpor"), WithStrategy("random"), Workers(5)}, 5},
	} {
		set := mustSettings(t, c.opts...)
		if got := handsOf(&set); got != c.want {
			t.Errorf("%s: %d workers, wanted %d", c.name, got, c.want)
		}
	}
}

// The collector waits longer while a campaign works, and is as before afterwards.
func TestCollectorIsRelaxed(t *testing.T) {
	percent := func() int {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(s)
		return int(s[0].Value.Uint64())
	}
	before := debug.SetGCPercent(defaultPercent)
	defer debug.SetGCPercent(before)
	var g collector
	steps := func(what string, percents ...int) func(do ...func()) {
		return func(do ...func()) {
			t.Helper()
			for i, f := range do {
				f()
				if got := percent(); got != percents[i] {
					t.Errorf("%s, step %d: %d %%, wanted %d", what, i+1, got, percents[i])
				}
			}
		}
	}
	steps("two campaigns", 800, 800, 800, 100)(g.relax, g.relax, g.restore, g.restore)
	steps("somebody else's setting", 50, 50, 50, 100)(
		func() { debug.SetGCPercent(50) }, g.relax, g.restore, func() { debug.SetGCPercent(100) })
	steps("changed meanwhile", 800, 70, 70, 100)(
		g.relax, func() { debug.SetGCPercent(70) }, g.restore, func() { debug.SetGCPercent(100) })
	var much []byte
	steps("much alive", 800, 800, 100, 100)(
		g.relax, g.look, func() { much = make([]byte, 2*muchAlive); runtime.GC(); g.look() }, g.restore)
	_ = much[0]

	var seen atomic.Bool
	Run(func() {
		races()
		if percent() == relaxedPercent {
			seen.Store(true)
		}
	}, Workers(2), Schedules(20_000))
	if !seen.Load() || percent() != 100 {
		t.Errorf("relaxed in a campaign: %v; %d %% afterwards", seen.Load(), percent())
	}
}

// sameOtherwise compares reports in all but the time that it took.
var sameOtherwise = cmp.Options{
	cmpopts.IgnoreFields(Report{}, "Elapsed"), cmp.AllowUnexported(Minimal{}), cmp.AllowUnexported(Minimal{}),
	cmpopts.IgnoreUnexported(Report{}, sched.TraceEvent{}),
	cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) }),
}
