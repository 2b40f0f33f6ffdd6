package lang_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model/std/lang"
	"github.com/modelcheck-go/modelcheck/model/std/math/rand"
	"github.com/modelcheck-go/modelcheck/sched"
)

// The order of a map is chosen by the schedule: several are explored, and the same
// schedule has the same one.
func TestOrdersOfMaps(t *testing.T) {
	m := map[string]int{"b": 2, "a": 1, "c": 3} // Go begins anywhere, but goes on in this order
	order := func() (s string) {
		for k := range lang.Entries(m) {
			s += k
		}
		return s
	}
	seen := map[string]bool{}
	if r := run(t, func() { seen[order()] = true }); r.Failed() {
		t.Error(r)
	}
	if diff := cmp.Diff(map[string]bool{"abc": true, "bca": true, "cab": true}, seen); diff != "" {
		t.Errorf("orders differ (-want +got)\n%s", diff)
	}
	r := run(t, func() {
		if order() == "cab" {
			panic("this order")
		}
	})
	if len(r.Findings) != 1 || r.Findings[0].Kind != sched.Panic {
		t.Errorf("want the panic, and nothing else, found %v", r)
	}
}

type key struct {
	n [2]int8
	s string
	b bool
	u uint
}

func TestKeysAreOrdered(t *testing.T) {
	keys := []key{{s: "a"}, {s: "a", u: 1}, {s: "a", b: true}, {s: "b"}, {n: [2]int8{0, 1}}, {n: [2]int8{1, 0}}}
	m := map[key]bool{}
	for _, k := range slices.Backward(keys) {
		m[k] = true
	}
	first := map[key]bool{}
	run(t, func() {
		var got []key
		for k := range lang.Entries(m) {
			got = append(got, k)
		}
		at := slices.Index(keys, got[0])
		if diff := cmp.Diff(slices.Concat(keys[at:], keys[:at]), got, cmp.AllowUnexported(key{})); diff != "" {
			t.Errorf("order differs (-want +got)\n%s", diff)
		}
		first[got[0]] = true
	})
	if len(first) < 3 {
		t.Errorf("want several begins, found %v", first)
	}
}

// Random numbers are chosen by the schedule too.
func TestRandomNumbers(t *testing.T) {
	seen := map[int]bool{}
	r := run(t, func() { seen[rand.Intn(1000)] = true })
	if r.Failed() || len(seen) < 5 {
		t.Errorf("want several numbers, found %v, %v", seen, r)
	}
	first := -1
	for n := range seen {
		first = n
	}
	r = run(t, func() {
		if rand.Intn(1000) == first {
			panic("this number")
		}
	})
	if len(r.Findings) != 1 || r.Findings[0].Kind != sched.Panic {
		t.Errorf("want the panic, and nothing else, found %v", r)
	}
}
