package stdio

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/minimal"
)

func TestMinimal(t *testing.T) {
	each(t, func(t *testing.T, r row) {
		check := minimal.Check
		if r.effort != proved {
			check = minimal.CheckLarge
		}
		if r.want != nil {
			check(t, r.body())
		}
	})
}
