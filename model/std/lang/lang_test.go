package lang_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model/std/lang"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// operations uses every operation of the package once, and says what each gave.
func operations(c chan int) (got []any) {
	note := func(v ...any) { got = append(got, v...) }
	lang.To(c).Send(1)
	note(lang.Len(c), lang.LenTo(c))
	full, empty := lang.ToCase(c).Val(2), lang.FromCase(lang.Make(make(chan string)))
	note(lang.Select(true, full, empty), lang.Recv(c))
	note(lang.Select(false, lang.ToCase(c).Val(3), empty))
	from := lang.FromCase(c)
	note(lang.Select(false, empty, from), from.V, from.OK)
	note(lang.Select(true, lang.FromCase[int](nil), lang.ToCase[int](nil).Val(1)))
	done := lang.Make(make(chan bool))
	lang.Go(func() { lang.To(c).Send(4); lang.Gosched(); lang.Close(done) })
	lang.Recv(done)
	lang.Close(c)
	v, ok := lang.RecvOK(c)
	note(v, ok)
	v, ok = lang.RecvOK(c)
	note(v, ok, lang.Select(true, from), from.V, from.OK)
	return got
}

var outcome = []any{1, 1, -1, 1, 0, 1, 3, true, -1, 4, true, 0, false, 0, 0, false}

// run explores body, which the rewriter would have made of the body of a test.
func run(t *testing.T, body func()) explore.Report {
	t.Helper()
	defer lang.Begin()
	return explore.Run(func() { lang.Begin(); body() }, explore.Schedules(100), explore.Workers(1), explore.Sequential())
}

func TestOperationsAreThoseOfGo(t *testing.T) {
	if diff := cmp.Diff(outcome, operations(lang.Make(make(chan int, 1)))); diff != "" {
		t.Errorf("natively (-want +got)\n%s", diff)
	}
	r := run(t, func() {
		if diff := cmp.Diff(outcome, operations(lang.Make(make(chan int, 1)))); diff != "" {
			panic(diff)
		}
	})
	if r.Failed() {
		t.Errorf("under control: %v", r)
	}
}

// A channel that was made before is at the begin of every schedule what it was, and
// afterwards too.
func TestChannelsFromBefore(t *testing.T) {
	filled, closed := lang.Make(make(chan int, 3)), lang.Make(make(chan int))
	lang.To(filled).Send(1)
	lang.To(filled).Send(2)
	lang.Close(closed)
	r := run(t, func() {
		lang.Go(func() { lang.To(filled).Send(3) })
		_, ok := lang.RecvOK(closed)
		if a, b, c := lang.Recv(filled), lang.Recv(filled), lang.Recv(filled); a != 1 || b != 2 || c != 3 || ok {
			panic("another state")
		}
	})
	if r.Failed() || r.Schedules == 1 {
		t.Errorf("wanted several schedules without finding, found %v", r)
	}
	if _, ok := lang.RecvOK(closed); lang.Len(filled) != 2 || lang.Recv(filled) != 1 || lang.Recv(filled) != 2 || ok {
		t.Error("the channels are not what they were")
	}
}

func TestChannelsOfOthersAreRefused(t *testing.T) {
	awaited := lang.Make(make(chan int))
	received, started := make(chan int), make(chan bool)
	go func() {
		close(started)
		received <- lang.Recv(awaited)
	}()
	<-started
	for !lang.InUse(awaited) {
	}
	defer func() {
		lang.To(awaited).Send(1)
		<-received
	}()
	closed := lang.Make(make(chan int, 1))
	for _, test := range []struct {
		name, want string
		body       func()
	}{
		{"made elsewhere", "a channel is used that was made by code which is not under control", func() { lang.Recv(make(chan int)) }},
		{"nobody told", "a channel is used that was made by code which is not under control", func() {
			lang.Select(true, lang.FromCase(make(chan int)))
		}},
		{"awaited elsewhere", "a channel is used that a goroutine outside the controlled run waits for", func() { lang.To(awaited).Send(1) }},
		{"closed with values", "a channel is used that was closed with values in it before the run", func() {
			lang.Recv(closed)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if strings.HasPrefix(test.name, "closed") {
				lang.To(closed).Send(1)
				lang.Close(closed)
			}
			if r := run(t, test.body); r.Err == nil || !strings.Contains(r.Err.Error(), test.want) {
				t.Errorf("wanted an error with %q, found %v", test.want, r)
			}
		})
	}
}
