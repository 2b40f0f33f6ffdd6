package shim

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
)

func TestREADME(t *testing.T) {
	readme.Check(t,
		readme.Replay(t, "unguarded-unbuffered", serve(unguardedUnbuffered, private(2)), "mc1:m.3-4=m.4_lock,m.4-6=m.1_receive,m.4-14=m.5_lock:edac6412"),
		readme.Replay(t, "landed, starts init", serve(landed, private(1, startsInit)),
			"mc1:m-6=m.5_lock,m.5-5=m.4_lock,m.4-9=m.4.1_send,m.1-6=m.5_lock:dd38735b"),
		readme.Replay(t, "landed, twice", serve(landed, private(1, twice)),
			"mc1:m-6=m.5_lock:593982ab"),
	)
}
