package explore

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// TestFindings shows how each classic mistake is reported, to the letter. Marks
// such as {b2} in texts stand for the place of the line that ends in // @b2.
func TestFindings(t *testing.T) {
	for _, test := range []struct {
		name string
		body func()
		want []Finding
	}{
		{
			name: "two locks in opposite order",
			body: func() {
				a, b := model.Named(new(model.Mutex), "a"), model.Named(new(model.Mutex), "b") // @abba-new
				model.GoNamed("ba", func() {
					b.Lock() // @abba-b1
					a.Lock() // @abba-a1
					a.Unlock()
					b.Unlock()
				})
				a.Lock() // @abba-a2
				b.Lock() // @abba-b2
				b.Unlock()
				a.Unlock()
			},
			want: []Finding{{
				Kind: sched.BlockedForever, Class: "deadlock", Goroutine: "main", Op: "lock", Object: "mutex b",
				Site: at(t, "abba-b2"), ObjectSite: at(t, "abba-new"), Since: 2,
				Wakers:  []string{"it is held by ba (main.1) since step 3, {abba-b1}, which is blocked at lock mutex a, {abba-a1}"},
				Holding: []string{"mutex a (locked at {abba-a2})"},
			}, {
				Kind: sched.BlockedForever, Class: "deadlock", Goroutine: "main.1", Name: "ba", Op: "lock", Object: "mutex a",
				Site: at(t, "abba-a1"), ObjectSite: at(t, "abba-new"), Since: 3,
				Wakers:  []string{"it is held by main since step 2, {abba-a2}, which is blocked at lock mutex b, {abba-b2}"},
				Holding: []string{"mutex b (locked at {abba-b1})"},
			}},
		},
		{
			name: "one lock twice",
			body: func() {
				mu := model.Named(new(model.Mutex), "mu") // @self-new
				model.Go(func() {})
				mu.Lock() // @self-1
				mu.Lock() // @self-2
			},
			want: []Finding{{
				Kind: sched.BlockedForever, Class: "deadlock", Goroutine: "main", Op: "lock", Object: "mutex mu",
				Site: at(t, "self-2"), ObjectSite: at(t, "self-new"), Since: 2,
				Wakers:  []string{"it is held by main since step 2, {self-1}, the same goroutine"},
				Holding: []string{"mutex mu (locked at {self-1})"},
			}},
		},
		{
			name: "return while holding",
			body: func() {
				mu := model.Named(new(model.Mutex), "mu")
				model.GoNamed("forgetful", func() {
					if !mu.TryLock() { // @held
						return
					}
				})
			},
			want: []Finding{{
				Kind: sched.LockHeld, Goroutine: "main.1", Name: "forgetful", Op: "lock", Object: "mutex mu",
				Site: at(t, "held"), ObjectSite: at(t, "held"), Since: 2,
				Wakers: []string{"forgetful (main.1) acquired it at {held} and has returned without unlocking it"},
			}},
		},
		{
			name: "leaked sender",
			body: func() {
				results := model.Named(model.NewChan[int](0), "results") // @sender-new
				for range 2 {
					model.GoNamed("worker", func() {
						results.Send(1) // @sender
					})
				}
				results.Recv() // @sender-recv
			},
			want: []Finding{{
				Kind: sched.BlockedForever, Goroutine: "main.2", Name: "worker", Op: "send", Object: "chan results (cap 0)",
				Site: at(t, "sender"), ObjectSite: at(t, "sender-new"), Since: 0,
				Wakers: []string{"main received from it, last at step 3, {sender-recv}, and returned after step 3"},
			}},
		},
		{
			name: "leaked receiver",
			body: func() {
				jobs := model.Named(model.NewChan[int](1), "jobs") // @receiver-new
				model.GoNamed("receiver", func() {
					for range jobs.All() { // @receiver
					}
				})
				jobs.Send(7) // @receiver-send
			},
			want: []Finding{{
				Kind: sched.BlockedForever, Goroutine: "main.1", Name: "receiver", Op: "receive", Object: "chan jobs (cap 1)",
				Site: at(t, "receiver"), ObjectSite: at(t, "receiver-new"), Since: 3,
				Wakers: []string{"main sent on it, last at step 2, {receiver-send}, and returned after step 2", "nobody closed it"},
			}},
		},
		{
			name: "wait group never counted down",
			body: func() {
				wg := model.Named(new(model.WaitGroup), "wg") // @wg-new
				stop := model.NewChan[int](1)
				wg.Add(1) // @wg-add
				model.Go(func() {
					if model.TrySelect(stop.RecvCase(nil)) == 0 {
						return // forgets Done
					}
					wg.Done() // @wg-done
				})
				stop.Send(1)
				wg.Wait() // @wg-wait
			},
			want: []Finding{{
				Kind: sched.BlockedForever, Goroutine: "main", Op: "wait", Object: "waitgroup wg",
				Site: at(t, "wg-wait"), ObjectSite: at(t, "wg-new"), Since: 3,
				Wakers: []string{"the counter is 1", "main called Add or Done, last at step 1, {wg-add}, and is blocked at wait waitgroup wg, {wg-wait}"},
			}},
		},
		{
			name: "read lock twice with a writer between",
			body: func() {
				rw := model.Named(new(model.RWMutex), "rw") // @rwr-new
				model.GoNamed("writer", func() {
					rw.Lock() // @rwr-lock
					rw.Unlock()
				})
				rw.RLock() // @rwr-1
				rw.RLock() // @rwr-2
				rw.RUnlock()
				rw.RUnlock()
			},
			want: []Finding{{
				Kind: sched.BlockedForever, Class: "deadlock", Goroutine: "main", Op: "rlock", Object: "rwmutex rw",
				Site: at(t, "rwr-2"), ObjectSite: at(t, "rwr-new"), Since: 2,
				Wakers:  []string{"a writer has announced itself and comes first: writer (main.1) is blocked at lock rwmutex rw, {rwr-lock}"},
				Holding: []string{"rwmutex rw (read-locked at {rwr-1})"},
			}, {
				Kind: sched.BlockedForever, Class: "deadlock", Goroutine: "main.1", Name: "writer", Op: "lock", Object: "rwmutex rw",
				Site: at(t, "rwr-lock"), ObjectSite: at(t, "rwr-new"), Since: 3,
				Wakers: []string{"it is read-locked by main since step 2, {rwr-1}, which is blocked at rlock rwmutex rw, {rwr-2}"},
			}},
		},
		{
			name: "nil channel",
			body: func() {
				var never model.Chan[int]
				model.Go(func() {})
				never.Send(1) // @nil
			},
			want: []Finding{{
				Kind: sched.BlockedForever, Goroutine: "main", Op: "send", Object: "nil channel",
				Site: at(t, "nil"), Since: 1,
				Wakers: []string{"a nil channel blocks for ever"},
			}},
		},
		{
			name: "empty select",
			body: func() {
				model.Go(func() {})
				model.Select() // @empty
			},
			want: []Finding{{
				Kind: sched.BlockedForever, Goroutine: "main", Op: "select", Object: "no cases",
				Site: at(t, "empty"), Since: 1,
				Wakers: []string{"a select without cases blocks for ever"},
			}},
		},
		{
			name: "close twice",
			body: func() {
				done := model.Named(model.NewChan[int](0), "done")
				model.GoNamed("closer", func() {
					done.Close() // @close-1
				})
				done.Close()
			},
			want: []Finding{{
				Kind: sched.Panic, Class: "close of closed channel", Goroutine: "main.1", Name: "closer", Op: "panic",
				Site: at(t, "close-1"), Message: "close of closed channel",
			}},
		},
		{
			name: "broken assertion",
			body: func() {
				var winner int
				c := model.NewChan[int](2)
				for i := range 2 {
					model.Go(func() { c.Send(i) })
				}
				winner = c.Recv()
				model.Assert(winner == 0, "the first wins") // @assert
			},
			want: []Finding{{
				Kind: sched.AssertionBroken, Goroutine: "main", Op: "assert",
				Site: at(t, "assert"), Message: "the first wins",
			}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Run(test.body, Seed(1))
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			for i := range test.want {
				fillMarks(t, test.want[i].Wakers)
				fillMarks(t, test.want[i].Holding)
			}
			if diff := cmp.Diff(test.want, r.Findings, sameSites); diff != "" {
				t.Errorf("findings (-want +got):\n%s\n%s", diff, r)
			}
			comesBack(t, test.body, r)
		})
	}
}

