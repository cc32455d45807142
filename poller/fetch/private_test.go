package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

func TestPrivate(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "[::1]": true, "10.1.2.3": true, "192.168.0.1": true, "169.254.169.254": true, "0.0.0.0": true,
		"::ffff:127.0.0.1": true, "100.64.1.1": true, "localhost": true, "printer": true, "nas.local": true, "A.LAN": true, "b.home.arpa": true,
		"example.org": false, "93.184.216.34": false, "[2606:2800:220:1:248:1893:25c8:1946]": false, "local.example": false,
	} {
		if Private(host) != want {
			t.Errorf("Private(%s) = %v", host, !want)
		}
	}
}

// rounds answers without a network.
type rounds func(*http.Request) (*http.Response, error)

func (r rounds) RoundTrip(req *http.Request) (*http.Response, error) { return r(req) }

// A public request does not lead into this machine's network, be it by its address, a redirect or a name.
func TestPublicStaysOutside(t *testing.T) {
	asked := 0
	s := serve(t, func(http.ResponseWriter, *http.Request) { asked++ })
	wantKind(t, client(t, Options{}), Request{URL: s.URL, Public: true}, BadAddress)
	if asked != 0 {
		t.Error("this machine was asked")
	}
	c := client(t, Options{Transport: rounds(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host != "a.example" {
			t.Errorf("asked %s", r.URL)
		}
		return &http.Response{StatusCode: 302, Header: http.Header{"Location": {"http://192.168.0.1/admin"}}, Body: io.NopCloser(strings.NewReader(""))}, nil
	})})
	wantKind(t, c, Request{URL: "http://a.example/", Public: true}, BadAddress)

	req, err := http.NewRequest(http.MethodGet, "http://a.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	marked := public(req).Context()
	for address, refused := range map[string]bool{"127.0.0.1:80": true, "[::1]:443": true, "93.184.216.34:80": false} {
		if err := controlDial(marked, "tcp", address, nil); errors.Is(err, errPrivate) != refused {
			t.Errorf("%s: %v", address, err)
		}
		if err := controlDial(context.Background(), "tcp", address, nil); err != nil {
			t.Errorf("%s, for who is not marked: %v", address, err)
		}
	}
}

// A body that goes elsewhere is not held, not bounded and not coded.
func TestBodyGoesElsewhere(t *testing.T) {
	body := bytes.Repeat([]byte("0123456789abcdef"), 1<<17) // 2 MB
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "identity" {
			t.Errorf("asked for %s", got)
		}
		w.Header().Set("Content-Length", "2097152")
		w.Write(body)
	})
	var got bytes.Buffer
	var come, length atomic.Int64
	res := mustDo(t, client(t, Options{}), Request{URL: s.URL, To: &got, Arrived: &come, Length: &length, MaxBody: 10})
	if !bytes.Equal(got.Bytes(), body) || res.Body != nil || res.Truncated || come.Load() != 2<<20 || length.Load() != 2<<20 {
		t.Errorf("%d bytes came, %d of %d noted, %d held", got.Len(), come.Load(), length.Load(), len(res.Body))
	}
	full := errors.New("full")
	_, e := wantKind(t, client(t, Options{}), Request{URL: s.URL, To: unwilling{full}}, Unwritable)
	if !errors.Is(e, full) || !e.Machine() {
		t.Error(e)
	}
}

type unwilling struct{ error }

func (f unwilling) Write([]byte) (int, error) { return 0, f.error }

// Requests of different lanes of one host do not wait for one another.
func TestLanes(t *testing.T) {
	first, second := make(chan bool), make(chan bool)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/1" {
			close(first)
			<-second
			return
		}
		close(second)
	})
	c, done := client(t, Options{}), make(chan error)
	go func() {
		_, err := c.Do(t.Context(), Request{URL: s.URL + "/1", Lane: " a"})
		done <- err
	}()
	<-first
	mustDo(t, c, Request{URL: s.URL + "/2", Lane: " b"})
	if err := <-done; err != nil {
		t.Error(err)
	}
}
