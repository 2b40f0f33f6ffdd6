package sched

// Rule is one row of a Table: a later access of class Later depends on an earlier one
// of class First, or if Both, each on the other, whichever comes first; or with Takes,
// First takes what Later waits for.
type Rule struct {
	First, Later Class
	Both, Takes  bool
}

func (r Rule) String() string {
	switch {
	case r.Takes:
		return r.First.String() + " takes from " + r.Later.String()
	case r.Both:
		return r.First.String() + " ~ " + r.Later.String()
	}
	return r.First.String() + " -> " + r.Later.String()
}

// Rules lists the rows of t.
func (t *Table) Rules() []Rule {
	var list []Rule
	for a := range classes {
		for b := range classes {
			both := t.relations[a][b] == Races && t.relations[b][a] == Races
			if t.relations[a][b] != Independent && !(both && a > b) {
				list = append(list, Rule{First: a, Later: b, Both: both})
			}
			if t.takes[b][a] {
				list = append(list, Rule{First: a, Later: b, Takes: true})
			}
		}
	}
	return list
}

// Without returns t without one of its rows. A search that relies on that misses
// something, unless the row is superfluous.
func (t *Table) Without(r Rule) *Table {
	less := *t
	switch {
	case r.Takes:
		less.takes[r.Later][r.First] = false
	case r.Both:
		less.relations[r.Later][r.First] = Independent
		fallthrough
	default:
		less.relations[r.First][r.Later] = Independent
	}
	return &less
}
