package fetch

import "golang.org/x/sys/windows"

var (
	offlineErrors = []error{windows.WSAENETUNREACH, windows.WSAEHOSTUNREACH, windows.WSAENETDOWN, windows.WSAEADDRNOTAVAIL}
	refusedErrors = []error{windows.WSAECONNREFUSED}
	resetErrors   = []error{windows.WSAECONNRESET, windows.WSAECONNABORTED}
)
