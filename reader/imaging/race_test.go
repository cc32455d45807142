//go:build race

package imaging

// The race detector makes the work of a picture many times as long.
func init() { maxTime *= 10 }
