package client

import (
	"testing"

	"example.com/server"
	"golang.org/x/sync/errgroup"
)

// The group's goroutines and the server's, in another module, are under control.
func TestEveryAnswerComes(t *testing.T) {
	var g errgroup.Group
	answers := make(chan int)
	for i := 0; i < 2; i++ {
		n := i
		g.Go(func() error { answers <- server.Double(n); return nil })
	}
	go func() { g.Wait(); close(answers) }()
	sum := 0
	for v := range answers {
		sum += v
	}
	if sum != 2 {
		t.Errorf("sum %d, want 2", sum)
	}
}

// Loops share their variable, as the go.mod of this module wants it.
func TestSharedVariable(t *testing.T) {
	c := make(chan int, 2)
	for i := 0; i < 2; i++ {
		defer func() { c <- i }()
	}
	done := make(chan int, 1)
	for i := 0; i < 1; i++ {
		go func() { done <- i }()
	}
	if <-done == 1 {
		t.Error("shared")
	}
}
