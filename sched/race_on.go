//go:build race

package sched

// Under the race detector iter.Pull orders every transfer through annotations of
// its own that cannot be hidden; channels can.
const defaultBackend = BackendChannel
