package model_test

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// natively runs f on a goroutine that is not modelled and waits for its end.
func natively(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// TestNativeObjectUnderControl: what was made outside a run cannot be controlled.
func TestNativeObjectUnderControl(t *testing.T) {
	want := []string{"misuse: modelcheck: a channel or context that was made outside the controlled run is used in it: make it inside the body"}
	ch := model.NewChan[int](1)
	ctx, cancel := model.WithCancel(model.Background())
	defer cancel()
	checkPrograms(t, []program{
		{"send", want, func(note func(...any)) { ch.Send(1) }},
		{"receive", want, func(note func(...any)) { ch.Recv() }},
		{"close", want, func(note func(...any)) { ch.Close() }},
		{"len", want, func(note func(...any)) { ch.Len() }},
		{"cap", want, func(note func(...any)) { ch.Cap() }},
		{"select", want, func(note func(...any)) { model.Select(ch.RecvCase(nil)) }},
		{"name", want, func(note func(...any)) { model.Named(ch, "ch") }},
		{"watch", want, func(note func(...any)) {
			model.Invariant("i", []model.Object{ch}, func() error { return nil })
		}},
		{"done", want, func(note func(...any)) { ctx.Done().Recv() }},
		{"err", want, func(note func(...any)) { _ = ctx.Err() }},
		{"cause", want, func(note func(...any)) { _ = model.Cause(ctx) }},
		{"derive", want, func(note func(...any)) { model.WithCancel(ctx) }},
	})
}

// TestForeignGoroutine: a goroutine that is not modelled is ended when it touches
// what belongs to a run, and the run is reported.
func TestForeignGoroutine(t *testing.T) {
	type world struct {
		ch     model.Chan[int]
		mu     model.Mutex
		rw     model.RWMutex
		wg     model.WaitGroup
		once   model.Once
		ctx    model.Context
		cancel model.CancelFunc
	}
	for _, p := range []struct {
		want string
		use  func(w *world)
	}{
		{"chan send", func(w *world) { w.ch.Send(1) }},
		{"chan receive", func(w *world) { w.ch.Recv() }},
		{"chan close", func(w *world) { w.ch.Close() }},
		{"chan len", func(w *world) { w.ch.Len() }},
		{"chan cap", func(w *world) { w.ch.Cap() }},
		{"chan select", func(w *world) { model.Select(w.ch.SendCase(1)) }},
		{"chan select", func(w *world) { model.TrySelect(w.ch.RecvCase(nil), w.ch.SendCase(1)) }},
		{"mutex lock", func(w *world) { w.mu.Lock() }},
		{"mutex try lock", func(w *world) { w.mu.TryLock() }},
		{"mutex unlock", func(w *world) { w.mu.Unlock() }},
		{"rwmutex lock", func(w *world) { w.rw.Lock() }},
		{"rwmutex try lock", func(w *world) { w.rw.TryLock() }},
		{"rwmutex unlock", func(w *world) { w.rw.Unlock() }},
		{"rwmutex rlock", func(w *world) { w.rw.RLock() }},
		{"rwmutex try rlock", func(w *world) { w.rw.TryRLock() }},
		{"rwmutex runlock", func(w *world) { w.rw.RUnlock() }},
		{"waitgroup add", func(w *world) { w.wg.Add(1) }},
		{"waitgroup add", func(w *world) { w.wg.Done() }},
		{"waitgroup wait", func(w *world) { w.wg.Wait() }},
		{"once do", func(w *world) { w.once.Do(func() {}) }},
		{"chan receive", func(w *world) { w.ctx.Done().Recv() }},
		{"context err", func(w *world) { _ = w.ctx.Err() }},
		{"context cancel", func(w *world) { w.cancel() }},
		{"context with cancel", func(w *world) { model.WithCancel(w.ctx) }},
		{"context with cancel cause", func(w *world) { model.WithCancelCause(w.ctx) }},
		{"context cause", func(w *world) { _ = model.Cause(w.ctx) }},
	} {
		t.Run(p.want, func(t *testing.T) {
			want := "misuse: modelcheck: " + p.want + " on an object of a controlled run by a goroutine that is not modelled"
			e := sched.New(sched.Config{})
			defer e.Close()
			_, r := outcome(e, onward{}, func(note func(...any)) {
				w := &world{ch: model.NewChan[int](0)}
				w.ctx, w.cancel = model.WithCancel(model.Background())
				w.mu.Lock()
				pass(&w.rw)
				w.wg.Add(0)
				w.once.Do(func() {})
				returned := false
				natively(func() { p.use(w); returned = true })
				if returned {
					note("the call returned")
				}
				w.mu.Unlock()
			})
			if r.Misuse == nil {
				t.Fatalf("no misuse, want %q", want)
			}
			if got := "misuse: " + r.Misuse.Error(); len(got) < len(want) || got[:len(want)] != want {
				t.Errorf("got  %q\nwant %q ...", got, want)
			}
		})
	}
}

// TestZeroValuesInTurn: a primitive that needs no making may serve one world after
// the other.
func TestZeroValuesInTurn(t *testing.T) {
	var (
		mu   model.Mutex
		rw   model.RWMutex
		wg   model.WaitGroup
		seen []string
	)
	use := func() {
		mu.Lock()
		rw.RLock()
		wg.Go(func() { seen = append(seen, "used") })
		wg.Wait()
		rw.RUnlock()
		mu.Unlock()
	}
	e := sched.New(sched.Config{})
	defer e.Close()
	use()
	for range 2 {
		if _, r := outcome(e, onward{}, func(func(...any)) { use() }); r.Failed || r.Misuse != nil {
			t.Errorf("findings %v, misuse %v", r.Findings, r.Misuse)
		}
		use()
	}
	if len(seen) != 5 {
		t.Errorf("used %d times, want 5", len(seen))
	}
}

// TestAfterTheEngine: when no engine is there to report to, the caller is told.
func TestAfterTheEngine(t *testing.T) {
	var ch model.Chan[int]
	e := sched.New(sched.Config{})
	e.Run(func() { ch = model.NewChan[int](0) }, onward{}, sched.RunOptions{})
	e.Close()
	if got := panicOf(func() { ch.Send(1) }); got == "no panic" {
		t.Error("a send on a channel of a closed engine went through")
	}
}

// TestLateForeignGoroutine: a goroutine that a body started with a go statement and
// left behind cannot be told any more, and must not end the process.
func TestLateForeignGoroutine(t *testing.T) {
	closed, ended := make(chan int), make(chan int)
	e := sched.New(sched.Config{})
	e.Run(func() {
		ch := model.NewChan[int](0)
		go func() {
			defer close(ended)
			<-closed
			ch.Send(1)
			t.Error("a send on a channel of a closed engine went through")
		}()
	}, onward{}, sched.RunOptions{})
	e.Close()
	close(closed)
	<-ended
}

// TestObjectOfAnotherRun: what was made in a run does not outlive it.
func TestObjectOfAnotherRun(t *testing.T) {
	var (
		ch     model.Chan[int]
		ctx    model.Context
		cancel model.CancelFunc
	)
	make := func(func(...any)) {
		ch = model.NewChan[int](1)
		ctx, cancel = model.WithCancel(model.Background())
	}
	const want = "misuse: modelcheck: a channel or context that was made in another controlled run is used: make it inside the body, and keep none in package-level variables"
	for name, use := range map[string]func(){
		"send":   func() { ch.Send(1) },
		"select": func() { model.TrySelect(ch.RecvCase(nil)) },
		"err":    func() { _ = ctx.Err() },
		"done":   func() { ctx.Done().Recv() },
		"cancel": func() { cancel() },
		"derive": func() { model.WithCancel(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			e := sched.New(sched.Config{})
			defer e.Close()
			outcome(e, onward{}, make)
			got, _ := outcome(e, onward{}, func(func(...any)) {
				model.NewChan[int](1)
				use()
			})
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
