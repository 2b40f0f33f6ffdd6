package explore

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// soon is long enough for a busy machine to run one step.
const soon = 200 * time.Millisecond

// eventually waits for what a goroutine that was given up does after all.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%s did not happen", what)
}

func TestBlockedOutsideTheModelIsReported(t *testing.T) {
	type blockage struct {
		body    func()
		release func()
	}
	for _, test := range []struct {
		name  string
		start func() blockage
		op    string
		mark  string
	}{
		{"real channel", func() blockage {
			ch := make(chan int)
			return blockage{
				body: func() {
					model.Go(func() {})
					<-ch // @real-channel
				},
				release: func() { close(ch) },
			}
		}, "chan receive", "real-channel"},
		{"real mutex, in a goroutine of the program", func() blockage {
			var mu sync.Mutex
			mu.Lock()
			return blockage{
				body: func() {
					model.Go(func() {
						mu.Lock() // @real-mutex
						mu.Unlock()
					})
					model.Gosched()
				},
				release: mu.Unlock,
			}
		}, "sync.Mutex.Lock", "real-mutex"},
		{"real select", func() blockage {
			a, b := make(chan int), make(chan int)
			return blockage{
				body: func() {
					model.Go(func() {})
					select { // @real-select
					case <-a:
					case <-b:
					}
				},
				release: func() { close(a) },
			}
		}, "select", "real-select"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := test.start()
			r := Run(b.body, Watchdog(soon))
			b.release()
			if len(r.Findings) != 1 {
				t.Fatalf("wanted one finding: %s", r)
			}
			message := r.Findings[0].Message
			want := Finding{Kind: OutsideModel, Op: test.op, Site: at(t, test.mark), Message: message}
			if diff := cmp.Diff([]Finding{want}, r.Findings, sameSites); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, part := range []string{
				"one schedule stood still for 200ms: a goroutine waits in explore.TestBlockedOutsideTheModelIsReported",
				"(" + test.op + ") for something that the scheduler does not control",
				"was left behind with its goroutines",
			} {
				if !strings.Contains(message, part) {
					t.Errorf("%q is not in %q", part, message)
				}
			}
		})
	}
}

func TestEndlessLoopIsReported(t *testing.T) {
	var stop, stopped atomic.Bool
	r := Run(func() {
		model.Go(func() {
			for !stop.Load() { // @endless
			}
			stopped.Store(true)
		})
	}, Watchdog(soon))
	stop.Store(true)
	if len(r.Findings) != 1 {
		t.Fatalf("wanted one finding: %s", r)
	}
	f := r.Findings[0]
	if f.Kind != EndlessLoop || !strings.Contains(f.Message, "runs in explore.TestEndlessLoopIsReported") || !strings.Contains(f.Message, "call model.Gosched") {
		t.Errorf("found %v", f)
	}
	if diff := cmp.Diff(at(t, "endless"), f.Site, sameSites); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	eventually(t, "the end of the loop", stopped.Load)
}

// A worker that was given up and comes free must not go on exploring.
func TestWorkerGivenUpEnds(t *testing.T) {
	release := make(chan int)
	var runs atomic.Int32
	Run(func() {
		runs.Add(1)
		model.Go(func() {})
		<-release
	}, Watchdog(soon))
	close(release)
	time.Sleep(soon)
	if n := runs.Load(); n != 1 {
		t.Errorf("%d runs were begun, wanted 1", n)
	}
}

func TestSlowSchedulesAreNotGivenUp(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULES", "8")
	r := Run(func() {
		model.Go(model.Gosched)
		model.Gosched()
		time.Sleep(soon / 4)
	}, Watchdog(soon))
	if r.Failed() {
		t.Errorf("gave up: %s", r)
	}
}

