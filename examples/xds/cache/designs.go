package cache

// design is one way to bring responses from the cache to the handler. Each differs
// from landed in one thing.
type design struct {
	muxed        func(*stream) muxed
	hasty        bool // a request is handled although there are responses to be taken
	unlocks      bool // SetSnapshot unlocks the cache before it sends
	closesFirst  bool // the handler closes muxed before it cancels its watches
	forgets      bool // the handler leaves all to the garbage collector
	keepsOutlets bool // the handler cancels its watches, but not their outlets
}

// landed is pull request #752, where there are as many types as it was made for: muxed
// has room for two responses of each.
var landed = design{muxed: room(func(types int) int { return 2 * types })}

func room(capacity func(types int) int) func(*stream) muxed {
	return func(s *stream) muxed { return newBounded(capacity(s.env.types)) }
}

// but returns landed with a change.
func but(change func(*design)) design {
	d := landed
	change(&d)
	return d
}

var (
	// short is issue #875: there are more types than muxed has room for. exact has room
	// for one response of each, and spare for one more than that.
	short = but(func(d *design) { d.muxed = room(func(types int) int { return types - 1 }) })
	exact = but(func(d *design) { d.muxed = room(func(types int) int { return types }) })
	spare = but(func(d *design) { d.muxed = room(func(types int) int { return types + 1 }) })

	// unbounded has room for all.
	unbounded = but(func(d *design) { d.muxed = func(*stream) muxed { return newQueue() } })

	hasty       = but(func(d *design) { d.hasty = true })
	closesFirst = but(func(d *design) { d.closesFirst = true })
	forgets     = but(func(d *design) { d.forgets = true })

	// unlocks sends when nobody has to wait for the cache any more, unlocksShort without
	// the room to do so, unlocksUnbounded with room for all.
	unlocks          = but(func(d *design) { d.unlocks = true })
	unlocksShort     = but(func(d *design) { d.unlocks, d.muxed = true, short.muxed })
	unlocksUnbounded = but(func(d *design) { d.unlocks, d.muxed = true, unbounded.muxed })
)

// What was there before: each watch had a channel of its own, and a goroutine that
// brought what came there to the handler.
var (
	// forwarded is what pull request #570 left behind, keepsForwarders what it found.
	forwarded       = but(func(d *design) { d.muxed = newForwarded })
	keepsForwarders = but(func(d *design) { d.muxed, d.keepsOutlets = newForwarded, true })

	// forwardedOrOver also ends these goroutines with the stream.
	forwardedOrOver = but(func(d *design) { d.muxed = newForwardedOrOver })
)
