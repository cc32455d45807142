package fetch

import (
	"net"
	"net/http"
	"time"
)

// newTransport makes a transport for many hosts that are each asked rarely: it
// keeps a connection just long enough for a redirect or a favicon to use it.
// It keeps no cookies and leaves compression to readBody, which bounds it.
func newTransport(l Limits, dialer *net.Dialer) guardedTransport {
	return guardedTransport{&http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    l.Connect,
		ResponseHeaderTimeout:  l.Headers,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
		MaxIdleConns:           16,
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        5 * time.Second,
		// What a server sends ahead of who reads it is memory that nobody counts.
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 256 << 10, MaxReceiveBufferPerConnection: 512 << 10},
	}}
}
