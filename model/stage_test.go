package model_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
	"golang.org/x/sync/errgroup"
)

// family is a set of kinds of objects.
type family uint

const (
	useCond family = 1 << iota
	useContext
	useSemaphore
	useGroup
	useOnceFunc
	useTimer
	useTicker
	useTime // anything else that lets time pass
	lingers // none: a goroutine still has something to do when its actor has ended
)

// timed are the families that need a clock which stands still while goroutines run.
const timed = useTimer | useTicker | useTime

// A stage has the objects of one performance of a script and the actors, which are
// its goroutines.
type stage struct {
	script script
	chans  [2]model.Chan[int]
	mus    [2]model.Mutex
	rw     rwLock
	wg     model.WaitGroup
	cond   *model.Cond  // its lock is mus[0]
	queued atomic.Int32 // how many have waited for cond
	woken  atomic.Int32 // how many of them have gone on
	onces  [2]model.Once
	vars   [2]model.Int32
	wide   model.Uint64
	flag   model.Bool
	ptr    model.Pointer[int]
	value  model.Value
	table  model.Map
	pools  [2]model.Pool // the second makes items
	guard  model.Mutex
	plain  model.Shared[int] // guarded by guard
	ctx    [2]model.Context  // the second is a child of the first
	cancel [2]model.CancelCauseFunc
	sema   *model.Semaphore
	group  group
	gctx   interface{ Err() error }
	gdone  func() // waits until gctx is done
	first  func() int
	both   func() (int, error)
	starts [2]func() // the second panics
	timer  *model.Timer
	ticker *model.Ticker
	began  time.Time

	native bool
	seed   uint64 // of the native pauses
	mu     sync.Mutex
	actors []*actor     // guarded by mu
	busy   atomic.Int32 // zero: all has come to its end
}

// newStage makes the objects that the script needs.
func newStage(s script) *stage {
	st := &stage{script: s, rw: new(model.RWMutex), native: sched.Current() == nil}
	st.busy.Store(1)
	for i, c := range s.caps {
		if c >= 0 {
			st.chans[i] = model.NewChan[int](c)
		}
	}
	st.pools[1].New = func() any { return "made" }
	if s.needs(useCond) {
		st.cond = model.NewCond(&st.mus[0])
	}
	if s.needs(useContext | useSemaphore | useGroup) {
		st.ctx[0], st.cancel[0] = model.WithCancelCause(model.Background())
		st.ctx[1], st.cancel[1] = model.WithCancelCause(st.ctx[0])
	}
	if s.needs(useSemaphore) {
		st.sema = model.NewSemaphore(2)
	}
	if s.needs(useGroup) {
		st.group, st.gctx, st.gdone = newGroup(st.ctx[1], s.caps[0], st.native)
	}
	if s.needs(useTimer) {
		st.timer = model.NewTimer(10 * time.Millisecond)
	}
	if s.needs(useTicker) {
		st.ticker = model.NewTicker(7 * time.Millisecond)
	}
	if s.needs(timed) {
		st.began = model.Now()
	}
	return st
}

// perform plays the script, the first part in the goroutine that calls.
func (st *stage) perform() {
	var parts []*actor
	for i := range st.script.parts {
		parts = append(parts, st.actor(fmt.Sprint(i)))
	}
	if st.script.needs(useOnceFunc) {
		st.makeOnceFuncs()
	}
	if !st.script.needs(lingers) {
		st.busy.Add(-1)
	}
	for i, a := range parts[1:] {
		model.Go(func() { a.play(st.script.parts[i+1]) })
	}
	parts[0].play(st.script.parts[0])
}

// newGroup makes a group: natively that of package errgroup, because a model.Group is the
// same code in both worlds.
func newGroup(ctx model.Context, limit int, native bool) (g group, gctx interface{ Err() error }, done func()) {
	if native {
		g, ctx := errgroup.WithContext(model.ToStd(ctx))
		g.SetLimit(limit)
		return g, ctx, func() { <-ctx.Done() }
	}
	controlled, ctx := model.NewGroup(ctx)
	controlled.SetLimit(limit)
	return controlled, ctx, func() { ctx.Done().Recv() }
}

