package progress

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
)

func TestREADME(t *testing.T) {
	readme.Check(t,
		readme.Replay(t, "buggy", follow(buggy, clients(1, leaving)), "mc1:m.3-0=m.3_choose+1,m.2-11=m.3_cancel:0d8b1544"),
		readme.Replay(t, "landed, other ctx", follow(landed, clients(1, leaving, otherCtx)), "mc1:m.3-0=m.3_choose+1,m.2.3-1=m.3_cancel:6c98a799"),
	)
}
