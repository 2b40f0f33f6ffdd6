package sched

import "runtime"

func exit() { runtime.Goexit() }
