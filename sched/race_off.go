//go:build !race

package sched

const defaultBackend = BackendPull
