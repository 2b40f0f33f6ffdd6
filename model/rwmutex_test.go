package model_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"pgregory.net/rapid"
)

// rwLock is what model.RWMutex and the same made of smaller parts have in common.
type rwLock interface {
	sync.Locker
	TryLock() bool
	RLock()
	RUnlock()
	TryRLock() bool
	RLocker() model.Locker
}

// partsRWMutex is a reader/writer lock of the parts of which package sync makes its own
// (sync/rwmutex.go of Go 1.26): a mutex for the writers, two counters and two
// semaphores. Every access to a part is a step. So it can do what Go's can, also what
// hardly any native run shows.
type partsRWMutex struct {
	writers   model.Mutex
	count     model.Int32 // of readers, also those about to sleep; minus many while a writer is there
	awaited   model.Int32 // readers that the writer waits for
	readerSem model.Chan[struct{}]
	writerSem model.Chan[struct{}]
}

const many = 1 << 20

func newPartsRWMutex() *partsRWMutex {
	return &partsRWMutex{readerSem: model.NewChan[struct{}](16), writerSem: model.NewChan[struct{}](1)}
}

func (rw *partsRWMutex) RLock() {
	if rw.count.Add(1) < 0 {
		rw.readerSem.Recv()
	}
}

func (rw *partsRWMutex) TryRLock() bool {
	for {
		n := rw.count.Load()
		if n < 0 {
			return false
		}
		if rw.count.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (rw *partsRWMutex) RUnlock() {
	if rw.count.Add(-1) < 0 && rw.awaited.Add(-1) == 0 {
		rw.writerSem.Send(struct{}{})
	}
}

func (rw *partsRWMutex) Lock() {
	rw.writers.Lock()
	if n := rw.count.Add(-many) + many; n != 0 && rw.awaited.Add(n) != 0 {
		rw.writerSem.Recv()
	}
}

func (rw *partsRWMutex) TryLock() bool {
	if !rw.writers.TryLock() {
		return false
	}
	if !rw.count.CompareAndSwap(0, -many) {
		rw.writers.Unlock()
		return false
	}
	return true
}

func (rw *partsRWMutex) Unlock() {
	for range rw.count.Add(many) {
		rw.readerSem.Send(struct{}{})
	}
	rw.writers.Unlock()
}

func (rw *partsRWMutex) RLocker() model.Locker { panic("not part of this test") }

// TestRWMutexIsItsParts draws programs that use a reader/writer lock: an RWMutex and one
// made of the parts of Go's come to the same, neither to less nor to more.
func TestRWMutexIsItsParts(t *testing.T) {
	whole, parts := newComparison(t), newComparison(t)
	parts.most = 20_000
	parts.stage = func(s script) *stage {
		st := newStage(s)
		st.rw = newPartsRWMutex()
		return st
	}
	seed := rapidSettings(t, programs(t)/4)
	tooBig, compared := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		s := rwScripts.Draw(rt, "script")
		if !parts.explore(s) || !whole.explore(s) {
			tooBig++
			rt.Skip("too many schedules")
		}
		compared++
		if diff := cmp.Diff(whatCame(parts), whatCame(whole)); diff != "" {
			rt.Fatalf("%v: (-of the parts +of an RWMutex):\n%s", s, diff)
		}
	})
	t.Logf("seed %s: %d programs, %d more were too big", seed, compared, tooBig)
}

// whatCame returns the outcomes without the locks that are left, which have other names.
func whatCame(d *comparison) []string {
	list := slices.Clone(d.controlled)
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], left)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// rwScripts draws scripts about a reader/writer lock.
var rwScripts = rapid.Custom(func(t *rapid.T) (s script) {
	menu := words("rlock runlock tryrlock wlock wunlock trywlock addvar")
	instrs := rapid.Custom(func(t *rapid.T) instr { return instr{verb: rapid.SampledFrom(menu).Draw(t, "verb")} })
	s.parts = rapid.SliceOfN(rapid.SliceOfN(instrs, 1, 5), 2, 4).Draw(t, "parts")
	s.trim()
	return s
})
