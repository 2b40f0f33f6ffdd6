package model_test

import (
	"math/bits"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

// TestSpec goes through the Go specification. What blocks for ever is in
// TestChannelTable.
func TestSpec(t *testing.T) {
	checkClauses(t, atRest, []clause{
		{"channel types: values are received in the order sent", []string{"1 2 3"}, func(note func(...any)) {
			ch := model.NewChan[int](2)
			model.Go(func() {
				for i := range 3 {
					ch.Send(i + 1)
				}
			})
			a, b := ch.Recv(), ch.Recv()
			note(a, b, ch.Recv())
		}},
		{"channel types: unbuffered, communication needs both sides", []string{"receiving; sent"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Send(1); note("sent") })
			settle()
			note("receiving")
			ch.Recv()
			settle()
		}},
		{"channel types: buffered, a send blocks only when the buffer is full", []string{"1; 2; receiving; 3"}, func(note func(...any)) {
			ch := model.NewChan[int](2)
			model.Go(func() {
				for i := range 3 {
					ch.Send(i)
					note(i + 1)
				}
			})
			settle()
			note("receiving")
			ch.Recv()
			settle()
		}},
		{"channel types: buffered, a receive blocks only when the buffer is empty", []string{"1; sending; 2"}, func(note func(...any)) {
			ch := model.NewChan[int](2)
			ch.Send(1)
			model.Go(func() {
				note(ch.Recv())
				note(ch.Recv())
			})
			settle()
			note("sending")
			ch.Send(2)
			settle()
		}},
		{"channel types: any number of goroutines may use a channel", []string{"6"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			var wg model.WaitGroup
			for i := range 3 {
				wg.Go(func() { ch.Send(i + 1) })
			}
			sum := 0
			for range 3 {
				sum += ch.Recv()
			}
			wg.Wait()
			note(sum)
		}},
		{"length and capacity: 0 for the nil channel, values queued for others", []string{"0 0 1 3"}, func(note func(...any)) {
			var none model.Chan[int]
			ch := model.NewChan[int](3)
			ch.Send(1)
			note(none.Len(), none.Cap(), ch.Len(), ch.Cap())
		}},
		{"receive operator: blocks until a value is there", []string{"sending; 7"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { note(ch.Recv()) })
			settle()
			note("sending")
			ch.Send(7)
			settle()
		}},
		{"receive operator: a closed channel gives what was sent, then zero, at once", []string{"1 true; 0 false; 0 false"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Send(1)
			ch.Close()
			note(ch.RecvOK())
			note(ch.RecvOK())
			note(ch.RecvOK())
		}},
		{"receive operator: ok is false for the zero of a closed channel alone", []string{"0 true; 0 false"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Send(0)
			ch.Close()
			note(ch.RecvOK())
			note(ch.RecvOK())
		}},
		{"send statements: on a closed channel they panic", []string{"send on closed channel"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Close()
			note(text(func() { ch.Send(1) }))
		}},
		{"send statements: and when it is closed while they wait", []string{"send on closed channel"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { note(text(func() { ch.Send(1) })) })
			settle()
			ch.Close()
			settle()
		}},
		{"close: no more values, receivers go on", []string{"0 false; 0 false"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			for range 2 {
				model.Go(func() { note(ch.RecvOK()) })
			}
			settle()
			ch.Close()
			settle()
		}},
		{"close: of a closed or nil channel panics", []string{"close of closed channel; close of nil channel"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			ch.Close()
			note(text(ch.Close))
			note(text(model.Chan[int]{}.Close))
		}},
		{"select: any of the cases that can go", []string{"0", "1"}, func(note func(...any)) {
			a, b := model.NewChan[int](1), model.NewChan[int](1)
			a.Send(1)
			note(model.Select(a.RecvCase(nil), b.SendCase(1)))
		}},
		{"select: the default only when none can go", []string{"-1 0"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			none := model.TrySelect(ch.RecvCase(nil))
			note(none, model.TrySelect(ch.SendCase(1)))
		}},
		{"select: without default it blocks until one can go", []string{"sending; 1"}, func(note func(...any)) {
			a, b := model.NewChan[int](0), model.NewChan[int](0)
			model.Go(func() { note(model.Select(a.RecvCase(nil), b.RecvCase(nil))) })
			settle()
			note("sending")
			b.Send(1)
			settle()
		}},
		{"select: a nil channel never goes", []string{"1"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			note(model.Select(model.Chan[int]{}.RecvCase(nil), ch.SendCase(1), model.Chan[int]{}.SendCase(1)))
		}},
		{"select: only the chosen case communicates", []string{"0 0 1", "1 1 0"}, func(note func(...any)) {
			a, b := model.NewChan[int](1), model.NewChan[int](1)
			a.Send(1)
			b.Send(1)
			i := model.Select(a.RecvCase(nil), b.RecvCase(nil))
			note(i, a.Len(), b.Len())
		}},
		{"select: a send on a closed channel can go, and panics", []string{"send on closed channel"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Close()
			note(text(func() { model.TrySelect(ch.SendCase(1)) }))
		}},
		{"select: a receive from a closed channel can go", []string{"0 0 false"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			ch.Close()
			v, ok := 7, true
			note(model.TrySelect(ch.RecvOKCase(&v, &ok)), v, ok)
		}},
		{"select: the same channel may occur in several cases", []string{"0", "1"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Send(1)
			note(model.Select(ch.RecvCase(nil), ch.RecvCase(nil)))
		}},
		{"select: a goroutine does not meet itself", []string{"2 9"}, func(note func(...any)) {
			ch, other := model.NewChan[int](0), model.NewChan[int](1)
			other.Send(9)
			var v int
			note(model.Select(ch.SendCase(1), ch.RecvCase(nil), other.RecvCase(&v)), v)
		}},
		{"for statements: range receives until the channel is closed", []string{"0 1 2"}, func(note func(...any)) {
			ch := model.NewChan[any](0)
			model.Go(func() {
				for i := range 3 {
					ch.Send(i)
				}
				ch.Close()
			})
			var got []any
			for v := range ch.All() {
				got = append(got, v)
			}
			note(got...)
		}},
		{"go statements: the caller does not wait", []string{"caller; goroutine"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Recv(); note("goroutine") })
			note("caller")
			ch.Send(1)
			settle()
		}},
		{"making channels: a negative size panics", []string{"makechan: size out of range"}, func(note func(...any)) {
			note(text(func() { model.NewChan[int](-1 * model.NewChan[int](1).Cap()) }))
		}},
		{"making channels: so does one that is too large for the values to have addresses", []string{"makechan: size out of range true"}, func(note func(...any)) {
			large := 1 << (bits.UintSize * 5 / 8)
			tooLarge := text(func() { model.NewChan[[1 << 15]byte](large) })
			note(tooLarge, model.NewChan[struct{}](large).Cap() == large)
		}},
		{"deferred functions: they run when the goroutine panics", []string{"0 false"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() {
				defer func() { _ = recover() }()
				defer ch.Close()
				panic("no")
			})
			note(ch.RecvOK())
		}},
	})
}
