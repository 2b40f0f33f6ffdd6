package gotest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestProgressIsHeard(t *testing.T) {
	file := filepath.Join(t.TempDir(), "progress")
	heard := make(chan Progress, 10)
	stop, err := listen(file, func(p Progress) { heard <- p })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, part := range []string{
		`{"test":"TestX","schedules":7,"asked":9,"per_second":1.5}` + "\n" + `{"test":"Te`,
		`stY","classes":3,"share":0.5,"something":"new"}` + "\nwhat is this\n" + `{"v":2}` + "\n",
		`{"test":"TestZ"}` + "\n",
	} {
		if _, err := f.WriteString(part); err != nil {
			t.Fatal(err)
		}
		time.Sleep(pollEvery)
	}
	var got []Progress
	for range 3 {
		select {
		case p := <-heard:
			got = append(got, p)
		case <-time.After(10 * time.Second):
			t.Fatalf("heard only %+v", got)
		}
	}
	want := []Progress{{Test: "TestX", Schedules: 7, Asked: 9, PerSecond: 1.5}, {Test: "TestY", Classes: 3, Share: 0.5}, {Test: "TestZ"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
