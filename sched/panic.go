package sched

import (
	"fmt"
	"strconv"
)

// raise says that executing an operation ends in a panic or a fatal error,
// which its goroutine raises when it goes on.
type raise uint8

const (
	raiseNothing raise = iota
	raiseSendOnClosed
	raiseCloseOfClosed
	raiseCloseOfNil
	raiseNegativeCounter
	raiseReused
	raiseCollision
	raiseUnlockOfUnlocked
	raiseUnlockOfUnlockedRW
	raiseRUnlockOfUnlocked
	raiseUnwinding // the run is over
)

// runtimeError has the text of a panic of Go's runtime and, like it, is a
// runtime.Error.
type runtimeError string

func (e runtimeError) Error() string { return string(e) }

// RuntimeError marks the type as a runtime.Error.
func (runtimeError) RuntimeError() {}

// panics raises what the last operation left behind, with Go's texts.
func (g *G) panics() {
	r := g.raise
	g.raise = raiseNothing
	switch r {
	case raiseSendOnClosed:
		panic(runtimeError("send on closed channel"))
	case raiseCloseOfClosed:
		panic(runtimeError("close of closed channel"))
	case raiseCloseOfNil:
		panic(runtimeError("close of nil channel"))
	case raiseNegativeCounter:
		panic("sync: negative WaitGroup counter")
	case raiseReused:
		panic("sync: WaitGroup is reused before previous Wait has returned")
	case raiseCollision:
		panic("sync: WaitGroup misuse: Add called concurrently with Wait")
	case raiseUnlockOfUnlocked:
		g.Throw("unlock of unlocked mutex", "sync: unlock of unlocked mutex")
	case raiseUnlockOfUnlockedRW:
		g.Throw("unlock of unlocked mutex", "sync: Unlock of unlocked RWMutex")
	case raiseRUnlockOfUnlocked:
		g.Throw("unlock of unlocked mutex", "sync: RUnlock of unlocked RWMutex")
	case raiseUnwinding:
		g.unwind()
	}
}

// Throw ends the run as one of Go's fatal errors ends a program: user code
// cannot recover it. It does not return.
func (g *G) Throw(class, text string) {
	if g.e.unwinding {
		g.unwind()
	}
	f := Finding{Kind: Panic, Class: class, Op: g.kind.String(), Message: "fatal error: " + text}
	if g.obj != nil {
		f.Object = g.obj.describeIf(g.e.capture)
	}
	g.e.crash(g, f)
	g.park()
}

// Misuse ends the run because the tool itself is used wrongly. It does not
// return.
func (g *G) Misuse(text string) {
	err := errorf("%s (goroutine %s at %s)", text, g.Path(), g.callSite())
	if g.e.judging {
		panic(misuseInJudge{err})
	}
	if g.e.unwinding {
		g.unwind()
	}
	g.e.misused(err)
	g.park()
}

// panicFinding describes the panic value v; the caller is a deferred function.
func panicFinding(v any) Finding {
	text := panicText(v)
	return Finding{Kind: Panic, Class: panicClass(text), Op: "panic", Message: text, Site: panicSite()}
}

// panicText renders a panic value without calling into user code more than Go's
// own crash report would, and without addresses.
func panicText(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("(%T whose Error or String method panics)", v)
		}
	}()
	switch v := v.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	case string:
		return v
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128:
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("(%T)", v)
}

// panicClasses are the panics that reports and expectations name.
var panicClasses = map[string]string{
	"send on closed channel":           "send on closed channel",
	"close of closed channel":          "close of closed channel",
	"close of nil channel":             "close of nil channel",
	"sync: negative WaitGroup counter": "negative WaitGroup counter",
	"makechan: size out of range":      "makechan: size out of range",

	"sync: WaitGroup is reused before previous Wait has returned": "WaitGroup misuse",
	"sync: WaitGroup misuse: Add called concurrently with Wait":   "WaitGroup misuse",
}

func panicClass(text string) string { return panicClasses[text] }

func errorf(format string, args ...any) error {
	return fmt.Errorf("modelcheck: "+format, args...)
}

func itoa(n int) string { return strconv.Itoa(n) }
