package xds

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/mutation"
)

func TestMutations(t *testing.T) {
	mutation.Check(t, mutation.Config{
		Files: map[string][]string{
			"stream.go": nil, "environment.go": {"client", "grpc"}, "invariants.go": nil,
			"designs.go": {"landed", "forward", "orContexts"},
		},
		Run: "^TestStream$/^landed$",
	})
}
