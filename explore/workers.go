package explore

import (
	"cmp"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
)

// The schedules of a seed are divided among the workers of a campaign in rows of
// consecutive ones. A worker takes the next row that nobody has taken, explores it
// with an engine of its own and hands in what it gave; between two rows it shares
// nothing but the bound of its quota, which it reads before every schedule.
//
// The campaign adds the rows up in the order of their schedules and stops at the
// first that settles it. Since a schedule depends on seed and index alone, what it
// reports does not depend on who explored what, or when: clocks decide only how
// the work is divided.

// quota is the work that is divided: the schedules of a seed up to n-1.
type quota struct {
	seed  uint64
	n     uint64
	next  atomic.Uint64 // the first schedule that nobody has taken
	began time.Time
	// bound: the schedules from here on do not matter any more.
	bound atomic.Uint64
}

func newQuota(seed, from, n uint64) *quota {
	q := &quota{seed: seed, n: n, began: time.Now()}
	q.next.Store(from)
	q.bound.Store(n)
	return q
}

// take takes the next size schedules, fewer at the end: from..to-1.
func (q *quota) take(size uint64) (from, to uint64) {
	to = q.next.Add(size)
	return to - size, min(to, q.n)
}

// left is how many schedules nobody has taken.
func (q *quota) left() uint64 {
	return q.n - min(q.n, q.next.Load())
}

// lower sets the bound to at most b.
func (q *quota) lower(b uint64) {
	for old := q.bound.Load(); b < old && !q.bound.CompareAndSwap(old, b); old = q.bound.Load() {
	}
}

const (
	// A row is to take a sixteenth of the time that was spent so far, between minRow
	// and maxRow: long against the few microseconds that handing it in costs, short
	// against what may be wasted at the end.
	rowShare = 16
	minRow   = time.Millisecond
	maxRow   = 25 * time.Millisecond
	firstRow = 8 // schedules in the first row, when nothing is known yet
	// Others help as soon as the rest is going to take one worker longer than
	// helpTime, several times what it costs to make a worker.
	helpTime = 500 * time.Microsecond
)

// handIn is what a worker sends the campaign: a row, or that it stops working.
type handIn struct {
	worker *worker
	done   bool
	stretch
}

// work explores rows of q until none is left that matters.
func (w *worker) work(q *quota, hands int, out chan<- handIn) {
	for !w.halt.Load() {
		from, to := q.take(w.rowSize(q, hands))
		if from >= min(to, q.bound.Load()) {
			break
		}
		w.row.Store(from)
		w.index.Store(from)
		began := time.Now()
		s := w.explore(q, from, to)
		if search, ok := w.strategy.(exhaustive); ok {
			coverage := search.coverage()
			s.coverage = &coverage
		}
		w.pace.Store(max(1, int64(time.Since(began))/int64(s.next-from+1)))
		out <- handIn{worker: w, stretch: s}
	}
	out <- handIn{worker: w, done: true}
}

// rowSize is how many schedules to take next; not so many that others would be
// without work at the end.
func (w *worker) rowSize(q *quota, hands int) uint64 {
	pace := w.pace.Load()
	if pace == 0 {
		return firstRow
	}
	span := min(max(time.Since(q.began)/rowShare, minRow), maxRow)
	fair := q.left()/uint64(2*hands) + 1
	return max(1, min(uint64(span)/uint64(pace), fair))
}

// explore tries the first n schedules of seed, until the campaign is over.
func (c *campaign) explore(seed uint64, n int) {
	if n <= 0 || c.over() {
		return
	}
	c.seed = seed
	c.tell(time.Now())
	if c.keeper != nil {
		c.exploreInParts(seed, n)
		return
	}
	c.explorePart(newQuota(seed, 0, uint64(n)), 0)
}

