// Package environment knows the names of the environment variables that checks
// read.
package environment

import (
	"fmt"
	"slices"
	"strings"
)

const prefix = "MODELCHECK_"

// Known are the variables of this version, in the order in which they are listed.
var Known = []string{
	"MODELCHECK_SEED", "MODELCHECK_SCHEDULES", "MODELCHECK_STEPS", "MODELCHECK_STRATEGY", "MODELCHECK_WORKERS", "MODELCHECK_TIMERS", "MODELCHECK_RACES",
	"MODELCHECK_WATCHDOG", "MODELCHECK_REPLAY", "MODELCHECK_WORKLOAD", "MODELCHECK_PROVE", "MODELCHECK_EVENTS", "MODELCHECK_MINIMIZE", "MODELCHECK_CHECKPOINT", "MODELCHECK_STATS", "MODELCHECK_NOSAVE", "MODELCHECK_WIDTH", "MODELCHECK_ISOLATE",
}

// internal are variables that the tests of modelcheck itself read, and that its command
// sets.
var internal = []string{"MODELCHECK_LONG", "MODELCHECK_DRIVER", "MODELCHECK_PROGRESS", "MODELCHECK_TASK"}

// Unknown says, for each variable in environ ("KEY=value") that looks like one of
// modelcheck's and is none, that it has no effect and what may have been meant.
func Unknown(environ []string) []string {
	var list []string
	for _, setting := range environ {
		name, _, _ := strings.Cut(setting, "=")
		if !strings.HasPrefix(name, prefix) || slices.Contains(Known, name) || slices.Contains(internal, name) {
			continue
		}
		s := fmt.Sprintf("environment variable %s has no effect: ", name)
		if near := Nearest(name, Known); near != "" {
			s += fmt.Sprintf("did you mean %s?", near)
		} else {
			s += "the known ones are " + strings.Join(Known, ", ")
		}
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}
