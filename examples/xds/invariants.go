package xds

import (
	"fmt"

	"github.com/modelcheck-go/modelcheck/model"
)

// history is what the invariants judge in the end. Nothing in the stream depends
// on it, and no two goroutines write the same field.
type history struct {
	sent       request // the last request of the client
	halfClosed bool    // the client left by closing its side

	processed    []request
	failure      error // what ended processDelta, if something went wrong
	streamClosed int   // calls of OnDeltaStreamClosed

	reqChClosed      int
	receiverReturned bool

	result          error // of the handler
	handlerReturned bool
}

// end notes that processDelta ends with err; if that is nil, it does not.
func (s *stream) end(err error) error {
	if err != nil {
		model.Log("processDelta ends:", err)
		s.failure = err
	}
	return err
}

func (s *stream) closeReqCh() {
	s.reqChClosed++
	s.reqCh.Close()
}

// require states what has to hold when nothing can happen any more. D0, that no
// goroutine is left then, need not be stated, and neither need half of D3: a send on
// a closed channel panics.
func (s *stream) require() {
	model.AtEnd("D1: the handler returns the error that ended the stream", s.errorReturned)
	model.AtEnd("D2: OnDeltaStreamClosed is called exactly once", func() error {
		return once(s.streamClosed)
	})
	model.AtEnd("D3: the receiver closes reqCh exactly once", func() error {
		if !s.receiverReturned {
			return nil // which D0 is about
		}
		return once(s.reqChClosed)
	})
	model.AtEnd("D4: requests are processed in order, without a gap", s.inOrder)
}

func (s *stream) errorReturned() error {
	if s.handlerReturned && s.result != s.failure {
		return fmt.Errorf("wanted %v, found %v", s.failure, s.result)
	}
	return nil
}

func once(n int) error {
	if n != 1 {
		return fmt.Errorf("wanted 1, found %d", n)
	}
	return nil
}

// inOrder judges D4. Requests at the end may get lost, but not when the client has
// half-closed the stream and nothing else has ended it.
func (s *stream) inOrder() error {
	for i, req := range s.processed {
		if want := request(i + 1); req != want {
			return fmt.Errorf("wanted request %d, found %d", want, req)
		}
	}
	complete := s.halfClosed && s.handlerReturned && s.result == nil && s.serverCtx.Err() == nil
	if n := request(len(s.processed)); complete && n != s.sent {
		return fmt.Errorf("wanted %d requests, found %d", s.sent, n)
	}
	return nil
}
