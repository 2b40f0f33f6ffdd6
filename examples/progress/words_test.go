package progress

import (
	"fmt"
	"strings"
)

// String says what an environment has.
func (e environment) String() string {
	words := []string{fmt.Sprintf("clients=%d", e.clients)}
	for _, w := range []struct {
		name string
		is   bool
	}{
		{fmt.Sprintf("messages=%d", e.messages), e.messages > 0}, {fmt.Sprintf("ids=%d", e.ids), e.ids > 0},
		{"leaving", e.leaving > 0}, {"other-ctx", e.otherCtx}, {"twice", e.twice},
		{"piped", e.piped}, {"forgets", e.forgets},
	} {
		if w.is {
			words = append(words, w.name)
		}
	}
	return strings.Join(words, ",")
}

func (s status) String() string { return fmt.Sprintf("cap=%d,updates=%d", s.capacity, s.updates) }
