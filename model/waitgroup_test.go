package model_test

import (
	"runtime"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

func TestWaitGroup(t *testing.T) {
	checkPrograms(t, []program{
		{"waits for all", []string{"3"}, func(note func(...any)) {
			var wg model.WaitGroup
			n := 0
			for range 3 {
				wg.Go(func() { n++ })
			}
			wg.Wait()
			note(n)
		}},
		{"add too late", []string{"0", "1"}, func(note func(...any)) {
			var wg model.WaitGroup
			n := 0
			model.Go(func() {
				wg.Add(1)
				n++
				wg.Done()
			})
			wg.Wait()
			note(n)
		}},
		{"done forgotten", []string{"main blocked at wait"}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Add(2)
			model.Go(wg.Done)
			wg.Wait()
		}},
		{"several wait", []string{"done"}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Add(1)
			model.Go(wg.Wait)
			model.Go(wg.Done)
			wg.Wait()
			note("done")
		}},
		{"negative counter", []string{"sync: negative WaitGroup counter"}, func(note func(...any)) {
			defer func() { note(recover()) }()
			new(model.WaitGroup).Done()
		}},
		{"one Done too many", []string{
			"main.1 panics: sync: negative WaitGroup counter",
			"main.2 panics: sync: negative WaitGroup counter",
		}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Add(1)
			model.Go(wg.Done)
			model.Go(wg.Done)
		}},
		{"Goexit in Go counts as done", []string{"main.1 goexit: runtime.Goexit was called (by t.FailNow, t.Fatal or t.Skip, perhaps): report a failed check with model.Assert, or return"}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Go(runtime.Goexit)
			wg.Wait()
		}},
		{"panic in Go is not done", []string{"main.1 panics: no"}, func(note func(...any)) {
			var wg model.WaitGroup
			wg.Go(func() { panic("no") })
			wg.Wait()
			note("waited")
		}},
	})
}
