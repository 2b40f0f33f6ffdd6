package progress

import "github.com/modelcheck-go/modelcheck/model"

// design is one way to write a MultiReader and its pipes. Each differs from landed
// in one thing.
type design struct {
	// hangUp is what becomes of the pipe of a client that is gone, hangsUpUnlocked
	// that MultiReader.mu is not held meanwhile.
	hangUp          func(*writer)
	hangsUpUnlocked bool

	wakeOnClose       func(*pipe)       // who wakes readers when the pipe is closed
	watchesReaderOnly bool              // Read relies on that, and does not look itself
	wake              func(*model.Cond) // one or all of those who wait to read
	wakesUnlocked     bool              // pipe.mu is not held when a context is over

	why            func(model.Context) error // what Read returns when its context is over
	registersEarly bool                      // Reader registers a writer that has to catch up

	neverLate     bool // Reader does not ask whether all is sent already
	stopsReplay   bool // catchUp ends when all is sent, even if it has not got there
	registersLate bool // catchUp unlocks MultiReader.mu before it registers the writer
}

// landed is pull request #4902: when a client is gone its pipe is closed.
var landed = design{
	hangUp:      func(w *writer) { w.p.cancel() },
	wakeOnClose: wakeOnClose,
	wake:        (*model.Cond).Broadcast,
	why:         model.Cause,
}

// but returns landed with a change.
func but(change func(*design)) design {
	d := landed
	change(&d)
	return d
}

var (
	// buggy forgets the pipe, as did everything before #4902.
	buggy = but(func(d *design) { d.hangUp = func(*writer) {} })

	// closing closes the writer too, so that there is nothing left to wait for.
	closing = but(func(d *design) { d.hangUp = closeBoth })

	// closingOnly closes the writer and leaves the pipe open.
	closingOnly = but(func(d *design) { d.hangUp = (*writer).Close })

	// afterFunc is buggy, but there is no goroutine until the pipe is closed.
	// noGoroutine is, too, and there never is one.
	afterFunc = but(func(d *design) {
		d.hangUp, d.wakeOnClose = buggy.hangUp, func(p *pipe) { model.ContextAfterFunc(p.ctx, p.wake) }
	})
	noGoroutine = but(func(d *design) { d.hangUp, d.wakeOnClose = buggy.hangUp, func(*pipe) {} })

	// unlocked hangs up when MultiReader.mu is free again.
	unlocked = but(func(d *design) { d.hangsUpUnlocked = true })

	// neverLate and stopsReplay are what pull request #3339 mended.
	neverLate   = but(func(d *design) { d.neverLate = true })
	stopsReplay = but(func(d *design) { d.stopsReplay = true })

	// registersLate lets handle in between the look at what was sent and the
	// registration.
	registersLate = but(func(d *design) { d.registersLate = true })

	// registersEarly lets handle write to a client that has to catch up.
	registersEarly = but(func(d *design) { d.registersEarly = true })

	// noCause says that a context is over, and not why.
	noCause = but(func(d *design) { d.why = model.Context.Err })

	// wakesUnlocked is today's watcher without the lock, beforeLocks all of what
	// pull request #996 mended.
	wakesUnlocked = but(func(d *design) { d.wakesUnlocked = true })
	beforeLocks   = but(func(d *design) { d.wakesUnlocked, d.watchesReaderOnly = true, true })

	// watchesReaderOnly keeps the lock, and so may rely on the pipe's goroutine.
	watchesReaderOnly = but(func(d *design) { d.watchesReaderOnly = true })

	// signals wakes one reader where landed wakes all.
	signals           = but(func(d *design) { d.wake = (*model.Cond).Signal })
	signalsReaderOnly = but(func(d *design) { d.wake, d.watchesReaderOnly = (*model.Cond).Signal, true })
)
