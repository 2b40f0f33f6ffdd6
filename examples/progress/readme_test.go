package progress

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
)

func TestREADME(t *testing.T) {
	readme.Check(t,
		readme.Replay(t, "buggy", follow(buggy, clients(1, leaving)), "mc1:m.3-0=m.3_choose+1,m.1-1=m.3_cancel:1c880eac"),
		readme.Replay(t, "landed, other ctx", follow(landed, clients(1, leaving, otherCtx)), "mc1:m.3-0=m.3_choose+1,m.2-15=m.3_cancel:0e8d2e3b"),
		readme.Replay(t, "closing, other ctx", follow(closing, clients(1, messages(1), leaving, otherCtx)),
			"mc1:m.3-0=m.3_choose+1,m.1-2=m.3_cancel:6b16dc5c"),
		readme.Replay(t, "signals, thrice", follow(signals, clients(1, thrice)),
			"mc1:m.2-17=m.2.4_go,m.2.4-6=m.2.5_go,m.2.3-5=m.2_wait,m.2.4-12=m.2.6_select/2:9672d8dd"),
	)
}
