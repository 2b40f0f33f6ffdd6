package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
)

// A Size is a parameter of a program: how many workers, messages, requests.
type Size struct {
	Name     string
	From, To int // the smallest and the largest value to try
}

// Smallest explores a program at one size after another, the smallest first, until it
// fails. Body makes the program from a value for each of sizes. The options are those
// of Run; with WithStrategy("dpor") a size that passes is proved to.
//
// Sizes are ordered by how far they are from the smallest values in all, then the one
// comes first whose first value is smaller, and so on: with two parameters from 1,
// that is 1,1 then 1,2 then 2,1 then 1,3 and so on. It fails where some schedule shows
// a finding; that nothing concurrent is to be explored, or that a model.Sometimes never
// held, only means that the size is too small. With Expect it fails where all that is
// expected is found, or something else.
//
// It costs a whole exploration for each size that passes, and there are as many as the
// product of the ranges.
func Smallest(sizes []Size, body func(values []int) func(), opts ...Option) Shrunk {
	refuseNested("explore.Smallest")
	s := Shrunk{Sizes: sizes}
	if s.Err = validSizes(sizes, body); s.Err != nil {
		return s
	}
	for _, values := range bySize(sizes) {
		r := Run(body(slices.Clone(values)), append(slices.Clone(opts), Name(describeSizes(sizes, values)))...)
		switch {
		case r.Err != nil:
			s.Err = fmt.Errorf("explore.Smallest, %s: %w", describeSizes(sizes, values), r.Err)
			return s
		case failsAtSize(r):
			s.Values, s.Report = values, &r
			return s
		}
		s.Passed = append(s.Passed, r)
	}
	return s
}

// Shrunk is what Smallest found.
type Shrunk struct {
	Sizes []Size
	// Values are the smallest values at which the program fails, and Report says how;
	// they are nil if it fails at none.
	Values []int
	Report *Report
	// Passed has the reports of all smaller sizes, in order. Their names say which.
	Passed []Report
	// Err is set when a size could not be explored, or was given wrongly.
	Err error
}

// String says what was found and what was tried.
func (s Shrunk) String() string {
	var b strings.Builder
	switch {
	case s.Err != nil:
		fmt.Fprintf(&b, "error: %v\n", s.Err)
	case s.Report == nil:
		fmt.Fprintf(&b, "no size fails of %s\n", describeRanges(s.Sizes))
	default:
		fmt.Fprintf(&b, "smallest size that fails: %s\n%v", describeSizes(s.Sizes, s.Values), s.Report)
	}
	if len(s.Passed) > 0 {
		b.WriteString("these pass:\n")
	}
	for _, r := range s.Passed {
		fmt.Fprintf(&b, "  %s: %s\n", r.Name, r.summary())
	}
	return b.String()
}

// tooSmall are the findings that only say that there is too little to explore.
var tooSmall = []sched.FindingKind{NothingConcurrent, NeverReached, Missed}

func failsAtSize(r Report) bool {
	return len(r.Expected) > 0 || slices.ContainsFunc(r.Findings, func(f Finding) bool { return !slices.Contains(tooSmall, f.Kind) })
}

func validSizes(sizes []Size, body func([]int) func()) error {
	if len(sizes) == 0 || body == nil {
		return fmt.Errorf("explore.Smallest: wanted at least one size and a function that makes the program, found %d sizes", len(sizes))
	}
	for _, s := range sizes {
		if s.Name == "" || s.From > s.To {
			return fmt.Errorf("explore.Smallest: wanted a name and a range from small to large, found %q from %d to %d", s.Name, s.From, s.To)
		}
	}
	return nil
}

// bySize lists all values in the order in which they are tried.
func bySize(sizes []Size) [][]int {
	all := [][]int{nil}
	for _, s := range sizes {
		var longer [][]int
		for _, v := range all {
			for n := s.From; n <= s.To; n++ {
				longer = append(longer, append(slices.Clone(v), n))
			}
		}
		all = longer
	}
	sum := func(v []int) (n int) {
		for _, x := range v {
			n += x
		}
		return n
	}
	slices.SortFunc(all, func(a, b []int) int { return cmp.Or(cmp.Compare(sum(a), sum(b)), slices.Compare(a, b)) })
	return all
}

func describeSizes(sizes []Size, values []int) string {
	parts := make([]string, len(sizes))
	for i, s := range sizes {
		parts[i] = fmt.Sprintf("%s=%d", s.Name, values[i])
	}
	return strings.Join(parts, ",")
}

func describeRanges(sizes []Size) string {
	parts := make([]string, len(sizes))
	for i, s := range sizes {
		parts[i] = fmt.Sprintf("%s=%d..%d", s.Name, s.From, s.To)
	}
	return strings.Join(parts, ",")
}
