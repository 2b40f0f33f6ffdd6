//go:build go1.18

package hard

import (
	"context"
	_ "embed"
	"os"
	"runtime"
	"strings"
	"testing"
)

//go:embed embedded.txt
var embedded string

var prepared bool

func TestMain(m *testing.M) {
	prepared = true
	os.Exit(m.Run())
}

func TestEmbeddedAndPrepared(t *testing.T) {
	want(t, strings.TrimSpace(embedded), "embedded text")
	want(t, prepared, true)
}

var early, cancelEarly = context.WithCancel(context.Background())

var over = func() context.Context {
	ctx, cancel := context.WithCancelCause(early)
	cancel(os.ErrClosed)
	return ctx
}()

var fromInit = make(chan int, 1)

func init() {
	done := make(chan bool)
	go func() { fromInit <- 7; close(done) }()
	<-done
}

// Contexts, channels and goroutines of a package are there before the test.
func TestEarlyContext(t *testing.T) {
	want(t, cancelEarly != nil, true)
	ctx, cancel := context.WithCancel(context.WithValue(early, "key", 3))
	ended := make(chan error)
	go func() {
		<-ctx.Done()
		ended <- ctx.Err()
	}()
	select {
	case <-early.Done():
		t.Error("cancelled")
	default:
	}
	cancel()
	want(t, <-ended, context.Canceled)
	<-over.Done()
	want(t, context.Cause(over), os.ErrClosed)
	child, cancel := context.WithCancel(over)
	defer cancel()
	<-child.Done()
	want(t, child.Err(), context.Canceled)
	want(t, <-fromInit, 7)
}

//line elsewhere.y:40
func TestLineDirective(t *testing.T) {
	c := make(chan int, 1)
	c <- 1
	_, file, line, _ := runtime.Caller(0)
	want(t, <-c, 1)
	want(t, file[strings.LastIndex(file, "/")+1:], "elsewhere.y")
	want(t, line, 43)
}
