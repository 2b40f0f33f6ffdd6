package progress

import (
	"fmt"

	"github.com/modelcheck-go/modelcheck/examples/internal/trial"
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
	return trial.World(
		trial.If(e.leaving > 0, "leaving"), trial.If(e.otherCtx, "other ctx"), trial.If(e.readers == 2, "twice"), trial.If(e.readers == 3, "thrice"), trial.If(e.readers == 4, "fourfold"),
		trial.If(e.piped, "piped"), trial.If(e.forgets, "forgets"), trial.If(e.ids > 0, "two ids"),
	)
}
