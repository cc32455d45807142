package fetch

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// inSession returns a request of a session, which keeps the body of the answer in got.
func inSession(method, address string, got *string) Request {
	return Request{URL: address, Session: &Session{Method: method, ContentType: "text/plain", Body: []byte("question"),
		Authorize: func(r *http.Request) { r.SetBasicAuth("anna", "hunter2") },
		Read: func(_ *Response, body *SessionBody) error {
			text, err := io.ReadAll(body)
			*got = string(text)
			return err
		}}}
}

func TestSession(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		sent, _ := io.ReadAll(r.Body)
		line := strings.Join([]string{r.Method, user, password, string(sent), r.Header.Get("Content-Type"), r.Header.Get("Accept-Encoding")}, " ")
		if r.URL.Path == "/plain" {
			_, _ = io.WriteString(w, line)
			return
		}
		w.Header().Set("Content-Encoding", strings.Trim(r.URL.Path, "/"))
		_, _ = w.Write(squeeze(t, []byte(line), gz))
	})
	c := client(t, Options{})
	for _, path := range []string{"/plain", "/gzip"} {
		got := ""
		res, err := c.Do(t.Context(), inSession(http.MethodPut, s.URL+path, &got))
		if err != nil || got != "PUT anna hunter2 question text/plain gzip" || res.Bytes == 0 || len(res.Body) > 0 {
			t.Errorf("%s: %q, %+v, %v", path, got, res, err)
		}
	}
	got := ""
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		_, _ = w.Write(squeeze(t, []byte("a window of megabytes"), br))
	})
	wantCode(t, c, inSession(http.MethodGet, s.URL, &got), Protocol)
	if n := c.memory.InUse(); got != "" || n != 0 || len(c.memory.leases) != 0 {
		t.Errorf("%q was read, %d bytes are held", got, n)
	}
}

func TestSessionRedirects(t *testing.T) {
	for _, tt := range []struct {
		method   string
		status   int
		from, to string
		want     bool
	}{
		{"POST", 307, "https://a.test/x", "https://a.test/y", true},
		{"POST", 308, "http://a.test/x", "https://a.test/y", true},
		{"GET", 302, "https://a.test/x", "https://A.test:443/y", true},
		{"POST", 302, "https://a.test/x", "https://a.test/y", false},
		{"POST", 303, "https://a.test/x", "https://a.test/y", false},
		{"GET", 301, "https://a.test/x", "http://a.test/x", false},
		{"GET", 307, "https://a.test/x", "https://b.test/x", false},
		{"GET", 307, "https://a.test/x", "https://a.test:8443/x", false},
		{"GET", 307, "https://a.test/x", "https://b.a.test/x", false},
	} {
		from, _ := url.Parse(tt.from)
		to, _ := url.Parse(tt.to)
		if got := (&Session{Method: tt.method}).follows(tt.status, from, to); got != tt.want {
			t.Errorf("%s, %d from %s to %s: %t", tt.method, tt.status, tt.from, tt.to, got)
		}
	}
	asked := 0
	other := serve(t, func(http.ResponseWriter, *http.Request) { asked++ })
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	got := ""
	if _, e := wantCode(t, client(t, Options{}), inSession(http.MethodPost, s.URL, &got), Protocol); e.Status != 307 || asked > 0 {
		t.Errorf("status %d, the other host was asked %d times", e.Status, asked)
	}
}

// What a server asks for binds documents and sessions alike; a 429 that does not say how long is left to the session.
func TestSessionsShareBlocks(t *testing.T) {
	after := ""
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(http.StatusTooManyRequests)
	})
	k := &clock{epoch}
	c := client(t, Options{Now: k.now})
	got := ""
	if _, e := wantCode(t, c, inSession(http.MethodGet, s.URL, &got), Busy); e.RetryAfter != 0 || !c.BlockedUntil(Host(s.URL)).IsZero() {
		t.Errorf("retry after %v", e.RetryAfter)
	}
	after = "60"
	wantCode(t, c, inSession(http.MethodGet, s.URL, &got), Busy)
	wantCode(t, c, Request{URL: s.URL}, Waiting)
	k.at = epoch.Add(time.Minute)
	wantCode(t, c, Request{URL: s.URL}, Busy)
	wantCode(t, c, inSession(http.MethodGet, s.URL, &got), Waiting)
}

// A session is of the user's own making: it may be with a server of the local network, and a document of the same host that
// does not arrive holds it up as little as a server that takes long to answer.
func TestSessionBesideDocuments(t *testing.T) {
	asked, release := make(chan bool), make(chan bool)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			asked <- true
			<-release
		}
	})
	c := client(t, Options{})
	done := make(chan error)
	go func() {
		_, err := c.Do(t.Context(), Request{URL: s.URL, Local: true})
		done <- err
	}()
	<-asked
	got := ""
	if _, err := c.Do(t.Context(), inSession(http.MethodPut, s.URL, &got)); err != nil {
		t.Error(err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestSessionTimeouts(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // the server notices that its client has gone only then
		if r.URL.Path == "/half" {
			_, _ = io.WriteString(w, "half")
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	})
	c := client(t, Options{Limits: Limits{Total: 500 * time.Millisecond, Window: time.Millisecond, Headers: time.Millisecond}})
	got := ""
	wantCode(t, c, inSession(http.MethodGet, s.URL+"/none", &got), Timeout)
	wantCode(t, c, inSession(http.MethodGet, s.URL+"/half", &got), TooSlow)
	if got != "half" {
		t.Errorf("%q was read", got)
	}
}

// Sessions take from the memory of all bodies, and what fails while they read is theirs.
func TestSessionMemory(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "answer") })
	c := client(t, Options{Memory: 8 << 20})
	r := inSession(http.MethodGet, s.URL, new(string))
	for _, own := range []error{nil, io.ErrShortWrite} {
		r.Session.Read = func(_ *Response, body *SessionBody) error {
			for _, bytes := range []int64{1 << 20, 2 << 20, 1 << 20} {
				if err := body.Hold(bytes); err != nil || c.memory.InUse() != bytes {
					t.Errorf("%d bytes are held: %v", c.memory.InUse(), err)
				}
			}
			if own != nil {
				return own
			}
			return body.Hold(9 << 20)
		}
		if own == nil {
			own = ErrNoRoom
		}
		if _, e := wantCode(t, c, r, Unwritable); !errors.Is(e, own) || c.memory.InUse() != 0 {
			t.Errorf("%v, want %v; %d bytes are held", e, own, c.memory.InUse())
		}
	}
}

// What a server says beside a failure is told, bounded.
func TestSessionTellsWhyItFailed(t *testing.T) {
	for _, gzipped := range []bool{false, true} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			text := []byte(`{"why":"` + strings.Repeat("x", 1<<20))
			if gzipped {
				w.Header().Set("Content-Encoding", "gzip")
				w.WriteHeader(http.StatusInternalServerError)
				z := gzip.NewWriter(w)
				_, _ = z.Write(text)
				_ = z.Close()
				return
			}
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write(text)
		}))
		defer server.Close()
		var head []byte
		_, err := New(Options{}).Do(t.Context(), Request{URL: server.URL, Session: &Session{Method: http.MethodGet, Failed: func(h []byte) { head = h }}})
		var fail *Error
		if !errors.As(err, &fail) || fail.Status != http.StatusInternalServerError || !strings.HasPrefix(string(head), `{"why":"xx`) || len(head) > maxFailed {
			t.Errorf("compressed: %v: %v, %d bytes", gzipped, err, len(head))
		}
	}
}
