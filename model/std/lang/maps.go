package lang

import (
	"cmp"
	"iter"
	"maps"
	"reflect"
	"slices"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
)

// orders is how many orders of a map are explored at most.
const orders = 8

// Entries is what a loop over the map m goes through. Go leaves the order open and
// takes another each time. Here it is that of the keys, begun at a place which the
// schedule chooses, if the keys are numbers, strings or the like. Pointers have no
// order that is the same in every run: with them it stays open.
//
// As in Go an entry that is removed before its turn does not come, and one that is
// added may come or not: it does not.
func Entries[M ~map[K]V, K comparable, V any](m M) iter.Seq2[K, V] {
	if sched.Current() == nil || len(m) < 2 || !orderable(reflect.TypeFor[K]()) {
		return maps.All(m)
	}
	return func(yield func(K, V) bool) {
		keys := slices.Collect(maps.Keys(m))
		slices.SortFunc(keys, func(a, b K) int { return compare(reflect.ValueOf(a), reflect.ValueOf(b)) })
		first := model.Choose(min(len(keys), orders)) * len(keys) / min(len(keys), orders)
		for i := range keys {
			k := keys[(first+i)%len(keys)]
			if v, ok := m[k]; ok && !yield(k, v) {
				return
			}
		}
	}
}

// orderable reports whether compare orders all different values of type t.
func orderable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	case reflect.Array:
		return orderable(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !orderable(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return false
}

func compare(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	case a.Kind() == reflect.Bool:
		return cmp.Compare(number(a.Bool()), number(b.Bool()))
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.Kind() == reflect.Array:
		for i := range a.Len() {
			if c := compare(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			if c := compare(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	}
	return 0
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
