package uvm

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
)

func TestREADME(t *testing.T) {
	readme.Check(t,
		replay(t, tasks, "buggy", shared, "mc1::a2c85bbb"),
		replay(t, tasks, "interim", shared, "mc1::a2c85bbb"),
		replay(t, machines, "reconnecting", crash, "mc1::a2c85bbb"),
	)
}

// replay returns the report of a row under a schedule that shows one of its faults.
func replay(t *testing.T, rows []row, variant string, env environment, schedule string) readme.Part {
	t.Helper()
	for _, r := range rows {
		if r.variant == variant && r.env == env {
			return readme.Replay(t, variant, r.body(env), schedule, r.options()...)
		}
	}
	t.Fatalf("wanted a row %s, found none", variant)
	return readme.Part{}
}
