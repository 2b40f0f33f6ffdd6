// Package stdio models the standard streams of a process in a Windows container, as
// hcsshim hands them to Docker, and the race by which a process that ended soon lost
// its output: pull request #737. README.md tells the story and the verdicts.
//
// This file is the program: the object that stands for a process. designs.go has every
// way in which the streams have been handed out, or might be. environment.go is what
// the container service, kernel and callers do, and invariants.go what has to hold
// whatever they do.
package stdio

import (
	"errors"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

// process is a Process of package hcs. Where both of its locks are taken, handleLock
// comes first.
type process struct {
	design design
	hcs    *service

	handleLock model.RWMutex
	open       bool // handle != 0; guarded by handleLock

	stdioLock model.Mutex
	// The streams that the process was created with, for as long as it owns them;
	// guarded by stdioLock. Stderr is as stdout, and left out.
	stdin, stdout  model.Shared[*handle]
	hasCachedStdio model.Shared[bool]
	// cachedPipes is what was there before these three; guarded by nothing.
	cachedPipes model.Shared[*streams]

	waitBlock      model.Chan[struct{}] // closed when the process has exited
	closedWaitOnce model.Once

	history
}

// streams are a process's, as one caller gets them.
type streams struct{ stdin, stdout *handle }

// handles lists those that there are.
func (s streams) handles() []*handle {
	var all []*handle
	for _, h := range []*handle{s.stdin, s.stdout} {
		if h != nil {
			all = append(all, h)
		}
	}
	return all
}

func (s streams) close() {
	for _, h := range s.handles() {
		h.close()
	}
}

var (
	errAlreadyClosed = errors.New("already closed")
	errNotFound      = errors.New("element not found")
)

// lifetime returns the body to explore: a process in a container from its creation
// until nothing can happen any more.
func (d design) lifetime(env environment) func() {
	return func() {
		p := newProcess(d, env)
		p.require()
		d.create(p)
		model.GoNamed("process", p.hcs.run)
		model.GoNamed("waitBackground", p.waitBackground)
		for range env.callers {
			c := p.newCaller()
			model.GoNamed("caller", func() { c.call(p) })
		}
		if env.endsStdin {
			c := p.newCaller()
			model.GoNamed("stdin closer", func() { c.endStdin(p) })
		}
		if env.signals {
			model.GoNamed("killer", p.kill)
		}
		model.GoNamed("closer", p.closer)
	}
}

func newProcess(d design, env environment) *process {
	p := &process{
		design: d, hcs: newService(env), open: true,
		waitBlock: model.Named(model.NewChan[struct{}](0), "waitBlock"),
	}
	model.Named(&p.handleLock, "handleLock")
	model.Named(&p.stdioLock, "stdioLock")
	model.Named(&p.stdin, "stdin")
	model.Named(&p.stdout, "stdout")
	model.Named(&p.hasCachedStdio, "hasCachedStdio")
	model.Named(&p.cachedPipes, "cachedPipes")
	model.Named(&p.closedWaitOnce, "closedWaitOnce")
	return p
}

// waitBackground tells whoever waits when the process has exited.
func (p *process) waitBackground() {
	if p.hcs.waitForNotification() {
		p.handleLock.RLock()
		defer p.handleLock.RUnlock()
		if p.open {
			p.hcs.use() // for the exit code
		}
	}
	p.closedWaitOnce.Do(p.waitBlock.Close)
}

// stopped reports whether the process is known to have exited.
func (p *process) stopped() bool { return model.TrySelect(p.waitBlock.RecvCase(nil)) == 0 }

// Close lets go of the process, and of what it still owns.
func (p *process) Close() {
	p.handleLock.Lock()
	defer p.handleLock.Unlock()
	if !p.open {
		return
	}
	p.stdioLock.Lock()
	p.takeStreams().close()
	p.stdioLock.Unlock()
	p.hcs.unregister()
	p.hcs.closed.Store(true)
	p.open = false
	p.closedWaitOnce.Do(p.waitBlock.Close)
}

// takeStreams takes away from the process the streams that it still owns.
func (p *process) takeStreams() streams {
	s := streams{p.stdin.Get(), p.stdout.Get()}
	p.stdin.Set(nil)
	p.stdout.Set(nil)
	return s
}

// Signal kills the process. If HCS does not know it any more, but has not said that it
// has exited, it perhaps never will.
func (p *process) Signal() {
	p.handleLock.RLock()
	defer p.handleLock.RUnlock()
	if p.open && !p.hcs.signal() && !p.stopped() {
		model.GoNamed("force unblock", func() {
			model.Sleep(time.Second)
			p.design.forceUnblock(p)
		})
	}
}
