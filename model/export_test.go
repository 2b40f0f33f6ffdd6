package model

import "context"

// ToStd returns a native context as the one of package context behind it.
func ToStd(ctx Context) context.Context { return toStd(ctx, "test") }
