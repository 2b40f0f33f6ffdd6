package shim

import (
	"fmt"
	"slices"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

// reaping is how exits get to the service: the reaper waits for processes to exit,
// and tells everybody who wants to know before it reaps the next. One who wants to
// know is processExits; another is who runs `runc kill` and waits for it to exit.
type reaping struct {
	capacity int  // of ec, 32 in the original
	givesUp  bool // the reaper goes on when nobody has taken an exit for a second
	execs    int

	zombies model.Chan[exit] // processes that have exited, in that order
	ec      model.Chan[exit] // from the reaper to processExits
	kill    model.Chan[exit] // from the reaper to killAll

	died, received []exit
}

const (
	initPid = 1
	killPid = 2
)

// reap returns the body to explore: the processes of a container exit, the init
// process first or not.
func (r reaping) reap() {
	r.zombies = model.Named(model.NewChan[exit](r.execs+2), "zombies")
	r.ec = model.Named(model.NewChan[exit](r.capacity), "ec")
	r.kill = model.Named(model.NewChan[exit](32), "kill")
	model.AtEnd("C9: exits arrive in the order in which the processes exited", r.inOrder)
	model.Daemon("reaper", r.reaper)
	model.GoNamed("processExits", r.processExits)
	r.exits("init", exit{initPid})
	for k := range r.execs {
		r.exits("exec", exit{10 + k})
	}
}

// exits lets a process exit at any time.
func (r *reaping) exits(name string, e exit) {
	model.GoNamed(name, func() {
		r.zombies.Send(e)
		r.died = append(r.died, e)
	})
}

func (r *reaping) reaper() {
	for e := range r.zombies.All() {
		told := model.Named(model.NewChan[struct{}](0), "told")
		model.GoNamed("notify", func() {
			r.notify(e)
			told.Close()
		})
		if !r.givesUp {
			told.Recv()
			continue
		}
		model.Select(told.RecvCase(nil), model.After(time.Second).RecvCase(nil))
	}
}

// notify tells of an exit whoever is ready first. The original tries them in turn, a
// millisecond each.
func (r *reaping) notify(e exit) {
	left := []model.Case{r.ec.SendCase(e), r.kill.SendCase(e)}
	for range 2 {
		left[model.Select(left...)] = model.Case{}
	}
}

// processExits takes all exits, and kills the execs when it is the init's turn.
func (r *reaping) processExits() {
	for range r.execs + 2 {
		e := r.ec.Recv()
		r.received = append(r.received, e)
		if e.pid == initPid {
			r.killAll()
		}
	}
}

// killAll runs runc, and waits until the reaper says that it has exited.
func (r *reaping) killAll() {
	r.exits("runc kill", exit{killPid})
	for r.kill.Recv().pid != killPid {
	}
}

func (r *reaping) inOrder() error {
	if n := len(r.received); !slices.Equal(r.received, r.died[:n]) {
		return fmt.Errorf("wanted %v, found %v", r.died[:n], r.received)
	}
	return nil
}
