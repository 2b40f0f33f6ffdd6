package refused

import (
	"os"
	"reflect"
	"runtime"
	"testing"
	"testing/slogtest"
	"testing/synctest"
)

type yes bool

func f(x any, b yes) {}

func bubble(t *testing.T) { synctest.Test(t, nil) }

func all(t *testing.T) {
	c := make(chan os.Signal, 1)
	slogtest.Run(t, nil, nil)
	runtime.LockOSThread()
	reflect.Select(nil)
	reflect.ValueOf(c).Send(reflect.ValueOf(1))
	ends := make(<-chan int)
	var ok yes
	_, ok = <-ends
	f(ok, ok)
	go f(1, len(c) == 1)
	select {
	case _, ok = <-ends:
	}
}
