package nobuild

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
)

func TestNothing(t *testing.T) { explore.Check(t, 1) }
