package xds

import "github.com/modelcheck-go/modelcheck/model"

// environment is what the world may do to a stream.
type environment struct {
	streams   int      // of one control plane; 0 means 1
	requests  int      // the client sends so many
	server    lifetime // of the control plane
	mayRefuse bool     // the callback OnDeltaStreamOpen may return an error
	mock      bool     // a test's mock stands in for gRPC: its context is never over
}

// lifetime says whether the control plane shuts down while there are streams.
type lifetime int

const (
	livesOn lifetime = iota
	mayShutDown
	shutsDown
)

// client sends its requests and leaves. It half-closes the stream, and Recv returns
// what is left, then io.EOF; or it resets the stream, which ends the context, and
// what is left may be lost. To reset it before all is sent would be no different.
func (s *stream) client() {
	for range s.env.requests {
		s.sent++
		s.wire.Send(s.sent)
	}
	s.halfClosed = model.Choose(2) == 0
	model.Sometimes(s.halfClosed, "the client half-closed the stream")
	model.Sometimes(!s.halfClosed, "the client reset the stream")
	if s.halfClosed {
		s.wire.Close()
	} else {
		s.cancel()
	}
}

// live is the control plane: it shuts down, or does not.
func (l lifetime) live(shutdown model.CancelFunc) {
	if l == livesOn {
		return
	}
	stops := l == shutsDown || model.Choose(2) == 1
	model.Sometimes(stops, "the server shut down")
	if stops {
		shutdown()
	}
}

// grpc ends the stream's context when the handler has returned.
func (s *stream) grpc() {
	s.result = s.returned.Recv()
	s.handlerReturned = true
	s.cancel()
}
