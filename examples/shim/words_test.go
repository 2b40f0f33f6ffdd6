package shim

import "github.com/modelcheck-go/modelcheck/examples/internal/trial"

// String says what an environment has besides containers with execs.
func (e environment) String() string {
	namespace := "private"
	if e.sharedPIDs {
		namespace = "shared"
	}
	return trial.World(namespace,
		trial.If(e.containers == 2, "two"), trial.If(e.creates, "creates"), trial.If(e.neighbour, "neighbour"), trial.If(e.startsInit, "starts init"),
		trial.If(e.deletes, "deletes"), trial.If(e.shutsDown, "shuts down"), trial.If(e.twice, "twice"),
		trial.If(e.fails, "fails"), trial.If(e.failsLate, "fails late"), trial.If(e.stubborn, "stubborn"),
		trial.If(e.settles, "settles"),
	)
}
