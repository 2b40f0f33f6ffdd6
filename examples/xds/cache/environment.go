package cache

import "github.com/modelcheck-go/modelcheck/model"

// environment is what the world may do to a stream and the cache.
type environment struct {
	streams   int // with the same cache; 0 means 1
	types     int // of resources
	requests  int // the client asks for the types in turn, so many times
	snapshots int // are set while there is the stream

	resets bool // the client may reset the stream at any time, not just close its side in the end
	stays  bool // the client stays until it has the last version of all types
	cancel bool // who sets snapshots gives up at some time
}

// serve returns the body to explore: streams from their beginning until nothing can
// happen any more.
func serve(d design, env environment) func() {
	return func() {
		cache := newCache(d, env)
		for range max(env.streams, 1) {
			s := newStream(d, env, cache)
			s.require()
			model.Daemon("grpc", s.grpc)
			if env.resets {
				model.GoNamed("client", s.client)
			}
			model.GoNamed("handler", func() { s.returned.Send(s.DeltaStreamHandler()) })
		}
		model.GoNamed("setter", cache.setter())
	}
}

func newStream(d design, env environment, cache *snapshotCache) *stream {
	s := &stream{
		design:   d,
		env:      env,
		cache:    cache,
		reqCh:    model.Named(model.NewChan[request](0), "reqCh"),
		watches:  make([]*watch, env.types),
		current:  model.Named(model.NewChan[int](env.requests), "current"),
		returned: model.Named(model.NewChan[error](1), "returned"),
		history:  newHistory(env),
	}
	s.ctx, s.cancel = newContext("stream ctx")
	s.muxed = d.muxed(s)
	return s
}

func newContext(name string) (model.Context, model.CancelFunc) {
	ctx, cancel := model.WithCancel(model.Background())
	model.Named(ctx.Done(), name)
	return ctx, cancel
}

// grpc ends the stream's context when the handler has returned.
func (s *stream) grpc() {
	s.result = s.returned.Recv()
	s.cancel()
}

// client resets the stream, or does not.
func (s *stream) client() {
	if model.Choose(2) == 1 {
		s.cancel()
	}
}

// setter sets one snapshot after the other, for as long as it likes.
func (c *snapshotCache) setter() func() {
	ctx, cancel := newContext("setter ctx")
	if c.env.cancel {
		model.GoNamed("timeout", cancel)
	}
	return func() {
		for i := range c.env.snapshots {
			c.SetSnapshot(ctx, i+1)
		}
	}
}