// makeOnceFuncs makes the functions, natively those of package sync, for the same reason
// as newGroup.
func (st *stage) makeOnceFuncs() {
	count := func() int { return int(st.vars[0].Add(1)) }
	values := func() (int, error) { return count(), errCause }
	start := [2]func(){func() { count() }, func() { panic(fmt.Sprint("at ", count())) }}
	if st.native {
		st.first, st.both = sync.OnceValue(count), sync.OnceValues(values)
		st.starts = [2]func(){sync.OnceFunc(start[0]), sync.OnceFunc(start[1])}
		return
	}
	st.first, st.both = model.OnceValue(count), model.OnceValues(values)
	st.starts = [2]func(){model.OnceFunc(start[0]), model.OnceFunc(start[1])}
}

// actor makes an actor, which is to play.
func (st *stage) actor(key string) *actor {
	a := &actor{stage: st, key: key}
	st.busy.Add(1)
	if st.native {
		h := fnv.New64a()
		h.Write([]byte(key))
		a.chance = rand.New(rand.NewPCG(st.seed, h.Sum64()))
		a.restless = a.chance.IntN(4)
		a.late = a.chance.IntN(4) == 0
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	st.actors = append(st.actors, a)
	return a
}

// outcome says what all actors saw and where they are.
func (st *stage) outcome() string {
	st.mu.Lock()
	defer st.mu.Unlock()
	var b strings.Builder
	slices.SortFunc(st.actors, func(a, b *actor) int { return strings.Compare(a.key, b.key) })
	for _, a := range st.actors {
		fmt.Fprintf(&b, "%s:%s; ", a.key, a.report())
	}
	for _, ch := range st.chans {
		fmt.Fprintf(&b, "%d ", ch.Len())
	}
	return b.String()
}

// An actor is a goroutine of a script.
type actor struct {
	stage *stage
	key   string // which part it plays, and where that was handed to it

	mu  sync.Mutex // natively others look on
	saw []string   // guarded by mu
	at  string     // guarded by mu: the verb that it is at

	turn   int // number of the instruction
	holds  [2]int
	reads  int
	writes int
	tokens int
	child  model.Context
	leave  model.CancelFunc
	stop   func() bool

	chance   *rand.Rand // natively
	restless int
	late     bool // it begins when others may be through

	daemon bool // it may be blocked for ever
}

// play performs instructions.
func (a *actor) play(part []instr) {
	defer a.end()
	if a.late {
		for range a.chance.IntN(100) {
			runtime.Gosched()
		}
	}
	a.tell("began")
	for len(part) > 0 {
		part = a.do(part)
		a.turn++
	}
	a.tell("ended")
}

// do performs the first instruction, with those that it takes for itself, and
// returns the others.
func (a *actor) do(part []instr) []instr {
	in, v := part[0], verbs[part[0].verb]
	part = part[1:]
	n := min(v.takes, len(part))
	before := a.set(in.verb)
	a.pause()
	v.do(a, in, part[:n])
	a.set(before)
	return part[n:]
}

// end is deferred by play: it tells about a panic.
func (a *actor) end() {
	if v := recover(); v != nil {
		a.tell(fmt.Sprintf("panics: %v", v))
		a.set("")
	}
	a.stage.busy.Add(-1)
}

func (a *actor) set(at string) (before string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before, a.at = a.at, at
	return before
}

func (a *actor) tell(args ...any) {
	text := strings.TrimSuffix(fmt.Sprintln(args...), "\n")
	a.mu.Lock()
	defer a.mu.Unlock()
	a.saw = append(a.saw, text)
}

func (a *actor) report() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	text := strings.Join(a.saw, ", ")
	if a.at != "" {
		text += ", blocked at " + a.at
	}
	return text
}

// pause lets others come in between, natively: at times by yielding, at times by
// being slow.
func (a *actor) pause() {
	if a.restless == 0 || a.chance.IntN(4) >= a.restless {
		return
	}
	if n := a.chance.IntN(6); n < 4 {
		for range n {
			runtime.Gosched()
		}
		return
	}
	for n := a.chance.IntN(300); n > 0; n-- {
		spun.Add(1)
	}
}

// spun is what an actor that is being slow counts.
var spun atomic.Int64

// fresh is a value that hardly any other instruction sends or stores.
func (a *actor) fresh() int {
	n, _ := strconv.Atoi(strings.ReplaceAll(a.key, ".", ""))
	return 10*n + a.turn
}

// spawn returns a function that plays part as another actor.
func (a *actor) spawn(part []instr) func() {
	b := a.stage.actor(fmt.Sprintf("%s.%d", a.key, a.turn))
	return func() { b.play(part) }
}

// here performs part as a itself.
func (a *actor) here(part []instr) {
	for len(part) > 0 {
		part = a.do(part)
	}
}
