// Package io has what programs that "modelcheck test" has rewritten use in place of what
// waits in package io: its pipes. All else of that package they use as it is.
package io

import (
	"io"

	"github.com/modelcheck-go/modelcheck/model/std/lang"
	"github.com/modelcheck-go/modelcheck/model/std/sync"
)

// pipe is what its two ends share.
type pipe struct {
	writing sync.Mutex // held by the one Write that may go on
	data    chan []byte
	taken   chan int      // how much of data a Read has taken
	closed  chan struct{} // by either end

	closing  sync.Once
	mu       sync.Mutex
	byReader error // what the reader has closed it with
	byWriter error
}

// PipeReader is [io.PipeReader].
type PipeReader struct{ p *pipe }

// PipeWriter is [io.PipeWriter].
type PipeWriter struct{ p *pipe }

// Pipe is [io.Pipe].
func Pipe() (*PipeReader, *PipeWriter) {
	p := &pipe{data: lang.Make(make(chan []byte)), taken: lang.Make(make(chan int)), closed: lang.Make(make(chan struct{}))}
	return &PipeReader{p}, &PipeWriter{p}
}

// Read is [io.PipeReader.Read].
func (r *PipeReader) Read(b []byte) (n int, err error) {
	p := r.p
	if p.isClosed() {
		return 0, p.reason(&p.byReader, &p.byWriter)
	}
	data := lang.FromCase(p.data)
	if lang.Select(false, data, lang.FromCase(p.closed)) == 1 {
		return 0, p.reason(&p.byReader, &p.byWriter)
	}
	n = copy(b, data.V)
	lang.To(p.taken).Send(n)
	return n, nil
}

// Write is [io.PipeWriter.Write].
func (w *PipeWriter) Write(b []byte) (n int, err error) {
	p := w.p
	if p.isClosed() {
		return 0, p.reason(&p.byWriter, &p.byReader)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	for first := true; first || n < len(b); first = false {
		if lang.Select(false, lang.ToCase(p.data).Val(b[n:]), lang.FromCase(p.closed)) == 1 {
			return n, p.reason(&p.byWriter, &p.byReader)
		}
		n += lang.Recv(p.taken)
	}
	return n, nil
}

func (p *pipe) isClosed() bool { return lang.Select(true, lang.FromCase(p.closed)) == 0 }

// reason is the error of an operation on the closed pipe. The caller's own end tells
// nothing, since who has closed it knows.
func (p *pipe) reason(own, other *error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if *own == nil && *other != nil {
		return *other
	}
	return io.ErrClosedPipe
}

// close closes the pipe from one end. Only the first error of an end counts.
func (p *pipe) close(own *error, err error) {
	p.mu.Lock()
	if *own == nil {
		*own = err
	}
	p.mu.Unlock()
	p.closing.Do(func() { lang.Close(p.closed) })
}

// Close is [io.PipeReader.Close].
func (r *PipeReader) Close() error { return r.CloseWithError(nil) }

// CloseWithError is [io.PipeReader.CloseWithError].
func (r *PipeReader) CloseWithError(err error) error {
	if err == nil {
		err = io.ErrClosedPipe
	}
	r.p.close(&r.p.byReader, err)
	return nil
}

// Close is [io.PipeWriter.Close].
func (w *PipeWriter) Close() error { return w.CloseWithError(nil) }

// CloseWithError is [io.PipeWriter.CloseWithError].
func (w *PipeWriter) CloseWithError(err error) error {
	if err == nil {
		err = io.EOF
	}
	w.p.close(&w.p.byWriter, err)
	return nil
}
