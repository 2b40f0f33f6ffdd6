package model_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// The channel table has a program for every state of a channel and every pair of
// operations on it by two goroutines: what the real channel and the modelled one
// can come to is the same, neither less nor more.

// A channelState makes a channel that is nil (capacity -1) or holds values, and is
// closed then or not.
type channelState struct {
	capacity int
	values   []int
	closed   bool
}

var channelStates = []channelState{
	{capacity: -1},
	{capacity: 0},
	{capacity: 0, closed: true},
	{capacity: 1},
	{capacity: 1, closed: true},
	{capacity: 1, values: []int{8}},
	{capacity: 1, values: []int{8}, closed: true},
	{capacity: 2, values: []int{8}},
	{capacity: 2, values: []int{8, 9}, closed: true},
}

func (s channelState) String() string {
	if s.capacity < 0 {
		return "nil"
	}
	text := fmt.Sprintf("cap %d, %d inside", s.capacity, len(s.values))
	if s.closed {
		text += ", closed"
	}
	return text
}

func (s channelState) real() chan int {
	if s.capacity < 0 {
		return nil
	}
	ch := make(chan int, s.capacity)
	for _, v := range s.values {
		ch <- v
	}
	if s.closed {
		close(ch)
	}
	return ch
}

func (s channelState) model() model.Chan[int] {
	if s.capacity < 0 {
		return model.Chan[int]{}
	}
	ch := model.NewChan[int](s.capacity)
	for _, v := range s.values {
		ch.Send(v)
	}
	if s.closed {
		ch.Close()
	}
	return ch
}

// A channelOp is what a goroutine does, as the real statement and as that of this
// package. It says what came of it. The value to send is v; never is a channel that
// nobody else uses.
type channelOp struct {
	name  string
	real  func(ch, never chan int, v int) string
	model func(ch, never model.Chan[int], v int) string
}

func received(v int, ok bool) string { return fmt.Sprintf("received %d %t", v, ok) }

var channelOps = []channelOp{
	{"send",
		func(ch, _ chan int, v int) string { ch <- v; return "sent" },
		func(ch, _ model.Chan[int], v int) string { ch.Send(v); return "sent" }},
	{"receive",
		func(ch, _ chan int, _ int) string { v, ok := <-ch; return received(v, ok) },
		func(ch, _ model.Chan[int], _ int) string { return received(ch.RecvOK()) }},
	{"close",
		func(ch, _ chan int, _ int) string { close(ch); return "closed" },
		func(ch, _ model.Chan[int], _ int) string { ch.Close(); return "closed" }},
	{"len",
		func(ch, _ chan int, _ int) string { return strconv.Itoa(len(ch)) },
		func(ch, _ model.Chan[int], _ int) string { return strconv.Itoa(ch.Len()) }},
	{"select send",
		func(ch, never chan int, v int) string {
			select {
			case ch <- v:
				return "sent"
			case <-never:
				return "never"
			}
		},
		func(ch, never model.Chan[int], v int) string {
			return [...]string{"sent", "never"}[model.Select(ch.SendCase(v), never.RecvCase(nil))]
		}},
	{"select receive",
		func(ch, never chan int, v int) string {
			select {
			case v, ok := <-ch:
				return received(v, ok)
			case never <- v:
				return "never"
			}
		},
		func(ch, never model.Chan[int], v int) string {
			var ok bool
			if model.Select(ch.RecvOKCase(&v, &ok), never.SendCase(v)) == 0 {
				return received(v, ok)
			}
			return "never"
		}},
	{"select send or receive",
		func(ch, _ chan int, v int) string {
			select {
			case ch <- v:
				return "sent"
			case v, ok := <-ch:
				return received(v, ok)
			}
		},
		func(ch, _ model.Chan[int], v int) string {
			var ok bool
			if model.Select(ch.SendCase(v), ch.RecvOKCase(&v, &ok)) == 0 {
				return "sent"
			}
			return received(v, ok)
		}},
	{"try send",
		func(ch, _ chan int, v int) string {
			select {
			case ch <- v:
				return "sent"
			default:
				return "default"
			}
		},
		func(ch, _ model.Chan[int], v int) string {
			if model.TrySelect(ch.SendCase(v)) == 0 {
				return "sent"
			}
			return "default"
		}},
	{"try receive",
		func(ch, _ chan int, _ int) string {
			select {
			case v, ok := <-ch:
				return received(v, ok)
			default:
				return "default"
			}
		},
		func(ch, _ model.Chan[int], _ int) string {
			var v int
			var ok bool
			if model.TrySelect(ch.RecvOKCase(&v, &ok)) == 0 {
				return received(v, ok)
			}
			return "default"
		}},
	{"try send or receive",
		func(ch, _ chan int, v int) string {
			select {
			case ch <- v:
				return "sent"
			case v, ok := <-ch:
				return received(v, ok)
			default:
				return "default"
			}
		},
		func(ch, _ model.Chan[int], v int) string {
			var ok bool
			switch model.TrySelect(ch.SendCase(v), ch.RecvOKCase(&v, &ok)) {
			case 0:
				return "sent"
			case 1:
				return received(v, ok)
			}
			return "default"
		}},
}

