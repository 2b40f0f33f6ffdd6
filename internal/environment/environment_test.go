package environment

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnknownVariablesArePointedOut(t *testing.T) {
	got := Unknown([]string{"MODELCHECK_SEED=1", "MODELCHECK_SCHEDULE=5", "MODELCHECK_LONG=1", "MODEL=x", "MODELCHECK_COLOUR=red", "HOME=/"})
	want := []string{
		"environment variable MODELCHECK_COLOUR has no effect: the known ones are MODELCHECK_SEED, MODELCHECK_SCHEDULES, MODELCHECK_STEPS, " +
			"MODELCHECK_STRATEGY, MODELCHECK_WORKERS, MODELCHECK_TIMERS, MODELCHECK_RACES, MODELCHECK_WATCHDOG, MODELCHECK_REPLAY, MODELCHECK_WORKLOAD, MODELCHECK_PROVE, MODELCHECK_EVENTS, MODELCHECK_MINIMIZE, MODELCHECK_CHECKPOINT, MODELCHECK_STATS, MODELCHECK_NOSAVE, MODELCHECK_WIDTH, MODELCHECK_ISOLATE",
		"environment variable MODELCHECK_SCHEDULE has no effect: did you mean MODELCHECK_SCHEDULES?",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
