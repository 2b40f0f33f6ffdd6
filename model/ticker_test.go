package model_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// TestStuckBesideTicker: a ticker that nobody waits for does not keep a run going. One
// that somebody waits for does, and then nobody knows that the others are stuck; but
// the finding names them.
func TestStuckBesideTicker(t *testing.T) {
	e := sched.New(sched.Config{MaxSteps: 100})
	defer e.Close()
	for _, p := range []struct {
		name string
		tick func(*model.Ticker)
		want []string // the kinds of the findings and what they name
	}{
		{"nobody waits", func(*model.Ticker) {}, []string{"blocked forever", "nobody closed it"}},
		{"somebody waits", func(t *model.Ticker) {
			model.Go(func() {
				for range t.C.All() {
				}
			})
		}, []string{"step bound", "main is blocked at receive chan done (cap 0), ticker_test.go:35, since step 2"}},
	} {
		t.Run(p.name, func(t *testing.T) {
			r := e.Run(func() {
				done := model.Named(model.NewChan[int](0), "done")
				p.tick(model.NewTicker(1))
				done.Recv()
			}, randomWalk{rand.New(rand.NewPCG(1, 2))}, capturing)
			f := r.Findings[0]
			if diff := cmp.Diff(p.want, []string{string(f.Kind), f.Wakers[len(f.Wakers)-1]}); diff != "" {
				t.Errorf("finding (-want +got):\n%s", diff)
			}
		})
	}
}
