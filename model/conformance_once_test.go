package model_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

// onceFuncs are the functions under test or the real ones.
type onceFuncs struct {
	once   func(func()) func()
	value  func(func() any) func() any
	values func(func() (int, error)) func() (int, error)
}

// onceClauses are the clauses about sync.OnceFunc, OnceValue and OnceValues.
func onceClauses(f onceFuncs) []clause {
	errNo := errors.New("no")
	return []clause{
		{"OnceFunc: calls f once", []string{"f"}, func(note func(...any)) {
			once := f.once(func() { note("f") })
			once()
			once()
		}},
		{"OnceFunc: may be called concurrently, and f has returned then", []string{"1"}, func(note func(...any)) {
			n := 0
			once := f.once(func() { model.Gosched(); n++ })
			var wg model.WaitGroup
			wg.Go(once)
			once()
			note(n)
			wg.Wait()
		}},
		{"OnceFunc: if f panics every call does, with the same value", []string{"no; no"}, func(note func(...any)) {
			once := f.once(func() { panic("no") })
			note(text(once))
			note(text(once))
		}},
		{"OnceFunc: of nil panics when called", []string{"runtime error: invalid memory address or nil pointer dereference"}, func(note func(...any)) {
			note(text(f.once(nil)))
		}},
		{"OnceFunc: a panic with nil", []string{"panic called with nil argument; panic called with nil argument"}, func(note func(...any)) {
			once := f.once(func() { panic(nil) })
			note(text(once))
			note(text(once))
		}},
		{"OnceValue: returns what f returned", []string{"1 1"}, func(note func(...any)) {
			n := 0
			once := f.value(func() any { n++; return n })
			note(once(), once())
		}},
		{"OnceValue: if f panics every call does", []string{"no; no"}, func(note func(...any)) {
			once := f.value(func() any { panic("no") })
			note(text(func() { once() }))
			note(text(func() { once() }))
		}},
		{"OnceValues: returns what f returned", []string{"1 no; 1 no"}, func(note func(...any)) {
			n := 0
			once := f.values(func() (int, error) { n++; return n, errNo })
			note(once())
			note(once())
		}},
		{"OnceValues: if f panics every call does", []string{"no; no"}, func(note func(...any)) {
			once := f.values(func() (int, error) { panic(errNo) })
			note(text(func() { once() }))
			note(text(func() { once() }))
		}},
	}
}

func TestOnceFuncs(t *testing.T) {
	checkClauses(t, atRest, onceClauses(onceFuncs{model.OnceFunc, model.OnceValue[any], model.OnceValues[int, error]}))
	for _, c := range onceClauses(onceFuncs{sync.OnceFunc, sync.OnceValue[any], sync.OnceValues[int, error]}) {
		t.Run("package sync/"+c.says, func(t *testing.T) { checkNatively(t, c.want, c.body) })
	}
}
