package cache

import (
	"fmt"

	"github.com/modelcheck-go/modelcheck/model"
)

// history is what the invariants judge in the end. The handler depends on known, which
// is its client's state, and on nothing else in it.
type history struct {
	known []int // the version that the client has, by type

	asked        []bool     // by type, whether the handler saw a request
	sent         []response // in order
	streamClosed int        // calls of OnDeltaStreamClosed
	result       error      // of the handler
}

func newHistory(env environment) history {
	return history{known: make([]int, env.types), asked: make([]bool, env.types)}
}

// got notes what the client gets.
func (h *history) got(r response) {
	h.known[r.typ] = r.version
	h.sent = append(h.sent, r)
}

// require states what has to hold when nothing can happen any more. D0, that no
// goroutine is left then, need not be stated.
func (s *stream) require() {
	model.AtEnd("D2: OnDeltaStreamClosed is called exactly once", func() error {
		if s.streamClosed != 1 {
			return fmt.Errorf("wanted 1, found %d", s.streamClosed)
		}
		return nil
	})
	model.AtEnd("D5: the client gets what it asked for, and no older version later", s.inOrder)
	model.AtEnd("D6: no watch is left open", func() error {
		if n := len(s.cache.open.Get()); n > 0 && s.streamClosed == 1 {
			return fmt.Errorf("found %d", n)
		}
		return nil
	})
}

func (h *history) inOrder() error {
	latest := map[int]int{}
	for _, r := range h.sent {
		if !h.asked[r.typ] {
			return fmt.Errorf("got type %d", r.typ)
		}
		if r.version < latest[r.typ] {
			return fmt.Errorf("got version %d of type %d after version %d", r.version, r.typ, latest[r.typ])
		}
		latest[r.typ] = r.version
	}
	return nil
}
