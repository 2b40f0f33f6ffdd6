// Package lifecycle is a model of a service that is started, takes jobs, and is
// stopped: to see whether nothing is left behind, however that goes. README.md says
// how to make it the model of another one.
//
// This file is the program. designs.go has the ways in which parts of it could be
// written, environment.go is what the world does to it, and invariants.go what has to
// hold whatever the world does.
package lifecycle

import (
	"errors"

	"github.com/modelcheck-go/modelcheck/model"
)

// job is what clients submit.
type job int

// service has a worker that does one job after the other.
type service struct {
	design design
	env    environment

	ctx      model.Context        // the worker gives up when it is over
	jobs     model.Chan[job]      // from Submit to the worker
	stopping model.Chan[struct{}] // closed by the first Stop
	stopOnce model.Once
	stopped  model.Chan[struct{}] // closed when the worker has exited

	history
}

var errStopped = errors.New("the service is stopped")

func newService(d design, env environment, ctx model.Context) *service {
	s := &service{
		design:   d,
		env:      env,
		ctx:      ctx,
		jobs:     model.Named(model.NewChan[job](d.room), "jobs"),
		stopping: model.Named(model.NewChan[struct{}](0), "stopping"),
		stopped:  model.Named(model.NewChan[struct{}](0), "stopped"),
	}
	model.Named(&s.stopOnce, "stopOnce")
	return s
}

// Start starts the worker.
func (s *service) Start() { model.GoNamed("worker", s.work) }

// Submit hands a job to the worker, or fails when there is none any more.
func (s *service) Submit(j job) error { return s.design.submit(s, j) }

// Stop tells the worker to exit, and waits until it has. It may be called again.
func (s *service) Stop() { s.design.stop(s) }

// work does jobs until something ends it.
func (s *service) work() {
	defer s.stopped.Close()
	for {
		var (
			j    job
			more bool
		)
		switch model.Select(
			s.jobs.RecvOKCase(&j, &more),
			s.stopping.RecvCase(nil),
			s.ctx.Done().RecvCase(nil),
		) {
		case 0:
			if !more {
				return
			}
			s.done = append(s.done, j)
			if s.env.crashes && model.Choose(2) == 1 {
				return
			}
		default:
			return
		}
	}
}
