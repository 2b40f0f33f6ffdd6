package lang

import (
	"sync"
	"unsafe"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// ends are the two ends of a channel under control; both zero for nil. A channel
// that belongs to a timer or a context has no in.
type ends[T any] struct {
	in  model.SendOnly[T]
	out model.RecvOnly[T]
}

func endsOf[T any](ch model.Chan[T]) *ends[T] {
	return &ends[T]{ch.SendOnly(), ch.RecvOnly()}
}

// table knows the real channels. Its keys are pointers, so that no address is used
// again while it is one. It serves one controlled run at a time.
var table struct {
	sync.Mutex
	bound  map[unsafe.Pointer]any // the *ends[T] of a chan T, in the current run
	refs   map[unsafe.Pointer]*sched.Ref
	native map[unsafe.Pointer]*native
	made   []*native // the same, in the order in which they were made
	seed   uint64    // see Seed
	seeded bool
}

// native is a channel that was made outside of every run.
type native struct {
	users  int           // operations on the real channel that are under way
	filled func() bool   // it has values, or is closed
	adopt  func() string // binds the channel in the current run, or says why it cannot be used there
	spoilt string        // why it can be used in no run, "" if it can
}

// Begin forgets what the last run left behind. It has to be called at the begin of
// every run, and once more after the last one.
func Begin() {
	table.Lock()
	defer table.Unlock()
	table.bound = map[unsafe.Pointer]any{}
	table.refs = map[unsafe.Pointer]*sched.Ref{}
	table.seeded = false
	if sched.Current() == nil {
		return
	}
	for _, n := range table.made {
		if n.filled() { // now, while nobody else is there to see it half done
			n.adopt() // if it fails, so does the first use
		}
	}
}

// Ref returns what ties the variable at p to its object in the current run.
func Ref(p unsafe.Pointer) *sched.Ref {
	table.Lock()
	defer table.Unlock()
	r := table.refs[p]
	if r == nil {
		if table.refs == nil {
			table.refs = map[unsafe.Pointer]*sched.Ref{}
		}
		r = new(sched.Ref)
		table.refs[p] = r
	}
	return r
}

// Bind returns a real channel that stands for out.
func Bind[T any](out model.RecvOnly[T]) <-chan T {
	c := make(chan T)
	bind(pointer(c), &ends[T]{out: out})
	return c
}

// Model returns the channel under control that c stands for.
func Model[T any](c <-chan T) model.RecvOnly[T] {
	return find[T](sched.Current(), pointer(c)).out
}

func bind[T any](p unsafe.Pointer, e *ends[T]) {
	table.Lock()
	defer table.Unlock()
	if table.bound == nil {
		table.bound = map[unsafe.Pointer]any{}
	}
	table.bound[p] = e
}

// pointer returns what identifies the channel c.
func pointer[C any](c C) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&c)) }

// find returns the ends of the channel p. It returns nil when the calling goroutine
// g is not modelled and the channel belongs to no run.
func find[T any](g *sched.G, p unsafe.Pointer) *ends[T] {
	if p == nil {
		if g == nil {
			return nil
		}
		return &ends[T]{}
	}
	table.Lock()
	defer table.Unlock()
	if e, ok := table.bound[p]; ok {
		return e.(*ends[T])
	}
	if g == nil {
		return nil
	}
	n := table.native[p]
	if n == nil {
		refuse("a channel is used that was made by code which is not under control: replace it in the test by one that the test makes")
	}
	if n.spoilt == "" && n.users == 0 && n.filled() {
		refuse("a channel is used that was made before the run and has changed since: make it in the test")
	}
	if why := n.adopt(); why != "" {
		refuse(why)
	}
	return table.bound[p].(*ends[T])
}

// remember notes a channel that is made outside of every run.
func remember[T any](c chan T) {
	note(pointer(c), &native{filled: func() bool { return filled(c) }, adopt: func() string { return adopt(c) }})
}

// RememberDone notes the channel of a context that is made outside of every run.
func RememberDone(c <-chan struct{}) {
	note(pointer(c), &native{filled: func() bool { return isDone(c) }, adopt: func() string {
		ch := model.NewChan[struct{}](0)
		if isDone(c) {
			ch.Close()
		}
		table.bound[pointer(c)] = endsOf(ch)
		return ""
	}})
}

// isDone reports whether c, on which nothing is sent, is closed.
func isDone(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func note(p unsafe.Pointer, n *native) {
	table.Lock()
	defer table.Unlock()
	if table.native == nil {
		table.native = map[unsafe.Pointer]*native{}
	}
	table.native[p] = n
	table.made = append(table.made, n)
}

// filled reports whether c is not as make left it.
func filled[T any](c chan T) bool {
	return len(c) > 0 || closed(c)
}

// closed reports whether c, which is empty, is closed.
func closed[T any](c chan T) bool {
	select {
	case v, ok := <-c:
		if ok { // somebody sends: it is not ours to take
			c <- v
		}
		return !ok
	default:
		return false
	}
}

// adopt gives c, which was made outside of every run, a channel of the current run
// in the same state. The caller holds the lock of the table, and is the run's only
// goroutine unless c is empty and open.
func adopt[T any](c chan T) (why string) {
	p := pointer(c)
	switch n := table.native[p]; {
	case n.spoilt != "":
		return n.spoilt
	case n.users > 0:
		return "a channel is used that a goroutine outside the controlled run waits for, one that was started by an init function or TestMain: start it in the test"
	}
	ch := model.NewChan[T](cap(c))
	n := len(c)
	for range n {
		v := <-c
		if !restore(c, v) {
			table.native[p].spoilt = "a channel is used that was closed with values in it before the run: fill it in the test"
			return table.native[p].spoilt
		}
		ch.Send(v)
	}
	if n == 0 && closed(c) {
		ch.Close()
	}
	table.bound[p] = endsOf(ch)
	return ""
}

// restore puts back a value that was taken from c, unless c is closed.
func restore[T any](c chan T, v T) (ok bool) {
	defer func() { ok = recover() == nil }()
	c <- v
	return
}

// refuse ends the run; the caller holds the lock of the table.
func refuse(text string) {
	table.Unlock()
	defer table.Lock() // for the caller, which is being unwound
	sched.Current().Misuse(text)
}

// use notes that the calling goroutine, which is not modelled, is about to operate on
// the real channel p. The caller has to call the function returned when it is done.
func use(p unsafe.Pointer) (done func()) {
	table.Lock()
	defer table.Unlock()
	n := table.native[p]
	if n == nil {
		return func() {}
	}
	n.users++
	return func() {
		table.Lock()
		defer table.Unlock()
		n.users--
	}
}
