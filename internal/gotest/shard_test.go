package gotest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShardsAreEveryTestOnce(t *testing.T) {
	packages := [][]string{{"TestA", "TestB", "TestC"}, {}, {"TestD"}, {"TestE", "TestF"}}
	var got []string
	for i := 1; i <= 4; i++ {
		s := Shard{Index: i, Count: 4}
		for _, tests := range packages {
			got = append(got, s.take(tests)...)
		}
	}
	if diff := cmp.Diff([]string{"TestA", "TestE", "TestB", "TestF", "TestC", "TestD"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseShard(t *testing.T) {
	if s, err := ParseShard("2/5"); err != nil || s.String() != "2/5" {
		t.Errorf("%v, %v", s, err)
	}
	for _, text := range []string{"", "2", "0/5", "6/5", "-1/5", "a/b", "1/0", "1/2/3"} {
		if s, err := ParseShard(text); err == nil {
			t.Errorf("%q: %v", text, s)
		}
	}
}

func TestSplitPattern(t *testing.T) {
	for pattern, want := range map[string][2]string{
		"":             {"", ""},
		"TestA":        {"TestA", ""},
		"TestA/n=1/x":  {"TestA", "/n=1/x"},
		"Test[A/B]/x":  {"Test[A/B]", "/x"},
		"Test(A|B)$/x": {"Test(A|B)$", "/x"},
	} {
		if top, rest := splitPattern(pattern); top != want[0] || rest != want[1] {
			t.Errorf("%q: %q and %q", pattern, top, rest)
		}
	}
}
