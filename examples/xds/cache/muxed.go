package cache

import (
	"slices"

	"github.com/modelcheck-go/modelcheck/model"
)

// muxed brings the responses of all watches of a stream to its handler. Only the
// handler takes them.
type muxed interface {
	// open returns where the cache is to put the response of one watch.
	open() outlet
	// ready can go when there is something to take, and take returns that.
	ready() model.Case
	take() []response
	close()
}

// outlet is a watch's end of a muxed.
type outlet interface {
	// send returns false if ctx was over before there was room.
	send(ctx model.Context, r response) bool
	// cancel is called when the cache has forgotten the watch.
	cancel()
}

// bounded is deltaMuxedResponses: a channel with room for some responses.
type bounded struct {
	ch   model.Chan[response]
	next *response // what ready has received
}

func newBounded(capacity int) muxed {
	return bounded{model.Named(model.NewChan[response](capacity), "muxed"), new(response)}
}

func (b bounded) open() outlet { return b }
func (b bounded) cancel()      {}

func (b bounded) send(ctx model.Context, r response) bool {
	return model.Select(b.ch.SendCase(r), ctx.Done().RecvCase(nil)) == 0
}

func (b bounded) ready() model.Case { return b.ch.RecvCase(b.next) }
func (b bounded) take() []response  { return []response{*b.next} }
func (b bounded) close()            { b.ch.Close() }

// queue has room for any number of responses.
type queue struct {
	mu    model.Mutex
	list  model.Shared[[]response] // guarded by mu
	flags model.Chan[struct{}]     // has a value when there may be something in the list
}

func newQueue() muxed {
	q := &queue{flags: model.Named(model.NewChan[struct{}](1), "flags")}
	model.Named(&q.mu, "queue.mu")
	model.Named(&q.list, "queue")
	return q
}

func (q *queue) open() outlet { return q }
func (q *queue) cancel()      {}

func (q *queue) send(_ model.Context, r response) bool {
	q.mu.Lock()
	q.list.Set(append(slices.Clone(q.list.Get()), r))
	q.mu.Unlock()
	model.TrySelect(q.flags.SendCase(struct{}{}))
	return true
}

func (q *queue) ready() model.Case { return q.flags.RecvCase(nil) }

func (q *queue) take() []response {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.list.Get()
	q.list.Set(nil)
	return list
}

func (q *queue) close() {}
