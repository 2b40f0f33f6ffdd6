package shim

import (
	"fmt"
	"strings"
)

func (r row) name() string { return fmt.Sprintf("%s/%v", r.variant, r.env) }

// String says what an environment has.
func (e environment) String() string {
	words := []string{fmt.Sprintf("execs=%d", e.execs)}
	for _, w := range []struct {
		name string
		is   bool
	}{
		{"shared", e.sharedPIDs}, {"two", e.containers == 2}, {"creates", e.creates},
		{"starts-init", e.startsInit}, {"deletes", e.deletes}, {"shuts-down", e.shutsDown},
		{"twice", e.twice}, {"fails", e.fails}, {"fails-late", e.failsLate},
		{"stubborn", e.stubborn}, {"settles", e.settles},
	} {
		if w.is {
			words = append(words, w.name)
		}
	}
	return strings.Join(words, ",")
}

func (r reaping) String() string { return fmt.Sprintf("cap=%d,execs=%d", r.capacity, r.execs) }
