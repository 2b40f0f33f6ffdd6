package model

import (
	"math/rand/v2"
	"reflect"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Case is one case of a [Select] or [TrySelect]. The methods SendCase, RecvCase
// and RecvOKCase of channels make it, and it may be used any number of times. The
// zero value is a case that never goes, as is one on a nil channel.
type Case struct {
	ch   selectable
	send bool
	elem any   // the value to send; or the *T where to put the value received, nil to drop it
	ok   *bool // receive: where to put whether a value came, nil: nowhere
}

// SendCase is `case ch <- v:`.
func (ch Chan[T]) SendCase(v T) Case { return Case{ch: ch.c, send: true, elem: v} }

// RecvCase is `case *p = <-ch:`, or `case <-ch:` when p is nil.
func (ch Chan[T]) RecvCase(p *T) Case { return Case{ch: ch.c, elem: p} }

// RecvOKCase is `case *p, *ok = <-ch:`; either may be nil.
func (ch Chan[T]) RecvOKCase(p *T, ok *bool) Case { return Case{ch: ch.c, elem: p, ok: ok} }

// SendCase is [Chan.SendCase].
func (ch SendOnly[T]) SendCase(v T) Case { return Case{ch: ch.c, send: true, elem: v} }

// RecvCase is [Chan.RecvCase].
func (ch RecvOnly[T]) RecvCase(p *T) Case { return Case{ch: ch.c, elem: p} }

// RecvOKCase is [Chan.RecvOKCase].
func (ch RecvOnly[T]) RecvOKCase(p *T, ok *bool) Case { return Case{ch: ch.c, elem: p, ok: ok} }

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
func Select(cases ...Case) int { return choose(cases, false) }

// TrySelect is the select statement with a default: it returns -1 at once when no
// case can go.
//
// A goroutine that is about to communicate on an unbuffered channel may or may not
// wait there already; so when it is the only partner, both it and the default are
// explored.
func TrySelect(cases ...Case) int { return choose(cases, true) }

// choose keeps nothing of cases, so that the callers' slices stay on their stacks.
func choose(cases []Case, hasDefault bool) int {
	if g := sched.Current(); g != nil {
		return controlledSelect(g, cases, hasDefault)
	}
	if len(cases) == 1 {
		return cases[0].alone(!hasDefault)
	}
	return nativeSelect(cases, hasDefault)
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
		c := &cases[index]
		c.received(c.ch.fetch(g, slot, c.elem))
	}
	return index
}

func nativeSelect(cases []Case, hasDefault bool) int {
	if i := selectNow(cases); i >= 0 {
		return i
	}
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
		c.ch.assign(v, c.elem)
		c.received(ok)
	}
	return index
}

// maxInTurn bounds the cases that are tried in turn; their orders can be told apart by
// 64 random bits.
const maxInTurn = 16

// selectNow tries the cases one after the other, in random order, and returns the index
// of the first that could go. If it returns -1 that does not mean that none could at
// any one moment. It saves package reflect, which takes longer than the communication.
func selectNow(cases []Case) int {
	if len(cases) > maxInTurn {
		return -1
	}
	var order [maxInTurn]uint8
	random := rand.Uint64()
	for i := range cases {
		n := uint64(i + 1)
		j := random % n
		random /= n
		order[i] = order[j]
		order[j] = uint8(i)
	}
	for _, i := range order[:len(cases)] {
		if c := &cases[i]; c.ch != nil && c.alone(false) == 0 {
			return int(i)
		}
	}
	return -1
}

func (c *Case) announce(g *sched.G) sched.Case {
	if c.ch == nil {
		return sched.Case{}
	}
	return c.ch.announce(g, c.send, c.elem)
}

func (c *Case) reflected() reflect.SelectCase {
	if c.ch == nil {
		return reflect.SelectCase{Dir: reflect.SelectRecv}
	}
	return c.ch.reflected(c.send, c.elem)
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
	went, ok := c.ch.native(c.send, wait, c.elem)
	if !went {
		return -1
	}
	if !c.send {
		c.received(ok)
	}
	return 0
}

// selectable is a core of any type. An elem is what Case.elem says.
type selectable interface {
	// announce describes the case to the scheduler.
	announce(g *sched.G, send bool, elem any) sched.Case
	// fetch puts the value in slot, negative when there is none, into elem.
	fetch(g *sched.G, slot int32, elem any) (ok bool)
	// native communicates on the real channel, waiting or only if it can at once.
	native(send, wait bool, elem any) (went, ok bool)
	// reflected describes the case for reflect.Select.
	reflected(send bool, elem any) reflect.SelectCase
	// assign puts the value that reflect.Select received into elem.
	assign(v reflect.Value, elem any)
}

func (c *core[T]) announce(g *sched.G, send bool, elem any) sched.Case {
	obj := c.object(g)
	if obj == nil {
		return sched.Case{}
	}
	if !send {
		return sched.Case{Chan: obj}
	}
	return sched.Case{Chan: obj, Send: true, Slot: c.put(g, obj, value[T](elem))}
}

func (c *core[T]) fetch(g *sched.G, slot int32, elem any) bool {
	v, ok := c.take(g, c.obj, slot)
	if p := elem.(*T); p != nil {
		*p = v
	}
	return ok
}

func (c *core[T]) native(send, wait bool, elem any) (went, ok bool) {
	if send {
		return c.nativeSend(wait, value[T](elem)), true
	}
	v, went, ok := c.nativeRecv(wait)
	if p := elem.(*T); went && p != nil {
		*p = v
	}
	return went, ok
}

func (c *core[T]) nativeSend(wait bool, v T) (went bool) {
	in := c.sending("chan select")
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
	out := c.receiving("chan select")
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

func (c *core[T]) reflected(send bool, elem any) reflect.SelectCase {
	if !send {
		return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c.receiving("chan select"))}
	}
	v := value[T](elem)
	return reflect.SelectCase{
		Dir:  reflect.SelectSend,
		Chan: reflect.ValueOf(c.sending("chan select")),
		Send: reflect.ValueOf(&v).Elem(), // typed also when T is an interface and v nil
	}
}

func (c *core[T]) assign(v reflect.Value, elem any) {
	if p := elem.(*T); p != nil {
		reflect.ValueOf(p).Elem().Set(v)
	}
}

// value undoes the conversion of a T to any; the nil of an interface type loses
// its type there.
func value[T any](elem any) T {
	v, _ := elem.(T)
	return v
}
