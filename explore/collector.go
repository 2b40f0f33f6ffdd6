package explore

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A run leaves garbage and keeps nothing, so the heap of a campaign stays small, and
// Go's default is to collect it whenever it has doubled from nearly nothing: many
// times a second, each time stopping all workers. While campaigns work the collector
// is therefore told to wait longer.
//
// The setting is one for the process. So it is changed only if it is Go's default,
// once for all campaigns that work at the same time, and put back by the last of
// them, unless somebody has changed it meanwhile. As soon as much is alive, such as
// what an exhaustive search remembers, the default holds again: waiting would then
// cost memory and gain nothing. A memory limit is left alone and holds all the while.
type collector struct {
	sync.Mutex
	campaigns int
	relaxed   bool
}

var theCollector collector

const (
	defaultPercent = 100
	relaxedPercent = 800
	// muchAlive is when the default holds again.
	muchAlive = 32 << 20
)

// relax lets the collector wait longer, until as many calls of restore were made.
func (g *collector) relax() {
	g.Lock()
	defer g.Unlock()
	g.campaigns++
	if g.campaigns == 1 {
		g.relaxed = swapPercent(defaultPercent, relaxedPercent)
	}
}

func (g *collector) restore() {
	g.Lock()
	defer g.Unlock()
	g.campaigns--
	if g.campaigns == 0 {
		g.tighten()
	}
}

// look goes back to the default if much is alive.
func (g *collector) look() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	g.Lock()
	defer g.Unlock()
	if live[0].Value.Kind() == metrics.KindUint64 && live[0].Value.Uint64() > muchAlive {
		g.tighten()
	}
}

func (g *collector) tighten() {
	if g.relaxed {
		g.relaxed = false
		swapPercent(relaxedPercent, defaultPercent)
	}
}

// swapPercent sets the collector's percentage if it is old.
func swapPercent(old, percent int) bool {
	found := debug.SetGCPercent(percent)
	if found != old {
		debug.SetGCPercent(found)
	}
	return found == old
}