var markForm = regexp.MustCompile(`\{[a-z0-9-]+\}`)

func fillMarks(t *testing.T, texts []string) {
	t.Helper()
	for i, s := range texts {
		texts[i] = markForm.ReplaceAllStringFunc(s, func(m string) string {
			return at(t, m[1:len(m)-1]).String()
		})
	}
}

// comesBack checks that the findings and the operations of a report come back
// from its seed, from its schedule and from a file.
func comesBack(t testing.TB, body func(), want Report, opts ...Option) {
	t.Helper()
	again := Run(body, append(opts, Seed(want.Seed))...)
	for _, got := range []struct {
		from string
		Report
	}{
		{"seed", again},
		{"schedule", Replay(body, want.Schedule, opts...)},
		{"file", fromFile(t, body, want.Schedule, opts...)},
	} {
		if diff := cmp.Diff(want.Findings, got.Findings); diff != "" || got.Err != nil {
			t.Errorf("from the %s (error %v), findings (-want +got):\n%s\n%s", got.from, got.Err, diff, want)
			return
		}
		if got.Hash != want.Hash || got.Schedule != want.Schedule {
			t.Errorf("from the %s: hash %x, wanted %x\n%s\nwanted %s", got.from, got.Hash, want.Hash, got, want)
			return
		}
	}
}

func fromFile(t testing.TB, body func(), schedule string, opts ...Option) Report {
	t.Helper()
	dir := t.TempDir()
	name, err := save(dir, savedSchedule{test: t.Name(), schedule: schedule})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := parseFile(data)
	if err != nil {
		t.Fatal(err)
	}
	return Replay(body, f.schedule, opts...)
}
