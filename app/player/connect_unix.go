//go:build unix

package player

import (
	"net"
	"os"
	"syscall"
)

// connectable reports whether mpv can be talked to.
const connectable = true

// socketPair returns two ends of a connection, the second for another process.
func socketPair() (net.Conn, *os.File, error) {
	syscall.ForkLock.RLock()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(ends[0])
		syscall.CloseOnExec(ends[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	ours, theirs := os.NewFile(uintptr(ends[0]), "player"), os.NewFile(uintptr(ends[1]), "player")
	conn, err := net.FileConn(ours)
	ours.Close() // FileConn has a copy
	if err != nil {
		theirs.Close()
		return nil, nil, err
	}
	return conn, theirs, nil
}
