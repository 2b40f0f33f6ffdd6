// Package cache models how the handler of delta streams in go-control-plane and its
// snapshot cache can block each other: issue #875. README.md tells the story and the
// verdicts.
//
// This file is one stream and its handler, snapshots.go the cache. muxed.go and
// forward.go have the ways from the one to the other, designs.go the designs that are
// compared.
// environment.go is what the world does to a stream, and invariants.go what has to
// hold whatever it does.
package cache

import (
	"io"

	"github.com/modelcheck-go/modelcheck/model"
)

// request asks for the resources of one type.
type request struct{ typ int }

// response has the resources of one type, as of one version of the snapshot.
type response struct{ typ, version int }

// stream is a bidirectional gRPC stream and the state of its handler.
type stream struct {
	design design
	env    environment
	cache  *snapshotCache

	ctx    model.Context // str.Context(): over when the stream is
	cancel model.CancelFunc

	reqCh    model.Chan[request] // from the receiver to processDelta
	muxed    muxed               // from the cache to processDelta
	watches  []*watch            // by type, nil if there is none
	current  model.Chan[int]     // the types of which the client got the last version
	returned model.Chan[error]   // from the handler to gRPC

	history
}

// DeltaStreamHandler serves the stream. Recv blocks, so a goroutine of its own calls
// it: the receiver.
func (s *stream) DeltaStreamHandler() error {
	model.GoNamed("receiver", s.receive)
	return s.processDelta()
}

// receive hands on what the client sends, until it sends no more or the stream is
// over. A client that stays sends no more when it has the last version of all types.
func (s *stream) receive() {
	defer s.reqCh.Close()
	for i := range s.env.requests {
		req := request{i % s.env.types}
		if model.Select(s.reqCh.SendCase(req), s.ctx.Done().RecvCase(nil)) == 1 {
			return
		}
	}
	for have := map[int]bool{}; s.env.stays && len(have) < s.env.types; {
		have[s.current.Recv()] = true
	}
}

// processDelta answers requests until there are no more. It relies on the receiver to
// close reqCh.
func (s *stream) processDelta() error {
	defer s.end()
	for {
		var (
			req  request
			more bool
		)
		if model.Select(s.muxed.ready(), s.reqCh.RecvOKCase(&req, &more)) == 0 {
			if err := s.Send(s.muxed.take()); err != nil {
				return err
			}
			continue
		}
		if !more {
			return nil
		}
		// What is ready goes out before the request is looked at.
		for !s.design.hasty && model.TrySelect(s.muxed.ready()) == 0 {
			if err := s.Send(s.muxed.take()); err != nil {
				return err
			}
		}
		s.watch(req)
	}
}

// watch replaces the watch of a type by a new one.
func (s *stream) watch(req request) {
	s.asked[req.typ] = true
	if old := s.watches[req.typ]; old != nil {
		s.cache.cancel(old)
		old.out.cancel()
	}
	s.watches[req.typ] = s.cache.CreateDeltaWatch(req, s.known[req.typ], s.muxed.open())
}

// end is what processDelta defers.
func (s *stream) end() {
	defer func() { s.streamClosed++ }()
	if s.design.closesFirst {
		s.muxed.close()
	}
	if s.design.forgets {
		return
	}
	for _, w := range s.watches {
		if w != nil {
			s.cache.cancel(w)
			if !s.design.keepsOutlets {
				w.out.cancel()
			}
		}
	}
	if !s.design.closesFirst {
		s.muxed.close()
	}
}

// Send sends responses to the client, if there still is one.
func (s *stream) Send(responses []response) error {
	for _, r := range responses {
		if s.ctx.Err() != nil {
			return io.ErrClosedPipe
		}
		if s.got(r); r.version == s.env.snapshots {
			s.current.Send(r.typ)
		}
	}
	return nil
}
