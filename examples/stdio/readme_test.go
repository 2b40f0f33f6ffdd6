package stdio

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
)

func TestREADME(t *testing.T) {
	readme.Check(t,
		replay(t, "queried", row{design: queried, env: short, n: 1}, "mc1::a2c85bbb"),
		replay(t, "skip-if-nil", row{design: skipIfNil, env: reading, n: 1}, "mc1::a2c85bbb"),
		replay(t, "cached", row{design: cached, env: short, n: 2}, "mc1:m.3-2=m.4_rlock:9c092909"),
	)
}

// replay returns the report of a design under a schedule that shows one of its faults.
func replay(t *testing.T, variant string, r row, schedule string) readme.Part {
	t.Helper()
	return readme.Replay(t, variant, r.body(), schedule)
}
