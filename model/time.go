package model

import (
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// epoch is when the clock of a controlled run starts, as that of package
// testing/synctest does.
var epoch = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// Now is [time.Now]. Under control it is a step that reads the clock of the run,
// which starts at midnight UTC 2000-01-01.
//
// That clock stands still while a goroutine can go on, however much it does. When
// none can, it moves to the end of the next [Sleep] or the next tick that somebody
// waits for. A timer that was made by [NewTimer], [After], [AfterFunc] or
// [WithDeadline] may fire earlier, at any moment once it is started, and then the
// clock moves to its deadline: so a timeout may win against work that is merely
// slow, however long it is. But of two timers the one with the earlier deadline
// fires first, and what is due by then has happened; what is due at the same time
// happens in any order, and goroutines may go on in between. With explore.Timers timers
// can be made to fire only when no goroutine can go on, or if they are due already.
func Now() time.Time {
	if g := sched.Current(); g != nil {
		return clock(g.Now())
	}
	return time.Now()
}

// Since is Now().Sub(t).
func Since(t time.Time) time.Duration { return Now().Sub(t) }

// Until is t.Sub(Now()).
func Until(t time.Time) time.Duration { return t.Sub(Now()) }

// Sleep waits for at least d. Under control it ends when no goroutine can go on
// and everything due before has happened; see [Now]. If d is zero or less it is a
// [Gosched].
func Sleep(d time.Duration) {
	if g := sched.Current(); g != nil {
		g.Sleep(int64(d))
		return
	}
	time.Sleep(d)
}

// clock turns nanoseconds since the begin of the run into a time.
func clock(ns int64) time.Time { return epoch.Add(time.Duration(ns)) }

// instant undoes clock; what was before the run is its begin.
func instant(t time.Time) int64 {
	return max(int64(t.Sub(epoch)), 0)
}
