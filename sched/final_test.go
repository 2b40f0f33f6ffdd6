package sched

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A writer waits for all readers: the cycle goes through the second.
func TestFinalState(t *testing.T) {
	var rw, mu Ref
	e := New(Config{})
	defer e.Close()
	r := e.Run(func() {
		g := Current()
		ch := g.NewChan(0)
		g.Name(ch, "ready")
		g.Go(func() {
			g := Current()
			g.RLock(&rw)
			g.Send(ch, g.Slot(ch))
			g.Recv(nil)
		}, "first", false)
		g.Recv(ch)
		g.RLock(&rw)
		g.Go(func() {
			g := Current()
			g.Lock(&mu)
			g.Send(ch, g.Slot(ch))
			g.WLock(&rw)
		}, "writer", false)
		g.Recv(ch)
		g.Go(func() { Current().Recv(ch) }, "late", true)
		g.Lock(&mu)
	}, onward{}, RunOptions{Capture: true})

	type verdict struct{ Goroutine, Class string }
	var got []verdict
	for _, f := range r.Findings {
		got = append(got, verdict{f.Goroutine, f.Class})
	}
	want := []verdict{{"main", "deadlock"}, {"main.1", ""}, {"main.2", "deadlock"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	final := Final{
		Goroutines: []End{
			{Goroutine: "main", Live: true, Stuck: true, Op: "lock", Object: "mutex at final_test.go:29", Since: 9,
				Waits: []Wait{{Op: OpLock, ObjectID: 2, Holders: []string{"main.2"}}}},
			{Goroutine: "main.1", Name: "first", Live: true, Stuck: true, Op: "receive", Object: "nil channel", Since: 3,
				Waits: []Wait{{Op: OpRecv, ObjectID: -1}}},
			{Goroutine: "main.2", Name: "writer", Live: true, Stuck: true, Op: "lock", Object: "rwmutex at final_test.go:21", Since: 8,
				Waits: []Wait{{Op: OpAcquire, ObjectID: 1, Holders: []string{"main.1", "main"}}}},
			{Goroutine: "main.3", Name: "late", Daemon: true, Live: true, Stuck: true, Op: "receive", Object: "chan ready (cap 0)",
				Waits: []Wait{{Op: OpRecv, ObjectID: 0, Helpers: []string{"main.1", "main.2"}}}},
		},
		Objects: []ObjectInfo{
			{Kind: KindChan, Name: "ready", Text: "chan ready (cap 0)"},
			{Kind: KindRWMutex, Text: "rwmutex at final_test.go:21"},
			{Kind: KindMutex, Text: "mutex at final_test.go:29"},
		},
	}
	if diff := cmp.Diff(final, r.Final, cmpopts.IgnoreTypes(Site{})); diff != "" {
		t.Errorf("final state (-want +got):\n%s", diff)
	}
}

// What a goroutine did last is not what it was about to do when another one crashed
// the run.
func TestFinalStateOfACrash(t *testing.T) {
	e := New(Config{})
	defer e.Close()
	r := e.Run(func() {
		g := Current()
		ch := g.NewChan(0)
		g.Go(func() { Current().Sleep(1) }, "asleep", false)
		g.Go(func() { Current().Yield(); Current().Send(ch, 0) }, "gone", false)
		g.Go(func() { Current().Recv(nil) }, "stuck", false)
		g.Go(func() { Current().Yield() }, "ready", false)
		g.Recv(ch)
		g.Assert(false, "never")
	}, onward{}, RunOptions{Capture: true})
	want := []End{
		{Goroutine: "main", Live: true, Since: 7},
		{Goroutine: "main.1", Name: "asleep", Live: true, Op: "sleep", Since: 5},
		{Goroutine: "main.2", Name: "gone", Since: 7},
		{Goroutine: "main.3", Name: "stuck", Live: true, Stuck: true, Op: "receive", Object: "nil channel", Waits: []Wait{{Op: OpRecv, ObjectID: -1}}},
		{Goroutine: "main.4", Name: "ready", Live: true, Op: "yield"},
	}
	if diff := cmp.Diff(want, r.Final.Goroutines, cmpopts.IgnoreTypes(Site{})); diff != "" {
		t.Errorf("final state (-want +got):\n%s", diff)
	}
}
