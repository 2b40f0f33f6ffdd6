package model

import "sync"

// Locker is [sync.Locker].
type Locker = sync.Locker

// RLocker returns a Locker whose Lock and Unlock are rw.RLock and rw.RUnlock.
func (rw *RWMutex) RLocker() Locker { return (*readLocker)(rw) }

type readLocker RWMutex

func (r *readLocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *readLocker) Unlock() { (*RWMutex)(r).RUnlock() }
