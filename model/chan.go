package model

import (
	"iter"
	"math/bits"
	"reflect"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Chan is a channel of T: what `chan T` is in Go. It is a small value that is
// copied and compared as a channel is; the zero value is the nil channel. All
// methods may be called concurrently.
//
// Send, Recv, RecvOK, Close and Len are steps of a controlled run, and so is each
// turn of a loop over All; Cap is none.
type Chan[T any] struct{ c *core[T] }

// SendOnly is the view of a channel that `chan<- T` is in Go. Its zero value is
// the nil channel.
type SendOnly[T any] struct{ c *core[T] }

// RecvOnly is the view of a channel that `<-chan T` is in Go. Its zero value is
// the nil channel.
type RecvOnly[T any] struct{ c *core[T] }

// NewChan makes a channel, as make(chan T, capacity) does, and like it panics
// with "makechan: size out of range" when the capacity is negative or so large that
// the values would not fit into the address space.
//
// The channel belongs to the world that it was made in: one that is made in a
// controlled run must be used by that run's goroutines only.
func NewChan[T any](capacity int) Chan[T] {
	if g := sched.Current(); g != nil {
		if !fits[T](capacity) {
			capacity = -1
		}
		c := &core[T]{run: g.Run(), obj: g.NewChan(capacity)}
		c.reserve(min(capacity, prealloc) + 1)
		return Chan[T]{c}
	}
	ch := make(chan T, capacity)
	return Chan[T]{&core[T]{in: ch, out: ch}}
}

// maxBytes is how large an object the runtime makes at most, on most platforms.
const maxBytes = 1<<(16+bits.UintSize/2) - 1

// fits reports whether the runtime would make a channel of T as large as that, if it
// had the memory.
func fits[T any](capacity int) bool {
	high, bytes := bits.Mul(uint(reflect.TypeFor[T]().Size()), uint(capacity))
	return high == 0 && bytes <= maxBytes
}

// Send sends v: `ch <- v`. It panics with "send on closed channel" when the
// channel is closed, or becomes so while Send waits. On a nil channel it blocks
// for ever.
func (ch Chan[T]) Send(v T) { ch.c.send(v) }

// Recv receives a value: `<-ch`; the zero value once the channel is closed and
// drained. On a nil channel it blocks for ever.
func (ch Chan[T]) Recv() T { v, _ := ch.c.recv(); return v }

// RecvOK receives a value: `v, ok := <-ch`; ok is false once the channel is closed
// and drained.
func (ch Chan[T]) RecvOK() (v T, ok bool) { return ch.c.recv() }

// Close closes the channel: close(ch). It panics with "close of closed channel"
// or "close of nil channel".
func (ch Chan[T]) Close() { ch.c.close() }

// Len returns the number of buffered values: len(ch).
func (ch Chan[T]) Len() int { return ch.c.len() }

// Cap returns the capacity: cap(ch).
func (ch Chan[T]) Cap() int { return ch.c.cap() }

// All returns an iterator that receives until the channel is closed and drained:
// `for v := range ch.All()` is `for v := range ch`.
func (ch Chan[T]) All() iter.Seq[T] { return ch.c.all() }

// SendOnly returns the channel as one to send on.
func (ch Chan[T]) SendOnly() SendOnly[T] { return SendOnly[T](ch) }

// RecvOnly returns the channel as one to receive from.
func (ch Chan[T]) RecvOnly() RecvOnly[T] { return RecvOnly[T](ch) }

// Send is [Chan.Send].
func (ch SendOnly[T]) Send(v T) { ch.c.send(v) }

// Close is [Chan.Close].
func (ch SendOnly[T]) Close() { ch.c.close() }

// Len is [Chan.Len].
func (ch SendOnly[T]) Len() int { return ch.c.len() }

// Cap is [Chan.Cap].
func (ch SendOnly[T]) Cap() int { return ch.c.cap() }

// Recv is [Chan.Recv].
func (ch RecvOnly[T]) Recv() T { v, _ := ch.c.recv(); return v }

// RecvOK is [Chan.RecvOK].
func (ch RecvOnly[T]) RecvOK() (v T, ok bool) { return ch.c.recv() }

// Len is [Chan.Len].
func (ch RecvOnly[T]) Len() int { return ch.c.len() }

// Cap is [Chan.Cap].
func (ch RecvOnly[T]) Cap() int { return ch.c.cap() }

// All is [Chan.All].
func (ch RecvOnly[T]) All() iter.Seq[T] { return ch.c.all() }

// core is a channel. It lives in one world: either it belongs to a controlled run,
// where the scheduler decides who communicates and the values on their way are in
// vals; or in and out are the two ends of a real channel. A nil core is the nil
// channel.
type core[T any] struct {
	run  uint64        // serial number of its run, 0 for a real channel
	obj  *sched.Object // valid in that run only; nil for a real channel
	vals []T           // vals[slot], for every slot that the scheduler ever handed out
	few  [2]T          // where vals starts if that is enough, which saves an allocation

	in  chan<- T // nil for a context's done channel
	out <-chan T
}

// prealloc bounds the places for values that a channel starts with; more are
// made when they are needed.
const prealloc = 64

// reserve makes room for n values.
func (c *core[T]) reserve(n int) {
	if n <= len(c.few) {
		c.vals = c.few[:0]
	} else {
		c.vals = make([]T, 0, min(n, prealloc))
	}
}

func (c *core[T]) send(v T) {
	g := sched.Current()
	if g == nil {
		c.sending("chan send") <- v
		return
	}
	obj := c.object(g)
	g.AnnounceSend(obj, c.put(g, obj, v))
	g.ViaNext()
	g.ViaYield()
	g.FinishSend()
}

func (c *core[T]) recv() (v T, ok bool) {
	g := sched.Current()
	if g == nil {
		v, ok = <-c.receiving("chan receive")
		return v, ok
	}
	obj := c.object(g)
	g.AnnounceRecv(obj)
	g.ViaNext()
	g.ViaYield()
	return c.take(g, obj, g.FinishRecv())
}

func (c *core[T]) close() {
	if g := sched.Current(); g != nil {
		g.Close(c.object(g))
		return
	}
	close(c.sending("chan close"))
}

func (c *core[T]) len() int {
	if g := sched.Current(); g != nil {
		return g.Len(c.object(g))
	}
	return len(c.receiving("chan len"))
}

func (c *core[T]) cap() int {
	if g := sched.Current(); g != nil {
		return c.object(g).Cap()
	}
	return cap(c.receiving("chan cap"))
}

func (c *core[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			v, ok := c.recv()
			if !ok || !yield(v) {
				return
			}
		}
	}
}

