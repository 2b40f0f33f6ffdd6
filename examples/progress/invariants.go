package progress

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/modelcheck-go/modelcheck/model"
)

// require states what has to hold when nothing can happen any more. B0, that no
// goroutine is left then, need not be stated.
func (s *system) require() {
	s.each("B1: who stays gets the last message of every id, then EOF", s.complete)
	s.each("B2: who leaves is told why, or gets EOF", s.told)
	s.each("B3: what was replayed and what came live is without a gap, and nothing comes twice", s.joined)
	model.AtEnd("B4: handle ends", s.handled)
	s.each("B5: EOF means that nothing is missing", s.honest)
}

func (s *system) each(name string, holds func(*client) error) {
	model.AtEnd(name, func() error {
		for _, c := range s.clients {
			if err := holds(c); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		return nil
	})
}

func (s *system) complete(c *client) error {
	if c.left || !c.returned() {
		return nil // which B0 is about
	}
	if err := c.ended(io.EOF); err != nil {
		return err
	}
	return s.missing(c)
}

func (s *system) told(c *client) error {
	if !c.left {
		return nil
	}
	return c.ended(errLeft, io.EOF)
}

func (s *system) joined(c *client) error {
	for _, r := range c.reads {
		newest := map[int]int{}
		for _, m := range r.got {
			if m.version <= newest[m.id] {
				return fmt.Errorf("got version %d of %d after version %d", m.version, m.id, newest[m.id])
			}
			newest[m.id] = m.version
		}
	}
	return s.gap(c)
}

// gap fails if a message is missing that handle had before one that c got. One that a
// newer message of the same id has replaced is not.
func (s *system) gap(c *client) error {
	got := c.got()
	newest := map[int]int{}
	last := -1
	for _, m := range got {
		newest[m.id] = max(newest[m.id], m.version)
		last = max(last, slices.Index(s.mr.sent, m))
	}
	for _, m := range s.mr.sent[:last+1] {
		if newest[m.id] < m.version {
			return fmt.Errorf("version %d of %d is missing in %v", m.version, m.id, got)
		}
	}
	return nil
}

// handled judges B4. Handle begins when the first client comes.
func (s *system) handled() error {
	if s.mr.initialized && !s.mr.handled {
		return errors.New("it goes on")
	}
	return nil
}

func (s *system) honest(c *client) error {
	if !c.returned() || c.ended(io.EOF) != nil {
		return nil
	}
	return s.missing(c)
}

// got lists what the goroutines of the client got.
func (c *client) got() []message {
	var got []message
	for _, r := range c.reads {
		got = append(got, r.got...)
	}
	return got
}

// returned reports whether all goroutines of the client have stopped to read.
func (c *client) returned() bool {
	return len(c.reads) > 0 && !slices.ContainsFunc(c.reads, func(r read) bool { return r.err == nil })
}

// ended fails unless what made the client stop is one of the given errors.
func (c *client) ended(with ...error) error {
	for _, r := range c.reads {
		if r.err != nil && !slices.Contains(with, r.err) {
			return fmt.Errorf("wanted one of %v, found %v", with, r.err)
		}
	}
	return nil
}

func (s *system) missing(c *client) error {
	got := c.got()
	for _, m := range s.last {
		if !slices.Contains(got, m) {
			return fmt.Errorf("wanted version %d of %d, found %v", m.version, m.id, got)
		}
	}
	return nil
}

// keep returns the list with m in the place of an older message of the same id.
func keep(list []message, m message) []message {
	return append(slices.DeleteFunc(list, func(old message) bool { return old.id == m.id }), m)
}
