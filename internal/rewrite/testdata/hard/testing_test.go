package hard

import (
	"context"
	"os"
	"path/filepath"
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

func TestDirectories(t *testing.T) {
	before, err := os.Getwd()
	want(t, err, nil)
	t.Cleanup(func() {
		after, _ := os.Getwd()
		want(t, after, before)
	})
	t.Run("a/b", func(t *testing.T) {
		dir, other := t.TempDir(), t.TempDir()
		want(t, dir == other, false)
		want(t, filepath.Base(other), "002")
		entries, err := os.ReadDir(dir)
		want(t, len(entries), 0) // those of other runs are gone
		want(t, err, nil)
		want(t, os.WriteFile(filepath.Join(dir, "f"), nil, 0o666), nil)
		t.Chdir(dir)
		_, err = os.Stat("f")
		want(t, err, nil)
		want(t, os.Getenv("PWD"), dir)
		defer func() { want(t, strings.Contains(recover().(string), "can not use t.Parallel"), true) }()
		t.Parallel()
	})
}

func TestContextEndsBeforeCleanup(t *testing.T) {
	ctx := t.Context()
	t.Cleanup(func() { want(t, ctx.Err(), context.Canceled) })
	t.Run("sub", func(t *testing.T) {
		sub, done := t.Context(), make(chan bool)
		go func() { <-sub.Done(); close(done) }()
		t.Cleanup(func() { <-done })
		want(t, sub.Err(), nil)
	})
	want(t, ctx.Err(), nil)
}

func TestSkippedThrough(t *testing.T) {
	var log []string
	t.Run("sub", func(t *testing.T) {
		defer func() {
			want(t, recover(), nil)
			log = append(log, "deferred")
		}()
		t.Cleanup(func() { log = append(log, "cleanup") })
		func() { t.SkipNow() }()
		log = append(log, "not reached")
	})
	want(t, strings.Join(log, " "), "deferred cleanup")
	t.Run("late", func(t *testing.T) {
		outer := t
		t.Run("done", func(inner *testing.T) { t = inner })
		t.Log("goes to the one around it")
		t = outer
	})
	want(t, t.Skipped(), false)
	want(t, t.Failed(), false)
}
