package explore

import "slices"

// Exact probabilities. A toy is a program written down a second time, as a table of
// steps for goroutines that main starts one by one. What follows computes, without
// the engine and without random numbers, how likely a schedule of each strategy is
// to show the toy's bug: an independent statement of what the strategies are to do.

// toy is a list of goroutines in the order in which they are started, each a list of
// steps.
type toy [][]toyStep

// toyStep is an operation on an object; then do, unless it is nil, looks at and
// changes the memory as part of the same step, and may say where to go on.
type toyStep struct {
	kind   byte // read, write, lock, unlock
	object int
	do     func(m *memory) toyJump
}

// toyJump is how many steps a goroutine skips after a step, or one of these.
type toyJump int8

const (
	toNext toyJump = 0
	toEnd  toyJump = -1
	toBug  toyJump = -2
)

// memory has the shared variables, and registers.
type memory [4]int8

// toyState is a moment of a toy's run. Main is goroutine 0, the toy's own follow.
type toyState struct {
	pc     [104]int8
	holder [2]int8 // of the locks: the goroutine, -1 for nobody
	born   int8    // goroutines started so far, main not counted
	mem    memory
	bug    bool
}

// start returns the first state; gathered if all goroutines are started before any
// of them does anything.
func (t toy) start(gathered bool) toyState {
	s := toyState{holder: [2]int8{-1, -1}}
	if gathered {
		s.born = int8(len(t))
	}
	return s
}

// enabled lists the goroutines that can take a step.
func (t toy) enabled(s toyState) []int {
	var list []int
	if s.bug {
		return nil
	}
	if int(s.born) < len(t) {
		list = append(list, 0)
	}
	for g := 1; g <= int(s.born); g++ {
		if pc := int(s.pc[g]); pc < len(t[g-1]) {
			if x := t[g-1][pc]; x.kind != lock || s.holder[x.object] < 0 {
				list = append(list, g)
			}
		}
	}
	return list
}

const (
	read   = 'r'
	write  = 'w'
	lock   = 'l'
	unlock = 'u'
)

// after returns the state after a step of g.
func (t toy) after(s toyState, g int) toyState {
	if g == 0 {
		s.born++
		return s
	}
	x := t[g-1][s.pc[g]]
	switch x.kind {
	case lock:
		s.holder[x.object] = int8(g)
	case unlock:
		s.holder[x.object] = -1
	}
	jump := toNext
	if x.do != nil {
		jump = x.do(&s.mem)
	}
	switch jump {
	case toEnd:
		s.pc[g] = int8(len(t[g-1]))
	case toBug:
		s.bug = true
	default:
		s.pc[g] += 1 + int8(jump)
	}
	return s
}

// failed reports whether a run that ends in s shows a bug: the one that a step
// noticed, or a goroutine that did not get to its end.
func (t toy) failed(s toyState) bool {
	if s.bug {
		return true
	}
	for g := range t {
		if int(s.pc[g+1]) < len(t[g]) {
			return true
		}
	}
	return false
}

// races reports whether the pending steps of g and h race.
func (t toy) races(s toyState, g, h int) bool {
	if g == 0 || h == 0 {
		return false
	}
	x, y := t[g-1][s.pc[g]], t[h-1][s.pc[h]]
	locks := x.kind == lock || x.kind == unlock
	return locks == (y.kind == lock || y.kind == unlock) && x.object == y.object && (x.kind != read || y.kind != read)
}

// walk computes P(bug) of the strategy that chooses an enabled goroutine in
// proportion to its weight.
func (t toy) walk(gathered bool, weight func(s toyState, g int) float64) float64 {
	known := map[toyState]float64{}
	var p func(s toyState) float64
	p = func(s toyState) float64 {
		s = t.canonical(s)
		if v, ok := known[s]; ok {
			return v
		}
		list := t.enabled(s)
		v := 0.0
		if len(list) == 0 {
			if t.failed(s) {
				v = 1
			}
			return v
		}
		sum := 0.0
		for _, g := range list {
			w := weight(s, g)
			sum += w
			v += w * p(t.after(s, g))
		}
		v /= sum
		known[s] = v
		return v
	}
	return p(t.start(gathered))
}

// canonical sorts goroutines that do the same by position.
func (t toy) canonical(s toyState) toyState {
	for g := 2; g <= int(s.born); g++ {
		for h := g; h > 1 && &t[h-2][0] == &t[h-1][0] && s.pc[h] > s.pc[h-1]; h-- {
			s.pc[h], s.pc[h-1] = s.pc[h-1], s.pc[h]
			for l, by := range s.holder {
				switch int(by) {
				case h:
					s.holder[l] = int8(h - 1)
				case h - 1:
					s.holder[l] = int8(h)
				}
			}
		}
	}
	return s
}

// random is P(bug) of the random walk.
func (t toy) random(gathered bool) float64 {
	return t.walk(gathered, func(toyState, int) float64 { return 1 })
}

