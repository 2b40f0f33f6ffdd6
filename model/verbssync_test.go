package model_test

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/modelcheck-go/modelcheck/model"
)

// lockVerbs: those that unlock do so only if the actor has locked, except the ones
// called any, which may be a fatal error.
var lockVerbs = map[string]verb{
	"lock": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		a.stage.mus[in.x].Lock()
		a.holds[in.x]++
	}},
	"unlock": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		if a.holds[in.x] > 0 {
			a.holds[in.x]--
			a.stage.mus[in.x].Unlock()
		}
	}},
	"anyunlock": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.mus[in.x].Unlock() }},
	"trylock": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		got := a.stage.mus[in.x].TryLock()
		if got {
			a.holds[in.x]++
		}
		a.tell(got)
	}},
	"section": {steps: 3, do: func(a *actor, in instr, _ []instr) {
		mu := &a.stage.mus[in.x]
		mu.Lock()
		a.pause()
		a.tell(a.stage.vars[in.x].Add(1))
		mu.Unlock()
	}},
	"rlock": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		a.stage.rw.RLock()
		a.reads++
	}},
	"runlock": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		if a.reads > 0 {
			a.reads--
			a.stage.rw.RUnlock()
		}
	}},
	"anyrunlock": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.rw.RUnlock() }},
	"tryrlock": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		got := a.stage.rw.TryRLock()
		if got {
			a.reads++
		}
		a.tell(got)
	}},
	"reading": {steps: 3, do: func(a *actor, in instr, _ []instr) {
		l := a.stage.rw.RLocker()
		l.Lock()
		a.pause()
		a.tell(a.stage.vars[in.x].Load())
		l.Unlock()
	}},
	"wlock": {steps: 2, do: func(a *actor, in instr, _ []instr) {
		a.stage.rw.Lock()
		a.writes++
	}},
	"wunlock": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		if a.writes > 0 {
			a.writes--
			a.stage.rw.Unlock()
		}
	}},
	"anywunlock": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.rw.Unlock() }},
	"trywlock": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		got := a.stage.rw.TryLock()
		if got {
			a.writes++
		}
		a.tell(got)
	}},
	"writing": {steps: 4, do: func(a *actor, in instr, _ []instr) {
		a.stage.rw.Lock()
		a.pause()
		a.tell(a.stage.vars[in.x].Add(1))
		a.stage.rw.Unlock()
	}},
}

