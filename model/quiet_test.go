package model_test

import (
	"bytes"
	"runtime"
	"strings"
)

// waiting are the states, in a dump of all goroutines, of one that cannot go on by
// itself: it waits for another to use a channel or a primitive of package sync. All
// other states count as running. The state "semacquire" does so too, since it also
// stands for waits within the runtime.
var waiting = map[string]bool{
	"chan send": true, "chan receive": true, "chan send (nil chan)": true, "chan receive (nil chan)": true,
	"select": true, "select (no cases)": true,
	"sync.Mutex.Lock": true, "sync.RWMutex.Lock": true, "sync.RWMutex.RLock": true,
	"sync.Cond.Wait": true, "sync.WaitGroup.Wait": true,
}

// A watch finds out whether the goroutines of the process have come to rest. The
// runtime stops all of them to dump their states, so what it sees is one moment: if
// at that moment all but the caller wait for each other, and none for a clock or the
// world outside, then nothing will ever happen again without the caller. That holds
// for locks, for which bubbles of package testing/synctest do not.
type watch struct{ buf []byte }

var separator = []byte("\n\ngoroutine ")

// quiet reports whether all goroutines but the caller wait, and how many there are.
func (w *watch) quiet() (all bool, n int) {
	text := w.dump()
	for all = true; ; n++ {
		_, rest, found := bytes.Cut(text, separator)
		if !found {
			return all, n
		}
		text = rest
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		_, state, _ := strings.Cut(string(line), "[")
		state = strings.TrimSuffix(state, "]:")
		state, _, _ = strings.Cut(state, ",")
		all = all && waiting[state]
	}
}

// dump returns the states of all goroutines, the caller's first.
func (w *watch) dump() []byte {
	for {
		if n := runtime.Stack(w.buf, true); n < len(w.buf) {
			return w.buf[:n]
		}
		w.buf = make([]byte, 2*len(w.buf)+1<<16)
	}
}
