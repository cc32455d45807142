//go:build !(linux || freebsd || netbsd || openbsd) || wayland

package program

func usePrimarySelection() {}
