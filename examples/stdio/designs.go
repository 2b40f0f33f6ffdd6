package stdio

import "github.com/modelcheck-go/modelcheck/model"

// design is one way to hand out the streams of a process.
type design struct {
	create       func(*process)                  // what becomes of the streams that HCS gave with the process
	stdioLegacy  func(*process) (streams, error) // StdioLegacy
	closeStdin   func(*process) error            // CloseStdin
	forceUnblock func(*process)
}

// landed is pull request #737. It opens the streams when the process is created. Who
// first asks for them gets them, later callers what HCS gives.
var landed = design{create: openAndCache, stdioLegacy: whileOpen(locked(cachedOrQuery)), closeStdin: forward, forceUnblock: once}

// openAndCache does what a caller would have to do: to open a pipe works only once.
func openAndCache(p *process) {
	openAndKeep(p)
	p.hasCachedStdio.Set(true)
}

func openAndKeep(p *process) {
	if s, err := p.hcs.open(p.hcs.originals); err == nil {
		p.stdin.Set(s.stdin)
		p.stdout.Set(s.stdout)
	}
}

type getter = func(*process) (streams, error)

// whileOpen keeps the process from being closed meanwhile.
func whileOpen(get getter) getter {
	return func(p *process) (streams, error) {
		p.handleLock.RLock()
		defer p.handleLock.RUnlock()
		if !p.open {
			return streams{}, errAlreadyClosed
		}
		return get(p)
	}
}

func ifOpen(get getter) getter {
	return func(p *process) (streams, error) {
		if !p.open {
			return streams{}, errAlreadyClosed
		}
		return get(p)
	}
}

func locked(get getter) getter {
	return func(p *process) (streams, error) {
		p.stdioLock.Lock()
		defer p.stdioLock.Unlock()
		return get(p)
	}
}

func cachedOrQuery(p *process) (streams, error) {
	if !p.hasCachedStdio.Get() {
		return query(p)
	}
	s := p.takeStreams()
	p.hasCachedStdio.Set(false)
	return handedOut(s), nil
}

// query asks HCS for the streams, which it has while there is a process.
func query(p *process) (streams, error) {
	s, err := p.hcs.processInfo()
	if err != nil {
		return streams{}, err
	}
	return p.hcs.open(s)
}

// forward asks HCS to close the process's side, whether or not the own side is still
// there: pull request #1899.
func forward(p *process) error {
	p.handleLock.RLock()
	defer p.handleLock.RUnlock()
	if !p.open {
		return errAlreadyClosed
	}
	if !p.stopped() {
		if err := p.hcs.endStdin(); err != nil {
			return err
		}
	}
	p.stdioLock.Lock()
	defer p.stdioLock.Unlock()
	if stdin := p.stdin.Get(); stdin != nil {
		stdin.close()
		p.stdin.Set(nil)
	}
	return nil
}

func once(p *process) { p.closedWaitOnce.Do(p.waitBlock.Close) }

// What was there before.
var (
	// cached is what was there until 2019: the streams are kept as they come, and
	// opened when somebody asks for them. Asking takes no lock but that of the handle.
	cached = design{create: cache, stdioLegacy: whileOpen(cachedPipesOrQuery), closeStdin: forward, forceUnblock: once}

	// reopened is pull request #572: they are opened at once, for other callers. Who
	// wants to own them gets what HCS gives.
	reopened = design{create: openAndKeep, stdioLegacy: whileOpen(query), closeStdin: forward, forceUnblock: once}

	// queried is pull request #622, the race: they are closed at once.
	queried = design{create: discard, stdioLegacy: whileOpen(query), closeStdin: forward, forceUnblock: once}
)

func cache(p *process) { p.cachedPipes.Set(&p.hcs.originals) }

func cachedPipesOrQuery(p *process) (streams, error) {
	if p.cachedPipes.Get() == nil {
		return query(p)
	}
	s := handedOut(*p.cachedPipes.Get())
	p.cachedPipes.Set(nil)
	return p.hcs.open(s)
}

func discard(p *process) { p.hcs.originals.close() }

// Every other design differs from landed in one thing.
var (
	// noLock takes no stdioLock.
	noLock = design{create: openAndCache, stdioLegacy: whileOpen(cachedOrQuery), closeStdin: forward, forceUnblock: once}

	// noHandleLock looks whether the process is open, and does not keep it so.
	noHandleLock = design{create: openAndCache, stdioLegacy: ifOpen(locked(cachedOrQuery)), closeStdin: forward, forceUnblock: once}

	// noNil hands the streams out and keeps them.
	noNil = design{create: openAndCache, stdioLegacy: whileOpen(locked(sharedOrQuery)), closeStdin: forward, forceUnblock: once}

	// swapped takes the locks in the other order.
	swapped = design{create: openAndCache, stdioLegacy: locked(whileOpen(cachedOrQuery)), closeStdin: forward, forceUnblock: once}

	// queryFirst asks HCS first, and hands out the streams of the creation when the
	// process is not there any more.
	queryFirst = design{create: openAndCache, stdioLegacy: whileOpen(locked(queryOrCached)), closeStdin: forward, forceUnblock: once}

	// skipIfNil is pull request #1567: to close what is not there seems to be nothing
	// to do.
	skipIfNil = design{create: openAndCache, stdioLegacy: whileOpen(locked(cachedOrQuery)), closeStdin: skip, forceUnblock: once}

	// noOnce unblocks by force without looking whether somebody else has done so, and
	// neverUnblocks not at all.
	noOnce        = design{create: openAndCache, stdioLegacy: whileOpen(locked(cachedOrQuery)), closeStdin: forward, forceUnblock: twice}
	neverUnblocks = design{create: openAndCache, stdioLegacy: whileOpen(locked(cachedOrQuery)), closeStdin: forward, forceUnblock: never}
)

func sharedOrQuery(p *process) (streams, error) {
	if !p.hasCachedStdio.Get() {
		return query(p)
	}
	p.hasCachedStdio.Set(false)
	return handedOut(streams{p.stdin.Get(), p.stdout.Get()}), nil
}

func queryOrCached(p *process) (streams, error) {
	s, err := query(p)
	if err == errNotFound && p.hasCachedStdio.Get() {
		return cachedOrQuery(p)
	}
	return s, err
}

func skip(p *process) error {
	p.handleLock.RLock()
	defer p.handleLock.RUnlock()
	if !p.open {
		return errAlreadyClosed
	}
	p.stdioLock.Lock()
	defer p.stdioLock.Unlock()
	stdin := p.stdin.Get()
	if stdin == nil {
		return nil
	}
	if !p.stopped() {
		if err := p.hcs.endStdin(); err != nil {
			return err
		}
	}
	stdin.close()
	p.stdin.Set(nil)
	return nil
}

func twice(p *process) { p.waitBlock.Close() }

func never(*process) {}

// handedOut notes that a caller got s.
func handedOut(s streams) streams {
	for _, h := range s.handles() {
		h.handedOut++
	}
	model.Log("hands out", len(s.handles()), "streams")
	return s
}
