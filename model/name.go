package model

import "github.com/modelcheck-go/modelcheck/sched"

// Object is something that goroutines communicate through: a channel or one of
// its views, or a pointer to another primitive of this package. The done channel of
// a context stands for the context, and a Group or Semaphore for the wait group or
// mutex in it.
type Object interface {
	// object returns the scheduler's side, nil for the nil channel.
	object(g *sched.G) *sched.Object
}

// Named names o in reports and returns it; without a name they show where o was
// created. Natively it only returns o.
//
//	reqCh := model.Named(model.NewChan[int](0), "reqCh")
//	model.Named(&s.mu, "mu").Lock()
func Named[O Object](o O, name string) O {
	if g := sched.Current(); g != nil {
		g.Name(o.object(g), name)
	}
	return o
}

func (ch Chan[T]) object(g *sched.G) *sched.Object     { return ch.c.object(g) }
func (ch SendOnly[T]) object(g *sched.G) *sched.Object { return ch.c.object(g) }
func (ch RecvOnly[T]) object(g *sched.G) *sched.Object { return ch.c.object(g) }

func (m *Mutex) object(g *sched.G) *sched.Object {
	return g.Object(&m.ref, sched.KindMutex)
}

func (rw *RWMutex) object(g *sched.G) *sched.Object {
	return g.Object(&rw.ref, sched.KindRWMutex)
}

func (wg *WaitGroup) object(g *sched.G) *sched.Object {
	return g.Object(&wg.ref, sched.KindWaitGroup)
}

func (o *Once) object(g *sched.G) *sched.Object {
	return g.Object(&o.ref, sched.KindOnce)
}
