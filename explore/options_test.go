package explore

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/internal/environment"
)

func TestWrongOptions(t *testing.T) {
	for _, test := range []struct {
		name   string
		option Option
		want   string
	}{
		{"no schedules", Schedules(0), "explore.Schedules(0): wanted at least 1"},
		{"negative steps", Steps(-5), "explore.Steps(-5): wanted at least 1"},
		{"no workers", Workers(0), "explore.Workers(0): wanted at least 1"},
		{"no time", Watchdog(0), "explore.Watchdog(0s): wanted more than 0"},
		{"unknown strategy", WithStrategy("dfs"), `explore.WithStrategy: no strategy is called "dfs": wanted ` + strategyNames},
		{"no search", WithSearch("mine", nil), `explore.WithSearch: wanted a name and a function, one of them is missing (name "mine")`},
		{"nothing expected", Expect(), "explore.Expect(): wanted at least one expectation"},
		{"zero option", Option{}, "the zero Option is not an option: use the functions of package explore"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Run(fine, test.option)
			if r.Verdict() != "error" || r.Err.Error() != test.want || r.Schedules != 0 {
				t.Errorf("got %v\nwant %s", r, test.want)
			}
			if tb := check("T", fine, test.option); !tb.failed || tb.log.String() != "explore: error: "+test.want+"\n\n" {
				t.Errorf("Check says %q", tb.log.String())
			}
		})
	}
}

func TestWrongEnvironment(t *testing.T) {
	for name, values := range map[string][]string{
		"MODELCHECK_SEED":      {"-1", "x", "1.5", "18446744073709551616"},
		"MODELCHECK_SCHEDULES": {"0", "-3", "many", "1e4"},
		"MODELCHECK_STEPS":     {"0", "x"},
		"MODELCHECK_WORKERS":   {"0", "all"},
		"MODELCHECK_STRATEGY":  {"Random", "pct0", "dfs"},
		"MODELCHECK_TIMERS":    {"never", "AtQuiescence"},
		"MODELCHECK_RACES":     {"1", "Ignore"},
		"MODELCHECK_WATCHDOG":  {"0", "-1s", "10", "soon"},
		"MODELCHECK_NOSAVE":    {"maybe", "2"},
		"MODELCHECK_STATS":     {"maybe", "2"},
		"MODELCHECK_WIDTH":     {"39", "wide"},
		"MODELCHECK_MINIMIZE":  {"-1", "all"},
		"MODELCHECK_REPLAY":    {"nonsense", "mc1:", "mc2::00000000"},
	} {
		for _, value := range values {
			t.Run(name+"="+value, func(t *testing.T) {
				t.Setenv(name, value)
				r := Run(fine)
				if r.Verdict() != "error" {
					t.Fatalf("accepted: %s", r)
				}
				if name == "MODELCHECK_REPLAY" {
					return
				}
				wanted := ""
				for _, v := range variables {
					if v.name == name {
						wanted = v.wanted
					}
				}
				if want := "environment variable " + name + ": wanted " + wanted + `, found "` + value + `"`; r.Err.Error() != want {
					t.Errorf("got %v\nwant %s", r.Err, want)
				}
			})
		}
	}
}

func TestEnvironmentBeatsOptions(t *testing.T) {
	for name, value := range map[string]string{
		"MODELCHECK_SEED": "0x10", "MODELCHECK_SCHEDULES": "7", "MODELCHECK_STEPS": "99", "MODELCHECK_STRATEGY": "pct4",
		"MODELCHECK_WATCHDOG": "3s", "MODELCHECK_NOSAVE": "1", "MODELCHECK_REPLAY": " mc1:x ", "MODELCHECK_EVENTS": "file",
		"MODELCHECK_WORKERS": "5", "MODELCHECK_WORKLOAD": "1f,0", "MODELCHECK_STATS": "1", "MODELCHECK_CHECKPOINT": "c", "MODELCHECK_WIDTH": "60", "MODELCHECK_MINIMIZE": "70", "MODELCHECK_TIMERS": "quiescence", "MODELCHECK_RACES": "ignore",
	} {
		t.Setenv(name, value)
	}
	got := mustSettings(t, Seed(1), Schedules(2), Steps(3), WithStrategy("random"), Watchdog(time.Hour), Name("n"), Sequential())
	got.start = nil
	want := settings{
		schedules: 7, exact: true, steps: 99, seed: 16, seeded: true, strategy: "pct4", name: "n", sequential: true,
		watchdog: 3 * time.Second, timers: AtQuiescence, ignoreRaces: true, replay: "mc1:x", events: "file", noSave: true, workers: 5, drawn: []uint64{0x1f, 0}, stats: true, checkpoint: "c", width: 60, minimize: 70, reduce: true,
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(settings{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Package environment has the same list, for those who cannot import this one.
func TestVariablesAreKnown(t *testing.T) {
	var names []string
	for _, v := range variables {
		names = append(names, v.name)
	}
	if diff := cmp.Diff(environment.Known, names); diff != "" {
		t.Errorf("(-environment.Known +variables):\n%s", diff)
	}
}

func TestUnknownVariablesAreLogged(t *testing.T) {
	t.Setenv("MODELCHECK_SCHEDULE", "5")
	check("T", fine, Schedules(1)).mustContain(t, "explore: environment variable MODELCHECK_SCHEDULE has no effect: did you mean MODELCHECK_SCHEDULES?")
}
