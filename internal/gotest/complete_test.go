package gotest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnlyAProofPassesWhereOneIsRequired(t *testing.T) {
	results := []Result{{Events: []Event{
		{Test: "TestProved", Verdict: Pass, Complete: true},
		{Test: "TestSampled", Verdict: Pass, Message: "nothing found in 10 schedules"},
		{Test: "TestKept", Verdict: Expected},
		{Test: "TestFails", Verdict: Fail},
	}}}
	RequireComplete(results)
	const why = "this proves nothing, and a proof is required (explore.Exhaust gives one): nothing found in 10 schedules"
	want := []Result{{
		Events: []Event{
			{Test: "TestProved", Verdict: Pass, Complete: true},
			{Test: "TestSampled", Verdict: Incomplete, Message: why},
			{Test: "TestKept", Verdict: Expected},
			{Test: "TestFails", Verdict: Fail},
		},
		Problems: []Problem{{Partial: true, Test: "TestSampled", What: why}},
	}}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
