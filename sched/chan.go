package sched

// Channels. An unbuffered send and its receive are ONE joint event of two
// goroutines that have both announced. On a buffered channel a send is enabled
// while there is room and a receive while there is a value; a waiting partner is
// not served in passing, as the runtime does, but by an event of its own, which
// reaches the same states. Closing enables every pending send, which panics, and
// every pending receive.

// NewChan makes a channel. It panics as make does when the capacity is negative;
// how large it may be depends on the element and is the caller's to check.
func (g *G) NewChan(capacity int) *Object {
	if capacity < 0 {
		panic(runtimeError("makechan: size out of range"))
	}
	o := g.newObject(KindChan)
	o.capacity, o.full = capacity, capacity
	return o
}

// Slot hands out a place for one value sent on ch: a small number that is free
// until Release.
func (g *G) Slot(ch *Object) int32 {
	if k := len(ch.free); k > 0 {
		slot := ch.free[k-1]
		ch.free = ch.free[:k-1]
		return slot
	}
	ch.slots++
	return ch.slots - 1
}

// Release gives back a slot whose value was taken.
func (g *G) Release(ch *Object, slot int32) { ch.free = append(ch.free, slot) }

// Send sends the value in slot. A nil channel blocks for ever. It panics with
// Go's text when the channel is closed.
func (g *G) Send(ch *Object, slot int32) {
	g.AnnounceSend(ch, slot)
	g.ViaNext()
	g.ViaYield()
	g.FinishSend()
}

// AnnounceSend is the first part of a Send that its caller spells out, in order to
// park fewer calls deep; see ViaNext.
func (g *G) AnnounceSend(ch *Object, slot int32) {
	e := g.e
	g.way = stay
	if e.special && !g.specialOp(OpSend, nil) {
		return
	}
	g.kind, g.obj, g.arg = OpSend, ch, int(slot)
	g.multi, g.self = false, ch != nil && ch.capacity > 0
	if e.alone(g) && ch != nil && ch.canSend() {
		g.goAlone()
		return
	}
	if e.capture {
		g.site = g.callSite()
	}
	if ch != nil && g.offer(ch, 0) {
		e.enabled.add(g.id)
	}
	g.decide()
}

// FinishSend is the last part.
func (g *G) FinishSend() {
	if g.due {
		if g.noted() {
			g.own()
		} else { // the same, but without looking for what to do
			g.account()
			g.put(g.obj, int32(g.arg))
		}
	}
	g.goOn()
}

// Recv receives a value and returns its slot, or -1 when the channel is closed
// and drained. A nil channel blocks for ever.
func (g *G) Recv(ch *Object) int32 {
	g.AnnounceRecv(ch)
	g.ViaNext()
	g.ViaYield()
	return g.FinishRecv()
}

// AnnounceRecv is the first part of a Recv; see AnnounceSend.
func (g *G) AnnounceRecv(ch *Object) {
	e := g.e
	g.way = stay
	if e.special && !g.specialOp(OpRecv, nil) {
		g.result = -1
		return
	}
	g.kind, g.obj = OpRecv, ch
	g.multi, g.self = false, ch != nil && ch.capacity > 0
	if e.alone(g) && ch != nil && ch.canRecv() {
		g.goAlone()
		return
	}
	if e.capture {
		g.site = g.callSite()
	}
	if ch != nil && g.seek(ch, 0) {
		e.enabled.add(g.id)
	}
	g.decide()
}

// FinishRecv is the last part.
func (g *G) FinishRecv() int32 {
	if g.due {
		if g.noted() {
			g.own()
		} else { // the same, but without looking for what to do
			g.account()
			g.get(g.obj)
		}
	}
	g.goOn()
	return g.result
}

// Close closes the channel.
func (g *G) Close(ch *Object) {
	g.always(OpClose, ch)
}

// Len returns the number of buffered values.
func (g *G) Len(ch *Object) int {
	if ch == nil {
		return 0
	}
	if !g.e.special && g.always(OpLen, ch) {
		return int(g.result)
	}
	if g.e.looking != nil {
		g.e.see(OpLen, ch)
	}
	return ch.visible()
}

// canSend and canRecv report whether a send or receive can go without a partner.
func (ch *Object) canSend() bool { return ch.n != ch.full }

func (ch *Object) canRecv() bool { return ch.n != ch.drained }

// can is one of them.
func (ch *Object) can(send bool) bool {
	if send {
		return ch.canSend()
	}
	return ch.canRecv()
}

// offer and seek enter a pending send or receive, case number i of g's operation,
// and report whether it can go. On an unbuffered channel they enable the partners
// that wait on the other side.
func (g *G) offer(ch *Object, i int32) bool {
	if ch.capacity > 0 {
		ch.sending.add(g.id)
		return ch.canSend()
	}
	ch.senders = append(ch.senders, waiter{g, i})
	g.multi = true
	g.enableAll(ch.receivers)
	return g.ways(ch, true) > 0
}

