package environment

// Nearest returns the first of names that is at most two typing errors away
// from name, fewest first, or "". A name is never all typing errors.
func Nearest(name string, names []string) string {
	best, found := 3, ""
	for _, candidate := range names {
		if d := distance(name, candidate); d < best && d < len(candidate) {
			best, found = d, candidate
		}
	}
	return found
}

// distance counts the letters to insert, remove, replace or swap with their
// neighbour that turn a into b: the optimal string alignment distance.
func distance(a, b string) int {
	var before []int // row i-2
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
