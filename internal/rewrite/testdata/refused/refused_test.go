package refused

import "testing"

func TestOne(t *testing.T) { all(t) }

func TestTwo(t *testing.T) { TestOne(t) }
