//go:build !race

package model_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

// TestWaitGroupMisuseNatively sees what really happens: nothing but what is explored
// in TestWaitGroupMisuse. (To the race detector such a misuse is a race.)
func TestWaitGroupMisuseNatively(t *testing.T) {
	want := map[string]bool{
		"<nil>": true,
		"sync: WaitGroup is reused before previous Wait has returned": true,
	}
	for range 2000 {
		var wg model.WaitGroup
		wg.Add(1)
		done := make(chan any, 1)
		go func() {
			defer func() { done <- recover() }()
			wg.Wait()
		}()
		runtime.Gosched()
		wg.Done()
		func() {
			defer func() { _ = recover() }() // the collision, which is above too
			wg.Add(1)
		}()
		runtime.Gosched()
		wg.Done()
		if got := fmt.Sprint(<-done); !want[got] {
			t.Fatalf("Wait ended with %q", got)
		}
	}
}
