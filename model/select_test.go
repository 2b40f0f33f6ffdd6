package model_test

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
)

func TestSelect(t *testing.T) {
	checkPrograms(t, []program{
		{"no cases", []string{"main blocked at select"}, func(note func(...any)) {
			model.Select()
		}},
		{"cases that never go", []string{"main blocked at select"}, func(note func(...any)) {
			var null model.Chan[int]
			model.Select(model.Case{}, null.RecvCase(nil), null.SendCase(1), null.RecvOKCase(nil, nil))
		}},
		{"one of several that are ready", []string{"case 0 got 1", "case 1 got 2", "case 2 got 0"}, func(note func(...any)) {
			a, b, c := model.NewChan[int](1), model.NewChan[int](1), model.NewChan[int](1)
			a.Send(1)
			b.Send(2)
			var v int
			i := model.Select(a.RecvCase(&v), b.RecvCase(&v), c.SendCase(3))
			note("case", i, "got", v)
		}},
		{"a ready one beside one that never is", []string{"case 1 got 2"}, func(note func(...any)) {
			a, b := model.NewChan[int](1), model.NewChan[int](1)
			b.Send(2)
			var v int
			note("case", model.Select(a.RecvCase(&v), b.RecvCase(&v)), "got", v)
		}},
		{"the variable of another case is untouched", []string{"1 -1"}, func(note func(...any)) {
			a, b := model.NewChan[int](1), model.NewChan[int](1)
			a.Send(1)
			v, w := -1, -1
			model.Select(a.RecvCase(&v), b.RecvCase(&w))
			note(v, w)
		}},
		{"waits for the first partner", []string{
			"case 0; main.2 blocked at send",
			"case 1; main.1 blocked at send",
		}, func(note func(...any)) {
			a, b := model.NewChan[int](0), model.NewChan[int](0)
			model.Go(func() { a.Send(1) })
			model.Go(func() { b.Send(2) })
			note("case", model.Select(a.RecvCase(nil), b.RecvCase(nil)))
		}},
		{"two selects meet", []string{"case 1 got 7 from case 0"}, func(note func(...any)) {
			a, b, sent := model.NewChan[int](0), model.NewChan[int](0), model.NewChan[int](1)
			model.Go(func() { sent.Send(model.Select(a.SendCase(7), b.RecvCase(nil))) })
			v, never := 0, model.NewChan[int](0)
			i := model.Select(never.RecvCase(nil), a.RecvCase(&v))
			note("case", i, "got", v, "from case", sent.Recv())
		}},
		{"a select does not meet itself", []string{"main blocked at select"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Select(ch.SendCase(1), ch.RecvCase(nil))
		}},
		{"the same channel twice", []string{"case 0 got 1 0", "case 1 got 0 1"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Send(1) })
			var v, w int
			i := model.Select(ch.RecvCase(&v), ch.RecvCase(&w))
			note("case", i, "got", v, w)
		}},
		{"closed channel is ready", []string{"case 0 0 false"}, func(note func(...any)) {
			a, b := model.NewChan[int](0), model.NewChan[int](0)
			a.Close()
			v, ok := 9, true
			i := model.Select(a.RecvOKCase(&v, &ok), b.RecvCase(nil))
			note("case", i, v, ok)
		}},
		{"close wakes a waiting select", []string{"case 1"}, func(note func(...any)) {
			a, b := model.NewChan[int](0), model.NewChan[int](0)
			model.Go(b.Close)
			note("case", model.Select(a.RecvCase(nil), b.RecvCase(nil)))
		}},
		{"send on closed may be chosen", []string{
			"case 1",
			"main panics: send on closed channel",
		}, func(note func(...any)) {
			a, b := model.NewChan[int](0), model.NewChan[int](1)
			a.Close()
			note("case", model.Select(a.SendCase(1), b.SendCase(2)))
		}},
		{"close under a waiting select that sends", []string{
			"main.1 panics: send on closed channel",
		}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { model.Select(ch.SendCase(1)) })
			ch.Close()
		}},
		{"a send not chosen leaves nothing behind", []string{"0 1 2 3 4 5"}, func(note func(...any)) {
			ready, full := model.NewChan[int](1), model.NewChan[int](0)
			var got []any
			for i := range 6 {
				ready.Send(i)
				v := -1
				model.Select(full.SendCase(100), ready.RecvCase(&v))
				got = append(got, v)
			}
			note(got...)
		}},
		{"values of different types", []string{"case 0 7 ''", "case 1 0 'x'"}, func(note func(...any)) {
			a, b := model.NewChan[int](1), model.NewChan[string](1)
			a.Send(7)
			b.Send("x")
			var n int
			var s string
			i := model.Select(a.RecvCase(&n), b.RecvOnly().RecvCase(&s))
			note("case", i, n, "'"+s+"'")
		}},
		{"cases kept in a slice", []string{"case 0 got 10", "case 1 got 11", "case 2 got 12"}, func(note func(...any)) {
			var cases []model.Case
			out := model.NewChan[int](1)
			for i := range 3 {
				cases = append(cases, out.SendOnly().SendCase(10+i))
			}
			i := model.Select(cases...)
			note("case", i, "got", out.Recv())
		}},
	})
}

func TestSelectWithDefault(t *testing.T) {
	checkPrograms(t, []program{
		{"no cases", []string{"case -1"}, func(note func(...any)) {
			note("case", model.TrySelect())
		}},
		{"nothing ready", []string{"case -1 got 9"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			v := 9
			note("case", model.TrySelect(ch.RecvCase(&v), ch.SendCase(1), model.Case{}), "got", v)
		}},
		{"ready case excludes the default", []string{"case 0 got 1"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			ch.Send(1)
			var v int
			note("case", model.TrySelect(ch.RecvCase(&v)), "got", v)
		}},
		{"room excludes the default", []string{"case 0"}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			note("case", model.TrySelect(ch.SendCase(1)))
		}},
		{"closed excludes the default", []string{"case 0 false"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			ch.Close()
			ok := true
			note("case", model.TrySelect(ch.RecvOKCase(nil, &ok)), ok)
		}},
		{"send on closed", []string{"main panics: send on closed channel"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			ch.Close()
			model.TrySelect(ch.SendCase(1))
		}},
		{"a sender may or may not wait already", []string{
			"case -1 got 0; main.1 blocked at send",
			"case 0 got 1",
		}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Send(1) })
			var v int
			note("case", model.TrySelect(ch.RecvCase(&v)), "got", v)
		}},
		{"a receiver may or may not wait already", []string{
			"case -1; main.1 blocked at receive",
			"case 0",
		}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { ch.Recv() })
			note("case", model.TrySelect(ch.SendCase(1)))
		}},
		{"two that do not wait never meet", []string{"-1; -1"}, func(note func(...any)) {
			ch := model.NewChan[int](0)
			model.Go(func() { note(model.TrySelect(ch.SendCase(1))) })
			note(model.TrySelect(ch.RecvCase(nil)))
		}},
		{"a buffered value may or may not be there", []string{
			"case -1",
			"case 0",
		}, func(note func(...any)) {
			ch := model.NewChan[int](1)
			model.Go(func() { ch.Send(1) })
			note("case", model.TrySelect(ch.RecvCase(nil)))
		}},
	})
}
