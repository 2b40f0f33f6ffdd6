package report_test

import (
	"strconv"
	"time"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
)

func init() {
	scenarios["crossed"] = scenario{func() { crossed(6) }, nil}
	scenarios["livelock"] = scenario{impatient, nil}
	scenarios["endless"] = scenario{spinOutside, []explore.Option{explore.Watchdog(50 * time.Millisecond)}}
	scenarios["missed"] = scenario{func() { model.Go(func() {}) }, []explore.Option{explore.Schedules(10), explore.Expect(explore.Blocked("", "", ""))}}
}

// crossed has n goroutines that wait for n channels each, in another order each.
func crossed(n int) {
	chans := make([]model.Chan[int], n)
	for i := range chans {
		chans[i] = model.Named(model.NewChan[int](0), "c"+strconv.Itoa(i))
	}
	for g := range n {
		model.GoNamed("g"+strconv.Itoa(g), func() {
			var cases []model.Case
			for i := range n {
				cases = append(cases, chans[(g+i)%n].RecvCase(nil))
			}
			model.Select(cases...)
		})
	}
}

// impatient has two goroutines that each look until the other is done.
func impatient() {
	a, b := model.Named(new(model.Bool), "a"), model.Named(new(model.Bool), "b")
	wait := func(mine, other *model.Bool) {
		for !other.Load() {
			model.Gosched()
		}
		mine.Store(true)
	}
	model.GoNamed("left", func() { wait(a, b) })
	model.GoNamed("right", func() { wait(b, a) })
}

// spun has something when the tests are done, so that no goroutine spins on.
var spun = make(chan int, 1)

// spinOutside does not end before, and takes no step.
func spinOutside() {
	for len(spun) == 0 {
	}
}
