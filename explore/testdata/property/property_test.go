// Package property has properties for the tests of explore, which run them as a
// process of their own. The variable BUG chooses what is wrong.
package property

import (
	"os"
	"runtime"
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
	"pgregory.net/rapid"
)

var bug = os.Getenv("BUG")

// drawPump draws a pool of workers that all send a result; as many are received as
// there are workers, but one fewer if that is the bug.
func drawPump(rt *rapid.T) func() {
	workers := rapid.IntRange(0, 8).Draw(rt, "workers")
	capacity := rapid.IntRange(0, 3).Draw(rt, "capacity")
	names := rapid.SliceOfN(rapid.StringMatching("[a-z]{1,5}"), 0, 5).Draw(rt, "names")
	return func() {
		results := model.Named(model.NewChan[int](capacity), "results")
		for id := range workers {
			model.Go(func() { results.Send(id) })
		}
		received := workers
		if bug == "leak" && workers > 2 && len(names) > 1 {
			received = workers - capacity - 1
		}
		for range received {
			results.Recv()
		}
	}
}

func TestPump(t *testing.T) { explore.Property(t, drawPump, explore.Schedules(2000)) }

func TestSub(t *testing.T) {
	t.Run("a pump", func(t *testing.T) { explore.Property(t, drawPump, explore.Schedules(2000)) })
}

// TestRare fails in one schedule of hundreds, so that each smaller workload would
// pass if the failing schedule were not tried with it.
func TestRare(t *testing.T) {
	explore.Property(t, func(rt *rapid.T) func() {
		n := rapid.IntRange(0, 100).Draw(rt, "n")
		return func() {
			for range 3 {
				model.Go(model.Gosched)
			}
			if i := model.Choose(300); bug == "rare" && i == 299 && n > 10 {
				panic("rare")
			}
		}
	})
}

// TestKinds has two bugs; rapid must not shrink one into the other.
func TestKinds(t *testing.T) {
	explore.Property(t, func(rt *rapid.T) func() {
		n := rapid.IntRange(0, 1000).Draw(rt, "n")
		return func() {
			model.Go(model.Gosched)
			switch {
			case n > 500:
				model.Select()
			case n > 0 && bug == "two":
				panic("small")
			}
		}
	})
}

// TestTraps has what must not be done in a property, or has to be coped with.
func TestTraps(t *testing.T) {
	small := rapid.IntRange(0, 9)
	for name, prop := range map[string]func(t *testing.T, rt *rapid.T) func(){
		"draw":   func(_ *testing.T, rt *rapid.T) func() { return func() { model.Go(func() {}); small.Draw(rt, "late") } },
		"fail":   func(_ *testing.T, rt *rapid.T) func() { return func() { model.Go(func() {}); rt.Fatalf("no") } },
		"error":  func(_ *testing.T, rt *rapid.T) func() { return func() { model.Go(func() {}); rt.Errorf("no") } },
		"skip":   func(_ *testing.T, rt *rapid.T) func() { return func() { model.Go(func() {}); rt.Skip("no") } },
		"nil":    func(_ *testing.T, rt *rapid.T) func() { return nil },
		"goexit": func(_ *testing.T, rt *rapid.T) func() { return func() { model.Go(func() {}); runtime.Goexit() } },
		"in the property": func(t *testing.T, rt *rapid.T) func() {
			if small.Draw(rt, "n") > 3 {
				rt.Fatalf("never above 3")
			}
			return func() { model.Go(func() {}) }
		},
		"end of the property": func(t *testing.T, rt *rapid.T) func() { runtime.Goexit(); return nil },
		"outer skip":          func(t *testing.T, rt *rapid.T) func() { t.Skip("rt is not t"); return nil },
		"outer fatal":         func(t *testing.T, rt *rapid.T) func() { t.Fatal("t is not rt"); return nil },
		"nothing concurrent":  func(_ *testing.T, rt *rapid.T) func() { return func() {} },
		"never": func(_ *testing.T, rt *rapid.T) func() {
			return func() { model.Go(func() {}); model.Sometimes(false, "luck") }
		},
		"skips all workloads":  func(_ *testing.T, rt *rapid.T) func() { rt.Skip("none is good"); return nil },
		"skips some workloads": skipSome,
		"some of it sometimes": someOfIt,
		"kept between runs":    keeper(),
		"stuck": func(_ *testing.T, rt *rapid.T) func() {
			small.Draw(rt, "n")
			return func() { model.Go(func() {}); <-make(chan int) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			explore.Property(t, func(rt *rapid.T) func() { return prop(t, rt) }, explore.Schedules(1000), explore.Watchdog(200_000_000))
		})
	}
}

