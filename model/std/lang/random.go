package lang

import "github.com/modelcheck-go/modelcheck/model"

// seeds is how many streams of random numbers are explored.
const seeds = 64

// Seed returns a number that a run chooses at the first call in it: the seed of
// the random numbers that nobody has seeded. So these are part of the schedule.
func Seed() uint64 {
	table.Lock()
	seed, chosen := table.seed, table.seeded
	table.Unlock()
	if !chosen {
		seed = uint64(model.Choose(seeds))
		table.Lock()
		table.seed, table.seeded = seed, true
		table.Unlock()
	}
	return seed
}
