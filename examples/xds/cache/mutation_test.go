package cache

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/mutation"
)

func TestMutations(t *testing.T) {
	mutation.Check(t, mutation.Config{
		Files: map[string][]string{
			"stream.go": nil, "snapshots.go": nil, "muxed.go": nil, "forward.go": nil, "environment.go": {"grpc"},
		},
		Run: "^TestCache$/^(landed|unbounded|forwarded-or-over)$",
	})
}