func (g *G) seek(ch *Object, i int32) bool {
	if ch.capacity > 0 {
		ch.receiving.add(g.id)
		return ch.canRecv()
	}
	ch.receivers = append(ch.receivers, waiter{g, i})
	g.multi = true
	g.enableAll(ch.senders)
	return g.ways(ch, false) > 0
}

// enableAll enables everyone in list but g itself, which cannot be its own
// partner.
func (g *G) enableAll(list []waiter) {
	for _, w := range list {
		if w.g != g {
			g.e.enabled.add(w.g.id)
		}
	}
}

// partners counts the waiters of other goroutines.
func (g *G) partners(list []waiter) int {
	n := 0
	for _, w := range list {
		if w.g != g {
			n++
		}
	}
	return n
}

// partner returns the k-th waiter of another goroutine.
func (g *G) partner(list []waiter, k int) waiter {
	for _, w := range list {
		if w.g != g {
			if k == 0 {
				return w
			}
			k--
		}
	}
	panic("modelcheck: internal error: no such partner")
}

// ways counts in how many ways a send or receive of g on ch can finish now.
func (g *G) ways(ch *Object, send bool) int {
	switch {
	case ch == nil:
		return 0
	case ch.can(send):
		return 1
	case send:
		return g.partners(ch.receivers)
	}
	return g.partners(ch.senders)
}

// deliver makes a send or receive of g on ch, which it has withdrawn, happen in
// its k-th way and returns the partner of a rendezvous.
func (g *G) deliver(ch *Object, send bool, slot int32, k int) *G {
	switch {
	case ch.capacity == 0 && !ch.closed:
		return g.meet(ch, send, slot, k)
	case send:
		g.put(ch, slot)
	default:
		g.get(ch)
	}
	return nil
}

// put sends the value in slot on a channel that is not full.
func (g *G) put(ch *Object, slot int32) {
	g.e.enabled.remove(g.id)
	ch.sending.remove(g.id)
	if ch.closed {
		g.raise = raiseSendOnClosed
		return
	}
	ch.enqueue(slot)
	g.e.enabled.addAll(&ch.receiving)
	if ch.n == ch.full && !ch.sending.empty() {
		g.e.recheck(&ch.sending)
	}
}

// get receives from a channel that is not drained.
func (g *G) get(ch *Object) {
	g.e.enabled.remove(g.id)
	ch.receiving.remove(g.id)
	if ch.n == 0 {
		g.result = -1
		return
	}
	g.result = ch.dequeue()
	g.e.enabled.addAll(&ch.sending)
	if ch.n == ch.drained && !ch.receiving.empty() {
		g.e.recheck(&ch.receiving)
	}
}

// meet makes the rendezvous of g with its k-th partner happen.
func (g *G) meet(ch *Object, send bool, slot int32, k int) *G {
	list := ch.senders
	if send {
		list = ch.receivers
	}
	w := g.partner(list, k)
	h := w.g
	if send {
		h.result = slot
	} else {
		g.result = int32(h.arg)
		if h.kind == OpSelect {
			g.result = h.cases[w.i].Slot
		}
	}
	h.index, h.raise = w.i, raiseNothing
	g.sent = send
	h.withdraw()
	h.ops++
	return h
}

// withdraw removes g's pending operation from every channel that it waits on and
// disables the partners that lose their last one.
func (g *G) withdraw() {
	g.e.enabled.remove(g.id)
	switch g.kind {
	case OpSend, OpRecv:
		send := g.kind == OpSend
		g.leave(g.obj, send)
		g.obj.lost(send)
	case OpSelect:
		for _, c := range g.cases {
			if c.Chan != nil {
				g.leave(c.Chan, c.Send)
			}
		}
		for _, c := range g.cases {
			if c.Chan != nil {
				c.Chan.lost(c.Send)
			}
		}
	}
}

// leave undoes offer or seek.
func (g *G) leave(ch *Object, send bool) {
	switch {
	case ch.capacity > 0 && send:
		ch.sending.remove(g.id)
	case ch.capacity > 0:
		ch.receiving.remove(g.id)
	case send:
		ch.senders = drop(ch.senders, g)
	default:
		ch.receivers = drop(ch.receivers, g)
	}
}

// lost rechecks the goroutines on the other side of an unbuffered channel after a
// sender or receiver left.
func (ch *Object) lost(sender bool) {
	if ch.closed {
		return
	}
	others := ch.senders
	if sender {
		others = ch.receivers
	}
	for _, w := range others {
		w.g.recheck()
	}
}

// shut closes ch: everyone who waits on it can go on.
func (ch *Object) shut(g *G) {
	ch.closed, ch.full, ch.drained = true, -1, -1
	e := g.e
	e.enabled.addAll(&ch.sending)
	e.enabled.addAll(&ch.receiving)
	g.enableAll(ch.senders)
	g.enableAll(ch.receivers)
}
