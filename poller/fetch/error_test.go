package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
	"testing"
	"time"

	"kairos/reader/codetest"
)

func TestErrorOfEachStatus(t *testing.T) {
	tests := []struct {
		status int
		header string
		code   Code
	}{
		{400, "", ClientError}, {401, "", Auth}, {403, "", ClientError}, {404, "", ClientError}, {410, "", Gone},
		{429, "", Busy}, {500, "", ServerError}, {502, "", ServerError}, {503, "", Busy}, {511, "", Portal},
		{403, "challenge", Portal}, {503, "challenge", Portal}, {200, "challenge", Portal},
		{300, "", Protocol}, {302, "", Protocol}, {304, "", Protocol},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.status, tt.header), func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if tt.header != "" {
					w.Header().Set("Cf-Mitigated", tt.header)
				}
				w.Header().Set("ETag", `"of an error page"`)
				w.WriteHeader(tt.status)
			})
			res, e := wantCode(t, client(t, Options{}), Request{URL: s.URL}, tt.code)
			if res.Status != tt.status || e.Status != tt.status || res.Validators != (Validators{}) {
				t.Errorf("response %+v, error %+v", res, e)
			}
		})
	}
}

func TestBadAddresses(t *testing.T) {
	for _, address := range []string{"", "feed://a.example/", "file:///etc/hosts", "a.example/feed", "http://", "http://%zz", "http://a b/", "javascript:1"} {
		wantCode(t, client(t, Options{}), Request{URL: address}, BadAddress)
	}
}

// raw serves connections without HTTP and returns the address.
func raw(t *testing.T, handle func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			handle(c)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	return "http://" + l.Addr().String() + "/"
}

// say reads a request and answers with a text as it is.
func say(text string) func(net.Conn) {
	return func(c net.Conn) {
		_, _ = c.Read(make([]byte, 4096))
		_, _ = c.Write([]byte(text))
	}
}

func TestBrokenAnswers(t *testing.T) {
	reset := func(c net.Conn) {
		say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<rss>")(c)
		_ = c.(*net.TCPConn).SetLinger(0)
	}
	tests := map[string]struct {
		handle func(net.Conn)
		code   Code
		body   string
	}{
		"no answer":          {say(""), Reset, ""},
		"not HTTP":           {say("SSH-2.0-x\r\n\r\n"), Protocol, ""},
		"length too long":    {say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<rss>"), Reset, "<rss>"},
		"chunks without end": {say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<rss>\r\n"), Reset, "<rss>"},
		"reset in the body":  {reset, Reset, ""}, // how much arrives before a reset is up to the system
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			res, _ := wantCode(t, client(t, Options{}), Request{URL: raw(t, tt.handle)}, tt.code)
			if name != "reset in the body" && (string(res.Body) != tt.body || res.Truncated != (tt.body != "")) {
				t.Errorf("body %q, truncated %v", res.Body, res.Truncated)
			}
		})
	}
}

// An endless body of an error or a redirect does not hold the request up.
func TestEndlessErrorBody(t *testing.T) {
	end := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<rss/>") })
	hang := func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	gone := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNotFound); hang(w, r) })
	moved := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", end.URL)
		w.WriteHeader(http.StatusFound)
		hang(w, r)
	})
	c := client(t, Options{Limits: Limits{Total: time.Hour, Drain: time.Millisecond}})
	wantCode(t, c, Request{URL: gone.URL}, ClientError)
	if res := mustDo(t, c, Request{URL: moved.URL}); string(res.Body) != "<rss/>" {
		t.Errorf("body %q", res.Body)
	}
}

func TestHTTP2(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
		if r.URL.Path == "/broken" {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	c := New(Options{Transport: s.Client().Transport})
	if res := mustDo(t, c, Request{URL: s.URL}); string(res.Body) != "HTTP/2.0" {
		t.Errorf("spoke %s", res.Body)
	}
	wantCode(t, c, Request{URL: s.URL + "/broken"}, Reset)
}

// The status is that of the hop that failed, not of the one before.
func TestErrorHasStatusOfItsHop(t *testing.T) {
	end := httptest.NewServer(http.NotFoundHandler())
	start := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, end.URL, http.StatusFound) })
	end.Close()
	res, e := wantCode(t, client(t, Options{}), Request{URL: start.URL}, Refused)
	if res.Status != 0 || e.Status != 0 || e.URL != end.URL {
		t.Errorf("response %+v, error %+v", res, e)
	}
}

func TestLengthTooShort(t *testing.T) {
	address := raw(t, say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n<rss></rss>"))
	if res := mustDo(t, client(t, Options{}), Request{URL: address}); string(res.Body) != "<rss>" {
		t.Errorf("body %q", res.Body)
	}
}

func TestRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String()
	_ = l.Close()
	wantCode(t, client(t, Options{}), Request{URL: address}, Refused)
}

func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	if _, e := wantCode(t, client(t, Options{}), Request{URL: s.URL}, TLS); e.Certificate != Untrusted {
		t.Errorf("signed by nobody: %q", e.Certificate)
	}

	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	if _, e := wantCode(t, client(t, Options{}), Request{URL: "https" + plain.URL[len("http"):]}, TLS); e.Certificate != "" {
		t.Errorf("without a certificate: %q", e.Certificate)
	}
}

