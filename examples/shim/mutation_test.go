package shim

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/mutation"
)

func TestMutations(t *testing.T) {
	mutation.Check(t, mutation.Config{
		Files: map[string][]string{
			"service.go": nil, "exits.go": nil, "history.go": {"lockMu"},
			"designs.go": {"awaitCount", "subscribeCount", "tellCount"},
		},
		Run:     "^TestService$/^(landed|drops|early-init|locks-mu-once)$/execs=[01]$",
		Counted: true,
	})
}
