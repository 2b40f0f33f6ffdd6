package stdio

import (
	"strconv"
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
)

func TestREADME(t *testing.T) {
	table := [][]string{{"variant", "callers", "the world besides", "verdict"}}
	for _, r := range rows {
		table = append(table, []string{r.variant, strconv.Itoa(r.n), strings.Join(r.env.words(), ", "), r.verdict()})
	}
	readme.Check(t,
		replay(t, "queried", row{design: queried, env: short, n: 1}, "mc1::a2c85bbb"),
		replay(t, "skip-if-nil", row{design: skipIfNil, env: reading, n: 1}, "mc1::a2c85bbb"),
		replay(t, "cached", row{design: cached, env: short, n: 2}, "mc1:m.3-2=m.4_rlock,m.4-11=m.5_receive:87d35a24"),
		readme.Table("verdicts", table),
	)
}

// replay returns the report of a design under a schedule that shows one of its faults.
func replay(t *testing.T, variant string, r row, schedule string) readme.Part {
	t.Helper()
	return readme.Replay(t, variant, r.body(), schedule)
}

func (r row) verdict() string {
	switch {
	case r.want == nil && r.effort == sampled:
		return "holds (sampled)"
	case r.want == nil:
		return "holds"
	}
	var shows []string
	for _, e := range r.want {
		shows = append(shows, e.String())
	}
	return strings.Join(shows, "; ")
}
