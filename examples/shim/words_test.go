package shim

import "strings"

// String says what an environment has besides containers with execs.
func (e environment) String() string {
	namespace := "private"
	if e.sharedPIDs {
		namespace = "shared"
	}
	words := []string{namespace}
	for _, w := range []struct {
		name string
		is   bool
	}{
		{"two", e.containers == 2}, {"creates", e.creates},
		{"starts init", e.startsInit}, {"deletes", e.deletes}, {"shuts down", e.shutsDown},
		{"twice", e.twice}, {"fails", e.fails}, {"fails late", e.failsLate},
		{"stubborn", e.stubborn}, {"settles", e.settles},
	} {
		if w.is {
			words = append(words, w.name)
		}
	}
	return strings.Join(words, ", ")
}
