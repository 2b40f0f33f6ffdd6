package shim

import (
	"fmt"
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/minimal"
)

func TestMinimal(t *testing.T) {
	minimise := func(name string, e effort, body func()) {
		check := minimal.Check
		if e != proved {
			check = minimal.CheckLarge
		}
		t.Run(name, func(t *testing.T) { check(t, body) })
	}
	for _, r := range services {
		if r.want != nil {
			minimise(r.name(), r.effort, serve(r.design, r.env))
		}
	}
	for _, r := range reapings {
		if r.want != nil {
			minimise(fmt.Sprintf("%s/%v", r.variant, r.reaping), r.effort, r.reaping.reap)
		}
	}
}
