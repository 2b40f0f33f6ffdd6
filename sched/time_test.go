package sched

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// program is a body that tells what it observes to note, in words.
type program func(g *G, note func(...any))

// outcomes runs body under every schedule and returns what it can come to: its
// notes and the outcome of the run if that is no rest with everybody gone.
func outcomes(t *testing.T, opts RunOptions, body program) []string {
	t.Helper()
	e := New(Config{MaxSteps: 1000})
	defer e.Close()
	all, found := &brute{}, map[string]bool{}
	for range 100_000 {
		var notes []string
		note := func(args ...any) { notes = append(notes, strings.TrimSpace(fmt.Sprintln(args...))) }
		r := e.Run(func() { body(Current(), note) }, all, opts)
		if r.Outcome != Quiescent {
			notes = append(notes, r.Outcome.String())
		} else if r.Failed {
			notes = append(notes, "blocked")
		}
		found[strings.Join(notes, "; ")] = true
		if !all.next() {
			return slices.Sorted(maps.Keys(found))
		}
	}
	t.Fatal("too many schedules: make the program smaller")
	return nil
}

// call returns a timer that calls f in a goroutine of its own.
func call(g *G, eager bool, f func()) *Timer {
	var t *Timer
	t = g.NewTimer(TimerSpec{Eager: eager, Works: true, Fire: func(int64) { t.G().SpawnFrom(f, "") }})
	return t
}

// timeout returns a channel on which a value arrives after d.
func timeout(g *G, d int64) *Object {
	t := tick(g, true, 0)
	g.Arm(t, d)
	return t.ch
}

func tick(g *G, eager bool, period int64) *Timer {
	ch := g.NewTimerChan()
	var t *Timer
	t = g.NewTimer(TimerSpec{Eager: eager, Period: period, Chan: ch, Fire: func(int64) {
		if slot := t.G().Slot(ch); !t.G().Deliver(ch, slot) {
			t.G().Release(ch, slot)
		}
	}})
	return t
}

// onward keeps to the default policy.
type onward struct{}

func (onward) Pick(p *Point) Choice { return p.Default() }

func TestTimersComeLastByDefault(t *testing.T) {
	e := New(Config{})
	defer e.Close()
	first := -2
	e.Run(func() {
		g := Current()
		done, late := g.NewChan(1), timeout(g, 1)
		g.Go(func() { Current().Yield(); Current().Send(done, Current().Slot(done)) }, "", false)
		first, _ = g.Select([]Case{{Chan: late}, {Chan: done}}, false)
	}, onward{}, RunOptions{})
	if first != 1 {
		t.Errorf("case %d went first, want 1: the work, not the timeout", first)
	}
}

