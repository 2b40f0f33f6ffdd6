package racing

import (
	"runtime"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

// A verb is what an instruction does. Those that begin with "if" do the next one if they
// have succeeded. Locks are unlocked only by whoever has locked them: what Go makes a
// fatal error would end the process.
type verb struct{ do func(a *actor, x int) }

var verbs map[string]verb

func init() {
	verbs = map[string]verb{}
	for name, do := range map[string]func(a *actor, x int){
		"read":  func(a *actor, x int) { a.st.data[x].Get() },
		"write": func(a *actor, x int) { a.st.data[x].Set(1) },

		"send":   func(a *actor, x int) { a.st.chans[x].Send(1) },
		"recv":   func(a *actor, x int) { a.st.chans[x].Recv() },
		"close":  func(a *actor, x int) { a.st.chans[x].Close() },
		"ifrecv": func(a *actor, x int) { a.perhaps(model.TrySelect(a.st.chans[x].RecvCase(nil)) == 0) },

		"fill":      func(a *actor, x int) { a.st.full[x].Send(1) },
		"drain":     func(a *actor, x int) { a.st.full[x].Recv() },
		"fillclose": func(a *actor, x int) { a.st.full[x].Close() },
		"ifdrain":   func(a *actor, x int) { a.perhaps(model.TrySelect(a.st.full[x].RecvCase(nil)) == 0) },
		"iffull":    func(a *actor, x int) { a.perhaps(model.TrySelect(a.st.full[x].SendCase(1)) < 0) },
		"select": func(a *actor, x int) {
			a.perhaps(model.Select(a.st.chans[x].RecvCase(nil), a.st.full[x].RecvCase(nil)) == 0)
		},

		"lock":   func(a *actor, x int) { a.st.mus[x].Lock(); a.locked[x] = true },
		"unlock": (*actor).unlock,
		"iflock": func(a *actor, x int) {
			ok := a.st.mus[x].TryLock()
			a.perhaps(ok)
			if ok {
				a.st.mus[x].Unlock()
			}
		},

		"rlock":   func(a *actor, x int) { a.st.rw.RLock(); a.reads++ },
		"runlock": func(a *actor, x int) { a.release(&a.reads, a.st.rw.RUnlock) },
		"wlock":   func(a *actor, x int) { a.st.rw.Lock(); a.writes++ },
		"wunlock": func(a *actor, x int) { a.release(&a.writes, a.st.rw.Unlock) },
		"ifrlock": func(a *actor, x int) {
			ok := a.st.rw.TryRLock()
			a.perhaps(ok)
			if ok {
				a.st.rw.RUnlock()
			}
		},
		"ifwlock": func(a *actor, x int) {
			ok := a.st.rw.TryLock()
			a.perhaps(ok)
			if ok {
				a.st.rw.Unlock()
			}
		},

		"done": func(a *actor, x int) { a.st.wg.Done() },
		"wait": func(a *actor, x int) { a.st.wg.Wait() },

		"once":   func(a *actor, x int) { a.st.onces[x].Do(func() { a.perhaps(true) }) },
		"oncego": func(a *actor, x int) { a.st.onces[x].Do(func() { model.Go(a.other(false)) }) },

		// The lock is held where Cond is used: the race detector does not know that a
		// Signal comes before the Wait that it unblocks.
		"cwait":     func(a *actor, x int) { a.underLock(a.st.cond.Wait) },
		"flagged":   func(a *actor, x int) { a.underLock(a.awaitFlag) },
		"signal":    func(a *actor, x int) { a.underLock(a.st.cond.Signal) },
		"broadcast": func(a *actor, x int) { a.underLock(a.st.cond.Broadcast) },
		"raise":     func(a *actor, x int) { a.underLock(func() { a.st.raised.Set(true); a.st.cond.Broadcast() }) },

		"load":   func(a *actor, x int) { a.st.vars[x].Load() },
		"store":  func(a *actor, x int) { a.st.vars[x].Store(1) },
		"swap":   func(a *actor, x int) { a.st.vars[x].Swap(2) },
		"add":    func(a *actor, x int) { a.st.vars[x].Add(1) },
		"ifload": func(a *actor, x int) { a.perhaps(a.st.vars[x].Load() > 0) },
		"ifcas":  func(a *actor, x int) { a.perhaps(a.st.vars[x].CompareAndSwap(1, 2)) },
		"await":  func(a *actor, x int) { model.Await(func() bool { return a.st.vars[x].Load() > 0 }) },

		"vload":  func(a *actor, x int) { a.st.value.Load() },
		"vstore": func(a *actor, x int) { a.st.value.Store(1 + x) },
		"ifvcas": func(a *actor, x int) { a.perhaps(a.st.value.CompareAndSwap(1+x, 2-x)) },
		"ifvnew": func(a *actor, x int) { a.perhaps(a.st.value.CompareAndSwap(nil, 1+x)) },

		"put":   func(a *actor, x int) { a.st.table.Store(x, 1) },
		"take":  func(a *actor, x int) { a.st.table.LoadAndDelete(x) },
		"ifget": func(a *actor, x int) { _, ok := a.st.table.Load(x); a.perhaps(ok) },
		"pput":  func(a *actor, x int) { a.st.pool.Put(new(int)) },
		"pget":  func(a *actor, x int) { a.perhaps(a.st.pool.Get() != nil) },

		"cancel":    func(a *actor, x int) { a.st.cancel[x]() },
		"cancelled": func(a *actor, x int) { a.st.ctx[x].Done().Recv() },
		"iferr":     func(a *actor, x int) { a.perhaps(a.st.ctx[x].Err() != nil) },
		"cause":     func(a *actor, x int) { a.perhaps(model.Cause(a.st.ctx[x]) != nil) },
		"derive":    func(a *actor, x int) { a.child, _ = model.WithCancel(a.st.ctx[x]); a.perhaps(a.child.Err() != nil) },
		"after":     func(a *actor, x int) { model.ContextAfterFunc(a.st.ctx[x], a.other(false)) },

		"acquire": func(a *actor, x int) { _ = a.st.sema.Acquire(model.Background(), 1); a.tokens++ },
		"release": func(a *actor, x int) { a.release(&a.tokens, func() { a.st.sema.Release(1) }) },
		"iftake": func(a *actor, x int) {
			ok := a.st.sema.TryAcquire(1)
			a.perhaps(ok)
			if ok {
				a.st.sema.Release(1)
			}
		},

		"groupgo":   func(a *actor, x int) { f := a.other(false); a.st.group.Go(func() error { f(); return nil }) },
		"groupwait": func(a *actor, x int) { _ = a.st.group.Wait() },

		// They let one come after the other, which to the memory model is no order: len
		// synchronises nothing.
		"tell": func(a *actor, x int) { model.TrySelect(a.st.word.SendCase(1)) },
		"told": func(a *actor, x int) {
			if !a.told() {
				a.part = nil
			}
		},

		"go":    func(a *actor, x int) { model.Go(a.other(true)) },
		"alarm": func(a *actor, x int) { model.AfterFunc(time.Duration(x)*50*time.Microsecond, a.other(false)) },
		"timer": func(a *actor, x int) { a.st.timer.C.Recv() },
	} {
		verbs[name] = verb{do}
	}
}

// told reports whether somebody has told. Natively it waits for that a little.
func (a *actor) told() bool { return told(a.st.word, a.st.native) }

func told(word model.Chan[int], native bool) bool {
	for began := time.Now(); native && word.Len() == 0 && time.Since(began) < 100*time.Microsecond; {
		runtime.Gosched()
	}
	return word.Len() == 1
}

func (a *actor) unlock(x int) {
	if a.locked[x] {
		a.locked[x] = false
		a.st.mus[x].Unlock()
	}
}

func (a *actor) release(held *int, release func()) {
	if *held > 0 {
		*held--
		release()
	}
}

// underLock calls f with the lock of the Cond, unless that is held already.
func (a *actor) underLock(f func()) {
	if a.locked[0] {
		f()
		return
	}
	a.st.mus[0].Lock()
	f()
	a.st.mus[0].Unlock()
}

func (a *actor) awaitFlag() {
	for !a.st.raised.Get() {
		a.st.cond.Wait()
	}
}
