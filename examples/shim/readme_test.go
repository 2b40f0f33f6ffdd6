package shim

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/readme"
)

func TestREADME(t *testing.T) {
	readme.Check(t,
		readme.Replay(t, "unguarded-unbuffered", serve(unguardedUnbuffered, private(2)), "mc1:m.3-2=m.4_lock,m.4-5=m.3_unlock,m.1.1-3=m.5_lock:ff913e3e"),
		readme.Replay(t, "landed, starts init", serve(landed, private(1, startsInit)),
			"mc1:m-6=m.5_lock,m.5-5=m.4_lock,m.4-9=m.4.1_send,m.4.1-1=m.1_receive,m.3-1=m.4.1_runlock,m.1-6=m.5_lock:6d854de0"),
		readme.Replay(t, "landed, twice", serve(landed, private(1, twice)),
			"mc1:m-6=m.5_lock,m.5-12=m.5.1_send,m.5.1-2=m.3_lock_announce,m.3-4=m.4_lock:d85bd61e"),
	)
}
