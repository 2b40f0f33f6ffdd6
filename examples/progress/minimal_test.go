package progress

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/minimal"
)

func TestMinimal(t *testing.T) {
	minimal.Check(t, readerTrials(), "registers-late")
	minimal.Check(t, statusTrials())
}
