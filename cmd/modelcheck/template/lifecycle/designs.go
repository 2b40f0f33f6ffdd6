package lifecycle

import "github.com/modelcheck-go/modelcheck/model"

// design is one way to write the service.
type design struct {
	submit func(*service, job) error
	stop   func(*service)
	room   int // for jobs that the worker has not taken yet
}

// waits is right: who waits for the worker is told when it is gone.
var waits = design{submit: orStopped, stop: closeAndWait}

func orStopped(s *service, j job) error {
	if model.Select(s.jobs.SendCase(j), s.stopped.RecvCase(nil)) == 1 {
		return errStopped
	}
	return nil
}

func closeAndWait(s *service) {
	s.stopOnce.Do(s.stopping.Close)
	s.stopped.Recv()
}

// Every other design differs from waits in one thing.
var (
	// sends does not listen while it sends.
	sends = design{submit: always, stop: closeAndWait}

	// looks listens before it sends.
	looks = design{submit: unlessStopped, stop: closeAndWait}

	// buffers takes jobs for which there is no worker yet.
	buffers = design{submit: orStopped, stop: closeAndWait, room: 1}

	// closesJobs says by closing jobs that there will be no more.
	closesJobs = design{submit: orStopped, stop: closeJobsAndWait}

	// forgets does not wait for the worker.
	forgets = design{submit: orStopped, stop: func(s *service) { s.stopOnce.Do(s.stopping.Close) }}

	// closesTwice does not ask whether it was stopped before.
	closesTwice = design{submit: orStopped, stop: func(s *service) {
		s.stopping.Close()
		s.stopped.Recv()
	}}
)

func always(s *service, j job) error {
	s.jobs.Send(j)
	return nil
}

func unlessStopped(s *service, j job) error {
	if model.TrySelect(s.stopped.RecvCase(nil)) == 0 {
		return errStopped
	}
	return always(s, j)
}

func closeJobsAndWait(s *service) {
	s.stopOnce.Do(s.jobs.Close)
	s.stopped.Recv()
}
