package stdio

import (
	"errors"
	"fmt"

	"github.com/modelcheck-go/modelcheck/model"
)

// history is what the invariants judge in the end. Nothing in a process depends on it.
type history struct{ callers []*caller }

// require states what has to hold when nothing can happen any more. S4, that nobody is
// blocked then, need not be stated.
func (p *process) require() {
	model.AtEnd("S1: the first caller gets the streams, unless the process is closed", p.answered)
	model.AtEnd("S2: the streams of the creation are handed out once", p.handedOutOnce)
	model.AtEnd("S3: every handle is closed once", p.closedOnce)
	model.AtEnd("S5: when CloseStdin has succeeded stdin ends", p.stdinEnded)
	model.AtEnd("S6: a closed handle of the process is not used", func() error {
		if p.hcs.misused {
			return errors.New("it was used")
		}
		return nil
	})
}

// answered judges S1: when one call has succeeded later ones may fail, but none may
// succeed and lack a stream. Stdin may be closed before anybody gets it.
func (p *process) answered() error {
	var failed error
	answered := false
	for _, c := range p.callers {
		switch {
		case c.err == nil && (c.got.stdout == nil || c.got.stdin == nil && !p.hcs.env.endsStdin):
			return errors.New("somebody got some of them")
		case c.err == nil:
			answered = true
		case c.err != errAlreadyClosed:
			failed = c.err
		}
	}
	if failed != nil && !answered {
		return fmt.Errorf("nobody got them: %w", failed)
	}
	return nil
}

func (p *process) handedOutOnce() error {
	for _, h := range p.hcs.originals.handles() {
		if h.handedOut > 1 {
			return fmt.Errorf("%s: %d times", h.pipe.name, h.handedOut)
		}
	}
	return nil
}

func (p *process) closedOnce() error {
	for _, h := range p.hcs.handles {
		if n := h.closed.Load(); n != 1 {
			return fmt.Errorf("%s: %d times", h.pipe.name, n)
		}
	}
	return nil
}

func (p *process) stdinEnded() error {
	for _, c := range p.callers {
		if c.stdinErr == nil && !c.ended {
			return fmt.Errorf("it goes on")
		}
	}
	return nil
}