var syncVerbs = map[string]verb{
	"yield": {steps: 1, do: func(a *actor, in instr, _ []instr) { model.Gosched() }},
	"go":    {steps: 1, takes: 8, do: func(a *actor, in instr, body []instr) { model.Go(a.spawn(body)) }},
	"named": {steps: 1, takes: 8, do: func(a *actor, in instr, body []instr) { model.GoNamed("named", a.spawn(body)) }},
	"daemon": {steps: 1, needs: lingers, takes: 8, do: func(a *actor, in instr, body []instr) {
		b := a.stage.actor(fmt.Sprintf("%s.%d", a.key, a.turn))
		b.daemon = true
		model.Daemon("daemon", func() { b.play(body) })
	}},
	// awaited waits for another actor, which must not wait for anything: natively Await
	// never comes to rest.
	"awaited": {steps: 4, takes: 1, do: func(a *actor, in instr, body []instr) {
		if len(body) > 0 && dataVerbs[body[0].verb].do == nil {
			a.here(body)
			body = nil
		}
		var over model.Int32
		play := a.spawn(body)
		model.Go(func() { play(); over.Store(1) })
		model.Await(func() bool { return over.Load() == 1 })
	}},

	"add":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.wg.Add(1 + in.x) }},
	"done": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.wg.Done() }},
	"wait": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.wg.Wait() }},
	"wggo": {steps: 3, needs: lingers, takes: 1, do: func(a *actor, in instr, body []instr) { a.stage.wg.Go(a.spawn(body)) }},

	// cwait tells its place in the queue, and which of the woken it is; notify how many
	// have waited. So what they come to says who was woken.
	"cwait": {steps: 4, needs: useCond, do: func(a *actor, in instr, _ []instr) {
		mu := &a.stage.mus[0]
		mu.Lock()
		a.pause()
		a.tell(a.stage.queued.Add(1))
		a.stage.cond.Wait()
		a.tell("woken", a.stage.woken.Add(1))
		mu.Unlock()
	}},
	"notify": {steps: 2, needs: useCond, do: func(a *actor, in instr, _ []instr) {
		mu := &a.stage.mus[0]
		mu.Lock()
		a.tell("of", a.stage.queued.Load())
		a.stage.cond.Signal()
		mu.Unlock()
	}},
	"signal":    {steps: 1, needs: useCond, do: func(a *actor, in instr, _ []instr) { a.stage.cond.Signal() }},
	"broadcast": {steps: 1, needs: useCond, do: func(a *actor, in instr, _ []instr) { a.stage.cond.Broadcast() }},

	"once": {steps: 2, takes: 1, do: func(a *actor, in instr, body []instr) {
		a.stage.onces[in.x].Do(func() {
			a.tell("first")
			a.here(body)
		})
	}},
	"oncevalue":  {steps: 3, needs: useOnceFunc, do: func(a *actor, in instr, body []instr) { a.tell(a.stage.first()) }},
	"oncevalues": {steps: 3, needs: useOnceFunc, do: func(a *actor, in instr, body []instr) { a.tell(a.stage.both()) }},
	"oncefunc":   {steps: 3, needs: useOnceFunc, do: func(a *actor, in instr, body []instr) { a.stage.starts[in.x]() }},

	"acquire": {steps: 3, needs: useSemaphore, do: func(a *actor, in instr, _ []instr) {
		err := a.stage.sema.Acquire(a.stage.ctx[in.y%2], int64(1+in.x))
		if err == nil {
			a.tokens += 1 + in.x
		}
		a.tell(err)
	}},
	"tryacquire": {steps: 2, needs: useSemaphore, do: func(a *actor, in instr, _ []instr) {
		got := a.stage.sema.TryAcquire(int64(1 + in.x))
		if got {
			a.tokens += 1 + in.x
		}
		a.tell(got)
	}},
	"release": {steps: 2, needs: useSemaphore, do: func(a *actor, in instr, _ []instr) {
		if in.y == 0 || a.tokens > in.x {
			a.tokens -= 1 + in.x
			a.stage.sema.Release(int64(1 + in.x))
		}
	}},

	"groupgo": {steps: 4, needs: useGroup | lingers, takes: 1, do: func(a *actor, in instr, body []instr) { a.stage.group.Go(a.task(in, body)) }},
	"grouptry": {steps: 4, needs: useGroup | lingers, takes: 1, do: func(a *actor, in instr, body []instr) {
		a.tell(a.stage.group.TryGo(a.task(in, body)))
	}},
	"groupwait": {steps: 2, needs: useGroup, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.group.Wait()) }},
	"groupdone": {steps: 1, needs: useGroup, do: func(a *actor, in instr, _ []instr) { a.stage.gdone() }},
	// grouplimit is in no theme: natively it is a data race beside a Go.
	"grouplimit": {steps: 1, needs: useGroup, do: func(a *actor, in instr, _ []instr) { a.stage.group.SetLimit(in.y - 1) }},
	"groupctx":   {steps: 1, needs: useGroup, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.gctx.Err()) }},
}

// task is spawn for a group; the task fails unless y is 0.
func (a *actor) task(in instr, body []instr) func() error {
	play := a.spawn(body)
	var err error
	if in.y > 0 {
		err = fmt.Errorf("%s.%d fails", a.key, a.turn)
	}
	return func() error { play(); return err }
}

