package lang_test

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/model/std/lang"
)

// BenchmarkSteps compares the steps of a rewritten program with those of the same one
// written against package model: a producer, a channel of capacity 1, and a consumer
// that selects.
func BenchmarkSteps(b *testing.B) {
	const values = 100
	for _, program := range []struct {
		name string
		body func()
	}{
		{"model", func() {
			c, stop := model.NewChan[int](1), model.NewChan[bool](0)
			model.Go(func() {
				for i := range values {
					c.Send(i)
				}
				stop.Close()
			})
			var v int
			for model.Select(c.RecvCase(&v), stop.RecvCase(nil)) == 0 {
			}
		}},
		{"rewritten", func() {
			lang.Begin()
			c, stop := lang.Make(make(chan int, 1)), lang.Make(make(chan bool))
			lang.Go(func() {
				for i := range values {
					lang.To(c).Send(i)
				}
				lang.Close(stop)
			})
			for lang.Select(false, lang.FromCase(c), lang.FromCase(stop)) == 0 {
			}
		}},
	} {
		b.Run(program.name, func(b *testing.B) {
			b.ReportAllocs()
			r := explore.Run(program.body, explore.Schedules(b.N), explore.Workers(1), explore.WithStrategy("random"))
			b.ReportMetric(float64(r.Elapsed.Nanoseconds())/float64(r.Steps), "ns/step")
			if r.Failed() {
				b.Error(r)
			}
		})
	}
	lang.Begin()
}
