package lifecycle

import (
	"fmt"

	"github.com/modelcheck-go/modelcheck/model"
)

// environment is what the world may do to the service.
type environment struct {
	clients int  // each submits one job, at any time
	stops   int  // so many goroutines call Stop, at any time
	cancels bool // the context of the service is cancelled, at any time
	crashes bool // the worker may exit after any job
}

// lifecycle returns the body to explore: a service from its beginning until nothing
// can happen any more.
func lifecycle(d design, env environment) func() {
	return func() {
		ctx, cancel := model.WithCancel(model.Background())
		model.Named(ctx.Done(), "ctx")
		s := newService(d, env, ctx)
		s.require()
		s.Start()
		for i := range env.clients {
			model.GoNamed("client", func() { s.client(job(i + 1)) })
		}
		for range env.stops {
			model.GoNamed("stopper", s.stopper)
		}
		if env.cancels {
			model.GoNamed("canceler", cancel)
		}
	}
}

func (s *service) client(j job) {
	err := s.Submit(j)
	model.Sometimes(err == nil, "a job is done")
	if err == nil {
		s.accepted = append(s.accepted, j)
	}
}

func (s *service) stopper() {
	s.Stop()
	if model.TrySelect(s.stopped.RecvCase(nil)) != 0 {
		s.stoppedEarly = true
	}
}

// String says what an environment has besides clients.
func (e environment) String() string {
	words := fmt.Sprintf("stops=%d", e.stops)
	if e.cancels {
		words += ", cancels"
	}
	if e.crashes {
		words += ", crashes"
	}
	return words
}
