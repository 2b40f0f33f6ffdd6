package report_test

import (
	"errors"
	"runtime"
	"time"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
)

// A scenario is a program and the schedule under which it is shown. There is one
// for every kind of finding; the numbers of its lines are in the golden files.
type scenario struct {
	body func()
	opts []explore.Option
}

var scenarios = map[string]scenario{
	"blocked":    {pump, nil},
	"deadlock":   {abba, nil},
	"ring":       {func() { philosophers(3) }, nil},
	"readers":    {upgrade, nil},
	"held":       {forgetful, nil},
	"closed":     {closedTwice, nil},
	"unlocked":   {func() { new(model.Mutex).Unlock() }, []explore.Option{explore.Sequential()}},
	"assertion":  {assertion, nil},
	"invariant":  {invariant, nil},
	"end":        {atEnd, nil},
	"goexit":     {func() { model.Go(runtime.Goexit) }, nil},
	"bound":      {spin, []explore.Option{explore.Steps(300)}},
	"random":     {nondeterministic(), nil},
	"unreached":  {func() { model.Go(func() {}); model.Sometimes(false, "cancel won the race") }, []explore.Option{explore.Schedules(10)}},
	"sequential": {func() {}, nil},
	"outside":    {waitOutside, []explore.Option{explore.Watchdog(50 * time.Millisecond)}},
	"names":      {names, nil},
	"buffer":     {buffer, nil},
	"rwmutex":    {rwmutex, nil},
	"select":     {selects, nil},
	"timeout":    {timeout, nil},
	"6":          {func() { crowd(5) }, nil},
	"7":          {func() { crowd(6) }, nil},
	"40":         {func() { philosophers(39) }, nil},
}

// outside is closed when the tests are done, so that no goroutine stays.
var outside = make(chan int)

func waitOutside() { <-outside }

func pump() {
	mu := model.Named(new(model.Mutex), "mu")
	results := model.Named(model.NewChan[int](0), "results")
	for id := range 2 {
		model.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			results.Send(id)
		})
	}
	results.Recv()
}

func abba() {
	a := model.Named(new(model.Mutex), "a")
	b := model.Named(new(model.Mutex), "b")
	model.GoNamed("other", func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	})
	a.Lock()
	b.Lock()
	b.Unlock()
	a.Unlock()
}

func philosophers(n int) {
	forks := make([]model.Mutex, n)
	var seated model.WaitGroup
	seated.Add(n)
	for i := range n {
		model.Go(func() {
			forks[i].Lock()
			seated.Done()
			seated.Wait()
			forks[(i+1)%n].Lock()
			forks[(i+1)%n].Unlock()
			forks[i].Unlock()
		})
	}
}

// upgrade has two readers, one of which waits for the writer that waits for both.
func upgrade() {
	rw := model.Named(new(model.RWMutex), "rw")
	in := model.NewChan[int](1)
	model.GoNamed("reader", func() {
		rw.RLock()
		in.Send(1)
		rw.RUnlock()
	})
	model.GoNamed("writer", func() {
		in.Recv()
		rw.Lock()
		rw.Unlock()
	})
	rw.RLock()
	rw.RLock()
	rw.RUnlock()
	rw.RUnlock()
}

func forgetful() {
	mu := model.Named(new(model.Mutex), "mu")
	model.GoNamed("forgetful", func() {
		if model.Choose(2) == 1 {
			mu.Lock()
		}
	})
}

func closedTwice() {
	done := model.Named(model.NewChan[int](0), "done")
	for range 2 {
		model.GoNamed("closer", func() {
			model.Select(done.RecvCase(nil), model.Background().Done().RecvCase(nil))
		})
		model.Go(func() { done.Close() })
	}
}

func assertion() {
	first := model.NewChan[string](2)
	for _, name := range []string{"red", "blue"} {
		model.GoNamed(name, func() { first.Send(name) })
	}
	winner := first.Recv()
	model.Log("the winner is", winner)
	model.Assert(winner == "red", "red wins")
}

func invariant() {
	var leaders model.Int64
	model.Invariant("one leader", []model.Object{&leaders}, func() error {
		if leaders.Load() > 1 {
			return errors.New("there are two")
		}
		return nil
	})
	for range 2 {
		model.Go(func() {
			leaders.Add(1)
			leaders.Add(-1)
		})
	}
}

func atEnd() {
	var published model.Int64
	model.Go(func() { published.Store(published.Load() + 1) })
	model.Go(func() { published.Store(published.Load() + 1) })
	model.AtEnd("both published", func() error {
		if published.Load() != 2 {
			return errors.New("one was lost")
		}
		return nil
	})
}

func spin() {
	mu := model.Named(new(model.Mutex), "mu")
	ready := model.Named(model.NewChan[int](0), "ready")
	model.GoNamed("waiter", func() {
		mu.Lock()
		ready.Recv()
	})
	for ready.Len() == 0 {
		model.Sleep(1)
	}
}

func nondeterministic() func() {
	n := 0
	return func() {
		n++
		var mu model.Mutex
		for i := range 2 {
			model.Go(func() {
				mu.Lock()
				mu.Unlock()
				if i == n%2 {
					model.Gosched()
				}
			})
		}
	}
}

func names() {
	очередь := model.Named(model.NewChan[int](0), "очередь")
	model.GoNamed("接收者", func() { очередь.Recv(); очередь.Recv() })
	model.GoNamed("e\u0301toile \x1b[31m\u202e🧵", func() {
		model.Log("绵羊\n\"a\"", "<b>", "👩‍🚀 launches")
		очередь.Send(1)
	})
}

func buffer() {
	jobs := model.NewChan[int](2)
	model.GoNamed("producer", func() {
		for i := range 3 {
			jobs.Send(i)
		}
	})
	jobs.Recv()
	for range jobs.All() {
	}
}

func rwmutex() {
	var mu model.RWMutex
	jobs := model.NewChan[int](2)
	done := model.NewChan[int](0)
	for range 3 {
		model.GoNamed("worker", func() {
			mu.RLock()
			defer mu.RUnlock()
			model.Select(jobs.RecvCase(nil), done.RecvCase(nil))
		})
	}
	jobs.Send(1)
	jobs.Send(2)
	mu.Lock()
	mu.Unlock()
}

func selects() {
	a, b := model.NewChan[int](0), model.NewChan[int](0)
	wg := new(model.WaitGroup)
	wg.Go(func() { model.Select(a.SendCase(1), b.RecvCase(nil)) })
	wg.Go(func() { model.Select(a.RecvCase(nil), b.SendCase(2)) })
	wg.Go(func() { b.Recv() })
	wg.Wait()
}

func timeout() {
	answer := model.Named(model.NewChan[int](0), "answer")
	model.GoNamed("server", func() { answer.Send(42) })
	timer := model.NewTimer(time.Second)
	model.Daemon("log", func() { model.NewChan[int](0).Recv() })
	model.Select(answer.RecvCase(nil), timer.C.RecvCase(nil))
}

func crowd(n int) {
	a := model.Named(model.NewChan[int](0), "a")
	for range n {
		model.Go(func() { a.Send(1) })
	}
	a.Recv()
}
