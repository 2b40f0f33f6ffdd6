package model_test

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
)

// TestPanics holds each panic against what Go itself panics with.
func TestPanics(t *testing.T) {
	for _, p := range []struct {
		name        string
		want        string
		model, real func()
	}{
		{"negative capacity", "makechan: size out of range",
			func() { n := -1; model.NewChan[int](n) },
			func() { n := -1; _ = make(chan int, n) }},
		{"more capacity than there are addresses", "makechan: size out of range",
			func() { n := 1 << (bits.UintSize - 4); model.NewChan[int](n) },
			func() { n := 1 << (bits.UintSize - 4); _ = make(chan int, n) }},
		{"send on closed", "send on closed channel",
			func() { ch := model.NewChan[int](1); ch.Close(); ch.Send(1) },
			func() { ch := make(chan int, 1); close(ch); ch <- 1 }},
		{"select with send on closed", "send on closed channel",
			func() { ch := model.NewChan[int](1); ch.Close(); model.Select(ch.SendCase(1), model.Case{}) },
			func() {
				ch := make(chan int, 1)
				close(ch)
				select {
				case ch <- 1:
				case <-(chan int)(nil):
				}
			}},
		{"close of closed", "close of closed channel",
			func() { ch := model.NewChan[int](1); ch.Close(); ch.Close() },
			func() { ch := make(chan int, 1); close(ch); close(ch) }},
		{"close of nil", "close of nil channel",
			func() { model.SendOnly[int]{}.Close() },
			func() { var ch chan<- int; close(ch) }},
	} {
		t.Run(p.name, func(t *testing.T) {
			want := fmt.Sprintf("runtime error %v: %s", true, p.want)
			if got := panicOf(p.real); got != want {
				t.Errorf("Go panics with %q, want %q", got, want)
			}
			if got := panicOf(p.model); got != want {
				t.Errorf("natively it panics with %q, want %q", got, want)
			}
			checkOutcomes(t, []string{want}, func(note func(...any)) { note(panicOf(p.model)) })
		})
	}
}

// panicOf describes what f panics with.
func panicOf(f func()) (text string) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		var re runtime.Error
		err, _ := v.(error)
		text = fmt.Sprintf("runtime error %v: %v", errors.As(err, &re), v)
	}()
	f()
	return "no panic"
}

// fatal are the programs that Go ends with an error that cannot be recovered.
var fatal = map[string]struct {
	want string
	body func()
}{
	"unlock of unlocked mutex": {"fatal error: sync: unlock of unlocked mutex",
		func() { new(model.Mutex).Unlock() }},
	"unlock of unlocked rwmutex": {"fatal error: sync: Unlock of unlocked RWMutex",
		func() { new(model.RWMutex).Unlock() }},
	"runlock of unlocked rwmutex": {"fatal error: sync: RUnlock of unlocked RWMutex",
		func() { new(model.RWMutex).RUnlock() }},
	"go of nil func": {"fatal error: go of nil func value",
		func() { model.Go(nil) }},
}

// TestFatalErrors compares the fatal errors of a run with those that end a real
// process, which is this test binary started again.
func TestFatalErrors(t *testing.T) {
	const key = "MODEL_TEST_FATAL"
	if name := os.Getenv(key); name != "" {
		recovering(fatal[name].body)
		return
	}
	for name, p := range fatal {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestFatalErrors$")
			cmd.Env = append(os.Environ(), key+"="+name)
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Fatalf("the process went on:\n%s", out)
			}
			if diff := cmp.Diff(p.want, lineWith(string(out), "fatal error: ")); diff != "" {
				t.Errorf("natively (-want +got):\n%s", diff)
			}
			checkOutcomes(t, []string{"main panics: " + p.want}, func(note func(...any)) {
				recovering(p.body)
				note("went on")
			})
		})
	}
}

func lineWith(out, prefix string) string {
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, prefix) {
			return strings.TrimSuffix(strings.TrimSpace(line), " [recovered]")
		}
	}
	return ""
}

// These panic with a plain string in both worlds.
func TestPlainPanics(t *testing.T) {
	for _, p := range []struct {
		want string
		f    func()
	}{
		{"sync: negative WaitGroup counter", func() { new(model.WaitGroup).Done() }},
		{"cannot create context from nil parent", func() { model.WithCancel(nil) }},
		{"cannot create context from nil parent", func() { model.WithCancelCause(nil) }},
		{"modelcheck: Choose(-1): want at least 1 alternative", func() { model.Choose(-1) }},
	} {
		t.Run(p.want, func(t *testing.T) {
			want := "runtime error false: " + p.want
			if got := panicOf(p.f); got != want {
				t.Errorf("natively it panics with %q, want %q", got, want)
			}
			checkOutcomes(t, []string{want}, func(note func(...any)) { note(panicOf(p.f)) })
		})
	}
}

func TestAssertPanicsNatively(t *testing.T) {
	want := "runtime error false: modelcheck: broken assertion: n is small"
	if got := panicOf(func() { model.Assert(false, "n is small") }); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
