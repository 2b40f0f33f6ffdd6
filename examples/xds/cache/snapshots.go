package cache

import (
	"slices"

	"github.com/modelcheck-go/modelcheck/model"
)

// snapshotCache is a SnapshotCache with a single node. Where both of its locks are
// taken, mu comes first.
type snapshotCache struct {
	design design
	env    environment

	mu      model.RWMutex
	version model.Shared[int] // of the snapshot, 0 when there is none; guarded by mu

	infoMu model.Mutex            // of the node's status
	open   model.Shared[[]*watch] // deltaWatches; guarded by infoMu
}

// watch is a DeltaResponseWatch: to be answered when there is a newer version.
type watch struct {
	typ, version int
	out          outlet
}

func newCache(d design, env environment) *snapshotCache {
	c := &snapshotCache{design: d, env: env}
	model.Named(&c.mu, "cache.mu")
	model.Named(&c.version, "version")
	model.Named(&c.infoMu, "info.mu")
	model.Named(&c.open, "open")
	return c
}

// SetSnapshot replaces the snapshot and answers the watches that are open, as long as
// ctx is not over.
func (c *snapshotCache) SetSnapshot(ctx model.Context, version int) {
	c.mu.Lock()
	c.version.Set(version)
	c.infoMu.Lock()
	if c.design.unlocks {
		open := c.open.Get()
		c.open.Set(nil)
		c.infoMu.Unlock()
		c.mu.Unlock()
		c.respond(ctx, open, version)
		return
	}
	c.open.Set(c.respond(ctx, c.open.Get(), version))
	c.infoMu.Unlock()
	c.mu.Unlock()
}

// respond answers the open watches, in any order, since the original has a map of them.
// It returns those that are still open when ctx is over.
func (c *snapshotCache) respond(ctx model.Context, open []*watch, version int) []*watch {
	for len(open) > 0 {
		i := model.Choose(len(open))
		w := open[i]
		if !w.out.send(ctx, response{w.typ, version}) {
			break
		}
		open = slices.Delete(slices.Clone(open), i, i+1)
	}
	return open
}

// CreateDeltaWatch answers at once if there is a newer version than the known one, and
// otherwise returns a watch that will be.
func (c *snapshotCache) CreateDeltaWatch(req request, known int, out outlet) *watch {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v := c.version.Get(); v > known {
		out.send(model.Background(), response{req.typ, v})
		return nil
	}
	w := &watch{req.typ, known, out}
	c.infoMu.Lock()
	c.open.Set(append(slices.Clone(c.open.Get()), w))
	c.infoMu.Unlock()
	return w
}

// cancel is what CreateDeltaWatch returns in the original: it forgets a watch.
func (c *snapshotCache) cancel(w *watch) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.infoMu.Lock()
	c.open.Set(slices.DeleteFunc(slices.Clone(c.open.Get()), func(x *watch) bool { return x == w }))
	c.infoMu.Unlock()
}