// put stores v until it is received and returns its slot.
func (c *core[T]) put(g *sched.G, obj *sched.Object, v T) int32 {
	if obj == nil {
		return 0
	}
	slot := g.Slot(obj)
	if int(slot) < len(c.vals) {
		c.vals[slot] = v
	} else {
		c.vals = append(c.vals, v) // new slots come in order
	}
	return slot
}

// take fetches the value in slot, which is negative for a closed channel.
func (c *core[T]) take(g *sched.G, obj *sched.Object, slot int32) (v T, ok bool) {
	if slot < 0 {
		return v, false
	}
	g.Release(obj, slot)
	return c.vals[slot], true
}

// object returns the scheduler's side of the channel, nil for the nil channel.
func (c *core[T]) object(g *sched.G) *sched.Object {
	if c != nil && c.run == g.Run() {
		return c.obj
	}
	return c.noObject(g)
}

// noObject returns nil for the nil channel, and ends the run of g when the channel
// does not belong to it.
func (c *core[T]) noObject(g *sched.G) *sched.Object {
	if c == nil {
		return nil
	}
	if c.obj == nil {
		g.Misuse("a channel or context that was made outside the controlled run is used in it: make it inside the body")
	}
	g.Misuse("a channel or context that was made in another controlled run is used: make it inside the body, and keep none in package-level variables")
	return nil
}

// sending and receiving return the ends of the real channel, nil for the nil
// channel. They do not return when the channel belongs to a controlled run.
func (c *core[T]) sending(op string) chan<- T {
	if c == nil {
		return nil
	}
	c.checkNative(op)
	return c.in
}

func (c *core[T]) receiving(op string) <-chan T {
	if c == nil {
		return nil
	}
	c.checkNative(op)
	return c.out
}

func (c *core[T]) checkNative(op string) {
	if c.obj != nil {
		sched.ForeignUse(c.obj, op)
	}
}