// explorePart explores what is in q, until the campaign is over or the time for this
// part is; 0 is no limit. It returns the first schedule that was not explored.
func (c *campaign) explorePart(q *quota, limit time.Duration) (next uint64) {
	out := make(chan handIn, 4*c.hands)
	watch := newWatch(c.set.watchdog, limit)
	defer watch.stop()
	rows := rowQueue{next: q.next.Load()}
	c.put(c.worker, q, out, watch)
	for len(watch.posts) > 0 {
		select {
		case in := <-out:
			if in.worker.lost { // and came free after all
				continue
			}
			if in.done {
				watch.dismiss(in.worker)
				continue
			}
			rows.add(in.stretch)
			c.add(&rows, q)
			if len(watch.posts) == 1 && c.needsHelp(q) {
				c.help(q, out, watch)
			}
		case now := <-watch.tick.C:
			c.relax()
			theCollector.look()
			c.tell(now)
			if c.late = c.late || c.isLate(now); c.late || limit > 0 && now.Sub(q.began) >= limit {
				q.lower(0)
			}
			for _, w := range watch.stuck() {
				rows.add(c.lose(w, q))
				c.add(&rows, q)
			}
		}
	}
	next = rows.next
	rows.closeGaps() // time was up before everything was explored
	c.add(&rows, q)
	return next
}

// put sets a worker to work.
func (c *campaign) put(w *worker, q *quota, out chan<- handIn, watch *watch) {
	watch.post(w)
	hands := c.hands
	w.jobs <- func() { w.work(q, hands, out) }
}

// needsHelp reports whether what is left is worth starting other workers.
func (c *campaign) needsHelp(q *quota) bool {
	return c.hands > 1 && !c.over() && float64(q.left())*float64(c.worker.pace.Load()) > float64(helpTime)
}

// help sets the other workers to work, making those that are not there.
func (c *campaign) help(q *quota, out chan<- handIn, watch *watch) {
	c.relax()
	for i := range c.hands - 1 {
		if i == len(c.others) {
			c.others = append(c.others, newWorker(c.body, &c.set))
		}
		if w := c.others[i]; !w.lost {
			c.put(w, q, out, watch)
		}
	}
}

// add adds up the rows whose turn it is, until the campaign is settled.
func (c *campaign) add(rows *rowQueue, q *quota) {
	for s, ok := rows.pop(); ok && !c.settled(); s, ok = rows.pop() {
		c.merge(s)
	}
	if c.settled() {
		q.lower(0)
	}
}

// merge adds up what the next row gave.
func (c *campaign) merge(s stretch) {
	for _, in := range s.incidents {
		c.judge(in.failure)
		if c.settled() {
			c.counts.add(in.upTo)
			c.surveySamples(s.samples, in.upTo.schedules)
			return
		}
	}
	c.surveySamples(s.samples, len(s.samples))
	c.counts.add(s.counts)
	c.progress = s.coverage
	c.ended, c.complete = s.ended, s.only
}

// surveySamples adds the first n samples to the statistics.
func (c *campaign) surveySamples(samples []sample, n int) {
	for _, x := range samples[:min(n, len(samples))] {
		c.survey.add(x)
	}
}

// lose gives up a worker that is stuck. If its schedule still matters it is a
// finding.
func (c *campaign) lose(w *worker, q *quota) stretch {
	from, at := w.row.Load(), w.index.Load()
	s := stretch{from: from, next: at + 1, counts: counts{schedules: int(at - from + 1), timed: w.timed.Load()}}
	stuck := w.giveUp()
	if at < q.bound.Load() {
		q.lower(at + 1)
		f := &failure{seed: q.seed, index: at, findings: []Finding{*stuck}, stuck: true}
		s.incidents = []incident{{f, s.counts}}
	}
	return s
}

// handsOf is how many workers explore at the same time.
func handsOf(set *settings) int {
	switch {
	case set.whole || set.unseeded:
		return 1
	case set.workers > 0:
		return set.workers
	case set.own:
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// rowQueue puts rows in order.
type rowQueue struct {
	next    uint64    // the first schedule that was not added up
	waiting []stretch // rows that come later, in order
}

func (q *rowQueue) add(s stretch) {
	i, _ := slices.BinarySearchFunc(q.waiting, s, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	q.waiting = slices.Insert(q.waiting, i, s)
}

// pop returns the next row if all before it were returned.
func (q *rowQueue) pop() (stretch, bool) {
	if len(q.waiting) == 0 || q.waiting[0].from > q.next {
		return stretch{}, false
	}
	s := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	q.next = s.next
	return s, true
}

// closeGaps lets pop return what waits for rows that will not come.
func (q *rowQueue) closeGaps() {
	q.next = ^uint64(0)
}
