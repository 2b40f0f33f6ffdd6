package explore

import (
	"fmt"
	"math"
)

// What may be said about schedules that were not tried, when none of those that were
// has failed. It rests on one thing: that they were drawn independently of each other,
// each from the same distribution, or from a fixed mix of a few (then what holds of the
// mean of a probability over the mix is claimed: of all mixes with that mean the even
// one makes it likeliest to have seen nothing). It is said with 95 % confidence, and
// only if how many were drawn did not depend on how they went.

const doubt = 0.05

// claims returns what may be claimed.
func (c *campaign) claims(s *survey, r *Statistics) []string {
	if !c.silent() || c.complete || c.ended || s.drawn == 0 {
		return nil
	}
	list := []string{fmt.Sprintf("risk: with 95 %% confidence a fresh schedule of this sampler fails with probability below %s; that says nothing of production", percent(riskBound(s.drawn)))}
	if b, held := s.saturation(); held > 0 {
		list = append(list, fmt.Sprintf("saturation: with 95 %% confidence a fresh schedule is of a class that the first %d had not with probability below %s", s.n-r.Recent, percent(b)))
	}
	if p, ok := c.worker.strategy.(*PCT); ok {
		list = append(list, s.depthClaim(p, r.Steps.Max)...)
	}
	return list
}

// silent reports whether nothing was found, or expected, in all that was to be tried.
func (c *campaign) silent() bool { return c.found == nil && c.err == nil && !c.late && c.ledger == nil }

// claimsOfCases is what may be claimed of a property. What is drawn independently are
// its cases, each a workload with the seed of so many schedules: schedules of the same
// case have the workload in common, and no two cases have trace classes in common. It
// holds for every strategy.
func claimsOfCases(cases, schedules int) []string {
	if cases == 0 {
		return nil
	}
	return []string{fmt.Sprintf("risk: with 95 %% confidence a fresh case, a workload as rapid draws it with up to %s, fails with probability below %s; that says nothing of production", plural(schedules, "schedule"), percent(riskBound(cases)))}
}

// independentFrom returns the first schedule of a seed from which on all are drawn
// independently; false if that is not known of the strategy.
func independentFrom(s Strategy) (uint64, bool) {
	switch s := s.(type) {
	case *Random:
		return 0, true
	case *PCT, *POS, *URW, *SURW:
		return 1, true // schedule 0 is a random walk
	case *directed:
		return uint64(1 + len(s.flips)), true
	case *portfolio: // the others take turns, which is a fixed mix
		return uint64(max(1, 2*len(s.first.flips))), true
	}
	return 0, false
}

// riskBound bounds the probability of something that was not seen in n independent
// trials: about 3/n.
func riskBound(n int) float64 { return -math.Expm1(math.Log(doubt) / float64(n)) }

// saturation bounds the probability that the next schedule belongs to a class that the
// first three quarters of the schedules did not have, from how many of the last
// quarter do; held is how many of those count.
func (s *survey) saturation() (bound float64, held int) {
	if s.unclassified != "" {
		return 0, 0
	}
	split, fresh := s.n-s.n/4, 0
	for i := split; i < s.n; i++ {
		if !s.classes[i].independent {
			continue
		}
		held++
		if s.first[s.classes[i].class] >= split {
			fresh++
		}
	}
	return upperBound(fresh, held), held
}

// upperBound is the one-sided bound of Clopper and Pearson (1934) on the probability of
// something that was seen x times in n independent trials.
func upperBound(x, n int) float64 {
	if x >= n {
		return 1
	}
	low, high := 0.0, 1.0
	for range 60 {
		mid := (low + high) / 2
		if binomialAtMost(x, n, mid) > doubt {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// binomialAtMost is the probability of at most x successes in n trials.
func binomialAtMost(x, n int, p float64) float64 {
	if p <= 0 {
		return 1
	}
	sum, all := 0.0, logGamma(n+1)
	for i := 0; i <= x; i++ {
		sum += math.Exp(all - logGamma(i+1) - logGamma(n-i+1) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

func logGamma(n int) float64 {
	v, _ := math.Lgamma(float64(n))
	return v
}

// depthClaim says what PCT promises: a bug of its depth is hit with probability at least
// 1/(n·k^(d-1)) in each schedule, for n goroutines and k decisions. That is true of
// programs that are no longer than k whatever the schedule, which nobody has checked, so
// it is part of the claim; k is the most that any schedule had. The promise does not
// cover programs in which goroutines yield, because that changes priorities, or that are
// so long that the strategy goes over to a random walk.
func (s *survey) depthClaim(p *PCT, steps int) []string {
	logMiss, least := 0.0, 1.0
	for length, n := range s.lengths {
		hit := pctBound(p.depth, length, s.choices, s.goroutines)
		logMiss += float64(n) * math.Log1p(-hit)
		least = min(least, hit)
		if steps >= patience(p.setup, length) {
			return nil
		}
	}
	if s.yields || len(s.lengths) == 0 || s.choices == 0 {
		return nil
	}
	where := fmt.Sprintf("in a program that never has more than %d goroutines and %d decisions, a bug of depth %d that needs no particular partner, case or value", s.goroutines, s.choices, p.depth)
	if miss := math.Exp(logMiss); miss <= doubt {
		return []string{fmt.Sprintf("depth: %s is missed with probability below %s", where, percent(miss))}
	}
	return []string{fmt.Sprintf("depth: too few schedules for depth %d: %s is only sure to be seen, with 95 %%, in %.0f", p.depth, where, math.Ceil(math.Log(doubt)/math.Log1p(-least)))}
}

// pctBound bounds the probability that a schedule of PCT hits a bug of depth d. The
// change points are spread over length decisions in half of the schedules, over twice
// as many in half of the rest, and so on (see PCT.Begin); those with fewer than the
// program has do not count.
func pctBound(d, length, decisions, goroutines int) float64 {
	hit := 0.0
	for i := range pctDoublings + 1 {
		share := math.Ldexp(1, -min(i+1, pctDoublings))
		if k := length << i; k >= decisions {
			hit += share / (float64(max(goroutines, 1)) * math.Pow(float64(k), float64(d-1)))
		}
	}
	return hit
}

// percent writes a small probability.
func percent(p float64) string {
	if p < 1e-5 {
		return fmt.Sprintf("%.1e", p)
	}
	digits := max(0, 1-int(math.Floor(math.Log10(100*p))))
	return fmt.Sprintf("%.*f %%", min(digits, 4), 100*p)
}
