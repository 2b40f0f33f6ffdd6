package progress

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/mutation"
)

func TestMutations(t *testing.T) {
	mutation.Check(t, mutation.Config{
		Files: map[string][]string{
			"multireader.go": nil, "pipe.go": nil, "designs.go": {"landed"},
		},
		Run:     "^TestMultiReader$/^landed$/(clients=1|^clients=2$)",
		Counted: true,
	})
}