// channelProgram is one program of the table. It comes to what the operations of
// two goroutines came to, "blocked" for one that did not end, and the number of
// values that are left.
type channelProgram struct {
	state channelState
	ops   [2]channelOp
}

func (p channelProgram) String() string {
	return fmt.Sprintf("%v: %s, %s", p.state, p.ops[0].name, p.ops[1].name)
}

func channelPrograms() (programs []channelProgram) {
	for _, s := range channelStates {
		for i, a := range channelOps {
			for _, b := range channelOps[i:] {
				programs = append(programs, channelProgram{s, [2]channelOp{a, b}})
			}
		}
	}
	return programs
}

// attempt says what do came to, in result, also when it panics.
func attempt(result *string, do func() string) {
	defer func() {
		if err, ok := recover().(runtime.Error); ok {
			*result = err.Error()
		}
	}()
	*result = do()
}

const blocked = "blocked"

func came(results [2]string, left int) string {
	return fmt.Sprintf("%s; %s; %d left", results[0], results[1], left)
}

// real runs p in a bubble, the operation of goroutine first first.
func (p channelProgram) real(first int) string {
	results := [2]string{blocked, blocked}
	ch, never := p.state.real(), [2]chan int{make(chan int), make(chan int)}
	for _, i := range []int{first, 1 - first} {
		go attempt(&results[i], func() string { return p.ops[i].real(ch, never[i], i) })
		synctest.Wait()
	}
	outcome := came(results, len(ch))
	if p.state.capacity >= 0 { // who is blocked at the nil channel stays
		for _, c := range []chan int{never[0], never[1], ch} {
			go attempt(new(string), func() string { close(c); return "" })
		}
		synctest.Wait()
	}
	return outcome
}

// controlled runs p under every schedule and returns what it can come to, sorted.
func (p channelProgram) controlled(e *sched.Engine) []string {
	found := map[string]bool{}
	for all := (&bruteForce{}); ; {
		results := [2]string{blocked, blocked}
		var left int
		e.Run(func() {
			ch := p.state.model()
			model.AtEnd("left", func() error { left = ch.Len(); return nil })
			for i := range p.ops {
				model.Go(func() {
					never := model.NewChan[int](0)
					attempt(&results[i], func() string { return p.ops[i].model(ch, never, i) })
				})
			}
		}, all, sched.RunOptions{})
		found[came(results, left)] = true
		if !all.next() {
			return slices.Sorted(maps.Keys(found))
		}
	}
}

const tableKey = "MODEL_TEST_CHANNEL_TABLE"

// TestChannelTable compares the modelled channels with real ones. These run in a
// process of their own, since goroutines that are blocked for ever cannot be ended.
func TestChannelTable(t *testing.T) {
	if path := os.Getenv(tableKey); path != "" {
		synctest.Test(t, func(t *testing.T) { writeTable(path) })
	}
	real := readTable(t)
	e := sched.New(sched.Config{})
	defer e.Close()
	programs := channelPrograms()
	for _, p := range programs {
		if diff := cmp.Diff(real[p.String()], p.controlled(e)); diff != "" {
			t.Errorf("%v: outcomes (-real +controlled):\n%s", p, diff)
		}
	}
	t.Logf("%d programs", len(programs))
}

// writeTable writes what the real channels come to and ends the process. A case of
// several that can go is chosen at random, so it takes some repetitions to see each.
func writeTable(path string) {
	table := map[string][]string{}
	for _, p := range channelPrograms() {
		repeats := 1
		if strings.Contains(p.String(), " or ") && p.state.capacity >= 0 {
			repeats = 40
		}
		found := map[string]bool{}
		for range repeats {
			found[p.real(0)] = true
			found[p.real(1)] = true
		}
		table[p.String()] = slices.Sorted(maps.Keys(found))
	}
	text, err := json.Marshal(table)
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func readTable(t *testing.T) (table map[string][]string) {
	t.Helper()
	path := t.TempDir() + "/table.json"
	cmd := exec.Command(os.Args[0], "-test.run=^TestChannelTable$")
	cmd.Env = append(os.Environ(), tableKey+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the process with real channels: %v\n%s", err, out)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	return table
}
