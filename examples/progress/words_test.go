package progress

import (
	"fmt"
	"strings"
)

// size says how many clients and messages there are.
func (e environment) size() string {
	if e.messages == 0 {
		return fmt.Sprintf("clients=%d", e.clients)
	}
	return fmt.Sprintf("clients=%d,messages=%d", e.clients, e.messages)
}

// world says what else an environment has.
func (e environment) world() string {
	var words []string
	for _, w := range []struct {
		name string
		is   bool
	}{
		{"leaving", e.leaving > 0}, {"other ctx", e.otherCtx}, {"twice", e.twice},
		{"piped", e.piped}, {"forgets", e.forgets}, {"two ids", e.ids > 0},
	} {
		if w.is {
			words = append(words, w.name)
		}
	}
	return strings.Join(words, ", ")
}
