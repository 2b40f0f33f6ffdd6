package explore_test

import (
	"fmt"
	"iter"
	"runtime"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// BenchmarkRawSwitch is the unit of all budgets: one round trip through the next
// function of iter.Pull, which is two switches of goroutines.
func BenchmarkRawSwitch(b *testing.B) {
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		for yield(struct{}{}) {
		}
	})
	defer stop()
	for b.Loop() {
		next()
	}
}

// A step is one operation of the program under test and all that the checker does
// about it: the call into package model, the decision who is next, the execution,
// and where another goroutine is next the switch to it. It is measured twice: chosen,
// where two goroutines could go on and the picker is asked, and forced, where just one
// could and nobody is.

// perRun is how many steps a run of the step benchmarks takes; what a run costs
// besides does not show.
const perRun = 10_000

// steps measures single steps of a body that takes perRun of them, forced or not.
func steps(b *testing.B, p sched.Picker, forced bool, body func()) {
	b.ReportAllocs()
	e := sched.New(sched.Config{})
	defer e.Close()
	run := func() *sched.Result {
		r := e.Run(body, p, sched.RunOptions{})
		if r.Failed || r.Misuse != nil {
			b.Fatal(r.Outcome, r.Misuse)
		}
		return r
	}
	r := run()
	if asked := len(r.Choices) > r.Steps/2; asked == forced || r.Steps > perRun+2 {
		b.Fatalf("%d choices in %d steps", len(r.Choices), r.Steps)
	}
	b.ResetTimer()
	for n := 0; n < b.N; n += perRun {
		run()
	}
	b.ReportMetric(float64(r.Switches)/float64(r.Steps), "switches/op")
}

// keep goes on with the goroutine that has just run while it can, turn always
// with the other.
type (
	keep struct{}
	turn struct{}
)

func (keep) Pick(p *sched.Point) sched.Choice {
	if g, enabled := p.Running(); enabled {
		return sched.Choice{G: g}
	}
	return sched.Choice{G: p.At(0)}
}

func (turn) Pick(p *sched.Point) sched.Choice {
	g, _ := p.Running()
	if p.At(0) == g {
		return sched.Choice{G: p.At(1)}
	}
	return sched.Choice{G: p.At(0)}
}

func yields(n int) {
	for range n {
		model.Gosched()
	}
}

// BenchmarkStepSame is a step, a Gosched, that keeps the running goroutine.
func BenchmarkStepSame(b *testing.B) {
	b.Run("forced", func(b *testing.B) {
		steps(b, keep{}, true, func() { yields(perRun) })
	})
	b.Run("chosen", func(b *testing.B) {
		steps(b, keep{}, false, func() {
			model.Go(model.Gosched)
			yields(perRun)
		})
	})
}

// BenchmarkStepSwitch is a step that switches goroutines: a Gosched if chosen; if
// forced a send or receive on a channel of capacity 1, which lets the other side go
// on and no longer its own.
func BenchmarkStepSwitch(b *testing.B) {
	b.Run("forced", func(b *testing.B) {
		steps(b, turn{}, true, func() {
			c := model.NewChan[int](1)
			model.Go(func() {
				for i := range perRun / 2 {
					c.Send(i)
				}
			})
			for range perRun / 2 {
				c.Recv()
			}
		})
	})
	b.Run("chosen", func(b *testing.B) {
		steps(b, turn{}, false, func() {
			model.Go(func() { yields(perRun / 2) })
			yields(perRun / 2)
		})
	})
}

// schedules measures whole schedules: b.N of them in one exploration.
func schedules(b *testing.B, body func()) {
	b.ReportAllocs()
	explore.Run(body, explore.WithStrategy("random"), explore.Schedules(10))
	b.ResetTimer()
	r := explore.Run(body, explore.WithStrategy("random"), explore.Schedules(b.N))
	b.StopTimer()
	if r.Failed() {
		b.Fatal(r)
	}
	b.ReportMetric(float64(r.Steps)/float64(r.Schedules), "steps/op")
}

