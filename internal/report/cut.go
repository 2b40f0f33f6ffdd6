package report

import (
	"slices"

	"github.com/modelcheck-go/modelcheck/sched"
)

// maxSteps is how many steps are shown. Of a longer run those are chosen that
// matter most: the first few, where each of the stuck goroutines stopped, where
// locks that are still held were acquired, then the last ones with the objects that
// the findings are about, and the last ones of all.
const (
	maxSteps   = 200
	firstSteps = 10
	lastSteps  = 60
	aboutSteps = 40
	minGap     = 3 // fewer steps are not worth a line that says they are left out
)

// shown returns the indexes of the steps to be shown, ascending.
func (d *Doc) shown() []int {
	n := len(d.Steps)
	keep := make([]bool, n)
	left := maxSteps
	take := func(i int) {
		if i >= 0 && i < n && left > 0 && !keep[i] {
			keep[i] = true
			left--
		}
	}
	if n <= maxSteps {
		left = n
	}
	for i := range firstSteps {
		take(i)
	}
	for i := range lastSteps {
		take(n - 1 - i)
	}
	d.takeDecisive(take)
	objects, about := d.concerned(), 0
	for i := n - 1; i >= 0 && about < aboutSteps; i-- {
		if s := d.Steps[i]; objects[s.Object] && s.Does != looks {
			take(i)
			about++
		}
	}
	left -= fillGaps(keep)
	for i := n - 1; i >= 0; i-- {
		take(i)
	}
	var list []int
	for i, k := range keep {
		if k {
			list = append(list, i)
		}
	}
	return list
}

// looks is an operation that changes nothing.
var looks = sched.OpLen.String()

// fillGaps keeps what lies between two steps that are kept, where that is short, and
// returns how many steps that are.
func fillGaps(keep []bool) (filled int) {
	last := -1
	for i, k := range keep {
		if !k {
			continue
		}
		if i-last <= minGap {
			for j := last + 1; j < i; j++ {
				keep[j] = true
				filled++
			}
		}
		last = i
	}
	return filled
}

// takeDecisive takes the acquisition of every lock that is still held and the last
// step of every goroutine that a finding is about.
func (d *Doc) takeDecisive(take func(int)) {
	for _, h := range d.Locks {
		if h.To < 0 {
			take(h.From)
		}
	}
	for _, f := range d.Findings[:min(len(d.Findings), maxGroups)] {
		for i, s := range slices.Backward(d.Steps) {
			if s.Goroutine == f.Goroutine || s.Partner == f.Goroutine && f.Goroutine >= 0 {
				take(i)
				break
			}
		}
	}
}

// concerned is the set of the objects that blocked goroutines wait for.
func (d *Doc) concerned() map[int]bool {
	set := map[int]bool{}
	for _, g := range d.Goroutines {
		if g.Daemon {
			continue
		}
		for _, w := range g.Waits {
			set[w.Object] = w.Object >= 0
		}
	}
	return set
}
