package plain

import "testing"

func TestPlain(t *testing.T) {}
