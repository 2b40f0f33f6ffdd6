package uvm

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/mutation"
)

func TestMutations(t *testing.T) {
	mutation.Check(t, mutation.Config{
		Files: map[string][]string{
			"task.go": nil, "exec.go": nil, "vm.go": {"newUtilityVM", "Start", "Close", "waitForOutput", "closeOutput", "waitForDone", "closeBoth", "closesUnstarted"},
			"designs.go": {"doneOrClosed", "closeAfterInit"},
		},
		Run: "^(TestTask|TestMachine)$/^(hardened|proposed|closes-unstarted)$",
	})
}
