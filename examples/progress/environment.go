package progress

import (
	"errors"
	"fmt"
	"io"

	"github.com/modelcheck-go/modelcheck/model"
)

// environment is a build and the clients that follow it.
type environment struct {
	clients  int // each calls Reader once, whenever it likes
	messages int // of the build
	ids      int // that the messages have in turn; 0: each has its own

	leaving  int  // so many clients may leave at any time
	otherCtx bool // clients Read with a context that does not end when they leave
	readers  int  // so many goroutines of each client Read; 0: one
	piped    bool // the build reports through a pipe too, as it really does
	forgets  bool // the build does not close its writer into that
}

// system is a MultiReader in its environment.
type system struct {
	design  design
	env     environment
	mr      *MultiReader
	clients []*client
	last    []message // of each id
}

// follow returns the body to explore: one build from its beginning until nothing can
// happen any more.
func follow(d design, env environment) func() {
	return func() {
		s := &system{design: d, env: env, clients: make([]*client, env.clients)}
		for i := range s.clients {
			s.clients[i] = newClient(i, i < env.leaving)
		}
		s.require()
		model.GoNamed("build", s.build())
		for _, c := range s.clients {
			model.GoNamed("client", func() { s.run(c) })
			if c.mayLeave {
				model.GoNamed("leave", c.leave)
			}
		}
	}
}

// build makes the MultiReader and returns what the build does: it reports progress,
// and then that there will be no more.
func (s *system) build() func() {
	if !s.env.piped {
		f := feed{model.Named(model.NewChan[message](s.env.messages), "feed")}
		s.mr = newMultiReader(&s.design, f)
		return func() {
			s.report(f.Send)
			f.Close()
		}
	}
	p := newPipe(&s.design, "main pipe")
	s.mr = newMultiReader(&s.design, p)
	w := p.newWriter()
	return func() {
		s.report(w.write)
		first, second := p.cancel, w.Close
		if s.env.forgets {
			second = func() {}
		}
		if model.Choose(2) == 1 {
			first, second = second, first
		}
		first()
		second()
	}
}

func (s *system) report(write func(message)) {
	for i := range s.env.messages {
		m := message{id: i, version: 1}
		if s.env.ids > 0 {
			m = message{id: i % s.env.ids, version: i/s.env.ids + 1}
		}
		s.last = keep(s.last, m)
		write(m)
	}
}

// feed is a Reader without the inner life of a pipe.
type feed struct{ model.Chan[message] }

func (f feed) Read(model.Context) ([]message, error) {
	m, ok := f.RecvOK()
	if !ok {
		return nil, io.EOF
	}
	return []message{m}, nil
}

// client is Job.Status: it reads to the end.
type client struct {
	name     string
	mayLeave bool
	ctx      model.Context
	cancel   model.CancelCauseFunc

	left  bool
	reads []read // of each of its goroutines
}

// read is what one goroutine of a client got.
type read struct {
	got []message
	err error // why it stopped, nil: it did not
}

var errLeft = errors.New("the client left")

func newClient(i int, mayLeave bool) *client {
	c := &client{name: fmt.Sprintf("client %d", i+1), mayLeave: mayLeave}
	c.ctx, c.cancel = model.WithCancelCause(model.Background())
	model.Named(c.ctx.Done(), c.name+" ctx")
	return c
}

func (s *system) run(c *client) {
	p := s.mr.Reader(c.ctx, c.name+" pipe")
	ctx := c.ctx
	if s.env.otherCtx {
		ctx = model.Background()
	}
	c.reads = make([]read, max(s.env.readers, 1))
	for i := range c.reads[1:] {
		model.GoNamed("client", func() { c.reads[i+1].all(p, ctx) })
	}
	c.reads[0].all(p, ctx)
}

func (r *read) all(p *pipe, ctx model.Context) {
	for {
		news, err := p.Read(ctx)
		r.got = append(r.got, news...)
		if err != nil {
			r.err = err
			model.Sometimes(err == io.EOF, "a client came to the end")
			return
		}
	}
}

// leave drops the client's stream, or does not.
func (c *client) leave() {
	c.left = model.Choose(2) == 1
	if c.left {
		c.cancel(errLeft)
	}
}
