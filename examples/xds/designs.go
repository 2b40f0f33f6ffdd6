package xds

import "github.com/modelcheck-go/modelcheck/model"

// design is one way to write DeltaStreamHandler.
type design struct {
	capacity int                 // of reqCh
	serve    func(*stream) error // what the handler does
	receive  func(*stream)       // what the receiver does
	onReturn func(*stream)       // what the handler does last, if anything
}

// buggy is what the issue found. The receiver looks whether the stream's context is
// over, and then waits for the handler without looking.
var buggy = design{serve: receiveAside, receive: receiveBuggy}

func receiveBuggy(s *stream) {
	for {
		if model.TrySelect(s.ctx.Done().RecvCase(nil)) == 0 {
			s.closeReqCh()
			return
		}
		req, err := s.Recv()
		if err != nil {
			s.closeReqCh()
			return
		}
		s.reqCh.Send(req)
	}
}

// landed is pull request #916: the receiver that the handler of state-of-the-world
// streams, its sibling, has had since pull request #430.
var landed = design{serve: receiveAside, receive: forward(orContexts, (*stream).closeReqCh)}

// forward returns a receiver that delivers requests until there are no more or
// deliver gives up, and then hangs up.
func forward(deliver func(*stream, request) bool, hangUp func(*stream)) func(*stream) {
	return func(s *stream) {
		defer hangUp(s)
		for {
			req, err := s.Recv()
			if err != nil || !deliver(s, req) {
				return
			}
		}
	}
}

func orContexts(s *stream, req request) bool {
	return model.Select(
		s.reqCh.SendCase(req),
		s.ctx.Done().RecvCase(nil),
		s.serverCtx.Done().RecvCase(nil),
	) == 0
}

// Every other design differs from these two in one thing.
var (
	// streamCtx is what the issue proposes first.
	streamCtx = design{serve: receiveAside, receive: forward(orStreamCtx, (*stream).closeReqCh)}

	// serverCtx is pull request #372, the first attempt to mend the sibling.
	serverCtx = design{serve: receiveAside, receive: forward(orServerCtx, (*stream).closeReqCh)}

	// stopFlag is the sibling before: a flag is set when processDelta has returned.
	// To look at done without waiting for it is to look at a flag.
	stopFlag = design{serve: receiveAside, receive: forward(unlessDone, (*stream).closeReqCh), onReturn: closeDone}

	// ownDone waits for done as well, so it depends on no context.
	ownDone = design{serve: receiveAside, receive: forward(orDone, (*stream).closeReqCh), onReturn: closeDone}

	// drained leaves somebody behind who takes the rest.
	drained = design{serve: receiveAside, receive: receiveBuggy, onReturn: drain}

	// noClose is landed without close(reqCh).
	noClose = design{serve: receiveAside, receive: forward(orContexts, func(*stream) {})}

	// handlerCloses lets the handler close reqCh when it returns.
	handlerCloses = design{serve: receiveAside, receive: forward(always, closeOnce), onReturn: closeOnce}

	// dropping drops a request when the handler is busy.
	dropping = design{serve: receiveAside, receive: forward(orDrop, (*stream).closeReqCh)}

	// inFront is ownDone the other way round: the handler receives, and another goroutine
	// answers.
	inFront = design{serve: answerAside, receive: forward(orDone, (*stream).closeReqCh)}
)

func answerAside(s *stream) error {
	model.GoNamed("processDelta", func() {
		s.processDelta()
		s.done.Close()
	})
	s.design.receive(s)
	s.receiverReturned = true
	return nil
}

// buffered is buggy with room for some requests in reqCh.
func buffered(capacity int) design {
	return design{capacity: capacity, serve: receiveAside, receive: receiveBuggy}
}

func always(s *stream, req request) bool {
	s.reqCh.Send(req)
	return true
}

func orStreamCtx(s *stream, req request) bool {
	return model.Select(s.reqCh.SendCase(req), s.ctx.Done().RecvCase(nil)) == 0
}

func orServerCtx(s *stream, req request) bool {
	return model.Select(s.reqCh.SendCase(req), s.serverCtx.Done().RecvCase(nil)) == 0
}

func orDone(s *stream, req request) bool {
	return model.Select(s.reqCh.SendCase(req), s.done.RecvCase(nil)) == 0
}

func unlessDone(s *stream, req request) bool {
	return model.TrySelect(s.done.RecvCase(nil)) != 0 && always(s, req)
}

func orDrop(s *stream, req request) bool {
	model.TrySelect(s.reqCh.SendCase(req))
	return true
}

func closeDone(s *stream) { s.done.Close() }

func closeOnce(s *stream) { s.closing.Do(s.closeReqCh) }

func drain(s *stream) {
	model.GoNamed("drain", func() {
		for range s.reqCh.All() {
		}
	})
}
