package progress

import (
	"io"
	"slices"

	"github.com/modelcheck-go/modelcheck/model"
)

// message is a Progress: news about one thing, which has an id.
type message struct{ id, version int }

// Reader is where progress comes from.
type Reader interface {
	// Read waits for messages, for the end, which is io.EOF, or for the end of ctx.
	Read(ctx model.Context) ([]message, error)
}

// pipe is a progressReader. What its writers write waits in dirty until somebody
// reads it; of two messages with the same id only the later one is kept.
type pipe struct {
	design *design
	name   string

	// ctx is over when the pipe is closed: no other writer gets in, and once those
	// that are in have closed there is nothing more to wait for.
	ctx    model.Context
	cancel model.CancelFunc

	mu      model.Mutex // guards writers and dirty
	cond    *model.Cond // on mu: there may be something to read, or nothing ever
	writers []*writer
	dirty   []message // in the order in which they were written
}

// newPipe returns a pipe and sees to it that readers are woken when it is closed.
func newPipe(d *design, name string) *pipe {
	p := &pipe{design: d, name: name}
	p.ctx, p.cancel = model.WithCancel(model.Background())
	model.Named(p.ctx.Done(), name)
	p.cond = model.Named(model.NewCond(model.Named(&p.mu, name+".mu")), name+".cond")
	p.design.wakeOnClose(p)
	return p
}

// wakeOnClose starts a goroutine that is there until the pipe is closed.
func wakeOnClose(p *pipe) {
	model.GoNamed("pipe", func() {
		p.ctx.Done().Recv()
		p.wake()
	})
}

// wake tells readers that a context is over. It must hold mu: else it may come
// between a reader's look at the context and its Wait, and be lost.
func (p *pipe) wake() {
	if p.design.wakesUnlocked {
		p.design.wake(p.cond)
		return
	}
	p.mu.Lock()
	p.design.wake(p.cond)
	p.mu.Unlock()
}

// Read implements Reader. The pipe is at its end when it is closed and has no writer.
func (p *pipe) Read(ctx model.Context) ([]message, error) {
	done := model.Named(model.NewChan[struct{}](0), "done")
	defer done.Close()
	model.GoNamed("watcher", func() { p.watch(ctx, done) })
	p.mu.Lock()
	for {
		if over(ctx) {
			p.mu.Unlock()
			return nil, p.design.why(ctx)
		}
		if len(p.dirty) == 0 {
			if over(p.ctx) && len(p.writers) == 0 {
				p.mu.Unlock()
				return nil, io.EOF
			}
			p.cond.Wait()
			continue
		}
		news := p.dirty
		p.dirty = nil
		p.mu.Unlock()
		return news, nil
	}
}

// watch wakes a Read when its context is over, and when the pipe's is.
func (p *pipe) watch(ctx model.Context, done model.Chan[struct{}]) {
	closed := p.ctx.Done()
	if p.design.watchesReaderOnly {
		closed = model.RecvOnly[struct{}]{}
	}
	for {
		switch model.Select(done.RecvCase(nil), ctx.Done().RecvCase(nil), closed.RecvCase(nil)) {
		case 0:
			return
		case 1:
			p.wake()
			return
		case 2:
			p.wake()
			closed = model.RecvOnly[struct{}]{} // once is enough
		}
	}
}

func over(ctx model.Context) bool {
	return model.TrySelect(ctx.Done().RecvCase(nil)) == 0
}

// writer is a progressWriter.
type writer struct{ p *pipe }

// newWriter returns a writer that the pipe waits for, unless it is closed.
func (p *pipe) newWriter() *writer {
	w := &writer{p}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !over(p.ctx) {
		p.writers = append(p.writers, w)
	}
	return w
}

func (w *writer) write(m message) {
	p := w.p
	p.mu.Lock()
	p.dirty = keep(p.dirty, m)
	p.design.wake(p.cond)
	p.mu.Unlock()
}

// Close says that w will write no more. To wake readers without mu is all right
// here: what they wait for was changed while it was held.
func (w *writer) Close() {
	p := w.p
	p.mu.Lock()
	p.writers = slices.DeleteFunc(p.writers, func(x *writer) bool { return x == w })
	p.mu.Unlock()
	p.design.wake(p.cond)
}
