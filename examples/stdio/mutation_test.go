package stdio

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/mutation"
)

func TestMutations(t *testing.T) {
	mutation.Check(t, mutation.Config{
		Files: map[string][]string{
			"process.go": nil,
			"designs.go": {"openAndCache", "openAndKeep", "whileOpen", "locked", "cachedOrQuery", "query", "forward", "once"},
		},
		Run: "^TestStdio$/^landed$",
	})
}
