// Package progress models MultiReader of BuildKit, which lets any number of clients
// follow the progress of one build, and the goroutine that it leaked for each client
// that left early: pull request #4902. README.md tells the story and the verdicts.
//
// This file and pipe.go are the program. designs.go has what it was before, and what
// else one might do. status.go is a neighbour with a leak of the same kind.
// environment.go is the build and its clients, invariants.go what has to hold
// whatever they do.
package progress

import (
	"slices"

	"github.com/modelcheck-go/modelcheck/model"
)

// MultiReader hands what it reads from one pipe on to any number of others. Clients
// that come late get what was sent before they came.
type MultiReader struct {
	design *design
	main   Reader

	mu          model.Mutex // guards what follows
	initialized bool
	done        model.Chan[struct{}] // closed when main has come to its end
	writers     []*writer            // into the pipes of clients that are up to date
	sent        []message

	handled bool // handle has ended; for B4
}

func newMultiReader(d *design, main Reader) *MultiReader {
	mr := &MultiReader{design: d, main: main}
	mr.done = model.Named(model.NewChan[struct{}](0), "MultiReader.done")
	model.Named(&mr.mu, "MultiReader.mu")
	return mr
}

// Reader returns a pipe on which a client can follow, as long as ctx is not over.
func (mr *MultiReader) Reader(ctx model.Context, name string) *pipe {
	mr.mu.Lock()
	defer mr.mu.Unlock()

	p := newPipe(mr.design, name)
	w := p.newWriter()

	behind := len(mr.sent) > 0
	if !mr.design.neverLate && mr.isDone() {
		behind = true
	} else if !behind || mr.design.registersEarly {
		mr.register(w)
	}

	model.GoNamed("follower", func() { mr.follow(ctx, w, behind) })

	if !mr.initialized {
		model.GoNamed("handle", mr.handle)
		mr.initialized = true
	}
	return p
}

// follow looks after one client's pipe until the client is gone or all is sent.
func (mr *MultiReader) follow(ctx model.Context, w *writer, behind bool) {
	if behind && !mr.catchUp(ctx, w) {
		return
	}
	model.Select(ctx.Done().RecvCase(nil), mr.done.RecvCase(nil))
	mr.mu.Lock()
	mr.unregister(w)
	if mr.design.hangsUpUnlocked {
		mr.mu.Unlock()
		mr.design.hangUp(w)
		return
	}
	mr.design.hangUp(w)
	mr.mu.Unlock()
}

// catchUp writes what was sent before, until w is up to date and handle can go on.
// It returns false if there is nothing to go on with.
func (mr *MultiReader) catchUp(ctx model.Context, w *writer) bool {
	for i := 0; ; {
		mr.mu.Lock()
		news := mr.sent[i:]
		if len(news) == 0 {
			if over(ctx) || mr.isDone() {
				closeBoth(w)
				mr.mu.Unlock()
				return false
			}
			if mr.design.registersLate {
				mr.mu.Unlock()
				mr.mu.Lock()
			}
			if !mr.design.registersEarly {
				mr.register(w)
			}
			mr.mu.Unlock()
			return true
		}
		mr.mu.Unlock()
		for n, m := range news {
			w.write(m)
			if n%100 == 0 && (over(ctx) || mr.design.stopsReplay && mr.isDone()) {
				closeBoth(w)
				return false
			}
		}
		i += len(news)
	}
}

// handle reads main to its end.
func (mr *MultiReader) handle() {
	for {
		news, err := mr.main.Read(model.Background())
		mr.mu.Lock()
		if err != nil {
			for _, w := range mr.writers {
				closeBoth(w)
			}
			mr.done.Close()
			mr.mu.Unlock()
			mr.handled = true
			return
		}
		for _, m := range news {
			for _, w := range mr.writers {
				w.write(m)
			}
		}
		mr.sent = append(mr.sent, news...)
		mr.mu.Unlock()
	}
}

func (mr *MultiReader) isDone() bool { return model.TrySelect(mr.done.RecvCase(nil)) == 0 }

// The original has a map of writers. In which order it goes through them is of no
// consequence: they belong to different pipes.
func (mr *MultiReader) register(w *writer) { mr.writers = append(mr.writers, w) }

func (mr *MultiReader) unregister(w *writer) {
	mr.writers = slices.DeleteFunc(mr.writers, func(x *writer) bool { return x == w })
}

func closeBoth(w *writer) {
	w.Close()
	w.p.cancel()
}
