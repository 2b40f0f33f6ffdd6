package lifecycle

import (
	"fmt"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
)

// What is known to be wrong with a design. In a new model leave it out: the tests then
// fail and say what they found.
var (
	right []explore.Expectation
	leaks = []explore.Expectation{explore.Blocked("client", "send", "jobs")}
)

var trials = []struct {
	name   string
	design design
	env    environment
	want   []explore.Expectation
}{
	{"waits", waits, environment{clients: 1, stops: 1}, right},
	{"waits", waits, environment{clients: 1, cancels: true}, right},
	{"waits", waits, environment{clients: 2, stops: 2, cancels: true, crashes: true}, right},
	{"sends", sends, environment{clients: 1, stops: 1}, leaks},
	{"looks", looks, environment{clients: 1, stops: 1}, leaks},
	{"buffers", buffers, environment{clients: 1, stops: 1}, []explore.Expectation{explore.Broken("L1")}},
	{"closes-jobs", closesJobs, environment{clients: 1, stops: 1}, []explore.Expectation{explore.Panics("send on closed channel")}},
	{"forgets", forgets, environment{clients: 1, stops: 1}, []explore.Expectation{explore.Broken("L2")}},
	{"closes-twice", closesTwice, environment{clients: 1, stops: 1}, right},
	{"closes-twice", closesTwice, environment{clients: 1, stops: 2}, []explore.Expectation{explore.Panics("close of closed channel")}},
}

// TestDesigns explores every design completely.
func TestDesigns(t *testing.T) {
	var list []explore.Trial
	for _, r := range trials {
		list = append(list, explore.Trial{
			Design: r.name, World: r.env.String(), Size: fmt.Sprintf("clients=%d", r.env.clients),
			Body: lifecycle(r.design, r.env), Want: r.want,
		})
	}
	explore.Compare(t, list, explore.NoLeak("L0"), explore.Invariant{Name: "L1"}, explore.Invariant{Name: "L2"}, explore.NoPanic("no panic"))
}
