package explore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
)

// A Strategy decides what happens next; it never runs anything. A campaign calls
// Begin with the index of the schedule, then Pick at every decision of that
// schedule, then End. All calls come one after another.
//
// What a strategy picks in schedule i may depend on its seed, on i, and on what
// it saw in schedule 0, which is always run first; on nothing else. Then any
// schedule can be recomputed alone, and a campaign is the same however it is
// divided among workers.
type Strategy interface {
	// Begin prepares schedule run. It returns false when the search is over.
	Begin(run uint64) bool
	// Pick chooses among the goroutines that p shows as enabled. It is called only
	// when more than one thing could happen; p is valid during the call.
	Pick(p *sched.Point) sched.Choice
	// End is told how the schedule went. r is valid during the call.
	End(r *sched.Result)
}

// Setup is what a strategy is made from.
type Setup struct {
	Seed  uint64 // of the campaign
	Steps int    // at most so many steps are in a schedule
}

// learner is a strategy that has to know something about the program. The campaign
// then makes schedule 0 a random walk and tells it what happened, before schedule 1.
type learner interface {
	Strategy
	learn(p *profile)
}

// exhaustive is a strategy that explores everything and knows when it has. Its
// runs are logged.
type exhaustive interface {
	Strategy
	coverage() Coverage
}

// DefaultStrategy is the name of the strategy that is used when none is asked for.
const DefaultStrategy = "portfolio"

// strategies are those with a name; other names have a number in them.
var strategies = []struct {
	name  string
	start func(Setup) Strategy
}{
	{"random", func(s Setup) Strategy { return NewRandom(s.Seed) }},
	{"pos", func(s Setup) Strategy { return NewPOS(s) }},
	{"urw", func(s Setup) Strategy { return NewURW(s) }},
	{"surw", func(s Setup) Strategy { return NewSURW(s) }},
	{"directed", func(s Setup) Strategy { return newDirected(s) }},
	{DefaultStrategy, func(s Setup) Strategy { return newPortfolio(s) }},
	{"dpor", func(Setup) Strategy { return newDPOR(sched.Dependencies) }},
	{"brute", func(Setup) Strategy { return &brute{} }},
}

// strategyNames lists what namedStrategy takes, but for what only Exhaust uses.
const strategyNames = "random, pct1 to pct99, pos, urw, surw, directed, portfolio, preempt0 to preempt99, or delay0 to delay99"

// namedStrategy returns the maker of the strategy called name.
func namedStrategy(name string) (func(Setup) Strategy, error) {
	for _, s := range strategies {
		if s.name == name {
			return s.start, nil
		}
	}
	if b, ok := namedBounded(name); ok {
		return func(Setup) Strategy { return b() }, nil
	}
	if digits, ok := strings.CutPrefix(name, "pct"); ok {
		if d, err := strconv.Atoi(digits); err == nil && 1 <= d && d <= maxDepth && digits[0] != '0' {
			return func(s Setup) Strategy { return NewPCT(s, d) }, nil
		}
	}
	return nil, fmt.Errorf("no strategy is called %q: wanted %s", name, strategyNames)
}
