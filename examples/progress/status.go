package progress

import (
	"errors"
	"fmt"

	"github.com/modelcheck-go/modelcheck/model"
)

// status is the call in which a client follows a build: the build's Status produces
// updates on a channel, and another goroutine takes them from there and sends them to
// the client. An errgroup looks after both.
type status struct {
	capacity int  // of the channel, 8 in the original
	updates  int  // of the build; the last comes when Status returns
	drains   bool // who has failed to send an update takes the rest all the same
	cancels  bool // and before that ends the context, so that the rest be short
}

var errGone = errors.New("the client is gone")

// serve returns the body to explore: one call, whose client may be gone any time.
func (s status) serve() {
	ch := model.Named(model.NewChan[int](s.capacity), "ch")
	outer, cancel := model.WithCancel(model.Background())
	defer cancel()
	g, ctx := model.NewGroup(outer)
	model.Named(g, "errgroup")
	var failed error
	g.Go(func() error { return s.produce(ctx, ch) })
	g.Go(func() error {
		failed = s.consume(ch, cancel)
		return failed
	})
	err := g.Wait()
	model.AtEnd("B6: the call returns what went wrong", func() error {
		if err != failed {
			return fmt.Errorf("wanted %v, found %v", failed, err)
		}
		return nil
	})
}

// produce is Job.Status. It ends with an update that it sends come what may.
func (s status) produce(ctx model.Context, ch model.Chan[int]) error {
	defer func() {
		ch.Send(s.updates)
		ch.Close()
	}()
	for i := range s.updates - 1 {
		if model.Select(ctx.Done().RecvCase(nil), ch.SendCase(i+1)) == 0 {
			return ctx.Err()
		}
	}
	return nil
}

// consume is the other goroutine.
func (s status) consume(ch model.Chan[int], cancel func()) error {
	if s.drains {
		defer func() {
			for range ch.All() {
			}
		}()
	}
	for range ch.All() {
		if model.Choose(2) == 1 {
			if s.cancels {
				cancel()
			}
			return errGone
		}
	}
	return nil
}
