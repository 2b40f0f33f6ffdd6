package testing

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/model/std/lang"
)

// DefaultSchedules is how many schedules of a test are tried unless
// MODELCHECK_SCHEDULES says otherwise.
const DefaultSchedules = 1000

// Explore is what the test function real calls: it explores test. A test may use variables
// of its package, which exist once in a process, so its schedules run one after the other.
func Explore(real *testing.T, test func(t *T)) {
	real.Helper()
	outcome := &outcome{real: real}
	defer outcome.restore()
	defer lang.Begin()
	explore.Check(real, func() {
		outcome.restore()
		lang.Begin()
		outcome.skipped = ""
		t := &T{TB: real, outcome: outcome, name: real.Name()}
		model.AtEnd("the test passes", t.judge)
		t.run(test)
	}, options()...)
	if outcome.excused > 0 {
		real.Logf("not judged: %d schedules in which time passed at any moment and the test did not pass", outcome.excused)
	}
	if outcome.skipped != "" {
		real.Skip(outcome.skipped)
	}
}

// options are those of every test.
func options() []explore.Option {
	list := []explore.Option{explore.Schedules(DefaultSchedules), explore.Seed(1), explore.Sequential(), explore.Timers(explore.Either)}
	if os.Getenv("MODELCHECK_ISOLATE") == "" {
		list = append(list, explore.Workers(1))
	}
	return list
}

// judge says at the end of a run how the test has failed.
func (t *T) judge() error {
	if !t.failed {
		return nil
	}
	return errors.New(t.failures())
}

// failures are the messages of a test that has failed, and of its subtests.
func (t *T) failures() string {
	if len(t.messages) == 0 {
		return t.name + " failed"
	}
	return strings.Join(t.messages, "; ")
}
