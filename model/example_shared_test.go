package model_test

import (
	"fmt"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
)

// A configuration is published by closing a channel, but one reader does not wait for
// that. In some schedules it reads before the write, in others after it; it is a data
// race in all of them.
func ExampleShared_dataRace() {
	r := explore.RunExhaustive(func() {
		config := model.Named(new(model.Shared[string]), "config")
		ready := model.NewChan[struct{}](0)
		model.GoNamed("patient", func() { ready.Recv(); config.Get() })
		model.GoNamed("hasty", func() { config.Get() })
		config.Set("v1")
		ready.Close()
	})
	for _, f := range r.Findings {
		fmt.Printf("%s on %s: %s by %s and %s by %s\n", f.Kind, f.Object, f.Other.Op, f.Other.Goroutine, f.Op, f.Name)
	}
	// Output: data race on variable config: write by main and read by hasty
}