func skipSome(_ *testing.T, rt *rapid.T) func() {
	if rapid.Bool().Draw(rt, "odd") {
		rt.Skip("odd")
	}
	return func() { model.Go(model.Gosched); model.Gosched() }
}

// someOfIt reaches each condition with some workload, none with all.
func someOfIt(_ *testing.T, rt *rapid.T) func() {
	n := rapid.IntRange(0, 1).Draw(rt, "n")
	return func() {
		if n == 1 {
			model.Go(model.Gosched)
		}
		model.Sometimes(n == 0, "zero")
		model.Sometimes(n == 1, "one")
	}
}

// keeper keeps something from run to run.
func keeper() func(_ *testing.T, rt *rapid.T) func() {
	runs := 0
	return func(_ *testing.T, rt *rapid.T) func() {
		rapid.IntRange(0, 9).Draw(rt, "n")
		return func() {
			runs++
			model.Go(model.Gosched)
			for range runs % 7 {
				model.Gosched()
			}
		}
	}
}

// TestExpected knows what is wrong.
func TestExpected(t *testing.T) {
	explore.Property(t, func(rt *rapid.T) func() {
		n := rapid.IntRange(0, 9).Draw(rt, "n")
		return func() {
			model.Go(model.Gosched)
			if n == 7 {
				panic("seven")
			}
			if n == 5 && bug == "five" {
				panic("five")
			}
		}
	}, explore.Expect(explore.Panics("seven")))
}

// FuzzPump leaks if there are workers enough.
func FuzzPump(f *testing.F) {
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(explore.MakeFuzz(func(rt *rapid.T) func() {
		workers := rapid.IntRange(1, 8).Draw(rt, "workers")
		return func() {
			results := model.Named(model.NewChan[int](0), "results")
			for id := range workers {
				model.Go(func() { results.Send(id) })
			}
			if first := results.Recv(); bug == "order" && first != 0 {
				return
			}
			for range workers - 1 {
				results.Recv()
			}
		}
	}))
}

// FuzzOrder fails for a workload and a schedule that nobody guesses: four goroutines
// have to run in one order, and the coverage tells how far it came.
func FuzzOrder(f *testing.F) {
	f.Add(make([]byte, 24))
	f.Fuzz(explore.MakeFuzz(func(rt *rapid.T) func() {
		n := rapid.Uint64().Draw(rt, "n")
		return func() {
			var mu model.Mutex
			var order []int
			var wg model.WaitGroup
			for i := range 4 {
				wg.Go(func() {
					mu.Lock()
					order = append(order, i)
					mu.Unlock()
				})
			}
			wg.Wait()
			if order[0] == 3 {
				if order[1] == 1 {
					if order[2] == 2 {
						if n > 100 {
							panic("found")
						}
					}
				}
			}
		}
	}))
}

// TestChecked is a check without a workload: rapid draws its seeds.
func TestChecked(t *testing.T) {
	explore.Check(t, func() {
		c := model.NewChan[int](0)
		model.Go(func() { c.Send(1) })
		if bug != "leak" || model.Choose(20) != 7 {
			c.Recv()
		}
	}, explore.Schedules(2000))
}
