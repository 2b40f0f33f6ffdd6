// Package xds models the handler of delta streams in go-control-plane, the library
// that Envoy control planes are built with, and the goroutine that it leaked: issue
// #913, mended by pull request #916. README.md tells the story and the verdicts.
//
// This file is the program: a gRPC stream and the handler that serves it.
// designs.go has every way in which the handler has handed, or might hand, requests
// from the goroutine that receives them to the one that answers them.
// environment.go is what the world does to a stream, and invariants.go what has to
// hold whatever it does.
package xds

import (
	"errors"
	"io"

	"github.com/modelcheck-go/modelcheck/model"
)

// request is a DeltaDiscoveryRequest: its number on the stream, from 1.
type request int

// response is a DeltaResponse: the request that it answers.
type response int

// stream is a bidirectional gRPC stream and the state of its handler.
type stream struct {
	design design
	env    environment

	serverCtx model.Context // s.ctx: over when the control plane shuts down
	ctx       model.Context // str.Context(): over when the stream is
	cancel    model.CancelFunc

	wire      model.Chan[request]  // sent by the client, not yet returned by Recv
	reqCh     model.Chan[request]  // from the receiver to processDelta
	responses model.Chan[response] // from the watches to processDelta
	returned  model.Chan[error]    // from the handler to gRPC

	// Some designs need these: done is closed when processDelta has returned, and
	// closing closes reqCh where two goroutines may want to.
	done    model.Chan[struct{}]
	closing model.Once

	history
}

// serve returns the body to explore: streams from their beginning until nothing can
// happen any more.
func serve(d design, env environment) func() {
	return func() {
		serverCtx, shutdown := newContext("server ctx")
		model.GoNamed("server", func() { env.server.live(shutdown) })
		for range max(env.streams, 1) {
			s := newStream(d, env, serverCtx)
			s.require()
			model.GoNamed("client", s.client)
			model.Daemon("grpc", s.grpc)
			model.GoNamed("handler", func() { s.returned.Send(s.DeltaStreamHandler()) })
		}
	}
}

func newStream(d design, env environment, serverCtx model.Context) *stream {
	s := &stream{
		design:    d,
		serverCtx: serverCtx,
		env:       env,
		wire:      model.Named(model.NewChan[request](env.requests), "wire"),
		reqCh:     model.Named(model.NewChan[request](d.capacity), "reqCh"),
		responses: model.Named(model.NewChan[response](1), "responses"),
		returned:  model.Named(model.NewChan[error](1), "returned"),
		done:      model.Named(model.NewChan[struct{}](0), "done"),
	}
	model.Named(&s.closing, "closing")
	s.ctx, s.cancel = newContext("stream ctx")
	if env.mock {
		s.ctx, s.cancel = model.Background(), func() {}
	}
	return s
}

func newContext(name string) (model.Context, model.CancelFunc) {
	ctx, cancel := model.WithCancel(model.Background())
	model.Named(ctx.Done(), name)
	return ctx, cancel
}

// DeltaStreamHandler serves the stream.
func (s *stream) DeltaStreamHandler() error { return s.design.serve(s) }

// receiveAside is how it does so: Recv blocks, so a goroutine of its own calls it, the
// receiver.
func receiveAside(s *stream) error {
	model.GoNamed("receiver", func() {
		s.design.receive(s)
		s.receiverReturned = true
	})
	if s.design.onReturn != nil {
		defer s.design.onReturn(s)
	}
	return s.processDelta()
}

// processDelta answers requests until something ends the stream. It does not look
// at the stream's context: it relies on the receiver to close reqCh.
func (s *stream) processDelta() error {
	defer s.onDeltaStreamClosed()
	if err := s.onDeltaStreamOpen(); err != nil {
		return err
	}
	for {
		var (
			resp response
			req  request
			more bool
		)
		switch model.Select(
			s.serverCtx.Done().RecvCase(nil),
			s.responses.RecvCase(&resp),
			s.reqCh.RecvOKCase(&req, &more),
		) {
		case 0:
			return nil
		case 1:
			if err := s.Send(resp); err != nil {
				return err
			}
		case 2:
			if !more {
				return nil
			}
			// What is ready goes out before the request is looked at.
			for model.TrySelect(s.responses.RecvCase(&resp)) == 0 {
				if err := s.Send(resp); err != nil {
					return err
				}
			}
			if err := s.onStreamDeltaRequest(req); err != nil {
				return err
			}
			s.watch(req)
		}
	}
}

// Recv waits for the next request, and fails when the client will send no more or
// when the stream's context is over. If both may happen, either does.
func (s *stream) Recv() (request, error) {
	var (
		req  request
		more bool
	)
	switch model.Select(s.wire.RecvOKCase(&req, &more), s.ctx.Done().RecvCase(nil)) {
	case 0:
		if !more {
			return 0, io.EOF
		}
		return req, nil
	default:
		return 0, model.Canceled
	}
}

// Send sends a response to the client, if there still is one.
func (s *stream) Send(response) error {
	err := s.ctx.Err()
	if !s.env.mock {
		model.Sometimes(err != nil, "a response could not be sent")
	}
	return s.end(err)
}

// watch asks the cache for what the request wants. This cache answers at once; how
// others take their time is left out here, as are all but one type of resource.
func (s *stream) watch(req request) { s.responses.Send(response(req)) }

// The callbacks are code of whoever uses the library. Two may end the stream.
var (
	errRefused  = errors.New("stream refused")
	errRejected = errors.New("request rejected")
)

func (s *stream) onDeltaStreamOpen() error {
	if !s.env.mayRefuse {
		return nil
	}
	refused := model.Choose(2) == 1
	model.Sometimes(refused, "the stream was refused")
	if refused {
		return s.end(errRefused)
	}
	return nil
}

func (s *stream) onStreamDeltaRequest(req request) error {
	s.processed = append(s.processed, req)
	rejected := model.Choose(2) == 1
	model.Sometimes(rejected, "a request was rejected")
	if rejected {
		return s.end(errRejected)
	}
	return nil
}

func (s *stream) onDeltaStreamClosed() { s.streamClosed++ }
