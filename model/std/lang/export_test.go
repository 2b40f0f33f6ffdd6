package lang

// InUse reports whether a goroutine that is not modelled operates on c.
func InUse[T any](c chan T) bool {
	table.Lock()
	defer table.Unlock()
	return table.native[pointer(c)].users > 0
}
