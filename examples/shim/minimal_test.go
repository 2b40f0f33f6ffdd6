package shim

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/minimal"
)

func TestMinimal(t *testing.T) {
	minimal.Check(t, serviceTrials())
	minimal.Check(t, reapingTrials())
}
