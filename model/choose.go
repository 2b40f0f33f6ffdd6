package model

import (
	"math/rand/v2"
	"strconv"

	"github.com/modelcheck-go/modelcheck/sched"
)

// Choose returns a number from 0 to n-1: something that the environment decides,
// such as whether a call fails. Under control every value is explored; the choice
// is part of the schedule and is replayed with it, and nothing else happens
// meanwhile. Natively the value is random. Choose panics if n is less than 1.
func Choose(n int) int {
	if n < 1 {
		panic("modelcheck: Choose(" + strconv.Itoa(n) + "): want at least 1 alternative")
	}
	if g := sched.Current(); g != nil {
		return g.Choose(n)
	}
	return rand.IntN(n)
}
