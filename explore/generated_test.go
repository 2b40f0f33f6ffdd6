package explore

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
	"pgregory.net/rapid"
)

// instruction is one operation of a generated program.
type instruction struct {
	op  string
	obj int
}

// program is a list of goroutines, each a list of instructions; main is the
// first. Objects are shared. Most such programs hang in some schedule.
type program [][]instruction

const sharedObjects = 2

var generatedOps = []string{
	"send", "send", "receive", "receive", "lock", "unlock", "rlock", "runlock", "select", "try", "close", "add", "done", "wait", "choose", "yield", "once", "len", "trylock",
}

var programs = rapid.Custom(func(t *rapid.T) program {
	list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) instruction {
		return instruction{rapid.SampledFrom(generatedOps).Draw(t, "op"), rapid.IntRange(0, sharedObjects-1).Draw(t, "object")}
	}), 1, 6)
	return rapid.SliceOfN(list, 2, 4).Draw(t, "goroutines")
})

func (p program) String() string {
	var b strings.Builder
	for i, list := range p {
		fmt.Fprintf(&b, "\n%d:", i)
		for _, in := range list {
			fmt.Fprintf(&b, " %s%d", in.op, in.obj)
		}
	}
	return b.String()
}

// body returns the program as a function to explore.
func (p program) body() func() {
	return func() {
		var chans [sharedObjects]model.Chan[int]
		for i := range chans {
			chans[i] = model.NewChan[int](i)
		}
		var (
			mus   [sharedObjects]model.Mutex
			rws   [sharedObjects]model.RWMutex
			wgs   [sharedObjects]model.WaitGroup
			onces [sharedObjects]model.Once
		)
		run := func(list []instruction) {
			for _, in := range list {
				k := in.obj
				switch in.op {
				case "send":
					chans[k].Send(1)
				case "receive":
					chans[k].Recv()
				case "lock":
					mus[k].Lock()
				case "trylock":
					mus[k].TryLock()
				case "unlock":
					mus[k].Unlock()
				case "rlock":
					rws[k].RLock()
				case "runlock":
					rws[k].RUnlock()
				case "select":
					model.Select(chans[0].RecvCase(nil), chans[1].SendCase(2), chans[k].RecvCase(nil))
				case "try":
					model.TrySelect(chans[k].RecvCase(nil), chans[1-k].SendCase(3))
				case "close":
					chans[k].Close()
				case "add":
					wgs[k].Add(1)
				case "done":
					wgs[k].Done()
				case "wait":
					wgs[k].Wait()
				case "choose":
					if model.Choose(2+k) == 1 {
						return
					}
				case "yield":
					model.Gosched()
				case "once":
					onces[k].Do(func() { chans[1].Len() })
				case "len":
					if chans[k].Len() > 0 {
						return
					}
				}
			}
		}
		for _, list := range p[1:] {
			model.Go(func() { run(list) })
		}
		run(p[0])
	}
}

// late begins with a later schedule than the first: nearly all generated programs
// fail in the first.
type late struct {
	Strategy
	by uint64
}

func (l late) Begin(run uint64) bool { return l.Strategy.Begin(run + l.by) }

// lateStrategy returns the random walk and PCT of several depths in turn.
func lateStrategy(n uint64) func(Setup) Strategy {
	return func(s Setup) Strategy {
		depth := int(n % 4)
		if depth == 0 {
			return late{NewRandom(s.Seed), n}
		}
		p := NewPCT(s, depth)
		p.learn(&profile{decisions: 20})
		return late{p, n}
	}
}

// TestGeneratedFindingsComeBack replays findings of generated programs from their
// seed, their schedule and a file: the same findings at the same places, the same
// operations. MODELCHECK_LONG=1 takes ten thousand.
func TestGeneratedFindingsComeBack(t *testing.T) {
	want := 200
	if os.Getenv("MODELCHECK_LONG") == "1" {
		want = 10_000
	}
	if testing.Short() {
		want = 50
	}
	found, passed := 0, 0
	const base = 1
	for n := uint64(0); found < want; n++ {
		p := programs.Example(int(base + n))
		body := p.body()
		opts := []Option{Schedules(50), Steps(1000), WithSearch("late", lateStrategy(n))}
		r := Run(body, append(opts, Seed(base+n))...)
		if r.Err != nil {
			t.Fatalf("program %d%v: %v", n, p, r.Err)
		}
		if !r.Failed() {
			passed++
			continue
		}
		found++
		comesBack(t, body, r, opts...)
		if t.Failed() {
			t.Fatalf("program %d%v", n, p)
		}
	}
	t.Logf("%d findings came back, of programs %d to %d; %d passed", found, base, base+found+passed-1, passed)
}
