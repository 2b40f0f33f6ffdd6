// Package races has small programs with data races on ordinary variables, and others that
// look as if. The names of those with a race begin with TestRacy.
package races

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var total int

func TestRacyCounter(t *testing.T) {
	total = 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { total++ })
	}
	wg.Wait()
}

func TestCounter(t *testing.T) {
	total = 0
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			total++
		})
	}
	wg.Wait()
	if total != 2 {
		t.Errorf("%d", total)
	}
}

func TestRacyCapture(t *testing.T) {
	var err error
	done := make(chan bool)
	go func() {
		_, err = fetch(1)
		close(done)
	}()
	_, err = fetch(2)
	<-done
	_ = err
}

func TestCapture(t *testing.T) {
	var err error
	done := make(chan bool)
	go func() {
		_, err = fetch(1)
		close(done)
	}()
	<-done
	_, err = fetch(2)
	_ = err
}

func fetch(n int) (int, error) { return n, nil }

type server struct {
	mu     sync.Mutex
	open   bool
	count  int
	config *config
}

type config struct{ limit int }

func (s *server) add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
}

func (s *server) size() int { return s.count }

func TestRacyField(t *testing.T) {
	s := &server{}
	done := make(chan bool)
	go func() {
		s.add()
		done <- true
	}()
	if s.size() > 1 {
		t.Error("too many")
	}
	<-done
}

func TestField(t *testing.T) {
	s := &server{}
	done := make(chan bool)
	go func() {
		s.add()
		done <- true
	}()
	<-done
	if s.size() != 1 {
		t.Error("none")
	}
}

// The fields of a struct are different variables, though the first is where the struct is.
func TestNeighbours(t *testing.T) {
	type pair struct{ a, b int }
	p := &pair{}
	var wg sync.WaitGroup
	wg.Go(func() { p.a = 1 })
	wg.Go(func() { p.b = 1 })
	wg.Wait()
	if q := *p; q.a+q.b != 2 {
		t.Error(q)
	}
}

// Locking the first field of a struct does not read the struct.
func TestEmbeddedLock(t *testing.T) {
	var s struct {
		sync.Mutex
		n int
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			s.Lock()
			s.n++
			s.Unlock()
		})
	}
	wg.Wait()
}

func TestRacyPublication(t *testing.T) {
	s := &server{}
	ready := make(chan bool, 1)
	go func() {
		s.config = &config{limit: 3}
		ready <- true
	}()
	if len(ready) == 1 && s.config.limit != 3 {
		t.Error("half done")
	}
}

func TestPublication(t *testing.T) {
	s := &server{}
	var ready atomic.Bool
	go func() {
		s.config = &config{limit: 3}
		ready.Store(true)
	}()
	if ready.Load() && s.config.limit != 3 {
		t.Error("half done")
	}
}

func TestRacyDoubleCheck(t *testing.T) {
	s := &server{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if !s.open {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.open = true
			}
		})
	}
	wg.Wait()
}

// The receive comes before the assignment of what it has received.
func TestReceived(t *testing.T) {
	var x int
	c := make(chan int)
	go func() {
		x = 1
		c <- 2
	}()
	x = <-c
	if x != 2 {
		t.Error(x)
	}
}

func TestRacyReceive(t *testing.T) {
	var x int
	c := make(chan int, 1)
	go func() {
		c <- 2
		x = 1
	}()
	x = <-c
	_ = x
}

func TestContext(t *testing.T) {
	var why string
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		why = "enough"
		cancel()
	}()
	<-ctx.Done()
	if why != "enough" {
		t.Error(why)
	}
}

func TestTimer(t *testing.T) {
	x := 0
	done := make(chan bool)
	x = 1
	time.AfterFunc(time.Millisecond, func() { x++; close(done) })
	<-done
	if x != 2 {
		t.Error(x)
	}
}

func TestRacySleep(t *testing.T) {
	x := 0
	go func() { x = 1 }()
	time.Sleep(time.Millisecond)
	if x > 1 {
		t.Error(x)
	}
}

func TestOnce(t *testing.T) {
	var once sync.Once
	var shared *config
	get := func() *config {
		once.Do(func() { shared = &config{limit: 1} })
		return shared
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if get().limit != 1 {
				t.Error("not made")
			}
		})
	}
	wg.Wait()
}

// A goroutine that is still blocked when the test is over is unwound: what it defers
// races with nobody.
func TestUnwound(t *testing.T) {
	x := 0
	started := make(chan bool)
	stop := make(chan bool)
	go func() {
		defer func() { x++ }()
		started <- true
		<-stop
	}()
	<-started
	x++
	close(stop)
	time.Sleep(time.Millisecond)
}

func TestRacyLoop(t *testing.T) {
	var wg sync.WaitGroup
	last := 0
	for i := range 3 {
		wg.Go(func() {
			if i > last {
				last = i
			}
		})
	}
	wg.Wait()
}

func TestForms(t *testing.T) {
	var i any = 1
	var f func() int
	var m map[string]int
	var list []int
	var arr [3]int
	var p *server
	var c chan int
	set := func() {
		i, f, m, list, p = 2, func() int { return 7 }, map[string]int{"a": 1}, []int{1, 2}, &server{config: &config{}}
		arr = [3]int{1, 2, 3}
		c = make(chan int, 1)
	}
	set()
	switch v := i.(type) {
	case int:
		i = v + 1
	}
	const n = len(arr)
	for k := range list {
		list[k] += n
	}
	for k, v := range m {
		m[k] = v + 1
	}
	c <- f()
	select {
	case p.count = <-c:
	}
	if x := p.count; x != 7 || len(c) > 0 || i != 3 || list[1] != 5 || m["a"] != 2 {
		t.Error(x, i, list, m)
	}
	go p.add()
	defer f()
	(*p).config.limit++
	p.config.limit, arr[0] = 1, 2
}

