package xds

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
)

// The schedules are short ones under which the buggy receiver leaks. In the first, the
// issue's, all goes by default, but the callback rejects the first request.
func TestREADME(t *testing.T) {
	readme.Check(t,
		readme.Replay(t, "buggy", serve(buggy, environment{requests: 2}), "mc1:m.4-3=m.4_choose+1:d04daf02"),
		readme.Replay(t, "buggy, may refuse", serve(buggy, environment{requests: 1, mayRefuse: true}),
			"mc1:m.4-1=m.4_choose+1,m.4-3=m.4.1_try_select%:eff05106"),
		readme.Replay(t, "buggy, may stop", serve(buggy, environment{requests: 1, server: mayShutDown}),
			"mc1:m.1-0=m.1_choose+1,m.4-3=m.4.1_try_select%:ab366892"),
	)
}
