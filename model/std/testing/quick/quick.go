// Package quick takes the place of package testing/quick in tests that "modelcheck test"
// has rewritten; see package lang. What it draws comes from one of several streams of
// random numbers, and which one is part of the schedule.
package quick

import (
	"reflect"
	"testing/quick"

	"github.com/modelcheck-go/modelcheck/model/std/math/rand"
)

type (
	CheckEqualError = quick.CheckEqualError
	CheckError      = quick.CheckError
	Config          = quick.Config
	Generator       = quick.Generator
	SetupError      = quick.SetupError
)

// Value is [quick.Value].
func Value(t reflect.Type, rand *rand.Rand) (value reflect.Value, ok bool) {
	return quick.Value(t, rand)
}

// Check is [quick.Check].
func Check(f any, config *Config) error { return quick.Check(f, drawing(config)) }

// CheckEqual is [quick.CheckEqual].
func CheckEqual(f, g any, config *Config) error { return quick.CheckEqual(f, g, drawing(config)) }

// drawing returns the configuration with a source of random numbers in it: the original
// takes one that begins with the time.
func drawing(config *Config) *Config {
	c := Config{}
	if config != nil {
		c = *config
	}
	if c.Rand == nil {
		c.Rand = rand.New(rand.NewSource(rand.Int63()))
	}
	return &c
}
