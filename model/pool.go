package model

import (
	"slices"
	"sync"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Pool is [sync.Pool]. The zero value is empty; it must not be copied after first
// use.
//
// Under control Get and Put are steps, and which item Get returns is explored as
// [Choose] does: any that was put back, or none, because Go may drop items at any
// time. A pool is empty at the begin of a run, so it may be a package-level
// variable.
type Pool struct {
	// New makes an item when Get has none to return. It must not be changed while
	// Get may be called.
	New func() any

	ref    sched.Ref
	native sync.Pool
	run    uint64 // of the items
	items  []item
}

// item is what was put into a pool, and where whoever did so released.
type item struct {
	value any
	put   sched.Sync
}

// Get takes an item from the pool, or returns what New makes, or nil when there is
// no New.
func (p *Pool) Get() any {
	if v := p.take(); v != nil || p.New == nil {
		return v
	}
	return p.New()
}

// Put gives an item to the pool. Nil is ignored.
func (p *Pool) Put(v any) {
	if v == nil {
		return
	}
	g := sched.Current()
	if g == nil {
		sched.Foreign(&p.ref, "pool put")
		p.native.Put(v)
		return
	}
	if g.Write(p.object(g)) {
		p.items = append(p.items, item{value: v})
		p.items[len(p.items)-1].put.Release(g)
	}
}

func (p *Pool) take() any {
	g := sched.Current()
	if g == nil {
		sched.Foreign(&p.ref, "pool get")
		return p.native.Get()
	}
	if !g.Write(p.object(g)) || len(p.items) == 0 {
		return nil
	}
	i := len(p.items) - 1 - g.Choose(len(p.items)+1) // the last one put comes first
	if i < 0 {
		return nil
	}
	x := p.items[i]
	p.items = slices.Delete(p.items, i, i+1)
	x.put.Acquire(g)
	return x.value
}

func (p *Pool) object(g *sched.G) *sched.Object {
	if p.run != g.Run() {
		p.run, p.items = g.Run(), nil
	}
	return g.Object(&p.ref, sched.KindPool)
}
