package stdio

import (
	"errors"

	"github.com/modelcheck-go/modelcheck/model"
)

// environment is what the world does to a process.
type environment struct {
	callers    int  // of StdioLegacy
	closeStdin bool // the callers call CloseStdin too, after they have closed what they got
	endsStdin  bool // somebody else calls CloseStdin, at any time
	reads      bool // the process ends when its stdin does, not just at any time
	anyTime    bool // Close is called at any time, not just when the process has exited
	signals    bool // somebody tries to kill the process
	lost       bool // HCS never tells that the process has exited
	reopens    bool // pipes can be opened any number of times
}

// service is the Host Compute Service's side of a process.
type service struct {
	env          environment
	exited       model.Chan[struct{}] // closed when the process has
	stdinEnd     model.Chan[struct{}] // a value when stdin is at its end
	stdinEnded   model.Bool           // there was one
	notification model.Chan[struct{}] // a value when it tells that the process has exited
	unregistered model.Chan[struct{}] // closed when it need not tell any more
	closed       model.Bool           // the handle of the process is
	misused      bool                 // it was used when it was closed

	originals streams // what the process was created with
	handles   []*handle
}

func newService(env environment) *service {
	s := &service{
		env:          env,
		exited:       model.Named(model.NewChan[struct{}](0), "exited"),
		stdinEnd:     model.Named(model.NewChan[struct{}](1), "end of stdin"),
		notification: model.Named(model.NewChan[struct{}](1), "notification"),
		unregistered: model.Named(model.NewChan[struct{}](0), "unregistered"),
	}
	model.Named(&s.stdinEnded, "stdin ended")
	model.Named(&s.closed, "process handle")
	s.originals = streams{s.newHandle(newPipe("stdin")), s.newHandle(newPipe("stdout"))}
	return s
}

// run is the process in the container.
func (s *service) run() {
	if s.env.reads {
		s.stdinEnd.Recv()
	}
	s.exited.Close()
	if !s.env.lost {
		s.notification.Send(struct{}{})
	}
}

func (s *service) hasExited() bool { return model.TrySelect(s.exited.RecvCase(nil)) == 0 }

// waitForNotification reports whether HCS told that the process has exited; if not, it
// will not.
func (s *service) waitForNotification() bool {
	return model.Select(s.notification.RecvCase(nil), s.unregistered.RecvCase(nil)) == 0
}

// use stands for a call with the handle of the process.
func (s *service) use() {
	if s.closed.Load() {
		s.misused = true
	}
}

// signal is HcsSignalProcess: it reports whether there is a process.
func (s *service) signal() bool {
	s.use()
	return !s.hasExited()
}

func (s *service) unregister() { s.unregistered.Close() }

// endStdin is HcsModifyProcess. To close the own side of the pipe does not do it.
func (s *service) endStdin() error {
	s.use()
	if s.hasExited() {
		return errNotFound
	}
	s.stdinEnded.Store(true)
	model.TrySelect(s.stdinEnd.SendCase(struct{}{}))
	return nil
}

// processInfo is HcsGetProcessInfo: it makes new handles of the same pipes, while there
// is a process.
func (s *service) processInfo() (streams, error) {
	s.use()
	if s.hasExited() {
		return streams{}, errNotFound
	}
	return streams{s.newHandle(s.originals.stdin.pipe), s.newHandle(s.originals.stdout.pipe)}, nil
}

// pipe is one end of a stream, in the kernel.
type pipe struct {
	name   string
	opened model.Bool // it has its IO completion port
}

func newPipe(name string) *pipe {
	p := &pipe{name: name}
	model.Named(&p.opened, name+" port")
	return p
}

// handle stands for a pipe. Whoever owns it has to close it.
type handle struct {
	pipe      *pipe
	closed    model.Int32 // how often
	handedOut int         // how often, without HCS being asked
}

func (s *service) newHandle(p *pipe) *handle {
	h := &handle{pipe: p}
	model.Named(&h.closed, p.name+" handle")
	s.handles = append(s.handles, h)
	return h
}

func (h *handle) close() { h.closed.Add(1) }

var errOpen = errors.New("cannot be opened")

// open is makeOpenFiles: it makes IO completion ports, of which a pipe takes only one,
// however many handles it has. If it fails it closes what it was given.
func (s *service) open(given streams) (streams, error) {
	for _, h := range given.handles() {
		if h.closed.Load() > 0 || h.pipe.opened.Swap(true) && !s.env.reopens {
			given.close()
			return streams{}, errOpen
		}
	}
	return given, nil
}

// caller is an orchestrator that wants the streams of a process.
type caller struct {
	got      streams
	err      error // of StdioLegacy, errAlreadyClosed until that has returned
	stdinErr error // of CloseStdin, errAlreadyClosed until that has returned
	ended    bool  // stdin had ended, or the process, when CloseStdin had returned
}

func (p *process) newCaller() *caller {
	c := &caller{err: errAlreadyClosed, stdinErr: errAlreadyClosed}
	p.callers = append(p.callers, c)
	return c
}

func (c *caller) call(p *process) {
	s, err := p.design.stdioLegacy(p)
	model.Log("StdioLegacy:", errorText(err))
	c.got, c.err = s, err
	s.close()
	if p.hcs.env.closeStdin {
		c.endStdin(p)
	}
}

func (c *caller) endStdin(p *process) {
	c.stdinErr = p.design.closeStdin(p)
	c.ended = p.hcs.stdinEnded.Load() || p.hcs.hasExited()
}

func errorText(err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

// closer closes the process in the end.
func (p *process) closer() {
	if !p.hcs.env.anyTime {
		p.waitBlock.Recv()
	}
	p.Close()
}

// kill kills the process. Where HCS does not tell that it has exited, it is killed once
// more when it has.
func (p *process) kill() {
	if p.hcs.env.lost {
		p.hcs.exited.Recv()
	}
	p.Signal()
}
