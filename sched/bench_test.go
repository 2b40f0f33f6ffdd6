package sched

import (
	"iter"
	"testing"
)

func BenchmarkRawSwitch(b *testing.B) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for yield(0) {
		}
	})
	defer stop()
	for b.Loop() {
		next()
	}
}

func BenchmarkStepSame(b *testing.B) {
	e := New(Config{MaxSteps: 1 << 62})
	defer e.Close()
	e.Run(func() {
		g := Current()
		for b.Loop() {
			g.Yield()
		}
	}, &walk{}, RunOptions{})
}

type alternate struct{}

func (alternate) Pick(p *Point) Choice {
	r, _ := p.Running()
	if g := p.At(0); g != r {
		return Choice{G: g}
	}
	return Choice{G: p.At(1)}
}

func BenchmarkStepSwitch(b *testing.B) {
	e := New(Config{})
	defer e.Close()
	const yields = 1000
	work := func() {
		g := Current()
		for range yields {
			g.Yield()
		}
	}
	body := func() {
		Current().Go(work, "", false)
		work()
	}
	steps, p := 0, alternate{}
	for b.Loop() {
		steps += e.Run(body, p, RunOptions{}).Switches
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/switch")
}

func BenchmarkCounter2x5(b *testing.B) {
	e := New(Config{})
	defer e.Close()
	w := &walk{}
	b.ReportAllocs()
	mu := new(Ref)
	n := 0
	work := func() {
		g := Current()
		for range 5 {
			g.Lock(mu)
			n++
			g.Unlock(mu)
		}
	}
	body := func() {
		g := Current()
		g.Go(work, "", false)
		g.Go(work, "", false)
	}
	switches, runs := 0, 0
	for b.Loop() {
		switches += e.Run(body, w, RunOptions{}).Switches
		runs++
	}
	b.ReportMetric(float64(switches)/float64(runs), "switches/run")
}
