package progress

import (
	"fmt"
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/minimal"
)

func TestMinimal(t *testing.T) {
	for _, r := range systems {
		if r.want == nil {
			continue
		}
		check := minimal.Check
		if r.effort != proved {
			check = minimal.CheckLarge
		}
		t.Run(fmt.Sprintf("%s/%v", r.variant, r.env), func(t *testing.T) { check(t, follow(r.design, r.env)) })
	}
	for _, r := range statuses {
		if r.want != nil {
			t.Run(fmt.Sprintf("%s/%v", r.variant, r.status), func(t *testing.T) { minimal.Check(t, r.status.serve) })
		}
	}
}
