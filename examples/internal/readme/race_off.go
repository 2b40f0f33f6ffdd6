//go:build !race

package readme

const underRace = false
