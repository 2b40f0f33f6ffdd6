package hard

import (
	"os"
	"strings"
	"testing"
)

func TestSubtests(t *testing.T) {
	var log []string
	t.Cleanup(func() { log = append(log, "cleanup") })
	for _, name := range []string{"a", "b b", "a"} {
		ok := t.Run(name, func(t *testing.T) {
			log = append(log, t.Name())
			t.Cleanup(func() { log = append(log, "cleanup "+t.Name()) })
			if name == "b b" {
				t.Skip("not this one")
			}
			log = append(log, "end")
		})
		want(t, ok, true)
	}
	want(t, strings.Join(log, ","), "TestSubtests/a,end,cleanup TestSubtests/a,TestSubtests/b_b,cleanup TestSubtests/b_b,TestSubtests/a#01,end,cleanup TestSubtests/a#01")
	t.Setenv("HARD", "1")
	want(t, os.Getenv("HARD"), "1")
	dir := t.TempDir()
	_, err := os.Stat(dir)
	want(t, err, nil)
	t.Logf("log %d", 1)
	var tb testing.TB = t
	tb.Helper()
}

func TestParallelSubtests(t *testing.T) {
	t.Parallel()
	c := make(chan int)
	released := false
	t.Run("group", func(t *testing.T) {
		t.Run("send", func(t *testing.T) {
			t.Parallel()
			want(t, released, true)
			c <- 1
		})
		t.Run("receive", func(t *testing.T) {
			t.Parallel()
			want(t, <-c, 1)
		})
		released = true
	})
}

func TestSkipped(t *testing.T) {
	defer func() { _ = 1 }()
	t.Skip("skipped on purpose")
	t.Fatal("not reached")
}
