package model

import (
	"reflect"
	"unsafe"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Case is one case of a [Select] or [TrySelect]. The methods SendCase, RecvCase
// and RecvOKCase of channels make it; the zero value is a case that never goes,
// as is one on a nil channel.
type Case struct {
	ch   selectable
	send bool
	elem unsafe.Pointer // of the channel's type: the value to send, or where to put the value received; nil: drop it
	ok   *bool          // receive: where to put whether a value came; nil: nowhere
}

// SendCase is `case ch <- v:`.
func (ch Chan[T]) SendCase(v T) Case { return ch.c.sendCase(&v) }

// RecvCase is `case *p = <-ch:`, or `case <-ch:` when p is nil.
func (ch Chan[T]) RecvCase(p *T) Case { return ch.c.recvCase(p, nil) }

// RecvOKCase is `case *p, *ok = <-ch:`; either may be nil.
func (ch Chan[T]) RecvOKCase(p *T, ok *bool) Case { return ch.c.recvCase(p, ok) }

// SendCase is [Chan.SendCase].
func (ch SendOnly[T]) SendCase(v T) Case { return ch.c.sendCase(&v) }

// RecvCase is [Chan.RecvCase].
func (ch RecvOnly[T]) RecvCase(p *T) Case { return ch.c.recvCase(p, nil) }

// RecvOKCase is [Chan.RecvOKCase].
func (ch RecvOnly[T]) RecvOKCase(p *T, ok *bool) Case { return ch.c.recvCase(p, ok) }

// Select is the select statement without a default: it waits until one of the
// cases can go, lets it happen and returns its index. Which of several that can
// go is explored; natively it is random. Without a case that can ever go it
// blocks for ever. It panics with "send on closed channel" when a send on a
// closed channel is chosen.
//
//	var v int
//	switch model.Select(jobs.RecvCase(&v), out.SendCase(7), ctx.Done().RecvCase(nil)) {
//	case 0: // v was received
//	case 1: // 7 was sent
//	case 2: // ctx is done
//	}
func Select(cases ...Case) int {
	if g := sched.Current(); g != nil {
		return controlledSelect(g, cases, false)
	}
	switch len(cases) {
	case 0:
		select {}
	case 1:
		return cases[0].alone(true)
	}
	return nativeSelect(cases, false)
}

// TrySelect is the select statement with a default: it returns -1 at once when no
// case can go.
//
// A goroutine that is about to communicate on an unbuffered channel may or may not
// wait there already; so when it is the only partner, both it and the default are
// explored.
func TrySelect(cases ...Case) int {
	if g := sched.Current(); g != nil {
		return controlledSelect(g, cases, true)
	}
	switch len(cases) {
	case 0:
		return -1
	case 1:
		return cases[0].alone(false)
	}
	return nativeSelect(cases, true)
}

// selectable is a core of any type. Its methods must not keep elem: see noescape.
type selectable interface {
	// announce describes the case to the scheduler.
	announce(g *sched.G, send bool, elem unsafe.Pointer) sched.Case
	// fetch puts the value in slot into elem.
	fetch(g *sched.G, slot int32, elem unsafe.Pointer) (ok bool)
	// native communicates on the real channel, waiting or only if it can at once.
	native(send, wait bool, elem unsafe.Pointer) (went, ok bool)
	// reflected describes the case for reflect.Select.
	reflected(send bool, elem unsafe.Pointer) reflect.SelectCase
	// assign puts the value that reflect.Select received into elem.
	assign(v reflect.Value, elem unsafe.Pointer)
}

func (c *core[T]) sendCase(v *T) Case {
	return Case{ch: c, send: true, elem: unsafe.Pointer(v)}
}

func (c *core[T]) recvCase(p *T, ok *bool) Case {
	return Case{ch: c, elem: unsafe.Pointer(p), ok: ok}
}

func controlledSelect(g *sched.G, cases []Case, hasDefault bool) int {
	pending := g.Cases()
	for i := range cases {
		pending = append(pending, cases[i].announce(g))
	}
	index, slot := g.Select(pending, hasDefault)
	for i, p := range pending {
		if p.Send && i != index {
			g.Release(p.Chan, p.Slot)
		}
	}
	if index >= 0 && !cases[index].send {
		cases[index].fetch(g, slot)
	}
	return index
}

func (c *Case) announce(g *sched.G) sched.Case {
	if c.ch == nil {
		return sched.Case{}
	}
	return c.ch.announce(g, c.send, noescape(c.elem))
}

func (c *Case) fetch(g *sched.G, slot int32) {
	c.received(c.ch.fetch(g, slot, noescape(c.elem)))
}

func (c *Case) received(ok bool) {
	if c.ok != nil {
		*c.ok = ok
	}
}

// alone runs a native select of one case.
func (c *Case) alone(wait bool) int {
	if c.ch == nil {
		return nativeSelect(nil, !wait)
	}
	went, ok := c.ch.native(c.send, wait, noescape(c.elem))
	if !went {
		return -1
	}
	c.received(ok)
	return 0
}

func nativeSelect(cases []Case, hasDefault bool) int {
	list := make([]reflect.SelectCase, len(cases), len(cases)+1)
	for i := range cases {
		list[i] = cases[i].reflected()
	}
	if hasDefault {
		list = append(list, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	index, v, ok := reflect.Select(list)
	if index == len(cases) {
		return -1
	}
	if c := &cases[index]; !c.send {
		c.ch.assign(v, noescape(c.elem))
		c.received(ok)
	}
	return index
}

func (c *Case) reflected() reflect.SelectCase {
	if c.ch == nil {
		return reflect.SelectCase{Dir: reflect.SelectRecv}
	}
	return c.ch.reflected(c.send, noescape(c.elem))
}

func (c *core[T]) announce(g *sched.G, send bool, elem unsafe.Pointer) sched.Case {
	obj := c.object(g)
	if obj == nil {
		return sched.Case{}
	}
	if !send {
		return sched.Case{Chan: obj}
	}
	return sched.Case{Chan: obj, Send: true, Slot: c.put(g, obj, *(*T)(elem))}
}

func (c *core[T]) fetch(g *sched.G, slot int32, elem unsafe.Pointer) bool {
	v, ok := c.take(g, c.obj, slot)
	if elem != nil {
		*(*T)(elem) = v
	}
	return ok
}

func (c *core[T]) native(send, wait bool, elem unsafe.Pointer) (went, ok bool) {
	if send {
		return c.nativeSend(wait, *(*T)(elem)), false
	}
	v, went, ok := c.nativeRecv(wait)
	if went && elem != nil {
		*(*T)(elem) = v
	}
	return went, ok
}

func (c *core[T]) nativeSend(wait bool, v T) (went bool) {
	in := c.sending("select")
	if wait {
		in <- v
		return true
	}
	select {
	case in <- v:
		return true
	default:
		return false
	}
}

func (c *core[T]) nativeRecv(wait bool) (v T, went, ok bool) {
	out := c.receiving("select")
	if wait {
		v, ok = <-out
		return v, true, ok
	}
	select {
	case v, ok = <-out:
		return v, true, ok
	default:
		return v, false, false
	}
}

func (c *core[T]) reflected(send bool, elem unsafe.Pointer) reflect.SelectCase {
	if !send {
		return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c.receiving("select"))}
	}
	v := *(*T)(elem)
	return reflect.SelectCase{
		Dir:  reflect.SelectSend,
		Chan: reflect.ValueOf(c.sending("select")),
		Send: reflect.ValueOf(&v).Elem(),
	}
}

func (c *core[T]) assign(v reflect.Value, elem unsafe.Pointer) {
	if elem != nil {
		reflect.ValueOf((*T)(elem)).Elem().Set(v)
	}
}

// noescape hides p from escape analysis, which must assume that a method called
// through an interface keeps its arguments. No method of selectable does, so the
// variables behind the cases of a select can stay on the caller's stack. p itself
// stays in the caller's frame, where stack growth finds it.
func noescape(p unsafe.Pointer) (q unsafe.Pointer) {
	*(*uintptr)(unsafe.Pointer(&q)) = uintptr(p)
	return q
}