const dump = `goroutine 1 [select, 3 minutes]:
testing.main()
	/go/src/testing/testing.go:1 +0x1

goroutine 7 [coroutine]:
iter.Pull[...].func2()
	/go/src/iter/iter.go:317 +0x5b
github.com/modelcheck-go/modelcheck/sched.(*Engine).Run(0xc000, {0x1, 0x2})
	/m/sched/engine.go:9 +0x99
created by github.com/modelcheck-go/modelcheck/explore.newWorker in goroutine 1
	/m/explore/worker.go:5 +0x66

goroutine 8 [coroutine]:
iter.Pull[...].func1.1()
	/go/src/iter/iter.go:287 +0x4f
created by iter.Pull[...] in goroutine 7
	/go/src/iter/iter.go:271 +0x90

goroutine 9 [chan send (durable), 2 minutes]:
example.com/p.(*T[...]).deep(...)
	/p/deep.go:3
...23 frames elided...
created by iter.Pull[...] in goroutine 8
	/go/src/iter/iter.go:271 +0x90

goroutine 10 [chan receive]:
example.com/p.other(0x3)
	/p/other.go:4 +0x2
created by iter.Pull[...] in goroutine 1
	/go/src/iter/iter.go:271 +0x90

goroutine 11 [IO wait]:
internal/poll.runtime_pollWait(0x7f)
	/go/src/runtime/netpoll.go:345 +0x85
created by example.com/p.start in goroutine 9
	/p/start.go:8 +0x90
`

func TestStacksAreRead(t *testing.T) {
	want := []stack{
		{id: 1, state: "select", frames: []sched.Site{{File: "/go/src/testing/testing.go", Line: 1, Func: "testing.main"}}},
		{id: 7, creator: 1, state: "coroutine", createdBy: "github.com/modelcheck-go/modelcheck/explore.newWorker", frames: []sched.Site{
			{File: "/go/src/iter/iter.go", Line: 317, Func: "iter.Pull[...].func2"},
			{File: "/m/sched/engine.go", Line: 9, Func: "github.com/modelcheck-go/modelcheck/sched.(*Engine).Run"},
		}},
		{id: 8, creator: 7, state: "coroutine", createdBy: "iter.Pull[...]", frames: []sched.Site{{File: "/go/src/iter/iter.go", Line: 287, Func: "iter.Pull[...].func1.1"}}},
		{id: 9, creator: 8, state: "chan send (durable)", createdBy: "iter.Pull[...]", frames: []sched.Site{{File: "/p/deep.go", Line: 3, Func: "example.com/p.(*T[...]).deep"}}},
		{id: 10, creator: 1, state: "chan receive", createdBy: "iter.Pull[...]", frames: []sched.Site{{File: "/p/other.go", Line: 4, Func: "example.com/p.other"}}},
		{id: 11, creator: 9, state: "IO wait", createdBy: "example.com/p.start", frames: []sched.Site{{File: "/go/src/runtime/netpoll.go", Line: 345, Func: "internal/poll.runtime_pollWait"}}},
	}
	got := parseStacks(dump)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(stack{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s, ok := culprit(got, 7); !ok || s.id != 9 {
		t.Errorf("the culprit is goroutine %d (%v), wanted 9", s.id, ok)
	}
	slices.Reverse(got) // an ordinary goroutine of the program comes first now
	if s, ok := culprit(got, 7); !ok || s.id != 9 {
		t.Errorf("the culprit is goroutine %d (%v), wanted 9", s.id, ok)
	}
	if s, ok := culprit(got, 11); ok {
		t.Errorf("a worker without goroutines has the culprit %d", s.id)
	}
}

// The culprit is the one that blocks the worker asked about, not one of another
// worker that is blocked at the same time.
func TestCulpritIsTheWorkersOwn(t *testing.T) {
	release := make(chan int)
	defer close(release)
	blocked := func(wait func()) func() {
		return func() {
			model.Go(wait)
			model.Gosched()
		}
	}
	reports := make(chan Report, 2)
	go func() { reports <- Run(blocked(func() { <-release }), Watchdog(soon), Name("receive")) }()
	go func() {
		reports <- Run(blocked(func() {
			select {
			case <-release:
			case <-release:
			}
		}), Watchdog(soon), Name("select"))
	}()
	want := map[string]string{"receive": "chan receive", "select": "select"}
	for range 2 {
		if r := <-reports; len(r.Findings) != 1 || r.Findings[0].Op != want[r.Name] {
			t.Errorf("wanted %q: %s", want[r.Name], r)
		}
	}
}