// urw is P(bug) of URW for a toy whose goroutines always take all their steps.
func (t toy) urw(gathered bool) float64 {
	return t.walk(gathered, func(s toyState, g int) float64 {
		if g > 0 {
			return float64(len(t[g-1]) - int(s.pc[g]))
		}
		w := 0
		for _, list := range t[s.born:] {
			w += 1 + len(list)
		}
		return float64(w)
	})
}

// pos is P(bug) of POS. All that matters of the priorities is their order among all
// that were ever drawn: a new one is equally likely to take each place in it, also
// between two that are no longer in use. So the state is extended by the places of
// the pending steps' priorities, and how many were drawn.
func (t toy) pos(gathered bool) float64 {
	type state struct {
		toyState
		place [8]int8 // of the priority of each goroutine's pending step, from 1; 0: not drawn
		drawn int8
	}
	known := map[state]float64{}
	var p func(s state) float64
	p = func(s state) float64 {
		if v, ok := known[s]; ok {
			return v
		}
		list := t.enabled(s.toyState)
		if len(list) == 0 {
			if t.failed(s.toyState) {
				return 1
			}
			return 0
		}
		v := 0.0
		if i := slices.IndexFunc(list, func(g int) bool { return s.place[g] == 0 }); i >= 0 && len(list) > 1 {
			for place := int8(1); place <= s.drawn+1; place++ {
				next := s
				next.drawn++
				for g := range next.place {
					if next.place[g] >= place {
						next.place[g]++
					}
				}
				next.place[list[i]] = place
				v += p(next)
			}
			v /= float64(s.drawn + 1)
		} else {
			g := slices.MaxFunc(list, func(g, h int) int { return int(s.place[g] - s.place[h]) })
			next := s
			for _, h := range list {
				if t.races(s.toyState, g, h) {
					next.place[h] = 0
				}
			}
			next.toyState, next.place[g] = t.after(s.toyState, g), 0
			v = p(next)
		}
		known[s] = v
		return v
	}
	return p(state{toyState: t.start(gathered)})
}

// pctLevels is the number of lengths over which PCT spreads its change points.
const pctLevels = 7

// pct is P(bug) of PCT with depth 1, 2 or 3 when schedule 0 had k decisions: the
// mean over all orders of the goroutines and all change points. Points are
// independent and uniform in 1..k·2^l, where l is below the number of levels: 0 with
// probability 1/2, 1 with 1/4, and so on, the last as likely as the one before it.
func (t toy) pct(gathered bool, depth, k, levels int) float64 {
	const never = 0 // stands for all points beyond the longest run
	longest := 0
	for _, list := range t {
		longest += 1 + len(list)
	}
	orders := permutations(len(t) + 1)
	known := map[[2]int]float64{}
	hit := func(a, b int) float64 {
		v, ok := known[[2]int{a, b}]
		if !ok {
			for _, order := range orders {
				if t.byPriority(gathered, order, a, b) {
					v++
				}
			}
			v /= float64(len(orders))
			known[[2]int{a, b}] = v
		}
		return v
	}
	sum := 0.0
	for level := range levels {
		n := k << level
		chance := func(at int) float64 {
			if at == never {
				return float64(max(0, n-longest)) / float64(n)
			}
			return 1 / float64(n)
		}
		share := 1 / float64(uint(1)<<min(level+1, levels-1))
		for a := range min(n, longest) + 1 {
			switch depth {
			case 1:
				if a == never {
					sum += share * hit(never, never)
				}
			case 2:
				sum += share * chance(a) * hit(a, never)
			case 3:
				for b := range min(n, longest) + 1 {
					sum += share * chance(a) * chance(b) * hit(a, b)
				}
			}
		}
	}
	return sum
}

// byPriority runs the toy by priorities, order[g] being that of goroutine g, and
// reports whether it failed. At decision a the goroutine whose turn it is falls
// below all others, at decision b to just above where a puts it; b comes first where
// both are the same.
func (t toy) byPriority(gathered bool, order []int, a, b int) bool {
	priority := slices.Clone(order)
	s := t.start(gathered)
	decisions := 0
	for list := t.enabled(s); len(list) > 0; list = t.enabled(s) {
		highest := func() int {
			return slices.MaxFunc(list, func(g, h int) int { return priority[g] - priority[h] })
		}
		if len(list) > 1 {
			decisions++
			if decisions == b {
				priority[highest()] = -1
			}
			if decisions == a {
				priority[highest()] = -2
			}
		}
		s = t.after(s, highest())
	}
	return t.failed(s)
}

// ranked is a moment of a run of PCT: the goroutines from the highest priority down. All
// that matters of the start priorities is their order: a new one is equally likely to take
// each place among all that were ever drawn, also next to one that nobody has any more.
type ranked struct {
	list    [26]rankedCell
	n       int8
	demoted int8 // of these, at the end of the list, for having met a change point
	second  bool // a was met: the last of the list is to stay there
	born    int8
	holder  [2]int8 // of the locks: the place in the list, -1 for nobody
	mem     memory
	a, b    int16 // decisions until the change points; 0: past, or never
}

// rankedCell is a goroutine of the toy, as the first with the same program; 0 is main,
// nobody a place that was left.
type rankedCell struct{ routine, pc int8 }

const nobody = -1

