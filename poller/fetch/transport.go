package fetch

import (
	"net"
	"net/http"
	"time"
)

// newTransport returns a transport for many hosts that are each asked rarely: it keeps a connection just long enough for a
// redirect or a favicon to use it. It has no cookies and leaves decompression to readBody, which limits it.
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
		// What arrives before it is read is memory that no MemoryBudget counts.
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 256 << 10, MaxReceiveBufferPerConnection: 512 << 10},
	}}
}
