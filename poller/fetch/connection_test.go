package fetch

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// The first request to a host opens a TLS connection, the next one uses it; without TLS there is next to nothing to open.
func TestOpenedConnectionsAreNoted(t *testing.T) {
	handle := http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) { _, _ = out.Write([]byte("x")) })
	secure, plain := httptest.NewTLSServer(handle), httptest.NewServer(handle)
	defer secure.Close()
	defer plain.Close()
	c := New(Options{Transport: secure.Client().Transport, Spacing: time.Nanosecond})
	for i, want := range []bool{true, false} {
		r, err := c.Do(t.Context(), Request{URL: secure.URL, Local: true})
		if err != nil || r.Opened != want {
			t.Errorf("request %d opened a connection: %v, %v", i+1, r.Opened, err)
		}
	}
	if r, err := c.Do(t.Context(), Request{URL: plain.URL, Local: true}); err != nil || r.Opened {
		t.Errorf("a request without TLS opened one: %v, %v", r.Opened, err)
	}
}