// ranks computes what pct does for toys with many goroutines that do the same.
type ranks struct {
	toy
	gathered bool
	same     []int8 // by goroutine: the first with the same program
	known    map[ranked]float64
}

// pctOfMany is pct for depth 3 and toys with many goroutines that do the same.
func (t toy) pctOfMany(gathered bool, k, levels int) float64 {
	r := ranks{t, gathered, make([]int8, len(t)+1), map[ranked]float64{}}
	longest := 0
	for g := range t {
		r.same[g+1] = int8(1 + slices.IndexFunc(t, func(list []toyStep) bool { return &list[0] == &t[g][0] }))
		longest += 1 + len(t[g])
	}
	start := ranked{holder: [2]int8{nobody, nobody}}
	start.list[0], start.n = rankedCell{}, 1
	sum := 0.0
	for level := range levels {
		n := k << level
		chance := func(at int) float64 {
			if at == 0 {
				return float64(max(0, n-longest)) / float64(n)
			}
			return 1 / float64(n)
		}
		share := 1 / float64(uint(1)<<min(level+1, levels-1))
		for a := range min(n, longest) + 1 {
			for b := range min(n, longest) + 1 {
				s := start
				s.a, s.b = int16(a), int16(b)
				if v := share * chance(a) * chance(b); v > 0 {
					sum += v * r.hit(s)
				}
			}
		}
	}
	return sum
}

// bear averages next over the places that the next goroutine can take.
func (r *ranks) bear(s ranked) float64 {
	s.born++
	places := s.n - s.demoted + 1
	sum := 0.0
	for at := range places {
		sum += r.hit(s.insert(at, rankedCell{routine: r.same[s.born]}))
	}
	return sum / float64(places)
}

func (s ranked) insert(at int8, c rankedCell) ranked {
	copy(s.list[at+1:s.n+1], s.list[at:s.n])
	s.list[at] = c
	s.n++
	for i, by := range s.holder {
		if by >= at {
			s.holder[i]++
		}
	}
	return s
}

// demote moves the goroutine at a place below all others, above the last if that is to
// stay where it is.
func (s ranked) demote(at int8, second bool) ranked {
	if at == s.n-1 && s.demoted > 0 {
		s.second = s.second && second
		return s
	}
	if at >= s.n-s.demoted {
		panic("the last but one of two was chosen to be moved again")
	}
	c := s.list[at]
	s.list[at] = rankedCell{routine: nobody}
	to := s.n
	if s.second && !second {
		to--
	}
	held := s.holder
	s = s.insert(to, c)
	for i, by := range held {
		if by == at {
			s.holder[i] = to
		}
	}
	s.demoted++
	s.second = s.second || second
	return s
}

// enabled lists the places of those who can take a step.
func (r *ranks) enabled(s ranked) []int8 {
	var list []int8
	for at := range s.n {
		switch c := s.list[at]; {
		case c.routine == nobody:
		case c.routine == 0:
			if int(s.born) < len(r.toy) {
				list = append(list, at)
			}
		case int(c.pc) < len(r.toy[c.routine-1]):
			if x := r.toy[c.routine-1][c.pc]; x.kind != lock || s.holder[x.object] < 0 {
				list = append(list, at)
			}
		}
	}
	return list
}

// hit is P(bug) from s on.
func (r *ranks) hit(s ranked) float64 {
	if v, ok := r.known[s]; ok {
		return v
	}
	before, list := s, r.enabled(s)
	starting := r.gathered && int(s.born) < len(r.toy)
	if len(list) > 1 && !starting {
		meets := func(at *int16) bool {
			*at = max(0, *at-1)
			return *at == 0
		}
		if s.b > 0 && meets(&s.b) {
			s = s.demote(list[0], false)
			list = r.enabled(s)
		}
		if s.a > 0 && meets(&s.a) {
			s = s.demote(list[0], true)
			list = r.enabled(s)
		}
	}
	v := 0.0
	switch {
	case len(list) == 0:
		for _, c := range s.list[:s.n] {
			if c.routine > 0 && int(c.pc) < len(r.toy[c.routine-1]) {
				v = 1
			}
		}
	case starting || s.list[list[0]].routine == 0:
		v = r.bear(s)
	default:
		v = r.step(s, list[0])
	}
	r.known[before] = v
	return v
}

// step is hit after a step of the goroutine at a place.
func (r *ranks) step(s ranked, at int8) float64 {
	c := &s.list[at]
	program := r.toy[c.routine-1]
	x := program[c.pc]
	switch x.kind {
	case lock:
		s.holder[x.object] = at
	case unlock:
		s.holder[x.object] = nobody
	}
	jump := toNext
	if x.do != nil {
		jump = x.do(&s.mem)
	}
	switch jump {
	case toBug:
		return 1
	case toEnd:
		c.pc = int8(len(program))
	default:
		c.pc += 1 + int8(jump)
	}
	if int(c.pc) == len(program) && at < s.n-s.demoted {
		*c = rankedCell{routine: nobody}
	}
	return r.hit(s)
}

// permutations lists all orders of 0..n-1.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var list [][]int
	for _, p := range permutations(n - 1) {
		for i := range n {
			list = append(list, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return list
}
