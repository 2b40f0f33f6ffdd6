package unwritable

import (
	"testing"

	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/model"
)

// TestLeaks cannot save what it finds: testdata is a file here.
func TestLeaks(t *testing.T) {
	explore.Check(t, func() {
		model.Go(func() { model.NewChan[int](0).Send(1) })
	}, explore.Seed(1))
}
