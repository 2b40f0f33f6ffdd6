//go:debug randseednop=0

package rand_test

import (
	"fmt"
	original "math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model/std/lang"
	"github.com/modelcheck-go/modelcheck/model/std/math/rand"
)

// A program that seeds the numbers natively gets those of package math/rand, call for
// call.
func TestNativelyTheSequenceIsTheOriginals(t *testing.T) {
	const seed = 7
	original.Seed(seed) //lint:ignore SA1019 it is what is compared
	bytes := make([]byte, 3)
	_, _ = original.Read(bytes) //lint:ignore SA1019 likewise
	want := fmt.Sprint(bytes, original.Int63(), original.Uint32(), original.Uint64(), original.Int31(), original.Int(),
		original.Int63n(100), original.Int31n(100), original.Intn(100), original.Float64(), original.Float32(),
		original.Perm(5), original.NormFloat64(), original.ExpFloat64())
	rand.Seed(seed)
	_, _ = rand.Read(bytes)
	got := fmt.Sprint(bytes, rand.Int63(), rand.Uint32(), rand.Uint64(), rand.Int31(), rand.Int(),
		rand.Int63n(100), rand.Int31n(100), rand.Intn(100), rand.Float64(), rand.Float32(),
		rand.Perm(5), rand.NormFloat64(), rand.ExpFloat64())
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Under control a schedule has its own numbers, the same whenever it is run, and those
// that the program seeds are the original's.
func TestARunHasItsOwnNumbers(t *testing.T) {
	draw := func(seen map[string]bool) func() {
		return func() {
			lang.Begin()
			bytes := make([]byte, 3)
			_, _ = rand.Read(bytes)
			s := fmt.Sprint(bytes, rand.Int(), rand.Perm(4))
			rand.Seed(7)
			s += fmt.Sprint(rand.Int63() == original.New(original.NewSource(7)).Int63())
			seen[s] = true
		}
	}
	first, second := map[string]bool{}, map[string]bool{}
	for _, seen := range []map[string]bool{first, second} {
		if r := explore.RunExhaustive(draw(seen), explore.Sequential(), explore.Workers(1)); r.Verdict() != "pass" {
			t.Fatal(r)
		}
	}
	lang.Begin()
	if diff := cmp.Diff(first, second); diff != "" || len(first) != 64 {
		t.Errorf("%d different runs, want 64, the same twice\n%s", len(first), diff)
	}
}
