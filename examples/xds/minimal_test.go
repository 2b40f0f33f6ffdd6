package xds

import (
	"fmt"
	"testing"

	"github.com/modelcheck-go/modelcheck/examples/internal/minimal"
)

func TestMinimal(t *testing.T) {
	for _, row := range streams {
		if row.want == nil {
			continue
		}
		row.env.requests = row.n
		t.Run(fmt.Sprintf("%s/%v/n=%d", row.variant, row.env, row.n), func(t *testing.T) {
			minimal.Check(t, serve(row.design, row.env))
		})
	}
}
