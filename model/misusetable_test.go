package model_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// misuse is a program that uses a primitive in a way that asks for trouble, or looks as if
// it did.
type misuse struct {
	name string
	body func()
	// want is what the first schedule that fails shows, nil if none does. Places are given
	// by the @names in comments.
	want []sched.Finding
	// refused is how the run ends if the tool, and not Go, forbids it.
	refused string
}

// TestMisuse: what is wrong is found, and said clearly; what Go allows is no finding; and
// under no schedule does the tool itself fail. What a program panics with is compared with
// what it panics with natively.
func TestMisuse(t *testing.T) {
	for _, m := range misuses() {
		t.Run(m.name, func(t *testing.T) {
			got, refused := misuseOf(t, m.body)
			if diff := cmp.Diff(m.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if refused != m.refused {
				t.Errorf("refused: %q, want %q", refused, m.refused)
			}
			if len(m.want) == 1 && alwaysPanics(m.want[0]) {
				if _, natively, _ := strings.Cut(panicOf(m.body), ": "); natively != m.want[0].Message {
					t.Errorf("natively it panics with %q, want %q", natively, m.want[0].Message)
				}
			}
		})
	}
}

// alwaysPanics reports whether a program with the finding panics under every schedule, in
// a way that it could recover from.
func alwaysPanics(f sched.Finding) bool {
	return f.Kind == sched.Panic && f.Goroutine == "main" && !strings.HasPrefix(f.Message, "fatal") && f.Class != "WaitGroup misuse"
}

// misuseOf returns what the first failing schedule of body shows, and how its runs are
// refused.
func misuseOf(t *testing.T, body func()) (found []sched.Finding, refused string) {
	t.Helper()
	e := sched.New(sched.Config{MaxSteps: 1000})
	defer e.Close()
	for all := (&bruteForce{}); ; {
		r := e.Run(body, all, atRest)
		switch {
		case r.Outcome == sched.Misuse:
			text, _, _ := strings.Cut(r.Misuse.Error(), " (goroutine")
			return nil, text
		case r.Outcome != sched.Quiescent && r.Outcome != sched.Crashed:
			t.Fatalf("a run ended as %v", r.Outcome)
		case found == nil:
			found = placed(t, r.Findings)
		}
		if !all.next() {
			return found, ""
		}
	}
}

// place stands for the line that has the comment @name.
func place(name string) sched.Site { return sched.Site{File: name} }

// panicking is the finding that main panics.
func panicking(class, message, at string) []sched.Finding {
	return []sched.Finding{{Kind: sched.Panic, Class: class, Goroutine: "main", Op: "panic", Message: message, Site: place(at)}}
}

// unlocking is the finding that main unlocks what is not locked.
func unlocking(op, object, message, at string) []sched.Finding {
	return []sched.Finding{{
		Kind: sched.Panic, Class: "unlock of unlocked mutex", Goroutine: "main", Op: op, Object: object,
		Message: message, Site: place(at),
	}}
}

// placed gives the places in findings by name.
func placed(t *testing.T, list []sched.Finding) []sched.Finding {
	t.Helper()
	text, err := os.ReadFile("misusetable_test.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	at := func(line int) string {
		if _, name, ok := strings.Cut(lines[line-1], "// @"); ok {
			return "@" + name
		}
		return fmt.Sprint("line ", line)
	}
	named := func(text string) string {
		return inText.ReplaceAllStringFunc(text, func(place string) string {
			_, line, _ := strings.Cut(place, ":")
			n, _ := strconv.Atoi(line)
			return at(n)
		})
	}
	short := func(s *sched.Site) {
		if s.Line > 0 {
			*s = sched.Site{File: at(s.Line)}
		}
	}
	for i := range list {
		short(&list[i].Site)
		short(&list[i].ObjectSite)
		list[i].Object = named(list[i].Object)
		for _, words := range [][]string{list[i].Wakers, list[i].Holding} {
			for k := range words {
				words[k] = named(words[k])
			}
		}
	}
	return list
}

var inText = regexp.MustCompile(`misusetable_test\.go:\d+`)

func misuses() []misuse {
	return []misuse{
		{name: "unlock of an unlocked mutex", body: func() {
			var mu model.Mutex
			mu.Unlock() // @unlock
		}, want: unlocking("unlock", "mutex at @unlock", "fatal error: sync: unlock of unlocked mutex", "@unlock")},
		{name: "a mutex is unlocked twice", body: func() {
			mu := model.Named(new(model.Mutex), "mu")
			mu.Lock()
			mu.Unlock()
			mu.Unlock() // @twice
		}, want: unlocking("unlock", "mutex mu", "fatal error: sync: unlock of unlocked mutex", "@twice")},
		{name: "another goroutine unlocks a mutex", body: func() {
			var mu model.Mutex
			mu.Lock()
			model.Go(mu.Unlock)
			mu.Lock()
			mu.Unlock()
		}},
		{name: "a goroutine locks a mutex that it holds", body: func() {
			mu := model.Named(new(model.Mutex), "mu") // @self
			mu.Lock()                                 // @first
			mu.Lock()                                 // @second
		}, want: []sched.Finding{{Kind: sched.BlockedForever, Class: "deadlock", Goroutine: "main", Op: "lock", Object: "mutex mu", Site: place("@second"), ObjectSite: place("@self"), Since: 1,
			Wakers:  []string{"it is held by main since step 1, @first, the same goroutine"},
			Holding: []string{"mutex mu (locked at @first)"},
		}}},
		{name: "a locked mutex is copied", body: func() {
			var mu model.Mutex
			mu.Lock()
			moved(&mu, func(*model.Mutex) {}).Unlock()
		}, refused: "modelcheck: a mutex was copied after its first use: pass a pointer to it instead"},
		{name: "an rwmutex is copied", body: func() {
			moved(new(model.RWMutex), (*model.RWMutex).RLock).RUnlock()
		}, refused: "modelcheck: a rwmutex was copied after its first use: pass a pointer to it instead"},
		{name: "a cond is copied", body: func() {
			moved(model.NewCond(new(model.Mutex)), (*model.Cond).Signal).Signal() // @copied
		}, want: panicking("", "sync.Cond is copied", "@copied")},
		{name: "runlock of an unlocked rwmutex", body: func() {
			var rw model.RWMutex
			rw.RUnlock() // @runlock
		}, want: unlocking("runlock", "rwmutex at @runlock", "fatal error: sync: RUnlock of unlocked RWMutex", "@runlock")},
		{name: "unlock of an rwmutex that is locked for reading", body: func() {
			rw := model.Named(new(model.RWMutex), "rw")
			rw.RLock()
			rw.Unlock() // @rw-unlock
		}, want: unlocking("unlock", "rwmutex rw", "fatal error: sync: Unlock of unlocked RWMutex", "@rw-unlock")},
		{name: "runlock of an rwmutex that is locked for writing", body: func() {
			rw := model.Named(new(model.RWMutex), "rw")
			rw.Lock()
			rw.RUnlock() // @rw-runlock
		}, want: unlocking("runlock", "rwmutex rw", "fatal error: sync: RUnlock of unlocked RWMutex", "@rw-runlock")},
		{name: "another goroutine gives a read lock back", body: func() {
			var rw model.RWMutex
			rw.RLock()
			model.Go(rw.RUnlock)
			rw.Lock()
			rw.Unlock()
		}},
		{name: "a reader reads again while a writer waits", body: func() {
			rw := model.Named(new(model.RWMutex), "rw") // @rw
			model.GoNamed("writer", func() {
				rw.Lock() // @writer
				rw.Unlock()
			})
			rw.RLock() // @reader
			rw.RLock() // @again
			rw.RUnlock()
			rw.RUnlock()
		}, want: []sched.Finding{{Kind: sched.BlockedForever, Class: "deadlock", Goroutine: "main", Op: "rlock", Object: "rwmutex rw", Site: place("@again"), ObjectSite: place("@rw"), Since: 2,
			Wakers:  []string{"a writer has announced itself and comes first: writer (main.1) is blocked at lock rwmutex rw, @writer"},
			Holding: []string{"rwmutex rw (read-locked at @reader)"},
		}, {Kind: sched.BlockedForever, Class: "deadlock", Goroutine: "main.1", Name: "writer", Op: "lock", Object: "rwmutex rw", Site: place("@writer"), ObjectSite: place("@rw"), Since: 3,
			Wakers: []string{"it is read-locked by main since step 2, @reader, which is blocked at rlock rwmutex rw, @again"},
		}}},
		{name: "a wait group below zero", body: func() {
			var wg model.WaitGroup
			wg.Done() // @negative
		}, want: panicking("negative WaitGroup counter", "sync: negative WaitGroup counter", "@negative")},
		{name: "a wait group below zero, by Add", body: func() {
			var wg model.WaitGroup
			wg.Add(1)
			wg.Add(-2) // @add
		}, want: panicking("negative WaitGroup counter", "sync: negative WaitGroup counter", "@add")},
		{name: "a wait group is used again too early", body: func() {
			wg := model.Named(new(model.WaitGroup), "wg") // @wg
			wg.Add(1)
			model.Go(func() {
				wg.Done()
				wg.Add(1)
				wg.Done()
			})
			wg.Wait() // @wait
		}, want: panicking("WaitGroup misuse", "sync: WaitGroup is reused before previous Wait has returned", "@wait")},
		{name: "Add while another goroutine begins to wait", body: func() {
			wg := model.Named(new(model.WaitGroup), "wg") // @added
			model.Go(func() { wg.Add(1) })                // @adds
			wg.Wait()                                     // @waits
		}, want: []sched.Finding{{Kind: sched.BlockedForever, Goroutine: "main", Op: "wait", Object: "waitgroup wg", Site: place("@waits"), ObjectSite: place("@added"), Since: 1,
			Wakers: []string{"the counter is 1", "main.1 called Add or Done, last at step 2, @adds, and returned after step 2"},
		}}},
		{name: "Wait for a Done that never comes", body: func() {
			wg := model.Named(new(model.WaitGroup), "wg") // @never
			wg.Add(1)                                     // @one
			wg.Wait()                                     // @forever
		}, want: []sched.Finding{{Kind: sched.BlockedForever, Goroutine: "main", Op: "wait", Object: "waitgroup wg", Site: place("@forever"), ObjectSite: place("@never"), Since: 1,
			Wakers: []string{"the counter is 1", "main called Add or Done, last at step 1, @one, and is blocked at wait waitgroup wg, @forever"},
		}}},
		{name: "a wait group is used again in time", body: func() {
			var wg model.WaitGroup
			for range 2 {
				wg.Go(func() {})
				wg.Wait()
			}
		}},
		{name: "Cond.Wait without the lock", body: func() {
			model.NewCond(new(model.Mutex)).Wait() // @unlocked
		}, want: unlocking("unlock", "mutex at @unlocked", "fatal error: sync: unlock of unlocked mutex", "@unlocked")},
		{name: "Cond.Wait without a lock at all", body: func() {
			new(model.Cond).Wait() // @nothing
		}, want: panicking("", "runtime error: invalid memory address or nil pointer dereference", "@nothing")},
		{name: "Signal without the lock, and nobody waits", body: func() {
			c := model.NewCond(new(model.Mutex))
			c.Signal()
			c.Broadcast()
		}},
		{name: "cancel is called twice", body: func() {
			ctx, cancel := model.WithCancel(model.Background())
			model.Go(cancel)
			cancel()
			cancel()
			ctx.Done().Recv()
		}},
		{name: "a context without a parent", body: func() {
			_, _ = model.WithCancel(nil) // @orphan
		}, want: panicking("", "cannot create context from nil parent", "@orphan")},
		{name: "a context value without a key", body: func() {
			model.WithValue(model.Background(), nil, 1) // @keyless
		}, want: panicking("", "nil key", "@keyless")},
		{name: "a timer is stopped after it has fired", body: func() {
			timer := model.NewTimer(time.Second)
			model.Sleep(2 * time.Second)
			timer.Stop()
			timer.Reset(time.Second)
			timer.C.Recv()
			timer.Stop()
		}},
		{name: "a value is awaited from a timer that was stopped", body: func() {
			timer := model.NewTimer(time.Second) // @timer
			timer.Stop()
			timer.C.Recv() // @stopped
		}, want: []sched.Finding{{Kind: sched.BlockedForever, Goroutine: "main", Op: "receive", Object: "timer at @timer", Site: place("@stopped"), ObjectSite: place("@timer"), Since: 2,
			Wakers: []string{"it was stopped, or has fired and its value was received"},
		}}},
		{name: "a timer that nobody made", body: func() {
			new(model.Timer).Stop() // @notimer
		}, want: panicking("", "time: Stop called on uninitialized Timer", "@notimer")},
		{name: "a ticker without a period", body: func() {
			model.NewTicker(0) // @ticker
		}, want: panicking("", "non-positive interval for NewTicker", "@ticker")},
		{name: "a deferred function closes while its goroutine is unwound", body: func() {
			model.GoNamed("stuck", func() {
				out := model.NewChan[int](0)
				defer out.Close()
				model.NewChan[int](0).Recv() // @stuck
			})
		}, want: []sched.Finding{{Kind: sched.BlockedForever, Goroutine: "main.1", Name: "stuck", Op: "receive", Object: "chan at @stuck (cap 0)", Site: place("@stuck"), ObjectSite: place("@stuck"),
			Wakers: []string{"no goroutine ever sent on it", "nobody closed it"},
		}}},
		{name: "a deferred function closes what is closed", body: func() {
			ch := model.Named(model.NewChan[int](0), "ch")
			func() { defer ch.Close(); ch.Close() }() // @deferred
		}, want: panicking("close of closed channel", "close of closed channel", "@deferred")},
		{name: "a channel is closed twice", body: func() {
			ch := model.Named(model.NewChan[int](0), "ch")
			model.Go(ch.Close) // @closes
			ch.Close()
		}, want: []sched.Finding{{Kind: sched.Panic, Class: "close of closed channel", Goroutine: "main.1", Op: "panic", Site: place("@closes"), Message: "close of closed channel"}}},
		{name: "the nil channel is closed", body: func() {
			model.Chan[int]{}.Close() // @closenil
		}, want: panicking("close of nil channel", "close of nil channel", "@closenil")},
		{name: "a send after the close", body: func() {
			ch := model.Named(model.NewChan[int](1), "ch")
			ch.Close()
			ch.Send(1) // @late
		}, want: panicking("send on closed channel", "send on closed channel", "@late")},
		{name: "a receive from the nil channel", body: func() {
			model.Chan[int]{}.Recv() // @nil
		}, want: []sched.Finding{{Kind: sched.BlockedForever, Goroutine: "main", Op: "receive", Object: "nil channel", Site: place("@nil"),
			Wakers: []string{"a nil channel blocks for ever"},
		}}},
		{name: "a channel of negative capacity", body: func() {
			n := -1
			model.NewChan[int](n) // @capacity
		}, want: panicking("makechan: size out of range", "makechan: size out of range", "@capacity")},
		{name: "Once of a nil function", body: func() {
			new(model.Once).Do(nil) // @once
		}, want: panicking("", "runtime error: invalid memory address or nil pointer dereference", "@once")},
		{name: "Once in itself", body: func() {
			once := model.Named(new(model.Once), "once") // @made
			once.Do(func() {                             // @outer
				once.Do(func() {}) // @inner
			})
		}, want: []sched.Finding{{Kind: sched.BlockedForever, Class: "deadlock", Goroutine: "main", Op: "do", Object: "once once", Site: place("@inner"), ObjectSite: place("@made"), Since: 1,
			Wakers: []string{"it is held by main since step 1, @outer, the same goroutine"},
		}}},
		{name: "OnceFunc of a nil function", body: func() {
			model.OnceFunc(nil)() // @oncefunc
		}, want: panicking("", "runtime error: invalid memory address or nil pointer dereference", "@oncefunc")},
		{name: "AfterFunc of a nil function", body: func() {
			model.AfterFunc(time.Second, nil) // @afterfunc
		}, want: []sched.Finding{{Kind: sched.Panic, Goroutine: "main.1.1", Op: "panic", Site: place("@afterfunc"), Message: "runtime error: invalid memory address or nil pointer dereference"}}},
		{name: "a nil goroutine", body: func() {
			model.Go(nil) // @go
		}, want: []sched.Finding{{Kind: sched.Panic, Class: "nil func", Goroutine: "main", Op: "go", Site: place("@go"), Message: "fatal error: go of nil func value"}}},
		{name: "a semaphore of negative size", body: func() {
			model.NewSemaphore(-1) // @size
		}, want: panicking("", "semaphore: size < 0", "@size")},
		{name: "negative tokens", body: func() {
			_ = model.NewSemaphore(1).Acquire(model.Background(), -1) // @acquire
		}, want: panicking("", "semaphore: n < 0", "@acquire")},
		{name: "more tokens are released than are held", body: func() {
			model.NewSemaphore(1).Release(1) // @release
		}, want: panicking("", "semaphore: released more than held", "@release")},
		{name: "more tokens are wanted than there are", body: func() {
			_ = model.NewSemaphore(1).Acquire(model.Background(), 2) // @toomany
		}, want: []sched.Finding{{Kind: sched.BlockedForever, Goroutine: "main", Op: "select", Object: "receive nil channel | receive chan of more tokens than the semaphore has (cap 0)", Site: place("@toomany"), Since: 2,
			Wakers: []string{"case 0: a nil channel blocks for ever", "case 1: no goroutine ever sent on it", "case 1: nobody closed it"},
		}}},
		{name: "the limit of a group is changed while its goroutines are active", body: func() {
			var g model.Group
			done := model.NewChan[int](0)
			defer done.Close()
			g.SetLimit(1)
			g.Go(func() error { done.Recv(); return nil })
			g.SetLimit(2) // @limit
		}, want: panicking("", "errgroup: modify limit while 1 goroutines in the group are still active", "@limit")},
		{name: "a group of no goroutine at all", body: func() {
			var g model.Group
			g.SetLimit(0)                     // @limited
			g.Go(func() error { return nil }) // @full
		}, want: []sched.Finding{{Kind: sched.BlockedForever, Goroutine: "main", Op: "send", Object: "chan limit of the group (cap 0)", Site: place("@full"), ObjectSite: place("@limited"),
			Wakers: []string{"no goroutine ever received from it"},
		}}},
		{name: "a group of nil functions", body: func() {
			var g model.Group
			g.Go(nil) // @nilfunc
			_ = g.Wait()
		}, want: []sched.Finding{{Kind: sched.Panic, Goroutine: "main.1", Op: "panic", Site: place("@nilfunc"), Message: "runtime error: invalid memory address or nil pointer dereference"}}},
		{name: "nothing is stored in a Value", body: func() {
			new(model.Value).Store(nil) // @value
		}, want: panicking("", "sync/atomic: store of nil value into Value", "@value")},
		{name: "two types are stored in a Value", body: func() {
			var v model.Value
			v.Store(1)
			v.Store("a") // @type
		}, want: panicking("", "sync/atomic: store of inconsistently typed value into Value", "@type")},
		{name: "a key of a Map that has no hash", body: func() {
			new(model.Map).Store([]int{}, 1) // @key
		}, want: panicking("", "runtime error: hash of unhashable type []int", "@key")},
		{name: "nothing is put into a Pool", body: func() {
			var p model.Pool
			p.Put(nil)
			model.Assert(p.Get() == nil, "the pool is empty")
		}},
	}
}
