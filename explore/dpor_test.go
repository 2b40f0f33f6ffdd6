package explore

import (
	"fmt"
	"slices"
	"testing"

	"github.com/modelcheck-go/modelcheck/sched"
)

// classes is what a search of the whole program found.
type classes struct {
	byHash   map[uint64]int // runs of each trace class
	runs     int
	outcomes map[string]bool
	failed   int // runs with a finding

	// gaveUp is why the search was made anew without reduction, and so has nothing to
	// be compared with brute force.
	gaveUp string
	dporStats
}

func newClasses() classes {
	return classes{byHash: map[uint64]int{}, outcomes: map[string]bool{}}
}

// note adds a run.
func (c *classes) note(class uint64, r *sched.Result, outcome string) {
	c.byHash[class]++
	c.outcomes[outcome] = true
	if r.Failed {
		c.failed++
	}
}

// logged is how the runs compared here are run: the relation does not cover timers
// that may fire at any moment.
var logged = sched.RunOptions{Log: true, Pace: sched.Calm}

// subject is a program whose searches are compared.
type subject struct {
	body func()
	out  func() string // what the goroutines of the last run saw
	// findings: they are part of the outcome. That costs much.
	findings bool
	eager    bool // timers may fire at any moment
	steps    int  // the bound of a run, 0 for the default
}

// outcome describes the end of a run.
func (s *subject) outcome(r *sched.Result) string {
	var found []string
	for _, f := range r.Findings {
		found = append(found, fmt.Sprint(f.Kind, f.Class, f.Goroutine, f.Op, f.Site.Line))
	}
	slices.Sort(found)
	return fmt.Sprint(r.Outcome, r.Failed, s.out(), found)
}

func (s *subject) run(e *sched.Engine, p sched.Picker) *sched.Result {
	opts := logged
	opts.Capture = s.findings
	if s.eager {
		opts.Pace = sched.Timeouts
	}
	return e.Run(s.body, p, opts)
}

// searchAll explores p with DPOR until it is done.
func searchAll(t *testing.T, limit int, p subject) classes {
	t.Helper()
	c, err := searchWith(sched.Dependencies, limit, p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// searchWith explores p with DPOR that relies on the given table. The classes are
// those of the real one.
func searchWith(table *sched.Table, limit int, p subject) (classes, error) {
	e := sched.New(sched.Config{MaxSteps: p.steps})
	defer e.Close()
	s := newDPOR(table)
	a := analysis{table: sched.Dependencies}
	c := newClasses()
	for i := uint64(0); s.Begin(i); i++ {
		before := s.runs
		r := p.run(e, s)
		if r.Outcome == sched.Misuse {
			return c, r.Misuse
		}
		s.End(r)
		if s.err != nil {
			return c, s.err
		}
		if s.unreduced != nil {
			return classes{gaveUp: s.reason}, nil
		}
		if s.runs < before { // it began anew
			c = newClasses()
		}
		if s.runs > before {
			if table != a.table {
				a.order(&s.naming, r.Log)
				s.trace = a.class()
			}
			c.note(s.trace, r, p.outcome(r))
		}
		if int(i) > limit {
			return c, fmt.Errorf("more than %d runs", limit)
		}
	}
	c.dporStats = s.dporStats
	c.runs = s.runs
	return c, nil
}

// named is a strategy that keeps the names of goroutines while another picks.
type named struct {
	Strategy
	naming
}

func (n *named) Begin(run uint64) bool { n.naming.begin(); return n.Strategy.Begin(run) }
func (n *named) Pick(p *sched.Point) sched.Choice {
	n.meet(p.Log())
	return n.Strategy.Pick(p)
}

// unsettled reports whether an RWMutex was tried to lock and failed, or could have, though nobody held it.
func unsettled(log *sched.Log) bool {
	for i := range log.Events {
		for _, a := range log.Accesses(i) {
			if (a.Class == sched.AccTryWLock || a.Class == sched.AccTryWFail) && a.Uncovered() {
				return true
			}
		}
	}
	return false
}

// bruteAll explores p by brute force and calls look, if any, after every run; ok is
// false when that takes too long, or reduction has to be given up for a timer.
func bruteAll(limit int, p subject, look func(*sched.Log)) (c classes, ok bool) {
	e := sched.New(sched.Config{MaxSteps: p.steps})
	defer e.Close()
	s := &named{&brute{}, newNaming()}
	a := analysis{table: sched.Dependencies}
	c = newClasses()
	careful := false
	for i := uint64(0); s.Begin(i); i++ {
		if int(i) > limit {
			return c, false
		}
		r := p.run(e, s)
		if r.Outcome == sched.Misuse {
			panic(r.Misuse)
		}
		if r.Outcome == sched.StepBound {
			return c, false
		}
		if r.Log.Eager || unsettled(r.Log) {
			return c, false
		}
		if e.CrossUnlocks() && !careful { // more depends on each other from now on
			careful = true
			s = &named{&brute{}, newNaming()}
			c = newClasses()
			continue
		}
		s.meet(r.Log)
		a.order(&s.naming, r.Log)
		c.note(a.class(), r, p.outcome(r))
		c.runs++
		if look != nil {
			look(r.Log)
		}
		s.End(r)
	}
	return c, true
}

// silent is a program that tells nothing of what its goroutines saw.
func silent(body func()) subject { return subject{body: body, out: func() string { return "" }} }

func newEngineFor(t *testing.T) *sched.Engine {
	e := sched.New(sched.Config{})
	t.Cleanup(e.Close)
	return e
}
