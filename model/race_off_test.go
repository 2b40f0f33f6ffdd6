//go:build !race

package model_test

// raceEnabled: the race detector is on.
const raceEnabled = false
