package text

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestSystemErrors(t *testing.T) {
	worded(t, func(p *Printer, c SystemCode) string { return say(p, systemErrors, c) })
	_, missing := os.Open(filepath.Join(t.TempDir(), "no", "list.opml"))
	_, program := exec.LookPath("no-such-program")
	expired, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	for _, c := range []struct {
		err   error
		code  SystemCode
		about string // the end of it
	}{
		{fmt.Errorf("the list cannot be read: %w", missing), FileNotFound, "list.opml"},
		{fmt.Errorf("nothing was saved: %w", &fs.PathError{Op: "write", Path: "/a/b.opml", Err: syscall.ENOSPC}), DiskFull, "/a/b.opml"},
		{fmt.Errorf("write: %w", syscall.EACCES), NoPermission, ""},
		{&os.LinkError{Op: "rename", Old: "/a", New: "/b", Err: syscall.EROFS}, ReadOnlyDisk, "/b"},
		{fs.ErrPermission, NoPermission, ""},
		{program, ProgramNotFound, "no-such-program"},
		{&url.Error{Op: "Get", URL: "https://x.invalid/", Err: &net.DNSError{Err: "no such host", Name: "x.invalid", IsNotFound: true}}, HostNotFound, "x.invalid"},
		{&net.DNSError{Err: "server misbehaving", Name: "x.invalid", IsTemporary: true}, LookupFailed, "x.invalid"},
		{&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, ConnectionRefused, ""},
		{expired.Err(), TimedOut, ""},
		{os.ErrDeadlineExceeded, TimedOut, ""},
		{&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired}}, CertificateExpired, ""},
		{&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.TooManyIntermediates}}, CertificateInvalid, ""},
		{x509.HostnameError{Host: "example.org", Certificate: &x509.Certificate{}}, CertificateWrongHost, "example.org"},
		{getUntrusted(t), CertificateUntrusted, ""},
		{getPlain(t), NoSecureConnection, ""},
		{errors.New("permission denied"), "", ""}, // words alone tell nothing
		{context.Canceled, "", ""},
	} {
		code, about := systemCode(c.err)
		if code != c.code || !strings.HasSuffix(about, c.about) || c.about == "" && about != "" {
			t.Errorf("%v: %q about %q, want %q about %q", c.err, code, about, c.code, c.about)
		}
	}
	german, err := In("de")
	if err != nil {
		t.Fatal(err)
	}
	full := &fs.PathError{Op: "write", Path: "/a/b.opml", Err: syscall.ENOSPC}
	if got, ok := german.SystemError(full); got != "/a/b.opml: Der Datenträger ist voll." || !ok {
		t.Errorf("%q, %v", got, ok)
	}
	if got, ok := English().SystemError(syscall.EROFS); got != "The disk is read-only." || !ok {
		t.Errorf("%q, %v", got, ok)
	}
	if got, ok := English().SystemError(errors.New("another")); ok {
		t.Errorf("%q", got)
	}
}

// getUntrusted returns the error of asking a server whose certificate nobody has signed.
func getUntrusted(t *testing.T) error {
	t.Helper()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	return get(t, server.URL)
}

// getPlain returns the error of asking a server for TLS that has none.
func getPlain(t *testing.T) error {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	address := server.Listener.Addr().String()
	conn, err := tls.Dial("tcp", address, &tls.Config{ServerName: "example.org"})
	if err == nil {
		conn.Close()
	}
	return err
}

func get(t *testing.T, address string) error {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err == nil {
		answer.Body.Close()
	}
	return err
}
