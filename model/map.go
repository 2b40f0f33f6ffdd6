package model

import (
	"hash/maphash"
	"sort"
	"sync"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Map is [sync.Map]. The zero value is empty; it must not be copied after first
// use. Under control every method is a step, and so is each turn of Range.
type Map struct {
	ref    sched.Ref
	native sync.Map

	// The entries under control; ages has the same ones, oldest first.
	entries map[any]*mapEntry
	ages    []*mapEntry
	stored  uint64 // entries ever stored

	// syncs has, for every key that was ever written, where whoever wrote it last
	// released, and cleared where whoever called Clear did.
	syncs   map[any]*sched.Sync
	cleared sched.Sync
}

// mapEntry is a key with its value, from the store that put the key into the map
// until it is deleted.
type mapEntry struct {
	key, value any
	number     uint64 // counts entries of the map from 1
}

// Load returns the value of key; ok is false when there is none.
func (m *Map) Load(key any) (value any, ok bool) {
	g := m.enter("map load")
	if g == nil {
		return m.native.Load(key)
	}
	g.Read(m.object(g))
	value, ok = m.value(key)
	m.observes(g, key)
	return value, ok
}

// Store sets the value of key.
func (m *Map) Store(key, value any) {
	g := m.enter("map store")
	if g == nil {
		m.native.Store(key, value)
		return
	}
	if g.Write(m.object(g)) {
		m.set(key, value)
		m.sync(key).Overwrite(g)
	}
}

// Swap sets the value of key and returns the one before, if loaded is true.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	g := m.enter("map store")
	if g == nil {
		return m.native.Swap(key, value)
	}
	changes := g.Write(m.object(g))
	previous, loaded = m.value(key)
	m.observes(g, key)
	if changes {
		m.set(key, value)
		m.sync(key).Release(g)
	}
	return previous, loaded
}

// LoadOrStore returns the value of key if there is one, and otherwise stores value
// and returns it.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	g := m.enter("map load or store")
	if g == nil {
		return m.native.LoadOrStore(key, value)
	}
	changes := g.Write(m.object(g))
	actual, loaded = m.value(key)
	m.observes(g, key)
	if loaded {
		return actual, true
	}
	if changes {
		m.set(key, value)
		m.sync(key).Release(g)
	}
	return value, false
}

// LoadAndDelete deletes key and returns the value that it had, if loaded is true.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	g := m.enter("map delete")
	if g == nil {
		return m.native.LoadAndDelete(key)
	}
	changes := g.Write(m.object(g))
	value, loaded = m.value(key)
	m.observes(g, key)
	if changes && loaded {
		m.remove(key)
		m.sync(key).Release(g)
	}
	return value, loaded
}

// Delete deletes key.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// CompareAndSwap sets the value of key to new if it is old, and reports whether it
// did. It panics if old cannot be compared.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	g := m.enter("map compare and swap")
	if g == nil {
		return m.native.CompareAndSwap(key, old, new)
	}
	if !g.Write(m.object(g)) || !m.compares(g, key, old) {
		return false
	}
	m.set(key, new)
	m.sync(key).Release(g)
	return true
}

// CompareAndDelete deletes key if its value is old, and reports whether it did. It
// panics if old cannot be compared.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	g := m.enter("map compare and delete")
	if g == nil {
		return m.native.CompareAndDelete(key, old)
	}
	if !g.Write(m.object(g)) || !m.compares(g, key, old) {
		return false
	}
	m.remove(key)
	m.sync(key).Release(g)
	return true
}

// Clear deletes all keys.
func (m *Map) Clear() {
	g := m.enter("map clear")
	if g == nil {
		m.native.Clear()
		return
	}
	if g.Write(m.object(g)) {
		m.entries, m.ages, m.syncs = nil, nil, nil
		m.cleared.Release(g)
	}
}

// Range calls f for the keys and their values until f returns false. It is no
// snapshot: what is deleted before its turn is left out, and no key comes twice.
//
// Natively the order is random. Under control keys come in the order in which they
// were stored, other orders are not explored; whether a key comes that was stored
// after the call is, because Go leaves it open.
func (m *Map) Range(f func(key, value any) bool) {
	g := m.enter("map range")
	if g == nil {
		m.native.Range(f)
		return
	}
	o := m.object(g)
	g.Read(o)
	newest, seen := m.stored, map[any]bool{}
	for last := uint64(0); ; {
		e := m.after(last)
		if e == nil {
			return
		}
		last = e.number
		if seen[e.key] || e.number > newest && g.Choose(2) == 1 {
			continue
		}
		seen[e.key] = true
		m.observes(g, e.key)
		if !f(e.key, e.value) {
			return
		}
		g.Read(o)
	}
}

// enter returns the modelled goroutine that calls.
func (m *Map) enter(op string) *sched.G {
	g := sched.Current()
	if g == nil {
		sched.Foreign(&m.ref, op)
	}
	return g
}

func (m *Map) object(g *sched.G) *sched.Object {
	for range m.native.Range {
		g.Misuse("a map that was filled outside the controlled run is used in it: fill it inside the body")
	}
	return g.Object(&m.ref, sched.KindMap)
}

// sync returns where writers of key release.
func (m *Map) sync(key any) *sched.Sync {
	s := m.syncs[key]
	if s == nil {
		if m.syncs == nil {
			m.syncs = map[any]*sched.Sync{}
		}
		s = new(sched.Sync)
		m.syncs[key] = s
	}
	return s
}

// observes orders g after whoever wrote key last, or cleared it.
func (m *Map) observes(g *sched.G, key any) {
	if s := m.syncs[key]; s != nil {
		s.Acquire(g)
		return
	}
	m.cleared.Acquire(g)
}

// compares reports whether key has that value, which g now knows.
func (m *Map) compares(g *sched.G, key, value any) bool {
	holds := m.holds(key, value)
	m.observes(g, key)
	return holds
}

// hashSeed is for hashes that are thrown away.
var hashSeed = maphash.MakeSeed()

// entry returns the entry of key, nil if there is none. It panics if key cannot be
// hashed.
func (m *Map) entry(key any) *mapEntry {
	if len(m.entries) == 0 {
		maphash.Comparable(hashSeed, key) // a lookup in an empty map would panic with another text
		return nil
	}
	return m.entries[key]
}

func (m *Map) value(key any) (value any, ok bool) {
	if e := m.entry(key); e != nil {
		return e.value, true
	}
	return nil, false
}

func (m *Map) holds(key, value any) bool {
	e := m.entry(key)
	return e != nil && e.value == value
}

func (m *Map) set(key, value any) {
	if e := m.entry(key); e != nil {
		e.value = value
		return
	}
	if m.entries == nil {
		m.entries = map[any]*mapEntry{}
	}
	m.stored++
	e := &mapEntry{key, value, m.stored}
	m.entries[key] = e
	m.ages = append(m.ages, e)
}

func (m *Map) remove(key any) {
	e := m.entry(key)
	if e == nil {
		return
	}
	delete(m.entries, key)
	i := m.index(e.number)
	m.ages = append(m.ages[:i], m.ages[i+1:]...)
}

// after returns the oldest entry that is newer than number, nil if there is none.
func (m *Map) after(number uint64) *mapEntry {
	if i := m.index(number + 1); i < len(m.ages) {
		return m.ages[i]
	}
	return nil
}

// index returns the place in ages of the first entry with this number or a higher
// one.
func (m *Map) index(number uint64) int {
	return sort.Search(len(m.ages), func(i int) bool { return m.ages[i].number >= number })
}
