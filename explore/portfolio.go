package explore

import "github.com/modelcheck-go/modelcheck/sched"

// portfolio is the default strategy: what one is bad at another finds. Every second
// schedule is directed as long as there are flips to try; in the others samplers take
// turns. Of 9 turns 6 are those of SURW, because where it is best it may be a hundred
// times as good as the next; one each goes to
//   - URW, which is best where a bug takes an order of operations on several objects,
//   - PCT of depth 3, which is best where one goroutine has to go far while another
//     stands still, and whose bound holds whatever the program,
//   - POS, which is second best of all those that need to know nothing about a
//     program, and so does not mind when schedule 0 tells little about others.
//
// On the programs of BenchmarkFirstBug that keeps the mean number of schedules to the
// first bug within twice that of whichever strategy is best; where that matters most
// (200 seeds):
//
//	program      portfolio  best        others
//	twostage_50  54.0       27.8 surw   the others miss it with most seeds in 1,000
//	twostage     10.2       6.7 pct2    pct3 7.2, pos 10.2, random 24.5, urw 61.7
//	depth 3      3.3        2.2 urw     random 2.7, surw 3.7, pos 10.3, pct3 28
//	WSQ          10.1       7.8 surw    urw 9.3, pct3 38, pos 61, random > 500
//	wronglock_3  3.8        3.1 random  pos 3.3, surw 3.7, pct3 7.4
//	reorder_50   89.6       57.9 surw   the others miss it in 1,000
type portfolio struct {
	first *directed
	rest  []Strategy
	turn  Strategy
}

var _ learner = (*portfolio)(nil)

func newPortfolio(s Setup) *portfolio {
	surw := NewSURW(s)
	return &portfolio{
		first: newDirected(s),
		rest:  []Strategy{surw, NewURW(s), surw, NewPCT(s, 3), surw, NewPOS(s), surw, surw, surw},
	}
}

func (s *portfolio) learn(p *profile) {
	s.first.learn(p)
	for _, m := range s.rest {
		if l, ok := m.(learner); ok {
			l.learn(p)
		}
	}
}

// Begin chooses whose turn it is: schedules 1, 3, 5, ... are directed.
func (s *portfolio) Begin(run uint64) bool {
	flips := uint64(len(s.first.flips))
	if run%2 == 1 && run/2 < flips {
		s.turn = s.first
		return s.first.begin(run, run/2)
	}
	before := min((run+1)/2, flips) // directed ones
	s.turn = s.rest[(run-before)%uint64(len(s.rest))]
	return s.turn.Begin(run)
}

// Pick lets the strategy whose turn it is choose.
func (s *portfolio) Pick(p *sched.Point) sched.Choice { return s.turn.Pick(p) }

// End tells it how the schedule went.
func (s *portfolio) End(r *sched.Result) { s.turn.End(r) }