// dataVerbs never wait.
var dataVerbs = map[string]verb{
	"load":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.vars[in.x].Load()) }},
	"store": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.vars[in.x].Store(int32(a.fresh())) }},
	"swap":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.vars[in.x].Swap(int32(a.fresh()))) }},
	"cas": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		a.tell(a.stage.vars[in.x].CompareAndSwap(int32(in.y%2), int32(in.y+1)))
	}},
	"addvar": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.vars[in.x].Add(1)) }},
	"or":     {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.vars[in.x].Or(1 << in.y)) }},
	"and":    {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.vars[in.x].And(int32(in.y))) }},

	"wideadd": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.wide.Add(uint64(in.y) - 2)) }},
	"widecas": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		a.tell(a.stage.wide.CompareAndSwap(uint64(in.x), uint64(in.y)))
	}},
	"flip":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.flag.CompareAndSwap(in.x == 0, in.y%2 == 0)) }},
	"raise": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.flag.Swap(in.x == 0)) }},
	"isup":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.flag.Load()) }},
	"aim":   {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(pointed(a.stage.ptr.Swap(&targets[in.y]))) }},
	"aimed": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(pointed(a.stage.ptr.Load())) }},
	"reaim": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		a.tell(a.stage.ptr.CompareAndSwap(&targets[in.x], &targets[in.y]))
	}},

	"guarded": {steps: 3, do: func(a *actor, in instr, _ []instr) {
		a.stage.guard.Lock()
		a.stage.plain.Update(func(n int) int { return 2*n + in.y })
		a.tell(a.stage.plain.Get())
		a.stage.guard.Unlock()
	}},

	"vload":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.value.Load()) }},
	"vstore": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.value.Store(in.y) }},
	"vswap":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.value.Swap(in.y)) }},
	"vcas":   {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.value.CompareAndSwap(in.y%2, in.y)) }},

	"mload":   {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.table.Load(in.x)) }},
	"mstore":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.table.Store(in.x, in.y) }},
	"mswap":   {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.table.Swap(in.x, in.y)) }},
	"mfirst":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.table.LoadOrStore(in.x, a.fresh())) }},
	"mtake":   {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.table.LoadAndDelete(in.x)) }},
	"mcas":    {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.table.CompareAndSwap(in.x, in.y%2, in.y)) }},
	"mremove": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.table.CompareAndDelete(in.x, in.y%2)) }},
	"mdelete": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.table.Delete(in.x) }},
	"mclear":  {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.table.Clear() }},
	"mrange": {steps: 2, do: func(a *actor, in instr, _ []instr) {
		var found [2]any
		a.stage.table.Range(func(k, v any) bool { found[k.(int)] = v; return true })
		a.tell(found[0], found[1])
	}},

	"gc": {steps: 1, do: func(a *actor, in instr, _ []instr) {
		if a.stage.native { // pools forget what they had before the last collection but one
			runtime.GC()
			runtime.GC()
		}
	}},
	"put": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.stage.pools[in.x].Put(a.fresh()) }},
	"get": {steps: 1, do: func(a *actor, in instr, _ []instr) { a.tell(a.stage.pools[in.x].Get()) }},
}

// targets are what pointers point to.
var targets [4]int

func pointed(p *int) any {
	for i := range targets {
		if p == &targets[i] {
			return i
		}
	}
	return p
}

var errCause = errors.New("cause")

type ctxKey int

// contextVerbs: x is which of the two contexts, or, if y is 2 or 3 and the actor has made
// one, that.
var contextVerbs = map[string]verb{
	"cancel": {steps: 3, needs: useContext, do: func(a *actor, in instr, _ []instr) {
		if in.y == 3 && a.leave != nil {
			a.leave()
			return
		}
		var cause error
		if in.y > 0 {
			cause = errCause
		}
		a.stage.cancel[in.x](cause)
	}},
	"cancelled": {steps: 1, needs: useContext, do: func(a *actor, in instr, _ []instr) { a.context(in).Done().Recv() }},
	"err":       {steps: 1, needs: useContext, do: func(a *actor, in instr, _ []instr) { a.tell(a.context(in).Err()) }},
	"cause":     {steps: 2, needs: useContext, do: func(a *actor, in instr, _ []instr) { a.tell(model.Cause(a.context(in))) }},
	"derive": {steps: 2, needs: useContext, do: func(a *actor, in instr, _ []instr) {
		a.child, a.leave = model.WithCancel(a.context(in))
	}},
	"withvalue": {steps: 1, needs: useContext, do: func(a *actor, in instr, _ []instr) {
		a.child = model.WithValue(a.context(in), ctxKey(in.x), a.fresh())
	}},
	"value": {steps: 1, needs: useContext, do: func(a *actor, in instr, _ []instr) { a.tell(a.context(in).Value(ctxKey(in.x))) }},
	"detach": {steps: 1, needs: useContext, do: func(a *actor, in instr, _ []instr) {
		a.child = model.WithoutCancel(a.context(in))
	}},
	"after": {steps: 2, needs: useContext, takes: 1, do: func(a *actor, in instr, body []instr) {
		a.stop = model.ContextAfterFunc(a.context(in), a.spawn(body))
	}},
	"stop": {steps: 2, needs: useContext, do: func(a *actor, in instr, _ []instr) {
		if a.stop != nil {
			a.tell(a.stop())
		}
	}},
}

func (a *actor) context(in instr) model.Context {
	if in.y >= 2 && a.child != nil {
		return a.child
	}
	return a.stage.ctx[in.x]
}
