package fetch

import (
	"net"
	"net/http"
	"time"
)

// newTransport returns the transport for documents of the web, with the guard.
func newTransport(l Limits, dialer *net.Dialer) guardedTransport {
	return guardedTransport{newCertifiedTransport(func() *http.Transport {
		t := transportBy(dialer, l)
		t.ResponseHeaderTimeout = l.Headers
		return t
	})}
}

// newSessionTransport returns the transport for sessions, whose servers may be in the local network and may take the time of a
// whole request to build an answer.
func newSessionTransport(l Limits) http.RoundTripper {
	return newCertifiedTransport(func() *http.Transport {
		return transportBy(&net.Dialer{Timeout: l.Connect, KeepAlive: -1}, l)
	})
}

// transportBy returns a transport for many hosts that are each asked rarely: it keeps a connection just long enough for a
// redirect or a favicon to use it. It has no cookies and leaves decompression to those who limit it.
func transportBy(dialer *net.Dialer, l Limits) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    l.Connect,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
		MaxIdleConns:           16,
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        5 * time.Second,
		// What arrives before it is read is memory that no MemoryBudget counts.
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 256 << 10, MaxReceiveBufferPerConnection: 512 << 10},
	}
}
