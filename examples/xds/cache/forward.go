package cache

import "github.com/modelcheck-go/modelcheck/model"

// forwarders brings responses with a goroutine for each watch, which waits for the one
// response of that and then for room in a channel that has as much as there are types.
type forwarders struct {
	bounded
	over model.RecvOnly[struct{}] // when this is closed nobody waits for room; nil: they do
}

func newForwarded(s *stream) muxed { return forwarders{bounded: exact.muxed(s).(bounded)} }

func newForwardedOrOver(s *stream) muxed {
	return forwarders{exact.muxed(s).(bounded), s.ctx.Done()}
}

func (f forwarders) open() outlet {
	out := responses{model.Named(model.NewChan[response](1), "responses")}
	model.GoNamed("forwarder", func() {
		if r, more := out.RecvOK(); more {
			model.Select(f.ch.SendCase(r), f.over.RecvCase(nil))
		}
	})
	return out
}

// close leaves the channel open: forwarders may still send.
func (f forwarders) close() {}

// responses is watch.responses.
type responses struct{ model.Chan[response] }

func (r responses) send(ctx model.Context, answer response) bool {
	return model.Select(r.SendCase(answer), ctx.Done().RecvCase(nil)) == 0
}

func (r responses) cancel() { r.Close() }
