package model_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
)

// TestBothWorlds runs the same programs natively and under every schedule: they
// can come to one outcome only.
func TestBothWorlds(t *testing.T) {
	errStop := errors.New("stop")
	for _, p := range []struct {
		name, want string
		body       body
	}{
		{"unbuffered", "1 true", func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.SendOnly().Send(1) })
			note(ch.RecvOnly().RecvOK())
		}},
		{"buffered", "2 3 1 2 0 3", func(note func(...any)) {
			ch := model.NewChan[int](3)
			ch.Send(1)
			ch.Send(2)
			n, c := ch.Len(), ch.Cap()
			a, b := ch.Recv(), ch.Recv()
			note(n, c, a, b, ch.SendOnly().Len(), ch.RecvOnly().Cap())
		}},
		{"range", "0 1 2", func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.GoNamed("source", func() {
				for i := range 3 {
					ch.Send(i)
				}
				ch.SendOnly().Close()
			})
			var got []any
			for v := range ch.RecvOnly().All() {
				got = append(got, v)
			}
			note(got...)
		}},
		{"closed", "7 true; 0 false; 0", func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Send(7)
			ch.Close()
			note(ch.RecvOK())
			note(ch.RecvOK())
			note(ch.Recv())
		}},
		{"nil channel", "0 0 -1 -1 true", func(note func(...any)) {
			var ch model.Chan[int]
			none := model.TrySelect(ch.RecvCase(nil), ch.SendCase(1))
			note(ch.Len(), ch.Cap(), none, model.TrySelect(ch.SendCase(1)), ch == model.Chan[int]{})
		}},
		{"select, one case", "0 5; -1; 0 false; 0", func(note func(...any)) {
			ch := model.NewChan[int](1)
			var v int
			model.Select(ch.SendCase(5))
			note(model.Select(ch.RecvCase(&v)), v)
			note(model.TrySelect(ch.RecvCase(nil)))
			ch.Close()
			ok := true
			note(model.Select(ch.RecvOKCase(nil, &ok)), ok)
			note(model.TrySelect(ch.RecvCase(&v)))
		}},
		{"select, several cases", "1 0 x true; 0 5; -1", func(note func(...any)) {
			ints, strs := model.NewChan[int](1), model.NewChan[string](1)
			strs.Send("x")
			var n int
			var s string
			var ok bool
			note(model.Select(ints.RecvOnly().RecvCase(&n), strs.RecvOnly().RecvOKCase(&s, &ok)), n, s, ok)
			model.Select(model.Case{}, ints.SendOnly().SendCase(5), strs.RecvCase(nil))
			note(model.Select(ints.RecvCase(&n), strs.RecvCase(nil)), n)
			note(model.TrySelect(ints.RecvCase(&n), strs.RecvCase(nil)))
		}},
		{"select, nil of an interface type", "1 <nil> true; 0 <nil>", func(note func(...any)) {
			ch, other := model.NewChan[error](1), model.NewChan[int](0)
			model.Select(other.RecvCase(nil), ch.SendCase(nil))
			err, ok := errStop, false
			note(model.Select(other.RecvCase(nil), ch.RecvOKCase(&err, &ok)), err, ok)
			model.Select(ch.SendCase(nil))
			err = errStop
			note(model.Select(ch.RecvCase(&err)), err)
		}},
		{"try select without cases", "-1", func(note func(...any)) {
			note(model.TrySelect())
		}},
		{"mutex", "2 false true", func(note func(...any)) {
			var mu model.Mutex
			var wg model.WaitGroup
			n := 0
			for range 2 {
				wg.Go(func() {
					mu.Lock()
					defer mu.Unlock()
					n++
				})
			}
			wg.Wait()
			var locked bool
			mu.Lock()
			wg.Go(func() { locked = mu.TryLock() })
			wg.Wait()
			mu.Unlock()
			note(n, locked, mu.TryLock())
			mu.Unlock()
		}},
		{"rwmutex", "false true; false false; true", func(note func(...any)) {
			rw := model.Named(new(model.RWMutex), "rw")
			var wg model.WaitGroup
			try := func() {
				w, r := rw.TryLock(), rw.TryRLock()
				note(w, r)
				if r {
					rw.RUnlock()
				}
			}
			rw.RLock()
			wg.Go(try)
			wg.Wait()
			rw.RUnlock()
			rw.Lock()
			wg.Go(try)
			wg.Wait()
			rw.Unlock()
			note(rw.TryLock())
			rw.Unlock()
		}},
		{"waitgroup", "true", func(note func(...any)) {
			var wg model.WaitGroup
			done := false
			wg.Add(1)
			model.Go(func() {
				model.Gosched()
				done = true
				wg.Done()
			})
			wg.Wait()
			note(done)
		}},
		{"once", "1; no; 1", func(note func(...any)) {
			var once, failing model.Once
			n := 0
			once.Do(func() { n++ })
			once.Do(func() { n++ })
			note(n)
			func() {
				defer func() { note(recover()) }()
				failing.Do(func() { panic("no") })
			}()
			failing.Do(func() { n++ })
			note(n)
		}},
		{"choose", "0", func(note func(...any)) {
			note(model.Choose(1))
		}},
		{"notes for the checker", "", func(note func(...any)) {
			model.Assert(true, "holds")
			model.Sometimes(true, "held")
			model.Log("n", 1)
			model.AtEnd("fine", func() error { return nil })
			model.Invariant("fine", []model.Object{model.Named(model.NewChan[int](0), "ch")}, func() error { return nil })
		}},
		{"daemon", "1", func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Daemon("source", func() { ch.Send(1) })
			note(ch.Recv())
		}},
		{"empty contexts", "context.Background context.TODO <nil> <nil> false", func(note func(...any)) {
			_, ok := model.TODO().Deadline()
			note(model.Background(), model.TODO(), model.Background().Err(), model.Cause(model.TODO()), ok)
		}},
		{"cancel", "<nil> false true; context canceled context canceled", func(note func(...any)) {
			ctx, cancel := model.WithCancel(model.Background())
			_, deadline := ctx.Deadline()
			done := ctx.Done()
			note(ctx.Err(), deadline, done == ctx.Done())
			model.Go(cancel)
			ctx.Done().Recv()
			cancel()
			note(ctx.Err(), model.Cause(ctx))
		}},
		{"cancel cause", "context canceled stop; context canceled stop; <nil>", func(note func(...any)) {
			ctx, cancel := model.WithCancelCause(model.TODO())
			child, stop := model.WithCancel(ctx)
			defer stop()
			sibling, stop := model.WithCancel(model.Background())
			defer stop()
			cancel(errStop)
			cancel(nil)
			child.Done().Recv()
			note(ctx.Err(), model.Cause(ctx))
			note(child.Err(), model.Cause(child))
			note(sibling.Err())
		}},
		{"context in a select", "1", func(note func(...any)) {
			ctx, cancel := model.WithCancel(model.Background())
			cancel()
			note(model.Select(model.NewChan[int](0).RecvCase(nil), ctx.Done().RecvCase(nil)))
		}},
		{"context of another type", "stopped stopped; <nil>", func(note func(...any)) {
			parent := newStopCtx()
			child, cancel := model.WithCancel(parent)
			defer cancel()
			alive, cancel := model.WithCancel(struct{ model.Context }{model.Background()})
			defer cancel()
			parent.stop()
			child.Done().Recv()
			note(child.Err(), model.Cause(child))
			note(alive.Err())
		}},
		{"context values", "v <nil>", func(note func(...any)) {
			ctx, cancel := model.WithCancel(valueCtx{model.Background()})
			defer cancel()
			note(ctx.Value("k"), ctx.Value("other"))
		}},
		{"context names", "context.Background.WithCancel context.TODO.WithCancel.WithCancel model_test.valueCtx.WithCancel", func(note func(...any)) {
			a, cancel := model.WithCancel(model.Background())
			defer cancel()
			b, cancel := model.WithCancel(model.TODO())
			defer cancel()
			b, cancel = model.WithCancel(b)
			defer cancel()
			c, cancel := model.WithCancel(valueCtx{model.Background()})
			defer cancel()
			note(a, b, c)
		}},
	} {
		t.Run(p.name, func(t *testing.T) {
			n := &noter{}
			p.body(n.note)
			if diff := cmp.Diff(p.want, strings.Join(n.notes, "; ")); diff != "" {
				t.Errorf("natively (-want +got):\n%s", diff)
			}
			checkOutcomes(t, []string{p.want}, p.body)
		})
	}
}
