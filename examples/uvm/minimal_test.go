package uvm

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/minimal"
)

func TestTaskIsMinimal(t *testing.T)    { each(t, tasks, environment.words, isMinimal) }
func TestMachineIsMinimal(t *testing.T) { each(t, machines, environment.happenings, isMinimal) }

func isMinimal(t *testing.T, r row) {
	check := minimal.Check
	if r.effort != proved {
		check = minimal.CheckLarge
	}
	if r.want != nil {
		check(t, r.body(r.env), r.options()...)
	}
}
