package lang

import (
	"iter"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Pull is [iter.Pull]. While seq runs, in a coroutine, that is the modelled goroutine
// which has asked for the next value.
func Pull[V any](seq iter.Seq[V]) (func() (V, bool), func()) {
	var p pulling
	next, stop := iter.Pull(func(yield func(V) bool) {
		p.enter()
		defer p.leave()
		seq(func(v V) bool {
			p.leave()
			defer p.enter()
			return yield(v)
		})
	})
	return func() (V, bool) { p.called(); return next() }, func() { p.called(); stop() }
}

// Pull2 is [iter.Pull2]; see Pull.
func Pull2[K, V any](seq iter.Seq2[K, V]) (func() (K, V, bool), func()) {
	var p pulling
	next, stop := iter.Pull2(func(yield func(K, V) bool) {
		p.enter()
		defer p.leave()
		seq(func(k K, v V) bool {
			p.leave()
			defer p.enter()
			return yield(k, v)
		})
	})
	return func() (K, V, bool) { p.called(); return next() }, func() { p.called(); stop() }
}

// pulling says who a coroutine is. Its fields belong to whoever runs, the coroutine or
// the goroutine that waits for it.
type pulling struct {
	caller *sched.G // nil when it is not modelled
	back   func()   // when the coroutine runs: makes it be nobody
}

func (p *pulling) called() { p.caller = sched.Current() }

func (p *pulling) enter() {
	p.back = func() {}
	if p.caller != nil {
		p.back = p.caller.Move()
	}
}

func (p *pulling) leave() { p.back() }
