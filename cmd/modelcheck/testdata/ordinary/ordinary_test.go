// Package ordinary knows nothing of modelcheck.
package ordinary

import (
	"fmt"
	"testing"
	"time"
)

func TestDelivers(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	if v := <-c; v != 1 {
		t.Fatalf("%d arrived, want 1", v)
	}
}

// The goroutine is left behind when the time is up before it sends.
func TestGivesUp(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	select {
	case <-c:
	case <-time.After(time.Second):
	}
}

var registered = map[string]bool{}

// Every schedule but the first finds what the first has left behind.
func TestRegisters(t *testing.T) {
	if registered["a"] {
		panic("registered twice")
	}
	registered["a"] = true
	c := make(chan int, 2)
	go func() { c <- 1 }()
	c <- 2
}

func Example() {
	fmt.Println("not run")
	// Output: run
}
