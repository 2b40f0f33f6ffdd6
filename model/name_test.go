package model_test

import (
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// TestFindingsPointAtTheProgram: a finding names the object as the program does and
// shows the line of the program, not one of this package.
func TestFindingsPointAtTheProgram(t *testing.T) {
	var line int
	here := func() { // marks the next line as the one to be shown
		_, _, line, _ = runtime.Caller(1)
		line++
	}
	type shown struct{ Op, Object string }
	for _, p := range []struct {
		want shown
		body func()
	}{
		{shown{"send", "chan reqCh (cap 0)"}, func() {
			ch := model.Named(model.NewChan[int](0), "reqCh")
			here()
			ch.Send(1)
		}},
		{shown{"send", "chan reqCh (cap 0)"}, func() {
			ch := model.Named(model.NewChan[int](0).SendOnly(), "reqCh")
			here()
			ch.Send(1)
		}},
		{shown{"receive", "chan respCh (cap 2)"}, func() {
			ch := model.Named(model.NewChan[string](2).RecvOnly(), "respCh")
			here()
			ch.Recv()
		}},
		{shown{"receive", "chan respCh (cap 2)"}, func() {
			ch := model.Named(model.NewChan[string](2), "respCh")
			here()
			ch.RecvOK()
		}},
		{shown{"receive", "chan respCh (cap 2)"}, func() {
			ch := model.Named(model.NewChan[string](2), "respCh")
			here()
			for range ch.All() {
			}
		}},
		{shown{"receive", "nil channel"}, func() {
			ch := model.Named(model.Chan[int]{}, "nothing")
			here()
			ch.Recv()
		}},
		{shown{"receive", "context ctx"}, func() {
			ctx, _ := model.WithCancel(model.Background())
			model.Named(ctx.Done(), "ctx")
			here()
			ctx.Done().Recv()
		}},
		{shown{"select", "send chan a (cap 0) | receive chan b (cap 0)"}, func() {
			a := model.Named(model.NewChan[int](0), "a")
			b := model.Named(model.NewChan[error](0), "b")
			here()
			model.Select(a.SendCase(1), b.RecvCase(nil))
		}},
		{shown{"select", "no cases"}, func() {
			here()
			model.Select()
		}},
		{shown{"lock", "mutex mu"}, func() {
			mu := model.Named(new(model.Mutex), "mu")
			mu.Lock()
			here()
			mu.Lock()
		}},
		{shown{"rlock", "rwmutex rw"}, func() {
			rw := model.Named(new(model.RWMutex), "rw")
			rw.Lock()
			here()
			rw.RLock()
		}},
		{shown{"lock", "rwmutex rw"}, func() {
			rw := model.Named(new(model.RWMutex), "rw")
			rw.RLock()
			here()
			rw.Lock()
		}},
		{shown{"wait", "waitgroup wg"}, func() {
			wg := model.Named(new(model.WaitGroup), "wg")
			wg.Add(1)
			here()
			wg.Wait()
		}},
		{shown{"do", "once init"}, func() {
			once := model.Named(new(model.Once), "init")
			once.Do(func() {
				here()
				once.Do(func() {})
			})
		}},
		{shown{"wait", "cond ready"}, func() {
			mu := new(model.Mutex)
			c := model.Named(model.NewCond(mu), "ready")
			mu.Lock()
			here()
			c.Wait()
		}},
		{shown{"send", "chan limit of the group (cap 0)"}, func() {
			var g model.Group
			g.SetLimit(0)
			here()
			g.Go(func() error { return nil })
		}},
		{shown{"receive", "timer t"}, func() {
			timer := model.Named(model.NewTimer(1), "t")
			timer.Stop()
			here()
			timer.C.Recv()
		}},
		{shown{"receive", "timer t"}, func() {
			ticker := model.Named(model.NewTicker(1), "t")
			ticker.Stop()
			here()
			ticker.C.Recv()
		}},
		{shown{"select", "receive nil channel | receive chan turn at a semaphore (cap 0)"}, func() {
			sema := model.NewSemaphore(1)
			sema.TryAcquire(1)
			here()
			_ = sema.Acquire(model.Background(), 1)
		}},
		{shown{"panic", ""}, func() {
			ch := model.NewChan[int](0)
			ch.Close()
			here()
			ch.Close()
		}},
		{shown{"panic", ""}, func() {
			new(model.WaitGroup).Go(func() {
				here()
				panic("no")
			})
		}},
		{shown{"panic", ""}, func() {
			model.OnceFunc(func() {
				here()
				panic("no")
			})()
		}},
		{shown{"assert", ""}, func() {
			here()
			model.Assert(false, "holds")
		}},
		{shown{"unlock", "mutex mu"}, func() {
			mu := model.Named(new(model.Mutex), "mu")
			here()
			mu.Unlock()
		}},
	} {
		t.Run(p.want.Op+" "+p.want.Object, func(t *testing.T) {
			e := sched.New(sched.Config{})
			defer e.Close()
			r := e.Run(p.body, onward{}, sched.RunOptions{Capture: true})
			if len(r.Findings) != 1 {
				t.Fatalf("findings %v, misuse %v; want one finding", r.Findings, r.Misuse)
			}
			f := r.Findings[0]
			if diff := cmp.Diff(p.want, shown{f.Op, f.Object}); diff != "" {
				t.Errorf("finding (-want +got):\n%s", diff)
			}
			if f.Site.Line != line {
				t.Errorf("the finding is at %v, want line %d", f.Site, line)
			}
		})
	}
}

func TestWhatTheReportShows(t *testing.T) {
	e := sched.New(sched.Config{})
	defer e.Close()
	r := e.Run(func() {
		model.Sometimes(false, "early")
		model.Sometimes(false, "never")
		model.Sometimes(true, "early")
		model.GoNamed("worker", func() { model.Log("published", 7) })
	}, onward{}, sched.RunOptions{Capture: true})
	type reach struct {
		Name    string
		Reached bool
	}
	var reached []reach
	for _, r := range e.Sometimes() {
		reached = append(reached, reach{r.Name, r.Reached})
	}
	if diff := cmp.Diff([]reach{{"early", true}, {"never", false}}, reached); diff != "" {
		t.Errorf("Sometimes (-want +got):\n%s", diff)
	}
	type line struct{ Goroutine, Name, Op, Note string }
	var trace []line
	for _, ev := range r.Trace {
		trace = append(trace, line{ev.Goroutine, ev.Name, ev.Op, ev.Note})
	}
	if diff := cmp.Diff([]line{{"main", "", "go", "main.1"}, {"main.1", "worker", "log", "published 7"}}, trace); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
}