func TestTime(t *testing.T) {
	asap, atRest, hasty, either := RunOptions{}, RunOptions{Pace: Calm}, RunOptions{Pace: Hasty}, RunOptions{Pace: Either}
	for _, p := range []struct {
		name string
		opts RunOptions
		want []string
		body program
	}{
		{"sleepers wake in the order of their deadlines", asap, []string{"1; 2; 3"}, func(g *G, note func(...any)) {
			for _, d := range []int64{2, 3, 1} {
				g.Go(func() { Current().Sleep(d); note(d) }, "", false)
			}
		}},
		{"the clock shows what passed", asap, []string{"0 5 12"}, func(g *G, note func(...any)) {
			a := g.Now()
			g.Sleep(5)
			b := g.Now()
			g.Sleep(7)
			note(a, b, g.Now())
		}},
		{"a timeout may beat work", asap, []string{"done", "timeout"}, func(g *G, note func(...any)) {
			done := g.NewChan(1)
			g.Go(func() { Current().Send(done, Current().Slot(done)) }, "", false)
			if i, _ := g.Select([]Case{{Chan: done}, {Chan: timeout(g, 9)}}, false); i == 0 {
				note("done")
			} else {
				note("timeout")
			}
		}},
		{"at quiescence it does not", atRest, []string{"done"}, func(g *G, note func(...any)) {
			done := g.NewChan(1)
			g.Go(func() { Current().Send(done, Current().Slot(done)) }, "", false)
			if i, _ := g.Select([]Case{{Chan: done}, {Chan: timeout(g, 9)}}, false); i == 0 {
				note("done")
			}
		}},
		{"a sleep that ends before a timeout may come first", asap, []string{"slept 5", "slept 9", "timeout"}, func(g *G, note func(...any)) {
			done := g.NewChan(1)
			g.Go(func() { Current().Sleep(5); Current().Send(done, Current().Slot(done)) }, "", false)
			if i, _ := g.Select([]Case{{Chan: done}, {Chan: timeout(g, 9)}}, false); i == 0 {
				note("slept", g.Now())
			} else {
				note("timeout")
			}
		}},
		{"a sleep that ends after it does not", asap, []string{"timeout"}, func(g *G, note func(...any)) {
			done := g.NewChan(1)
			g.Go(func() { Current().Sleep(10); Current().Send(done, Current().Slot(done)) }, "", false)
			timer := timeout(g, 9)
			g.Recv(timer)
			if i, _ := g.Select([]Case{{Chan: done}}, true); i < 0 {
				note("timeout")
			}
			g.Recv(done)
		}},
		{"the earlier timer fires first", asap, []string{"1; 2"}, func(g *G, note func(...any)) {
			late := timeout(g, 2)
			g.Recv(timeout(g, 1))
			note(1)
			g.Recv(late)
			note(2)
		}},
		{"timers that are due together fire in any order", asap, []string{"false", "true"}, func(g *G, note func(...any)) {
			a, b := timeout(g, 1), timeout(g, 1)
			g.Recv(b)
			i, _ := g.Select([]Case{{Chan: a}}, true)
			note(i == 0)
		}},
		{"a ticker that nobody waits for is no progress", asap, []string{"blocked"}, func(g *G, note func(...any)) {
			g.Arm(tick(g, false, 5), 5)
			g.Recv(g.NewChan(0))
		}},
		{"a ticker drops ticks that are not received", asap, []string{"12 20"}, func(g *G, note func(...any)) {
			ticker := tick(g, false, 5)
			g.Arm(ticker, 5)
			g.Sleep(12)
			g.Recv(ticker.ch)
			now := g.Now()
			g.Recv(ticker.ch)
			g.Recv(ticker.ch)
			note(now, g.Now())
		}},
		{"daemons do not keep a run going with timeouts", asap, []string{""}, func(g *G, note func(...any)) {
			g.Go(func() {
				for {
					Current().Recv(timeout(Current(), 5))
				}
			}, "", true)
		}},
		{"nor with sleeps", atRest, []string{""}, func(g *G, note func(...any)) {
			g.Go(func() {
				for {
					Current().Sleep(5)
				}
			}, "", true)
		}},
		{"a function is called when everybody is gone", asap, []string{"called"}, func(g *G, note func(...any)) {
			g.Arm(call(g, true, func() { note("called") }), 5)
		}},
		{"and at quiescence", atRest, []string{"called"}, func(g *G, note func(...any)) {
			g.Arm(call(g, true, func() { note("called") }), 5)
		}},
		{"stopped in time or not", asap, []string{"false", "true"}, func(g *G, note func(...any)) {
			timer := call(g, true, func() {})
			g.Arm(timer, 5)
			note(g.Disarm(timer))
		}},
		{"stopping drops the value", asap, []string{"true -1"}, func(g *G, note func(...any)) {
			timer := tick(g, true, 0)
			g.Arm(timer, 5)
			active := g.Disarm(timer)
			i, _ := g.Select([]Case{{Chan: timer.ch}}, true)
			note(active, i)
		}},
		{"a timer armed again fires at its new time", atRest, []string{"true 9"}, func(g *G, note func(...any)) {
			timer := tick(g, true, 0)
			g.Arm(timer, 5)
			active := g.Arm(timer, 9)
			g.Recv(timer.ch)
			note(active, g.Now())
		}},
		{"until a time that is past: at once", atRest, []string{"7"}, func(g *G, note func(...any)) {
			g.Sleep(7)
			timer := tick(g, true, 0)
			g.ArmUntil(timer, 3)
			g.Recv(timer.ch)
			note(g.Now())
		}},
		{"until a time, but stopped before", atRest, []string{"-1"}, func(g *G, note func(...any)) {
			timer := tick(g, true, 0)
			g.Disarm(timer)
			g.ArmUntil(timer, 3)
			g.Sleep(4)
			i, _ := g.Select([]Case{{Chan: timer.ch}}, true)
			note(i)
		}},
		{"a timer's channel looks unbuffered", asap, []string{"0 0"}, func(g *G, note func(...any)) {
			ch := timeout(g, 1)
			g.Sleep(2)
			note(g.Len(ch), ch.Cap())
		}},
		{"a hasty sleep may end before work is done", hasty, []string{"slept; worked", "worked; slept"}, func(g *G, note func(...any)) {
			g.Go(func() { Current().Yield(); note("worked") }, "", false)
			g.Sleep(1)
			note("slept")
		}},
		{"of two hasty sleeps that have begun the shorter ends first", hasty, []string{"2 at 2; 5 at 5", "2 at 2; 5 at 7", "5 at 5; 2 at 7"}, func(g *G, note func(...any)) {
			for _, d := range []int64{2, 5} {
				g.Go(func() { Current().Sleep(d); note(d, "at", g.e.now) }, "", false)
			}
		}},
		{"sleeps that end together leave nobody enabled who is not", hasty, []string{"locked; unlocked"}, func(g *G, note func(...any)) {
			var mu Ref
			g.Lock(&mu)
			g.Go(func() { Current().Sleep(5); Current().Lock(&mu); note("unlocked"); Current().Unlock(&mu) }, "", false)
			g.Sleep(5)
			g.Yield()
			note("locked")
			g.Unlock(&mu)
		}},
		{"hastily a sleep and a timeout that is due then end in any order", hasty, []string{"-1", "0"}, func(g *G, note func(...any)) {
			timer := timeout(g, 5)
			g.Sleep(5)
			i, _ := g.Select([]Case{{Chan: timer}}, true)
			note(i)
		}},
		{"a hasty tick may beat work", hasty, []string{"done", "tick"}, func(g *G, note func(...any)) {
			done, ticker := g.NewChan(1), tick(g, false, 5)
			g.Arm(ticker, 5)
			g.Go(func() { Current().Send(done, Current().Slot(done)) }, "", false)
			if i, _ := g.Select([]Case{{Chan: done}, {Chan: ticker.ch}}, false); i == 0 {
				note("done")
			} else {
				note("tick")
			}
		}},
		{"a hasty ticker that nobody waits for is no progress", hasty, []string{"blocked"}, func(g *G, note func(...any)) {
			g.Arm(tick(g, false, 5), 5)
			g.Recv(g.NewChan(0))
		}},
		{"a hasty ticker goes on once its tick was received", hasty, []string{"5 10 15"}, func(g *G, note func(...any)) {
			ticker := tick(g, false, 5)
			g.Arm(ticker, 5)
			var at []any
			for range 3 {
				g.Recv(ticker.ch)
				at = append(at, g.e.now)
			}
			note(at...)
		}},
		{"a hasty tick that was not received keeps nothing else back", hasty, []string{"14", "9"}, func(g *G, note func(...any)) {
			g.Arm(tick(g, false, 5), 5)
			g.Sleep(9)
			note(g.e.now)
		}},
		{"daemons do not keep a run going with hasty sleeps", hasty, []string{""}, func(g *G, note func(...any)) {
			g.Go(func() {
				for {
					Current().Sleep(5)
				}
			}, "", true)
		}},
		{"either way: both", either, []string{"slept 1; worked", "worked; slept 0", "worked; slept 1"}, func(g *G, note func(...any)) {
			g.Go(func() { Current().Yield(); note("worked") }, "", false)
			g.Sleep(1)
			early := 0
			if g.Chosen() {
				early = 1
			}
			note("slept", early)
		}},
		{"a run may be given up", either, []string{"abandoned", "slept"}, func(g *G, note func(...any)) {
			g.Sleep(1)
			if g.Chosen() {
				g.Abandon()
			}
			note("slept")
		}},
	} {
		t.Run(p.name, func(t *testing.T) {
			if diff := cmp.Diff(p.want, outcomes(t, p.opts, p.body)); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
		})
	}
}

