//go:build !windows

package fetch

import "syscall"

var (
	offlineErrors = []error{syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.EADDRNOTAVAIL}
	refusedErrors = []error{syscall.ECONNREFUSED}
	resetErrors   = []error{syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED}
)