func TestHeaderTimeout(t *testing.T) {
	trickle := func(c net.Conn) {
		_, _ = c.Read(make([]byte, 4096))
		for {
			_, failed := c.Write([]byte("H"))
			_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
			if _, err := c.Read(make([]byte, 1)); failed != nil || !errors.Is(err, os.ErrDeadlineExceeded) {
				return
			}
		}
	}
	silent := func(c net.Conn) {
		for {
			if _, err := c.Read(make([]byte, 4096)); err != nil {
				return
			}
		}
	}
	for name, handle := range map[string]func(net.Conn){"silent": silent, "trickling": trickle} {
		t.Run(name, func(t *testing.T) {
			c := client(t, Options{Limits: Limits{Headers: 50 * time.Millisecond}})
			wantCode(t, c, Request{URL: raw(t, handle)}, Timeout)
		})
	}
}

func TestSlowBody(t *testing.T) {
	half := func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("<rss>"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	for name, limits := range map[string]Limits{
		"rate":  {Window: 500 * time.Millisecond},
		"total": {Total: 500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			res, _ := wantCode(t, client(t, Options{Limits: limits}), Request{URL: serve(t, half).URL}, TooSlow)
			if res.Body != nil || res.Bytes != 5 {
				t.Errorf("body %q, %d bytes", res.Body, res.Bytes)
			}
		})
	}
}

func TestDeadlineOfTheCaller(t *testing.T) {
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err := client(t, Options{}).Do(ctx, Request{URL: s.URL, Local: true})
	var e *Error
	if !errors.As(err, &e) || e.Code != Timeout || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func TestErrorOfEachTransportFailure(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	tests := map[string]struct {
		err     error
		code    Code
		machine bool
	}{
		"no such name":      {dial(&net.DNSError{Err: "no such host", Name: "x.example", IsNotFound: true}), DNS, true},
		"resolver timeout":  {dial(&net.DNSError{Err: "i/o timeout", IsTimeout: true}), DNS, true},
		"resolver away":     {dial(&net.DNSError{Err: "x", UnwrapErr: &net.OpError{Op: "read", Err: errors.New("refused")}}), Offline, true},
		"no route":          {dial(offlineErrors[0]), Offline, true},
		"no way to host":    {dial(fmt.Errorf("connect: %w", offlineErrors[1])), Offline, true},
		"refused":           {dial(refusedErrors[0]), Refused, false},
		"reset":             {&net.OpError{Op: "read", Err: resetErrors[0]}, Reset, false},
		"http2 stream":      {fmt.Errorf("x: %w", streamError{StreamID: 1}), Reset, false},
		"connect timed out": {dial(timeout{}), Timeout, false},
		"whatever":          {errors.New("malformed"), Protocol, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, e := wantCode(t, New(Options{Transport: failing{tt.err}}), Request{URL: "https://x.example/"}, tt.code)
			if e.BlamesMachine() != tt.machine || !errors.Is(e, tt.err) {
				t.Errorf("machine %v; %v", e.BlamesMachine(), e)
			}
		})
	}
}

type timeout struct{}

func (timeout) Error() string   { return "i/o timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

// Codes are all different, and none is empty: they are stored.
func TestCodes(t *testing.T) {
	seen := map[Code]bool{"": true}
	for _, c := range codetest.Of[Code](t) {
		if seen[c] {
			t.Errorf("code %q", c)
		}
		seen[c] = true
	}
}

func TestCertificateFaults(t *testing.T) {
	for want, cause := range map[CertificateFault]error{
		Untrusted: x509.UnknownAuthorityError{},
		Expired:   x509.CertificateInvalidError{Reason: x509.Expired},
		OtherName: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x.example"},
		Invalid:   x509.CertificateInvalidError{Reason: x509.TooManyIntermediates},
		"":        tls.AlertError(40),
	} {
		err := &tls.CertificateVerificationError{Err: cause}
		if want == "" {
			_, e := wantCode(t, New(Options{Transport: failing{cause}}), Request{URL: "https://x.example/"}, TLS)
			if e.Certificate != "" {
				t.Errorf("%v: %q", cause, e.Certificate)
			}
			continue
		}
		_, e := wantCode(t, New(Options{Transport: failing{err}}), Request{URL: "https://x.example/"}, TLS)
		if got, err := json.Marshal(e); err != nil || string(got) != `{"code":"tls","host":"x.example","certificate":"`+string(want)+`"}` {
			t.Errorf("%v: %s (%v)", cause, got, err)
		}
	}
}

func TestErrorAsJSON(t *testing.T) {
	_, e := wantCode(t, New(Options{Transport: failing{syscall.ECONNREFUSED}}), Request{URL: "https://ann:secret@x.example:8443/f?token=1"}, Refused)
	got, err := json.Marshal(e)
	if want := `{"code":"refused","host":"x.example:8443"}`; err != nil || string(got) != want {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
}

func TestErrorHidesPassword(t *testing.T) {
	_, e := wantCode(t, New(Options{Transport: failing{syscall.ECONNREFUSED}}), Request{URL: "https://ann:secret@x.example/f"}, Refused)
	if e.URL != "https://x.example/f" {
		t.Errorf("address %q", e.URL)
	}
}
