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

var errTotal = errors.New("time for the whole request is up")

// failure tells what an error of the transport or of a body means. The order
// matters: whoever ended the request, then the broken name, route or line,
// then what a timeout is.
func (f *flight) failure(ctx, timed context.Context, u *url.URL, err error) *Error {
	fail := f.fail("", u, err)
	fail.Status = f.resp.Status
	cause := context.Cause(timed)
	var full unwritable
	switch {
	case errors.As(err, &full):
		fail.Code = Unwritable
	case ctx.Err() != nil:
		fail.Code, fail.Err = givenUp(ctx), ctx.Err()
	case errors.Is(cause, errSlow), errors.Is(cause, errTotal) && f.resp.Status != 0:
		fail.Code, fail.Err = TooSlow, cause
	case cause != nil:
		fail.Code, fail.Err = Timeout, cause
	default:
		fail.Code = kindOf(err)
	}
	return fail
}

// givenUp tells a caller's deadline from a caller's change of mind.
func givenUp(ctx context.Context) Code {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Timeout
	}
	return Cancelled
}

func kindOf(err error) Code {
	var dns *net.DNSError
	var coding errCoding
	var network net.Error
	switch {
	case errors.As(err, &coding):
		return Protocol
	case errors.Is(err, errResolvesLocally):
		return ResolvesLocally
	case isAny(err, offlineErrors):
		return Offline
	case errors.As(err, &dns):
		return dnsKind(dns)
	case isAny(err, refusedErrors):
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

// dnsKind tells a name without an address from a resolver that cannot be asked.
func dnsKind(err *net.DNSError) Code {
	var op *net.OpError
	if errors.As(err.Unwrap(), &op) && !err.IsTimeout {
		return Offline
	}
	return DNS
}

func isTLS(err error) bool {
	var (
		record    tls.RecordHeaderError
		alert     tls.AlertError
		verify    *tls.CertificateVerificationError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	return errors.As(err, &record) || errors.As(err, &alert) || errors.As(err, &verify) || errors.As(err, &authority) ||
		errors.As(err, &host) || errors.As(err, &invalid) || errors.Is(err, http.ErrSchemeMismatch)
}

func isReset(err error) bool {
	var stream streamError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		isAny(err, resetErrors) || errors.As(err, &stream)
}

// streamError receives net/http's own HTTP/2 stream errors, which convert
// themselves to any structure of this form.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e streamError) Error() string { return "http2 stream error" }

func isAny(err error, of []error) bool {
	for _, one := range of {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}
