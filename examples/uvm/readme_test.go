package uvm

import (
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
)

func TestREADME(t *testing.T) {
	readme.Check(t,
		replay(t, tasks, "buggy", shared, "mc1::a2c85bbb"),
		replay(t, tasks, "interim", shared, "mc1:m.4-3=m.6_select/0,m.5-4=m.8.2_receive:18b238a3"),
		replay(t, machines, "reconnecting", crash, "mc1::a2c85bbb"),
		verdicts("tasks", tasks, []string{"variant", "VM", "the world besides", "verdict"}, func(e environment) []string {
			return []string{e.words()[0], strings.Join(e.words()[1:], ", ")}
		}),
		verdicts("machines", machines, []string{"variant", "the world", "verdict"}, func(e environment) []string {
			return []string{strings.Join(e.happenings(), ", ")}
		}),
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

func verdicts(title string, rows []row, head []string, world func(environment) []string) readme.Part {
	table := [][]string{head}
	for _, r := range rows {
		line := append([]string{r.variant}, world(r.env)...)
		table = append(table, append(line, r.verdict()))
	}
	return readme.Table(title, table)
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