// counter2x5: two goroutines each add five times to a number under a lock.
func counter2x5() {
	var mu model.Mutex
	n := 0
	add := func() {
		for range 5 {
			mu.Lock()
			n++
			mu.Unlock()
		}
	}
	model.Go(add)
	add()
}

// BenchmarkCounter2x5 is a whole run of counter2x5 as a random walk.
func BenchmarkCounter2x5(b *testing.B) { schedules(b, counter2x5) }

// pipeline3x10 passes ten messages through three stages over channels of
// capacity 1.
func pipeline3x10() {
	a, c := model.NewChan[int](1), model.NewChan[int](1)
	model.Go(func() {
		for i := range 10 {
			a.Send(i)
		}
		a.Close()
	})
	model.Go(func() {
		for v := range a.All() {
			c.Send(v + 1)
		}
		c.Close()
	})
	for range c.All() {
	}
}

// BenchmarkPipeline3x10 is a whole run of pipeline3x10 as a random walk.
func BenchmarkPipeline3x10(b *testing.B) { schedules(b, pipeline3x10) }

// BenchmarkWorkers explores the two programs with one worker and with two: schedules
// per second must grow 1.8 times.
func BenchmarkWorkers(b *testing.B) {
	for _, p := range []struct {
		name string
		body func()
	}{{"counter", counter2x5}, {"pipeline", pipeline3x10}} {
		for _, n := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d", p.name, n), func(b *testing.B) {
				r := explore.Run(p.body, explore.Schedules(b.N), explore.Workers(n))
				if r.Failed() || r.Schedules != b.N {
					b.Fatal(r)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "schedules/s")
			})
		}
	}
}

// leak leaves a sender behind in about half of its schedules.
func leak() {
	c := model.NewChan[int](0)
	ctx, cancel := model.WithCancel(model.Background())
	model.GoNamed("sender", func() { c.Send(1) })
	model.Go(func() { cancel() })
	model.Select(c.RecvCase(nil), ctx.Done().RecvCase(nil))
}

// BenchmarkHeapOfMillion explores a program that leaks goroutines a million times
// in one process and prints the heap before and after: they must not add up.
func BenchmarkHeapOfMillion(b *testing.B) {
	const million = 1_000_000
	for b.Loop() {
		before := heap()
		r := explore.Run(leak, explore.Schedules(million), explore.Expect(
			explore.Blocked("sender", "send", ""), explore.Never("nothing"))) // the second keeps it going
		after := heap()
		if r.Schedules != million {
			b.Fatal(r)
		}
		b.ReportMetric(float64(before)/1024, "KiB-before")
		b.ReportMetric(float64(after)/1024, "KiB-after")
		b.ReportMetric(float64(r.Elapsed.Nanoseconds())/million, "ns/schedule")
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The checker allocates nothing of its own per run: this program's objects live
// outside of it, so any allocation would be the checker's.
func TestRunsAllocateNothing(t *testing.T) {
	var (
		mu model.Mutex
		wg model.WaitGroup
		rw model.RWMutex
	)
	worker := func() {
		mu.Lock()
		mu.Unlock()
		rw.RLock()
		rw.RUnlock()
		wg.Done()
	}
	body := func() {
		wg.Add(2)
		model.Go(worker)
		model.Go(worker)
		wg.Wait()
		model.Choose(3)
	}
	for _, name := range []string{"random", "pct2", "portfolio"} {
		per := func(n int) float64 {
			return testing.AllocsPerRun(1, func() {
				if r := explore.Run(body, explore.WithStrategy(name), explore.Schedules(n), explore.Seed(1)); r.Failed() {
					t.Fatal(r)
				}
			})
		}
		small, large := per(5_000), per(105_000)
		if perRun := (large - small) / 100_000; perRun > 0.001 {
			t.Errorf("%s: %.4f allocations per run, wanted none (%v for 5,000 runs, %v for 105,000)", name, perRun, small, large)
		}
	}
}
