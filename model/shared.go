package model

import "github.com/modelcheck-go/modelcheck/sched"

// Shared is a plain variable that goroutines share, with nothing of its own to protect
// it. Under control reading and writing it are steps, so what a race on it can lead to
// is explored, and a data race on it is a finding: two accesses by different goroutines,
// at least one a Set, between which there is no chain of synchronisations as the Go
// memory model has them. It is found in every run that has one, also if the accesses do
// not follow each other there, and at no cost to programs without a Shared.
// explore.IgnoreRaces is for programs in which races are meant, and explore.Races
// expects one.
//
// Natively it is a variable, and the race detector sees the race. The zero value holds
// the zero value of T. It must not be copied after first use.
type Shared[T any] struct {
	ref sched.Ref
	v   T
}

// Get reads the variable.
func (s *Shared[T]) Get() T {
	reads(&s.ref, sched.KindVariable, "variable read")
	return s.v
}

// Set writes the variable.
func (s *Shared[T]) Set(v T) {
	if writes(&s.ref, sched.KindVariable, "variable write") {
		s.v = v
	}
}

// Update is Set(f(Get())), what s.v++ is to a plain variable: two steps, so that a
// change by another goroutine in between is lost.
func (s *Shared[T]) Update(f func(T) T) { s.Set(f(s.Get())) }

func (s *Shared[T]) object(g *sched.G) *sched.Object {
	return g.Object(&s.ref, sched.KindVariable)
}

// reads is the step that reads the state that ref stands for; the caller reads it
// directly afterwards. Natively it checks that no run owns ref.
func reads(ref *sched.Ref, kind sched.ObjectKind, op string) {
	if g := sched.Current(); g != nil {
		g.Read(g.Object(ref, kind))
		return
	}
	sched.Foreign(ref, op)
}

// writes is the step that changes the state that ref stands for. It reports false
// when the caller must not change it, because its goroutine is being unwound.
func writes(ref *sched.Ref, kind sched.ObjectKind, op string) bool {
	if g := sched.Current(); g != nil {
		return g.Write(g.Object(ref, kind))
	}
	sched.Foreign(ref, op)
	return true
}
