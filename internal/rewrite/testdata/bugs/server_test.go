package bugs

import (
	"context"
	"testing"
)

func TestFetch(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if _, err := fetch(ctx); err != nil {
		t.Log(err)
	}
}