func TestSubtests(t *testing.T) {
	n := 0
	t.Cleanup(func() {
		if n != 3 {
			t.Error(n)
		}
	})
	t.Run("one", func(t *testing.T) { n++ })
	t.Run("two", func(t *testing.T) {
		t.Cleanup(func() { n++ })
		n++
	})
}

func TestRacyParallel(t *testing.T) {
	n := 0
	for _, name := range []string{"one", "two"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n++
		})
	}
}

func TestReaders(t *testing.T) {
	var rw sync.RWMutex
	s := &server{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			rw.RLock()
			defer rw.RUnlock()
			if s.count > 1 {
				t.Error(s.count)
			}
		})
	}
	rw.Lock()
	s.count = 1
	rw.Unlock()
	wg.Wait()
}

// The accesses in an expression belong to the goroutine that evaluates it, also where a go
// statement does.
func TestArguments(t *testing.T) {
	n := 1
	done := make(chan int)
	go func(n int) { done <- n }(n)
	n = 2
	if m := <-done; m != 1 || n != 2 {
		t.Error(m, n)
	}
}

func TestHandedOn(t *testing.T) {
	box := make(chan *server, 1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			s := <-box
			s.count++
			box <- s
		})
	}
	s := &server{}
	s.count = 5
	box <- s
	wg.Wait()
	if s := <-box; s.count != 7 {
		t.Error(s.count)
	}
}

func TestRacyElement(t *testing.T) {
	s := make([]int, 3)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { s[1]++ })
	}
	wg.Wait()
}

func one() int { return 1 }

func TestRacyElementOfCall(t *testing.T) {
	s, i := make([]int, 3), 1
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { s[i] = one() })
	}
	wg.Wait()
}

func TestRacyArray(t *testing.T) {
	p := &[4]struct{ n int }{}
	done := make(chan bool)
	go func() {
		p[2].n = 1
		close(done)
	}()
	if p[2].n > 1 {
		t.Error("two")
	}
	<-done
	p[2] = struct{ n int }{}
}

func TestRacyMap(t *testing.T) {
	m := map[string]int{}
	done := make(chan bool)
	go func() {
		m["a"] = 1
		close(done)
	}()
	<-time.After(time.Second)
	if _, ok := m["b"]; ok {
		t.Error("b")
	}
	<-done
}

func TestElements(t *testing.T) {
	s, squares := make([]int, 4), [4]int{}
	var wg sync.WaitGroup
	for i := range s {
		wg.Go(func() { s[i] = i; squares[i] = one() * i * s[i] })
	}
	wg.Wait()
	for i := range s {
		if s[i]*s[i] != squares[i] {
			t.Error(s, squares)
		}
	}
}

func TestMaps(t *testing.T) {
	m := map[int][]int{}
	var mu sync.RWMutex
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			m[i] = append(m[i], i)
			m[i][0]++
			delete(m, i+10)
		})
		wg.Go(func() {
			mu.RLock()
			defer mu.RUnlock()
			for k, v := range m {
				if v[0] != k+1 {
					t.Error(m)
				}
			}
		})
	}
	wg.Wait()
	clear(m)
	if len(m) != 0 {
		t.Error(m)
	}
}

type grid struct {
	rows  [][]int
	named map[string]*grid
	cells [2][2]struct{ x, y int }
	locks []sync.Mutex
}

func pick[S ~[]E, E any](s S, i int) (e E) {
	e, s[i] = s[i], e
	return e
}

// Every form of an element that compiles without -race compiles with it, and means the same.
func TestElementForms(t *testing.T) {
	g := &grid{rows: [][]int{{1, 2}, {3}}, named: map[string]*grid{"a": {}}, locks: make([]sync.Mutex, 2)}
	g.rows[0][0], g.rows[0][1] = g.rows[0][1], g.rows[0][0]
	g.rows[one()][0] += len(g.rows[1][:1])
	g.named["a"].rows = g.rows[:1]
	(g.named)["b"], g.cells[1][0].x = g, 7
	g.cells[0] = g.cells[1]
	g.locks[1].Lock()
	p := &g.rows[1]
	g.locks[1].Unlock()
	if v, ok := g.named["b"]; !ok || v.cells[0][0].x != 7 || (*p)[0] != 4 {
		t.Error(v, ok, *p)
	}
	for g.rows[0][0] = 0; g.rows[0][0] < 3; g.rows[0][0]++ {
	}
	c := []chan int{make(chan int, 1)}
	c[0] <- g.rows[0][0]
	select {
	case g.rows[0][1] = <-c[0]:
	default:
	}
	byName := map[string]func(...int) int{"sum": func(n ...int) int { return len(n) }}
	if got := byName["sum"](g.rows[0]...) + pick(g.rows[0], 1); got != 5 {
		t.Error(got)
	}
	text, size := "text", map[byte]struct{ n int }{}
	size[text[0]] = struct{ n int }{len(text)}
	func() {
		defer func() { recover() }()
		var none map[int]int
		none[len(size)] = size['t'].n
		t.Error("wrote into a nil map")
	}()
}
