package model_test

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

func TestOnce(t *testing.T) {
	checkPrograms(t, []program{
		{"runs once, and everyone waits for its end", []string{"calls 1 seen 2 2"}, func(note func(...any)) {
			var once model.Once
			var wg model.WaitGroup
			calls, state := 0, 0
			seen := make([]int, 2)
			for i := range seen {
				wg.Go(func() {
					once.Do(func() {
						calls++
						state = 1
						model.Gosched()
						state = 2
					})
					seen[i] = state
				})
			}
			wg.Wait()
			note("calls", calls, "seen", seen[0], seen[1])
		}},
		{"the first caller runs it", []string{"1", "2"}, func(note func(...any)) {
			var once model.Once
			var wg model.WaitGroup
			first := 0
			for i := 1; i <= 2; i++ {
				wg.Go(func() { once.Do(func() { first = i }) })
			}
			wg.Wait()
			note(first)
		}},
		{"a panic counts as a return", []string{"recovered no; second done"}, func(note func(...any)) {
			var once model.Once
			func() {
				defer func() { note("recovered", recover()) }()
				once.Do(func() { panic("no") })
			}()
			once.Do(func() { note("called again") })
			note("second done")
		}},
		{"a panic lets those who wait go on", []string{"second done"}, func(note func(...any)) {
			var once model.Once
			done := model.NewChan[int](0)
			model.Go(func() {
				defer done.Close()
				defer func() { recover() }()
				once.Do(func() { model.Gosched(); panic("no") })
			})
			once.Do(func() {})
			done.Recv()
			note("second done")
		}},
		{"recursive Do waits for itself", []string{"main blocked at do"}, func(note func(...any)) {
			var once model.Once
			once.Do(func() { once.Do(func() {}) })
		}},
	})
}
