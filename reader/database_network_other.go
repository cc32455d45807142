//go:build !linux && !darwin

package reader

func onNetwork(string) bool { return false }
