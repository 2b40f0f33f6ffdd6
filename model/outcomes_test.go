package model_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// body is a program under test; it tells what it observes to note.
type body func(note func(...any))

// noter collects what a body observes, in order.
type noter struct {
	mu    sync.Mutex // bodies run natively too
	notes []string
}

func (n *noter) note(args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes = append(n.notes, strings.TrimSuffix(fmt.Sprintln(args...), "\n"))
}

// checkOutcomes compares what b can come to, over all schedules, with want: the
// sorted list of notes and findings, each joined by "; ".
func checkOutcomes(t *testing.T, want []string, b body) {
	t.Helper()
	checkOutcomesOf(t, want, capturing, b)
}

// checkOutcomesOf is checkOutcomes for runs with other options.
func checkOutcomesOf(t *testing.T, want []string, opts sched.RunOptions, b body) {
	t.Helper()
	got := outcomes(t, opts, b)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

// capturing are the options of most runs, atRest those of runs in which timers do
// not fire early.
var (
	capturing = sched.RunOptions{Capture: true}
	atRest    = sched.RunOptions{Capture: true, Pace: sched.Calm}
)

// outcomes runs b under every schedule and returns what it can come to, sorted.
func outcomes(t *testing.T, opts sched.RunOptions, b body) []string {
	t.Helper()
	const enough = 200_000
	e := sched.New(sched.Config{MaxSteps: 1000})
	defer e.Close()
	found := map[string]bool{}
	all := &bruteForce{}
	for range enough {
		o, _ := outcomeOf(e, all, opts, b)
		found[o] = true
		if !all.next() {
			checkSamples(t, e, opts, b, found)
			return slices.Sorted(maps.Keys(found))
		}
	}
	t.Fatalf("more than %d schedules: make the program smaller", enough)
	return nil
}

// checkSamples runs b under random schedules: each comes to a known outcome, and
// to the same one again, operation by operation, when its choices are repeated.
func checkSamples(t *testing.T, e *sched.Engine, opts sched.RunOptions, b body, known map[string]bool) {
	t.Helper()
	walk := randomWalk{rand.New(rand.NewPCG(1, 2))}
	for range 50 {
		got, r := outcomeOf(e, walk, opts, b)
		hash, choices := r.Hash, slices.Clone(r.Choices)
		if !known[got] {
			t.Errorf("a random schedule gives %q, which no enumerated one does", got)
		}
		again, r := outcomeOf(e, &tape{choices}, opts, b)
		if again != got || r.Hash != hash {
			t.Errorf("repeated choices give %q, hash %x; want %q, hash %x", again, r.Hash, got, hash)
		}
	}
}

// outcome runs b once and describes what it came to.
func outcome(e *sched.Engine, p sched.Picker, b body) (string, *sched.Result) {
	return outcomeOf(e, p, capturing, b)
}

func outcomeOf(e *sched.Engine, p sched.Picker, opts sched.RunOptions, b body) (string, *sched.Result) {
	n := &noter{}
	r := e.Run(func() { b(n.note) }, p, opts)
	parts := n.notes
	for _, f := range r.Findings {
		parts = append(parts, describe(f))
	}
	if r.Misuse != nil {
		text, _, _ := strings.Cut(r.Misuse.Error(), " (goroutine")
		parts = append(parts, "misuse: "+text)
	}
	if failed := len(r.Findings) > 0; failed != r.Failed {
		parts = append(parts, fmt.Sprintf("%d findings, but Failed is %v", len(r.Findings), r.Failed))
	}
	return strings.Join(parts, "; "), r
}

// recovering calls f, recovers whatever it panics with, and takes a step, after
// which a goroutine that the run has ended with does not go on.
func recovering(f func()) {
	func() {
		defer func() { _ = recover() }()
		f()
	}()
	model.Gosched()
}

// pass locks l and unlocks it.
func pass(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
}

// describe shortens a finding to what the semantics of the API decide.
func describe(f sched.Finding) string {
	switch f.Kind {
	case sched.BlockedForever:
		return f.Goroutine + " blocked at " + f.Op
	case sched.LockHeld:
		return f.Goroutine + " left " + f.Object + " locked"
	case sched.Panic:
		return f.Goroutine + " panics: " + f.Message
	case sched.InvariantBroken:
		return f.Object + " broken: " + f.Message
	}
	return f.Goroutine + " " + string(f.Kind) + ": " + f.Message
}

// bruteForce makes every sequence of choices once, depth first.
type bruteForce struct {
	path   []branch
	depth  int
	events []sched.Choice // at the latest point
}

// branch is the choice made at one depth: number chosen of width.
type branch struct{ chosen, width int }

func (b *bruteForce) Pick(p *sched.Point) sched.Choice {
	b.events = appendDistinct(b.events[:0], p)
	if b.depth == len(b.path) {
		b.path = append(b.path, branch{0, len(b.events)})
	}
	at := b.path[b.depth]
	if at.width != len(b.events) {
		panic(fmt.Sprintf("the same choices lead to %d alternatives, and before to %d", len(b.events), at.width))
	}
	b.depth++
	return b.events[at.chosen]
}

// next goes on to the next sequence; it reports false when there is none.
func (b *bruteForce) next() bool {
	b.depth = 0
	for n := len(b.path) - 1; n >= 0; n-- {
		b.path[n].chosen++
		if b.path[n].chosen < b.path[n].width {
			return true
		}
		b.path = b.path[:n]
	}
	return false
}

// distinct lists the events that can happen, a rendezvous once.
func distinct(p *sched.Point) []sched.Choice {
	return appendDistinct(nil, p)
}

func appendDistinct(list []sched.Choice, p *sched.Point) []sched.Choice {
	for i := range p.Len() {
		g := p.At(i)
		for alt := range p.Alternatives(g) {
			c := sched.Choice{G: g, Alt: int32(alt)}
			if p.IsData() || p.Label(c).G == g { // else it is the partner's
				list = append(list, c)
			}
		}
	}
	return list
}

// randomWalk chooses among all events alike.
type randomWalk struct{ *rand.Rand }

func (w randomWalk) Pick(p *sched.Point) sched.Choice {
	list := distinct(p)
	return list[w.IntN(len(list))]
}

// tape repeats recorded choices.
type tape struct{ choices []sched.Choice }

func (t *tape) Pick(*sched.Point) sched.Choice {
	c := t.choices[0]
	t.choices = t.choices[1:]
	return c
}
