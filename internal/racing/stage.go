package racing

import (
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// stage has the objects of one performance of a script. What is not of package model is
// written before the first goroutine starts only.
type stage struct {
	data   [2]model.Shared[int]
	chans  [2]model.Chan[int] // unbuffered
	full   [2]model.Chan[int] // of capacity 1 and 2
	mus    [2]model.Mutex
	rw     model.RWMutex
	wg     model.WaitGroup // at 2 from the start
	onces  [2]model.Once
	cond   *model.Cond // its lock is mus[0]
	raised model.Shared[bool]
	vars   [2]model.Int32
	value  model.Value
	table  model.Map
	pool   model.Pool
	ctx    [2]model.Context // the second is a child of the first
	cancel [2]model.CancelFunc
	sema   *model.Semaphore
	group  *model.Group
	timer  *model.Timer
	word   model.Chan[int] // of capacity 1, to be looked at only

	native bool
}

func newStage(s Script) *stage {
	st := &stage{native: sched.Current() == nil}
	for i := range st.chans {
		st.chans[i], st.full[i] = model.NewChan[int](0), model.NewChan[int](1+i)
	}
	st.word = model.NewChan[int](1)
	st.wg.Add(2)
	st.cond = model.NewCond(&st.mus[0])
	st.sema = model.NewSemaphore(1)
	st.group, _ = model.NewGroup(model.Background())
	if s.has("cancel", "cancelled", "iferr", "cause", "derive", "after") {
		st.ctx[0], st.cancel[0] = model.WithCancel(model.Background())
		st.ctx[1], st.cancel[1] = model.WithCancel(st.ctx[0])
	}
	if s.has("timer") {
		st.timer = model.NewTimer(time.Millisecond)
	}
	return st
}

func (s Script) has(any ...string) bool {
	for _, part := range s.Parts {
		for _, in := range part {
			for _, verb := range any {
				if in.Verb == verb {
					return true
				}
			}
		}
	}
	return false
}

// Perform performs the script: under control in the goroutine that calls, in daemons, and
// returns at once; natively it waits until all is over, or nothing seems to happen any
// more. Seed is of the pauses that goroutines make natively.
func (s Script) Perform(seed uint64) {
	st := newStage(s)
	var actors []*actor
	for i, part := range s.Parts {
		a := &actor{st: st, part: part}
		if st.native {
			a.chance = rand.New(rand.NewPCG(seed, uint64(i)))
			a.restless = a.chance.IntN(4)
		}
		actors = append(actors, a)
	}
	if !st.native {
		for _, a := range actors {
			model.Daemon("", a.play)
		}
		return
	}
	over := make(chan bool, len(actors))
	for _, a := range actors {
		go func() {
			a.play()
			over <- true
		}()
	}
	patience := time.After(time.Millisecond)
	for range actors {
		select {
		case <-over:
		case <-patience:
			return
		}
	}
}

// An actor is a goroutine of a script.
type actor struct {
	st   *stage
	part []Instr

	locked [2]bool
	reads  int
	writes int
	tokens int
	child  model.Context

	chance   *rand.Rand // natively
	restless int
}

// play performs the part; a panic ends it.
func (a *actor) play() {
	defer func() {
		if v := recover(); v != nil && !a.st.native && isUnwinding(v) {
			panic(v)
		}
	}()
	for len(a.part) > 0 {
		a.next()
	}
}

// isUnwinding: the scheduler unwinds the goroutine because the run is over.
func isUnwinding(v any) bool {
	_, runtimeError := v.(runtime.Error)
	_, text := v.(string)
	_, err := v.(error)
	return !runtimeError && !text && !err
}

// next performs the next instruction, with those that it takes for itself.
func (a *actor) next() {
	in := a.part[0]
	a.part = a.part[1:]
	a.pause()
	verbs[in.Verb].do(a, in.X)
}

// perhaps performs the next instruction if ok, else leaves it out.
func (a *actor) perhaps(ok bool) {
	switch {
	case len(a.part) == 0:
	case ok:
		a.next()
	default:
		a.part = a.part[1:]
	}
}

// other returns a function that plays the rest of the part as another actor, or the next
// instruction only.
func (a *actor) other(all bool) func() {
	n := min(1, len(a.part))
	if all {
		n = len(a.part)
	}
	b := &actor{st: a.st, part: a.part[:n:n]}
	if a.st.native {
		b.chance = rand.New(rand.NewPCG(a.chance.Uint64(), 0))
		b.restless = a.restless
	}
	a.part = a.part[n:]
	return b.play
}

// pause lets others come in between, natively: at times by yielding, at times by being
// slow. It must not synchronise anything.
func (a *actor) pause() {
	if a.restless == 0 || a.chance.IntN(4) >= a.restless {
		return
	}
	if a.chance.IntN(3) > 0 {
		runtime.Gosched()
		return
	}
	for began := time.Now(); time.Since(began) < time.Duration(a.chance.IntN(20))*time.Microsecond; {
	}
}
