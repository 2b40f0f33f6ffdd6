package model_test

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

// program is a body with all that it can come to.
type program struct {
	name string
	want []string
	body body
}

func checkPrograms(t *testing.T, programs []program) {
	t.Helper()
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) { checkOutcomes(t, p.want, p.body) })
	}
}

func TestUnbufferedChannel(t *testing.T) {
	checkPrograms(t, []program{
		{"send meets receive", []string{"got 1"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Send(1) })
			note("got", ch.Recv())
		}},
		{"send without receiver", []string{"main.1 blocked at send"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Send(1); note("sent") })
		}},
		{"receive without sender", []string{"main blocked at receive"}, func(note func(...any)) {
			model.NewChan[int](0).Recv()
		}},
		{"two senders, one receive", []string{
			"got 1; main.2 blocked at send",
			"got 2; main.1 blocked at send",
		}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Send(1) })
			model.Go(func() { ch.Send(2) })
			note("got", ch.Recv())
		}},
		{"two senders, two receives", []string{"got 1 2", "got 2 1"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Send(1) })
			model.Go(func() { ch.Send(2) })
			a := ch.Recv()
			note("got", a, ch.Recv())
		}},
		{"close wakes receiver", []string{"0 false"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(ch.Close)
			note(ch.RecvOK())
		}},
		{"close under waiting sender", []string{
			"main.1 panics: send on closed channel",
		}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Send(1) })
			ch.Close()
		}},
		{"close races with send that is received", []string{
			"got 0 false; main.1 panics: send on closed channel",
			"got 1 true",
			"main.1 panics: send on closed channel",
		}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Send(1) })
			model.Go(ch.Close)
			v, ok := ch.RecvOK()
			note("got", v, ok)
		}},
		{"close twice", []string{"main panics: close of closed channel"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			ch.Close()
			ch.Close()
		}},
		{"panic of a close is recovered", []string{"close of closed channel"}, func(note func(...any)) {
			defer func() { note(recover()) }()
			ch := model.NewChan[int](0)
			ch.Close()
			ch.Close()
		}},
		{"len and cap", []string{"0 0"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Daemon("sender", func() { ch.Send(1) })
			note(ch.Len(), ch.Cap())
		}},
	})
}

func TestBufferedChannel(t *testing.T) {
	checkPrograms(t, []program{
		{"order is kept", []string{"1 2"}, func(note func(...any)) {
			ch := model.NewChan[int](2)
			ch.Send(1)
			ch.Send(2)
			a := ch.Recv()
			note(a, ch.Recv())
		}},
		{"full channel blocks", []string{"main blocked at send"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Send(1)
			ch.Send(2)
		}},
		{"room is enough", []string{""}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			model.Go(func() { ch.Send(1) })
		}},
		{"receiver makes room", []string{"1 2 3"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			model.Go(func() {
				for i := 1; i <= 3; i++ {
					ch.Send(i)
				}
			})
			a, b := ch.Recv(), ch.Recv()
			note(a, b, ch.Recv())
		}},
		{"two senders", []string{"1 2", "2 1"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			model.Go(func() { ch.Send(1) })
			model.Go(func() { ch.Send(2) })
			a := ch.Recv()
			note(a, ch.Recv())
		}},
		{"close keeps what is buffered", []string{"1 true; 0 false; 0 false"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Send(1)
			ch.Close()
			for range 3 {
				note(ch.RecvOK())
			}
		}},
		{"send on closed", []string{"main panics: send on closed channel"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Close()
			ch.Send(1)
		}},
		{"close under waiting sender", []string{
			"main.1 panics: send on closed channel",
		}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Send(1)
			model.Go(func() { ch.Send(2) })
			ch.Close()
		}},
		{"len and cap", []string{"0 2", "1 2"}, func(note func(...any)) {
			ch := model.NewChan[int](2)
			model.Go(func() { ch.Send(1) })
			note(ch.Len(), ch.Cap())
		}},
		{"more waiting senders than capacity", []string{"0 6"}, func(note func(...any)) {
			ch := model.NewChan[[2]int](1)
			for i := 1; i <= 3; i++ {
				model.Go(func() { ch.Send([2]int{0, i}) })
			}
			var sum [2]int
			for range 3 {
				v := ch.Recv()
				sum[0], sum[1] = sum[0]+v[0], sum[1]+v[1]
			}
			note(sum[0], sum[1])
		}},
	})
}

func TestRange(t *testing.T) {
	checkPrograms(t, []program{
		{"until closed", []string{"0; 1; 2"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			model.Go(func() {
				defer ch.Close()
				for i := range 3 {
					ch.Send(i)
				}
			})
			for v := range ch.All() {
				note(v)
			}
		}},
		{"break leaves the rest", []string{"0; main.1 blocked at send"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() {
				for i := range 3 {
					ch.Send(i)
				}
			})
			for v := range ch.RecvOnly().All() {
				note(v)
				break
			}
		}},
		{"never closed", []string{"7; main blocked at receive"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Send(7)
			for v := range ch.All() {
				note(v)
			}
		}},
	})
}

func TestNilChannel(t *testing.T) {
	checkPrograms(t, []program{
		{"send", []string{"main blocked at send"}, func(note func(...any)) {
			model.Chan[int]{}.Send(1)
		}},
		{"receive", []string{"main blocked at receive"}, func(note func(...any)) {
			model.Chan[int]{}.Recv()
		}},
		{"range", []string{"main blocked at receive"}, func(note func(...any)) {
			for range (model.RecvOnly[int]{}).All() {
				note("got something")
			}
		}},
		{"close", []string{"main panics: close of nil channel"}, func(note func(...any)) {
			model.Chan[int]{}.Close()
		}},
		{"len and cap", []string{"0 0"}, func(note func(...any)) {
			var ch model.Chan[int]
			note(ch.Len(), ch.Cap())
		}},
		{"compared", []string{"true false true true"}, func(note func(...any)) {
			var null model.Chan[int]
			ch := model.NewChan[int](0)
			same := ch
			note(null == model.Chan[int]{}, null == ch, ch == same, ch.RecvOnly() == same.RecvOnly())
		}},
	})
}

// Values of interface type may be nil, which is a value like any other.
func TestInterfaceValues(t *testing.T) {
	checkPrograms(t, []program{
		{"nil error", []string{"<nil> true"}, func(note func(...any)) {
			ch := model.NewChan[error](1)
			ch.Send(nil)
			note(ch.RecvOK())
		}},
		{"nil error through select", []string{"case 0 case 0 <nil> true"}, func(note func(...any)) {
			ch := model.NewChan[error](1)
			err, ok := error(model.Canceled), false
			i := model.Select(ch.SendCase(nil))
			j := model.Select(ch.RecvOKCase(&err, &ok))
			note("case", i, "case", j, err, ok)
		}},
	})
}
