package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// withoutPlaces is what findings say but for places in the source and what details
// tell.
func withoutPlaces(fs []Finding) string {
	var lines []string
	for _, f := range fs {
		lines = append(lines, fmt.Sprint(f.Kind, f.Class, f.Goroutine, f.Op, f.Object, f.Message))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Runs with equal symptoms have equal findings, in programs that fail in many ways.
func TestSymptomsTellFindingsApart(t *testing.T) {
	failing := 0
	rapid.Check(t, func(rt *rapid.T) {
		p := programs.Draw(rt, "program")
		engine := sched.New(sched.Config{MaxSteps: 200})
		defer engine.Close()
		walk := NewRandom(rapid.Uint64().Draw(rt, "seed"))
		shown := map[uint64]string{}
		for i := range uint64(30) {
			walk.Begin(i)
			r := engine.Run(p.body(), walk, sched.RunOptions{})
			if !r.Failed {
				if r.Symptoms != 0 {
					rt.Fatalf("symptoms %x of a run that does not fail", r.Symptoms)
				}
				continue
			}
			failing++
			symptoms, choices := r.Symptoms, slices.Clone(r.Choices)
			again := engine.Run(p.body(), &repeater{choices: choices}, sched.RunOptions{Capture: true})
			if again.Symptoms != symptoms {
				rt.Fatalf("symptoms %x, and %x when the run is captured", symptoms, again.Symptoms)
			}
			findings := withoutPlaces(again.Findings)
			if old, ok := shown[symptoms]; ok && old != findings {
				rt.Fatalf("equal symptoms, but findings differ (-first +second):\n%s", cmp.Diff(old, findings))
			}
			shown[symptoms] = findings
		}
	})
	if failing == 0 {
		t.Error("no run failed")
	}
}

// Without the short cut that symptoms are, a comparison finds the same.
func TestTallyLooksAtEnough(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := programs.Draw(rt, "program")
		tallied := func(all bool) map[string]length {
			tally := newTally()
			r := RunExhaustive(p.body(), Steps(200), Schedules(300), Option{func(s *settings) error {
				s.tally = tally
				tally.thorough = all
				return nil
			}})
			if r.Err != nil {
				rt.Skip(r.Err)
			}
			got := map[string]length{}
			for _, s := range tally.shown {
				if key := withoutPlaces([]Finding{s.finding}); s.failure != nil {
					if old, ok := got[key]; !ok || s.failure.length().compare(old) < 0 {
						got[key] = s.failure.length()
					}
				}
			}
			return got
		}
		if diff := cmp.Diff(tallied(true), tallied(false), cmp.AllowUnexported(length{})); diff != "" {
			rt.Fatalf("shortest schedules differ (-all +tallied):\n%s", diff)
		}
	})
}
