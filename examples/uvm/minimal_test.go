package uvm

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/minimal"
)

func TestTaskIsMinimal(t *testing.T)    { minimal.Check(t, trials(tasks, environment.words)) }
func TestMachineIsMinimal(t *testing.T) { minimal.Check(t, trials(machines, environment.happenings)) }
