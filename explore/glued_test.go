package explore

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
	"pgregory.net/rapid"
)

// A Choose happens right after what brought its goroutine there: where a tree lets that
// happen earlier than it did, the Choose has to go along.
func TestChoiceGoesAlong(t *testing.T) {
	body := func() {
		stop, cancel := model.NewChan[int](0), model.NewChan[int](0)
		wire, requests, responses := model.NewChan[int](0), model.NewChan[int](0), model.NewChan[int](1)
		wire.Close()
		model.Go(stop.Close)
		model.Go(func() {
			requests.Send(1)
			model.Select(wire.RecvCase(nil), cancel.RecvCase(nil))
			requests.Close()
		})
		model.Go(func() {
			defer cancel.Close()
			if model.Select(stop.RecvCase(nil), requests.RecvCase(nil)) == 0 {
				return
			}
			model.TrySelect(responses.RecvCase(nil))
			if model.Choose(2) == 1 {
				return
			}
			responses.Send(1)
			model.Select(stop.RecvCase(nil), responses.RecvCase(nil), requests.RecvCase(nil))
		})
	}
	all, ok := bruteAll(10_000, silent(body), nil)
	got := searchAll(t, 10_000, silent(body))
	if !ok || len(all.byHash) != 30 || len(got.byHash) != 30 || got.runs != 30 {
		t.Errorf("wanted 30 classes in 30 runs, found %d by brute force, %d in %d runs by DPOR", len(all.byHash), len(got.byHash), got.runs)
	}
}

// TestOracleOfChoices is TestOracle for programs full of choices.
func TestOracleOfChoices(t *testing.T) {
	ops := []string{"choose", "choose", "choose", "choose", "send", "recv", "select", "try", "close", "load", "store", "lock", "unlock", "go"}
	compareWithBrute(t, oracleChecks(t, 150), func(t *rapid.T) oracleProgram { return drawProgramOver(t, ops) })
}
