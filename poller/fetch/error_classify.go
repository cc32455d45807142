package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
)

// errTotalTime is the cause of a context whose Limits.Total is over.
var errTotalTime = errors.New("time for the whole request is up")

// classify turns an error of the transport or of a body into an Error. The order of the cases matters: who ended the
// request comes first, then a broken name, route or connection, then what a timeout is.
func (x *exchange) classify(ctx, timedCtx context.Context, u *url.URL, err error) *Error {
	fail := x.newError("", u, err)
	fail.Status = x.resp.Status
	cause := context.Cause(timedCtx)
	var full writeError
	switch {
	case errors.As(err, &full):
		fail.Code = Unwritable
	case ctx.Err() != nil:
		fail.Code, fail.Err = cancelCode(ctx), ctx.Err()
	case errors.Is(cause, ErrNoRoom):
		fail.Code, fail.Err = Unwritable, cause
	case errors.Is(cause, errSlow), errors.Is(cause, errTotalTime) && x.resp.Status != 0:
		fail.Code, fail.Err = TooSlow, cause
	case cause != nil:
		fail.Code, fail.Err = Timeout, cause
	default:
		if fail.Code = codeOfCause(err); fail.Code == TLS {
			fail.Certificate = certificateFault(err)
			fail.Fingerprint = refusedFingerprint(err)
			fail.Changed = fail.Fingerprint != "" && x.c.Trusted(fail.Host) != ""
		}
	}
	return fail
}

// cancelCode tells a deadline of the caller from a cancellation.
func cancelCode(ctx context.Context) Code {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Timeout
	}
	return Canceled
}

// codeOfCause classifies an error that is not due to the end of a context.
func codeOfCause(err error) Code {
	var dns *net.DNSError
	var coding codingError
	var network net.Error
	switch {
	case errors.As(err, &coding):
		return Protocol
	case errors.Is(err, errResolvesLocally):
		return ResolvesLocally
	case isAnyOf(err, offlineErrors):
		return Offline
	case errors.As(err, &dns):
		return dnsCode(dns)
	case isAnyOf(err, refusedErrors):
		return Refused
	case isTLS(err):
		return TLS
	case errors.As(err, &network) && network.Timeout():
		return Timeout
	case isReset(err):
		return Reset
	}
	return Protocol
}

// dnsCode tells a name without an address from a resolver that cannot be reached.
func dnsCode(err *net.DNSError) Code {
	var op *net.OpError
	if errors.As(err.Unwrap(), &op) && !err.IsTimeout {
		return Offline
	}
	return DNS
}

func isTLS(err error) bool {
	var (
		record tls.RecordHeaderError
		alert  tls.AlertError
	)
	return errors.As(err, &record) || errors.As(err, &alert) || errors.Is(err, http.ErrSchemeMismatch) || certificateFault(err) != ""
}

// certificateFault returns "" if no certificate is to blame.
func certificateFault(err error) CertificateFault {
	var (
		verify    *tls.CertificateVerificationError
		authority x509.UnknownAuthorityError
		none      x509.SystemRootsError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &authority), errors.As(err, &none):
		return Untrusted
	case errors.As(err, &host):
		return OtherName
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return Expired
	case errors.As(err, &invalid), errors.As(err, &verify):
		return Invalid
	}
	return ""
}

func isReset(err error) bool {
	var stream streamError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		isAnyOf(err, resetErrors) || errors.As(err, &stream)
}

// streamError has the form of net/http's own HTTP/2 stream errors, which errors.As converts to any type of that form.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e streamError) Error() string { return "http2 stream error" }

func isAnyOf(err error, targets []error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
