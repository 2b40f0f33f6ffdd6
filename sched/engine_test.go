package sched

import (
	"math/bits"
	"slices"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// walk is a uniform random walk over the enabled goroutines.
type walk struct{ state uint64 }

func (w *walk) n(n int) int {
	w.state += 0x9E3779B97F4A7C15
	z := w.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	hi, _ := bits.Mul64(z^z>>31, uint64(n))
	return int(hi)
}

func (w *walk) Pick(p *Point) Choice {
	g := p.At(w.n(p.Len()))
	c := Choice{G: g}
	if a := p.Alternatives(g); a > 1 {
		c.Alt = int32(w.n(a))
	}
	return c
}

// tape repeats recorded choices.
type tape struct {
	choices []Choice
	i       int
}

func (t *tape) Pick(p *Point) Choice {
	c := t.choices[t.i]
	t.i++
	return c
}

// brute enumerates every sequence of choices.
type brute struct {
	prefix []Choice
	width  []int // number of choices at each depth of prefix
	depth  int
}

func (b *brute) Pick(p *Point) Choice {
	var all []Choice
	for i := range p.Len() {
		g := p.At(i)
		for a := range p.Alternatives(g) {
			c := Choice{g, int32(a)}
			dup := false
			for _, d := range all {
				dup = dup || p.Same(c, d)
			}
			if !dup {
				all = append(all, c)
			}
		}
	}
	if b.depth == len(b.prefix) {
		b.prefix = append(b.prefix, Choice{})
		b.width = append(b.width, 0)
	}
	i := b.width[b.depth]
	b.prefix[b.depth] = Choice{int32(len(all)), 0}
	b.depth++
	return all[i]
}

// next advances to the next sequence; false when all are done.
func (b *brute) next() bool {
	b.depth = 0
	for n := len(b.width); n > 0; n-- {
		if b.width[n-1]++; b.width[n-1] < int(b.prefix[n-1].G) {
			b.width, b.prefix = b.width[:n], b.prefix[:n]
			return true
		}
	}
	return false
}

func backends(t *testing.T, f func(t *testing.T, e *Engine)) {
	for name, b := range map[string]Backend{"pull": BackendPull, "channel": BackendChannel} {
		if b == BackendPull && defaultBackend != BackendPull {
			continue // iter.Pull under the race detector reports on itself
		}
		t.Run(name, func(t *testing.T) {
			e := New(Config{Backend: b})
			defer e.Close()
			f(t, e)
		})
	}
}

func abba() {
	g := Current()
	a, b := new(Ref), new(Ref)
	lock2 := func(x, y *Ref) func() {
		return func() {
			g := Current()
			g.Lock(x)
			g.Lock(y)
			g.Unlock(y)
			g.Unlock(x)
		}
	}
	g.Go(lock2(a, b), "", false)
	g.Go(lock2(b, a), "", false)
}

func TestRandomWalkFindsAndRepeatsDeadlock(t *testing.T) {
	backends(t, func(t *testing.T, e *Engine) {
		failed := 0
		w := &walk{state: 1}
		for range 1000 {
			r := e.Run(abba, w, RunOptions{})
			if !r.Failed {
				continue
			}
			failed++
			hash, choices := r.Hash, append([]Choice(nil), r.Choices...)
			r = e.Run(abba, &tape{choices: choices}, RunOptions{Capture: true})
			if r.Hash != hash || len(r.Findings) != 2 || r.Findings[0].Class != "deadlock" {
				t.Fatalf("repeating gives hash %x, want %x; findings %+v", r.Hash, hash, r.Findings)
			}
			if failed == 1 {
				t.Logf("%+v", r.Findings)
			}
		}
		if failed < 200 || failed > 800 {
			t.Errorf("%d of 1000 random schedules deadlock", failed)
		}
	})
}

func TestGoexitAndPanicsAreFindingsAndLeaveThePoolUsable(t *testing.T) {
	backends(t, func(t *testing.T, e *Engine) {
		w := &walk{state: 1}
		for i := range 300 {
			r := e.Run(func() {
				g := Current()
				g.Go(func() { g := Current(); g.Yield(); exit() }, "", false)
				g.Go(func() {
					defer func() { recover() }()
					Current().Recv(nil)
				}, "", false)
			}, w, RunOptions{Capture: i%2 == 0})
			if r.Outcome != Crashed {
				t.Fatalf("run %d: outcome %v, want crashed", i, r.Outcome)
			}
			if i%2 == 0 && (len(r.Findings) != 1 || r.Findings[0].Kind != Goexit) {
				t.Fatalf("findings %+v", r.Findings)
			}
		}
	})
}

func TestManyGoroutines(t *testing.T) {
	backends(t, func(t *testing.T, e *Engine) {
		w := &walk{state: 3}
		for range 20 {
			sum := 0
			r := e.Run(func() {
				g := Current()
				wg, mu := new(Ref), new(Ref)
				for range 200 {
					g.Add(wg, 1)
					g.Go(func() {
						g := Current()
						g.Lock(mu)
						sum++
						g.Unlock(mu)
						g.Add(wg, -1)
					}, "", false)
				}
				g.Wait(wg)
			}, w, RunOptions{})
			if r.Failed || sum != 200 || r.Goroutines != 201 {
				t.Fatalf("failed %v, sum %d, %d goroutines; want 200 and 201", r.Failed, sum, r.Goroutines)
			}
		}
	})
}

// counting notes how many goroutines were enabled at each decision and takes the
// first.
type counting struct{ enabled []int }

func (c *counting) Pick(p *Point) Choice {
	c.enabled = append(c.enabled, p.Len())
	return Choice{G: p.At(0)}
}

// The set of enabled goroutines has a first word and the rest; who is woken in the
// rest has to be seen, and asked for only when there is a choice.
func TestDecisionsAmongMoreGoroutinesThanAWordHolds(t *testing.T) {
	e := New(Config{})
	defer e.Close()
	for _, n := range []int{1, 63, 64, 65, 200} {
		p := &counting{}
		r := e.Run(func() {
			g := Current()
			ch := g.NewChan(2)
			for range n - 1 {
				g.Go(func() {}, "", false)
			}
			g.Go(func() { Current().Recv(ch) }, "", false)
			g.Send(ch, g.Slot(ch))
			g.Send(ch, g.Slot(ch)) // or the receive that the first made possible
		}, p, RunOptions{})
		if want := []int{2}; !slices.Equal(p.enabled, want) || r.Failed {
			t.Errorf("goroutine %d: decisions among %v goroutines, want %v; failed %v", n, p.enabled, want, r.Failed)
		}
	}
}

func TestBruteForceCountsCounterInterleavings(t *testing.T) {
	e := New(Config{})
	defer e.Close()
	b := &brute{}
	runs := 0
	for {
		e.Run(func() {
			g := Current()
			v := g.newObject(KindVariable)
			for range 2 {
				g.Go(func() {
					for range 3 {
						Current().Write(v)
					}
				}, "", false)
			}
		}, b, RunOptions{})
		runs++
		if !b.next() {
			break
		}
	}
	// The first goroutine takes k = 0..3 of its steps before main's second go
	// statement; the rest interleaves freely with the other's three.
	want := 0
	for k := range 4 {
		want += binomial(3-k+3, 3)
	}
	if runs != want {
		t.Errorf("%d interleavings, want %d", runs, want)
	}
}

func binomial(n, k int) int {
	r := 1
	for i := range k {
		r = r * (n - i) / (i + 1)
	}
	return r
}
