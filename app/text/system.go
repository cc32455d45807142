package text

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// SystemCode names an error of the operating system, the network or TLS.
type SystemCode string

// The codes of SystemError.
const (
	FileNotFound     SystemCode = "file-not-found"
	NoPermission     SystemCode = "no-permission"
	FileExists       SystemCode = "file-exists"
	IsFolder         SystemCode = "is-folder"
	NotFolder        SystemCode = "not-folder"
	DiskFull         SystemCode = "disk-full"
	QuotaExceeded    SystemCode = "quota-exceeded"
	ReadOnlyDisk     SystemCode = "read-only-disk"
	DiskError        SystemCode = "disk-error"
	NameTooLong      SystemCode = "name-too-long"
	InvalidName      SystemCode = "invalid-name"
	FileInUse        SystemCode = "file-in-use"
	TooManyOpenFiles SystemCode = "too-many-open-files"
	ProgramNotFound  SystemCode = "program-not-found"

	HostNotFound       SystemCode = "host-not-found"
	LookupFailed       SystemCode = "lookup-failed"
	ConnectionRefused  SystemCode = "connection-refused"
	ConnectionReset    SystemCode = "connection-reset"
	NetworkUnreachable SystemCode = "network-unreachable"
	HostUnreachable    SystemCode = "host-unreachable"
	TimedOut           SystemCode = "timed-out"
	EndsEarly          SystemCode = "ends-early"

	CertificateExpired   SystemCode = "certificate-expired"
	CertificateUntrusted SystemCode = "certificate-untrusted"
	CertificateWrongHost SystemCode = "certificate-wrong-host"
	CertificateInvalid   SystemCode = "certificate-invalid"
	NoSecureConnection   SystemCode = "no-secure-connection"
)

var systemErrors = table[SystemCode]{
	FileNotFound:     "No such file or folder.",
	NoPermission:     "Permission denied.",
	FileExists:       "The file exists already.",
	IsFolder:         "This is a folder.",
	NotFolder:        "This is not a folder.",
	DiskFull:         "The disk is full.",
	QuotaExceeded:    "The disk quota is used up.",
	ReadOnlyDisk:     "The disk is read-only.",
	DiskError:        "The disk cannot be read or written.",
	NameTooLong:      "The file name is too long.",
	InvalidName:      "The file name is not valid.",
	FileInUse:        "Another program is using the file.",
	TooManyOpenFiles: "Too many files are open.",
	ProgramNotFound:  "The program was not found.",

	HostNotFound:       "The server's name does not exist.",
	LookupFailed:       "The server's name could not be looked up.",
	ConnectionRefused:  "The connection was refused.",
	ConnectionReset:    "The connection was broken off.",
	NetworkUnreachable: "The network cannot be reached.",
	HostUnreachable:    "The server cannot be reached.",
	TimedOut:           "It took too long.",
	EndsEarly:          "The data ends too early.",

	CertificateExpired:   "The server's certificate has expired or is not valid yet.",
	CertificateUntrusted: "The server's certificate is from an unknown authority.",
	CertificateWrongHost: "The server's certificate is for another name.",
	CertificateInvalid:   "The server's certificate is not valid.",
	NoSecureConnection:   "No secure connection is possible.",
}

// SystemError describes an error of the operating system, the network or TLS: the file or server it is about, if known,
// and the cause. ok is false for any other error.
func (p *Printer) SystemError(err error) (text string, ok bool) {
	code, about := systemCode(err)
	if code == "" {
		return "", false
	}
	cause := say(p, systemErrors, code)
	if about != "" {
		return p.L("{{.File}}: {{.Cause}}", V{"File": about, "Cause": cause}), true
	}
	return cause, true
}

// systemCode finds the cause of an error and the file or server it is about, "" if that is not known. The code is ""
// for an error of another kind.
func systemCode(err error) (code SystemCode, about string) {
	if code, about = networkCode(err); code != "" {
		return code, about
	}
	var (
		path    *fs.PathError
		link    *os.LinkError
		program *exec.Error
		number  syscall.Errno
	)
	switch {
	case errors.As(err, &path):
		about = path.Path
	case errors.As(err, &link):
		about = link.New
	case errors.As(err, &program):
		about = program.Name
	}
	if errors.As(err, &number) {
		if code = errnoCodes[number]; code != "" {
			return code, about
		}
	}
	for _, c := range []struct {
		target error
		code   SystemCode
	}{
		{exec.ErrNotFound, ProgramNotFound}, {fs.ErrNotExist, FileNotFound}, {fs.ErrPermission, NoPermission},
		{fs.ErrExist, FileExists}, {context.DeadlineExceeded, TimedOut}, {os.ErrDeadlineExceeded, TimedOut},
		{io.ErrUnexpectedEOF, EndsEarly}, {io.EOF, EndsEarly},
	} {
		if errors.Is(err, c.target) {
			return c.code, about
		}
	}
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return TimedOut, about
	}
	return "", ""
}

// networkCode is systemCode for errors of name lookups and of TLS.
func networkCode(err error) (code SystemCode, host string) {
	var (
		lookup    *net.DNSError
		wrongHost x509.HostnameError
		untrusted x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
		verify    *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		alert     tls.AlertError
	)
	switch {
	case errors.As(err, &lookup):
		if lookup.IsNotFound {
			return HostNotFound, lookup.Name
		}
		return LookupFailed, lookup.Name
	case errors.As(err, &wrongHost):
		return CertificateWrongHost, strings.Trim(wrongHost.Host, "[]")
	case errors.As(err, &untrusted):
		return CertificateUntrusted, ""
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return CertificateExpired, ""
	case errors.As(err, &invalid), errors.As(err, &verify):
		return CertificateInvalid, ""
	case errors.As(err, &record), errors.As(err, &alert):
		return NoSecureConnection, ""
	}
	return "", ""
}