// drawn chooses at random, but for the values of a Choose: there it takes value.
type drawn struct {
	*rand.Rand
	value int32
}

func (d drawn) Pick(p *Point) Choice {
	if p.IsData() {
		return Choice{G: p.At(0), Alt: d.value}
	}
	g := p.At(d.IntN(p.Len()))
	return Choice{G: g, Alt: int32(d.IntN(p.Alternatives(g)))}
}

// A goroutine that spins until another's sleep ends comes to an end unless all time is
// to pass at quiescence.
func TestSpinningUntilASleepEnds(t *testing.T) {
	e := New(Config{MaxSteps: 1000})
	defer e.Close()
	for _, c := range []struct {
		name string
		pace Pace
		pick int32
		want Outcome
	}{
		{"calm", Calm, 0, StepBound},
		{"hasty", Hasty, 0, Quiescent},
		{"calm by choice", Either, 0, Quiescent},
		{"hasty by choice", Either, 1, Quiescent},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(100) {
				r := e.Run(func() {
					g, slept := Current(), false
					g.Go(func() { Current().Sleep(5); slept = true }, "", false)
					for !slept {
						g.Yield()
					}
				}, drawn{rand.New(rand.NewPCG(seed, 0)), c.pick}, RunOptions{Pace: c.pace})
				if r.Outcome != c.want {
					t.Fatalf("seed %d: %v after %d steps, want %v", seed, r.Outcome, r.Steps, c.want)
				}
			}
		})
	}
}

func TestNoChoiceOfPaceWithoutTime(t *testing.T) {
	e := New(Config{})
	defer e.Close()
	r := e.Run(func() { Current().Yield(); Current().Sleep(0); Current().Now() }, onward{}, RunOptions{Pace: Either})
	if len(r.Choices) != 0 || r.Outcome != Quiescent {
		t.Errorf("%d choices, %v, want none: nothing waits for the clock", len(r.Choices), r.Outcome)
	}
}
