package model_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// uses are calls of the operations of this package on objects of a run, by name.
func uses() map[string]func() {
	var (
		ch     = model.NewChan[int](1)
		mu     model.Mutex
		rw     model.RWMutex
		wg     model.WaitGroup
		once   model.Once
		n      model.Int64
		v      model.Value
		shared model.Shared[int]
		m      model.Map
		pool   model.Pool
		group  model.Group
		cond   = model.NewCond(&mu)
		timer  = model.NewTimer(time.Hour)
		ticker = model.NewTicker(time.Hour)
		sema   = model.NewSemaphore(1)
	)
	ctx, cancel := model.WithTimeout(model.Background(), time.Hour)
	stop := model.ContextAfterFunc(ctx, func() {})
	yes := func(_, _ any) bool { return true }
	return map[string]func(){
		"Chan.Send":          func() { ch.Send(1) },
		"Chan.Recv":          func() { ch.Recv() },
		"Chan.Close":         ch.Close,
		"Chan.Len":           func() { ch.Len() },
		"Chan.All":           func() { ch.All()(func(int) bool { return true }) },
		"Select":             func() { model.Select(ch.RecvCase(nil)) },
		"TrySelect":          func() { model.TrySelect(ch.SendCase(1)) },
		"Mutex.Lock":         mu.Lock,
		"Mutex.TryLock":      func() { mu.TryLock() },
		"Mutex.Unlock":       mu.Unlock,
		"RWMutex.Lock":       rw.Lock,
		"RWMutex.Unlock":     rw.Unlock,
		"RWMutex.RLock":      rw.RLock,
		"RWMutex.RUnlock":    rw.RUnlock,
		"WaitGroup.Add":      func() { wg.Add(1) },
		"WaitGroup.Done":     wg.Done,
		"WaitGroup.Wait":     wg.Wait,
		"WaitGroup.Go":       func() { wg.Go(func() {}) },
		"Once.Do":            func() { once.Do(func() {}) },
		"Int64.Load":         func() { n.Load() },
		"Int64.Store":        func() { n.Store(1) },
		"Int64.Swap":         func() { n.Swap(1) },
		"Int64.Add":          func() { n.Add(1) },
		"Int64.And":          func() { n.And(1) },
		"Int64.Or":           func() { n.Or(1) },
		"CompareAndSwap":     func() { n.CompareAndSwap(0, 1) },
		"Value.Swap":         func() { v.Swap(1) },
		"Shared.Update":      func() { shared.Update(func(v int) int { return v }) },
		"Map.Load":           func() { m.Load(1) },
		"Map.Store":          func() { m.Store(1, 1) },
		"Map.LoadOrStore":    func() { m.LoadOrStore(1, 1) },
		"Map.Delete":         func() { m.Delete(1) },
		"Map.CompareAndSwap": func() { m.CompareAndSwap(1, 1, 1) },
		"Map.Clear":          m.Clear,
		"Map.Range":          func() { m.Range(yes) },
		"Pool.Get":           func() { pool.Get() },
		"Pool.Put":           func() { pool.Put(1) },
		"Cond.Wait":          cond.Wait,
		"Cond.Signal":        cond.Signal,
		"Cond.Broadcast":     cond.Broadcast,
		"Timer.Stop":         func() { timer.Stop() },
		"Timer.Reset":        func() { timer.Reset(time.Hour) },
		"Ticker.Stop":        ticker.Stop,
		"Ticker.Reset":       func() { ticker.Reset(time.Hour) },
		"AfterFunc":          func() { model.AfterFunc(time.Hour, func() {}) },
		"Now":                func() { model.Now() },
		"Sleep":              func() { model.Sleep(time.Hour) },
		"cancel":             cancel,
		"Context.Err":        func() { _ = ctx.Err() },
		"WithTimeout":        func() { _, c := model.WithTimeout(ctx, time.Hour); c() },
		"stop":               func() { stop() },
		"Group.Go":           func() { group.Go(func() error { return nil }) },
		"Group.Wait":         func() { _ = group.Wait() },
		"Semaphore.Acquire":  func() { _ = sema.Acquire(ctx, 1) },
		"Semaphore.Release":  func() { sema.Release(1) },
		"Go":                 func() { model.Go(func() {}) },
		"Gosched":            model.Gosched,
		"Choose":             func() { model.Choose(2) },
		"Log":                func() { model.Log("x") },
		"Assert":             func() { model.Assert(false, "x") },
		"spin":               func() { spin(func() bool { return n.Load() == 7 }) },
		"spin with failures": func() { spin(func() bool { return n.CompareAndSwap(7, 8) }) },
		"spin with locks":    func() { spin(mu.TryLock) },
	}
}

func spin(until func() bool) {
	for !until() {
	}
}

// useNames returns the keys of uses.
func useNames() (names []string) {
	e := sched.New(sched.Config{})
	defer e.Close()
	e.Run(func() { names = slices.Sorted(maps.Keys(uses())) }, onward{}, sched.RunOptions{})
	return names
}

// TestUnwinding: when the run is over, deferred functions of goroutines that are
// blocked run without effect, whatever they call, and even if they recover from
// everything.
func TestUnwinding(t *testing.T) {
	const want = "main.4 blocked at receive; main.5 blocked at receive"
	for _, recovers := range []bool{false, true} {
		for _, name := range useNames() {
			t.Run(fmt.Sprintf("%s recovers %t", name, recovers), func(t *testing.T) {
				e := sched.New(sched.Config{})
				defer e.Close()
				for range 2 { // the engine is as good as new
					got, _ := outcomeOf(e, onward{}, atRest, func(func(...any)) {
						use := uses()[name]
						for range 2 {
							model.Go(func() {
								defer use()
								defer func() {
									if recovers {
										_ = recover()
									}
								}()
								model.NewChan[int](0).Recv()
							})
						}
					})
					if got != want {
						t.Errorf("got %q, want %q", got, want)
					}
				}
			})
		}
	}
}

// TestJudgesMayRead: the functions that judge a state can look at everything, and
// change nothing.
func TestJudgesMayRead(t *testing.T) {
	for name, forbidden := range map[string]string{
		"Chan.Len": "", "Int64.Load": "", "Map.Load": "", "Map.Range": "", "Now": "", "Context.Err": "", "Log": "",
		"Chan.Send":      "send",
		"Int64.Add":      "write",
		"CompareAndSwap": "compare and swap",
		"Map.Store":      "write",
		"Pool.Put":       "write",
		"Cond.Signal":    "signal",
		"Timer.Stop":     "stop timer",
		"Timer.Reset":    "start timer",
		"Sleep":          "sleep",
	} {
		t.Run(name, func(t *testing.T) {
			want := ""
			if forbidden != "" {
				want = "misuse: modelcheck: " + forbidden + " in a function that judges the state (Invariant, AtEnd): such a function may only read"
			}
			e := sched.New(sched.Config{})
			defer e.Close()
			got, _ := outcomeOf(e, onward{}, atRest, func(func(...any)) {
				use := uses()[name]
				model.AtEnd("judge", func() error { use(); return nil })
			})
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
