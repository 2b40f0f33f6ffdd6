package model_test

import (
	"strings"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// belongings are one of each thing that belongs to the world that it was made in,
// or that used it first.
type belongings struct {
	cond   *model.Cond
	n      model.Int64
	flag   model.Bool
	shared model.Shared[int]
	m      model.Map
	pool   model.Pool
	group  model.Group
	once   func()
	timer  *model.Timer
	after  *model.Timer
	ticker *model.Ticker
	sema   *model.Semaphore
	ctx    model.Context
	cancel model.CancelFunc
	stop   func() bool
}

// owned returns belongings that were made and used.
func owned() *belongings {
	b := &belongings{
		cond:   model.NewCond(new(model.Mutex)),
		once:   model.OnceFunc(func() {}),
		timer:  model.NewTimer(time.Hour),
		after:  model.AfterFunc(time.Hour, func() {}),
		ticker: model.NewTicker(time.Hour),
		sema:   model.NewSemaphore(1),
	}
	b.ctx, b.cancel = model.WithTimeout(model.Background(), time.Hour)
	b.stop = model.ContextAfterFunc(b.ctx, func() {})
	b.cond.Signal()
	b.n.Store(1)
	b.flag.Store(true)
	b.shared.Set(1)
	b.m.Store(1, 1)
	b.pool.Put(1)
	b.group.Go(func() error { return nil })
	_ = b.group.Wait()
	b.once()
	return b
}

// drop ends what would go on.
func (b *belongings) drop() {
	b.stop()
	b.cancel()
	b.timer.Stop()
	b.after.Stop()
	b.ticker.Stop()
}

// TestForeignGoroutineAndTheRest is TestForeignGoroutine for the other things.
func TestForeignGoroutineAndTheRest(t *testing.T) {
	bg := model.Background()
	for _, p := range []struct {
		want string
		use  func(b *belongings)
	}{
		{"cond wait", func(b *belongings) { b.cond.Wait() }},
		{"cond signal", func(b *belongings) { b.cond.Signal() }},
		{"cond broadcast", func(b *belongings) { b.cond.Broadcast() }},
		{"atomic read", func(b *belongings) { b.n.Load() }},
		{"atomic write", func(b *belongings) { b.n.Add(1) }},
		{"atomic write", func(b *belongings) { b.flag.CompareAndSwap(true, false) }},
		{"variable read", func(b *belongings) { b.shared.Get() }},
		{"variable write", func(b *belongings) { b.shared.Set(1) }},
		{"map load", func(b *belongings) { b.m.Load(1) }},
		{"map store", func(b *belongings) { b.m.Store(1, 1) }},
		{"map load or store", func(b *belongings) { b.m.LoadOrStore(1, 1) }},
		{"map delete", func(b *belongings) { b.m.Delete(1) }},
		{"map compare and swap", func(b *belongings) { b.m.CompareAndSwap(1, 1, 2) }},
		{"map compare and delete", func(b *belongings) { b.m.CompareAndDelete(1, 1) }},
		{"map clear", func(b *belongings) { b.m.Clear() }},
		{"map range", func(b *belongings) { b.m.Range(nil) }},
		{"pool put", func(b *belongings) { b.pool.Put(1) }},
		{"pool get", func(b *belongings) { b.pool.Get() }},
		{"waitgroup wait", func(b *belongings) { _ = b.group.Wait() }},
		{"waitgroup add", func(b *belongings) { b.group.TryGo(nil) }},
		{"once do", func(b *belongings) { b.once() }},
		{"timer stop", func(b *belongings) { b.timer.Stop() }},
		{"timer reset", func(b *belongings) { b.after.Reset(1) }},
		{"chan receive", func(b *belongings) { b.timer.C.Recv() }},
		{"ticker stop", func(b *belongings) { b.ticker.Stop() }},
		{"ticker reset", func(b *belongings) { b.ticker.Reset(1) }},
		{"semaphore acquire", func(b *belongings) { _ = b.sema.Acquire(bg, 1) }},
		{"semaphore try acquire", func(b *belongings) { b.sema.TryAcquire(1) }},
		{"semaphore release", func(b *belongings) { b.sema.Release(1) }},
		{"context cancel", func(b *belongings) { b.cancel() }},
		{"context stop", func(b *belongings) { b.stop() }},
		{"context done", func(b *belongings) { model.WithTimeout(b.ctx, 1) }},
		{"context done", func(b *belongings) { model.ContextAfterFunc(b.ctx, func() {}) }},
	} {
		t.Run(p.want, func(t *testing.T) {
			want := "modelcheck: " + p.want + " on an object of a controlled run by a goroutine that is not modelled"
			e := sched.New(sched.Config{})
			defer e.Close()
			_, r := outcomeOf(e, onward{}, atRest, func(note func(...any)) {
				b := owned()
				natively(func() { p.use(b); note("the call returned") })
				b.drop()
			})
			if r.Misuse == nil || !strings.HasPrefix(r.Misuse.Error(), want) {
				t.Errorf("misuse %v, want %q ...", r.Misuse, want)
			}
		})
	}
}

// TestBelongings: what was made natively, or in another run, is of no use in a run.
func TestBelongings(t *testing.T) {
	for _, p := range []struct {
		name string
		what string
		use  func(b *belongings)
	}{
		{"timer", "a timer", func(b *belongings) { b.timer.Stop() }},
		{"timer's channel", "a channel or context", func(b *belongings) { b.timer.C.Recv() }},
		{"after func", "a timer", func(b *belongings) { b.after.Reset(1) }},
		{"ticker", "a timer", func(b *belongings) { b.ticker.Reset(1) }},
		{"named ticker", "a timer", func(b *belongings) { model.Named(b.ticker, "t") }},
		{"semaphore", "a semaphore", func(b *belongings) { b.sema.TryAcquire(1) }},
		{"named semaphore", "a semaphore", func(b *belongings) { model.Named(b.sema, "s") }},
		{"deadline", "a channel or context", func(b *belongings) { model.WithTimeout(b.ctx, 1) }},
		{"cancel", "a channel or context", func(b *belongings) { b.ctx.Done().Recv() }},
	} {
		t.Run(p.name, func(t *testing.T) {
			e := sched.New(sched.Config{})
			defer e.Close()
			b := owned()
			defer b.drop()
			use := func(func(...any)) {
				model.NewChan[int](0)
				p.use(b)
			}
			want := "misuse: modelcheck: " + p.what + " that was made outside the controlled run is used in it: make it inside the body"
			if got, _ := outcome(e, onward{}, use); got != want {
				t.Errorf("made natively: %q, want %q", got, want)
			}
			mine := b
			outcomeOf(e, onward{}, atRest, func(func(...any)) { b = owned(); b.drop() })
			want = "misuse: modelcheck: " + p.what + " that was made in another controlled run is used"
			if got, _ := outcome(e, onward{}, use); !strings.HasPrefix(got, want) {
				t.Errorf("made in another run: %q, want %q ...", got, want)
			}
			b = mine
		})
	}
}

// TestFilledMap: the order of a map that was filled natively is not known.
func TestFilledMap(t *testing.T) {
	var m model.Map
	m.Store(1, 1)
	checkOutcomes(t, []string{"misuse: modelcheck: a map that was filled outside the controlled run is used in it: fill it inside the body"}, func(note func(...any)) {
		m.Load(1)
	})
	m.Clear()
	checkOutcomes(t, []string{"<nil> false"}, func(note func(...any)) {
		note(m.Load(1))
	})
}

// TestZeroValuesInBothWorlds: those that need no making may serve one world after
// the other, and keep their values as variables do; a pool is emptied.
func TestZeroValuesInBothWorlds(t *testing.T) {
	var b belongings
	b.cond = model.NewCond(new(model.Mutex))
	b.once = func() {}
	use := func() {
		b.n.Add(1)
		b.shared.Update(func(v int) int { return v + 1 })
		b.flag.Swap(true)
		b.cond.Broadcast()
		b.group.Go(func() error { return nil })
		_ = b.group.Wait()
	}
	e := sched.New(sched.Config{})
	defer e.Close()
	for range 2 {
		use()
		if got, _ := outcome(e, onward{}, func(note func(...any)) {
			use()
			note(b.pool.Get())
			b.pool.Put(1)
		}); got != "<nil>" {
			t.Errorf("got %q", got)
		}
	}
	if n, v := b.n.Load(), b.shared.Get(); n != 4 || v != 4 {
		t.Errorf("added %d and %d times, want 4", n, v)
	}
}
