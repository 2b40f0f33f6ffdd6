package xds

import (
	"runtime"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/sched"
)

// forever is never met, so that a campaign which expects it goes on after all that
// can be found has been.
var forever = breaks("no such thing")

// BenchmarkHeap explores a million schedules of the buggy stream in one process, a
// quarter of which leak the receiver, and reports the memory in use on the way: what
// a schedule leaves behind must not stay. The little that it grows is the campaign's
// list of the failing runs that it has seen, so that it describes none of them twice.
//
// It does that once, whatever b.N is.
func BenchmarkHeap(b *testing.B) {
	const (
		schedules = 1_000_000
		slack     = 2 << 20 // bytes, two per schedule
	)
	m := &meter{reads: map[uint64]uint64{0: 0, schedules / 10: 0, schedules / 2: 0, schedules: 0}}
	r := explore.Run(serve(buggy, environment{requests: 2}),
		explore.Schedules(schedules),
		explore.WithSearch("random", m.start),
		explore.Expect(leak("receiver", "send", "reqCh"), forever))
	if r.Schedules != schedules || len(r.Findings) != 1 || r.Findings[0].Kind != explore.Missed {
		b.Fatalf("wanted %d schedules with leaks, found:\n%v", schedules, r)
	}
	first, last := m.reads[schedules/10], m.reads[schedules]
	if last > first+slack {
		b.Errorf("wanted a flat heap, found %d bytes after a tenth of the schedules and %d after all", first, last)
	}
	b.ReportMetric(float64(m.leaks), "leaks")
	b.ReportMetric(megabytes(m.reads[0]), "MB-before")
	b.ReportMetric(megabytes(first), "MB-at-10%")
	b.ReportMetric(megabytes(m.reads[schedules/2]), "MB-at-50%")
	b.ReportMetric(megabytes(last), "MB-at-100%")
	b.ReportMetric(float64(r.Elapsed.Nanoseconds())/schedules, "ns/schedule")
	b.ReportMetric(0, "ns/op") // there is no op
}

// meter is a random walk that reads the memory in use when a number of schedules is
// done.
type meter struct {
	explore.Strategy
	reads map[uint64]uint64 // bytes by schedules
	run   uint64
	leaks int
}

func (m *meter) start(s explore.Setup) explore.Strategy {
	m.Strategy = explore.NewRandom(s.Seed)
	m.read(0)
	return m
}

func (m *meter) Begin(run uint64) bool {
	m.run = run
	return m.Strategy.Begin(run)
}

func (m *meter) End(r *sched.Result) {
	m.Strategy.End(r)
	if r.Failed {
		m.leaks++
	}
	m.read(m.run + 1)
}

func (m *meter) read(done uint64) {
	if _, ok := m.reads[done]; ok {
		m.reads[done] = inUse()
	}
}

// inUse returns the bytes in use by the heap and by goroutines.
func inUse() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapInuse + stats.StackInuse
}

func megabytes(bytes uint64) float64 { return float64(bytes) / (1 << 20) }
