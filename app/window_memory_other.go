//go:build !linux

package app

// trimC does nothing where the C library gives its free memory back by itself.
func trimC() {}
