package model_test

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

func TestGo(t *testing.T) {
	checkPrograms(t, []program{
		{"nil function", []string{"main panics: fatal error: go of nil func value"}, func(note func(...any)) {
			recovering(func() { model.Go(nil) })
			note("went on")
		}},
		{"main returns first", []string{"main.1 blocked at receive"}, func(note func(...any)) {
			model.Go(func() { model.NewChan[int](0).Recv() })
		}},
		{"a daemon may stay", []string{""}, func(note func(...any)) {
			model.Daemon("reaper", func() { model.NewChan[int](0).Recv() })
		}},
		{"a daemon may not keep a lock", []string{"main.1 left mutex mu locked"}, func(note func(...any)) {
			mu := model.Named(new(model.Mutex), "mu")
			model.Daemon("reaper", func() { mu.Lock(); model.NewChan[int](0).Recv() })
		}},
		{"spawn paths", []string{"main.1 blocked at receive; main.1.1 blocked at receive; main.2 blocked at receive"}, func(note func(...any)) {
			wait := func() { model.NewChan[int](0).Recv() }
			model.GoNamed("a", func() { model.Go(wait); wait() })
			model.Go(wait)
		}},
		{"a step lets others in", []string{"1", "2"}, func(note func(...any)) {
			n := 1
			model.Go(func() { model.Gosched(); n = 2 })
			model.Gosched()
			note(n)
		}},
		{"panic", []string{"main.1 panics: no"}, func(note func(...any)) {
			model.Go(func() { panic("no") })
		}},
	})
}

// TestPlaces: of a goroutine that begins with a call of this package or the runtime
// no frame is the program's. Its place is where it was started, that of a function
// which a timer calls where the timer was made.
func TestPlaces(t *testing.T) {
	e := sched.New(sched.Config{})
	defer e.Close()
	for name, start := range map[string]func(){
		"blocked":        func() { model.Go(lockedMutex().Lock) },
		"panics":         func() { model.Go(model.Chan[int]{}.Close) },
		"fatal error":    func() { model.Go(new(model.Mutex).Unlock) },
		"Goexit":         func() { model.Go(runtime.Goexit) },
		"holds a lock":   func() { model.Go(new(model.Mutex).Lock) },
		"run by a timer": func() { model.AfterFunc(1, model.Chan[int]{}.Close) },
	} {
		r := e.Run(start, randomWalk{rand.New(rand.NewPCG(1, 2))}, capturing)
		f, _ := runtime.CallersFrames([]uintptr{reflect.ValueOf(start).Pointer()}).Next()
		want := sched.Site{File: f.File, Line: f.Line, Func: f.Function}
		if diff := cmp.Diff(want, r.Findings[0].Site); diff != "" {
			t.Errorf("%s: place (-want +got):\n%s", name, diff)
		}
	}
}

func lockedMutex() *model.Mutex {
	mu := new(model.Mutex)
	mu.Lock()
	return mu
}

func TestChoose(t *testing.T) {
	checkPrograms(t, []program{
		{"every value", []string{"0", "1", "2"}, func(note func(...any)) {
			note(model.Choose(3))
		}},
		{"no choice", []string{"0"}, func(note func(...any)) {
			note(model.Choose(1))
		}},
		{"combined", []string{"0 0", "0 1", "1 0", "1 1"}, func(note func(...any)) {
			a := model.Choose(2)
			note(a, model.Choose(2))
		}},
		{"none", []string{"main panics: modelcheck: Choose(0): want at least 1 alternative"}, func(note func(...any)) {
			model.Choose(0)
		}},
		{"no scheduling point", []string{"0 1", "1 1"}, func(note func(...any)) {
			n := 1
			model.Go(func() { model.Gosched(); n = 2; model.Gosched(); n = 1 })
			note(model.Choose(2), n)
		}},
	})
}
