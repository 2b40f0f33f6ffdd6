package model

// OnceFunc returns a function that calls f the first time and does nothing later;
// callers wait until f has returned. If f panics, every call panics with the same
// value. It may be called concurrently; its steps are those of [Once].
func OnceFunc(f func()) func() {
	once := OnceValue(func() struct{} { f(); return struct{}{} })
	return func() { once() }
}

// OnceValue is [OnceFunc] for a function with a result, which every call returns.
func OnceValue[T any](f func() T) func() T {
	var (
		once     Once
		returned bool
		result   T
		reason   any // of the panic, if it has not returned
	)
	first := func() {
		defer func() {
			f = nil
			if !returned {
				reason = recover()
				panic(reason)
			}
		}()
		result = f()
		returned = true
	}
	return func() T {
		once.Do(first)
		if !returned {
			panic(reason)
		}
		return result
	}
}

// OnceValues is [OnceFunc] for a function with two results.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	type results struct {
		v1 T1
		v2 T2
	}
	once := OnceValue(func() results { v1, v2 := f(); return results{v1, v2} })
	return func() (T1, T2) { r := once(); return r.v1, r.v2 }
}
