package fetch

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// serve starts a loopback server.
func serve(t testing.TB, handle http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s
}

func client(t testing.TB, o Options) *Client {
	t.Helper()
	c := New(o)
	t.Cleanup(c.CloseIdle)
	return c
}

// mustDo makes a request that must succeed, for a feed of the local network: that is where the servers of tests are.
func mustDo(t testing.TB, c *Client, r Request) *Response {
	t.Helper()
	r.Local = true
	res, err := c.Do(t.Context(), r)
	if err != nil {
		t.Fatalf("Do(%s): %v", r.URL, err)
	}
	return res
}

// wantCode makes a request that must fail, for a feed of the local network.
func wantCode(t testing.TB, c *Client, r Request, code Code) (*Response, *Error) {
	t.Helper()
	r.Local = true
	res, err := c.Do(t.Context(), r)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("Do(%s) = %v, want an *Error", r.URL, err)
	}
	if e.Code != code {
		t.Fatalf("Do(%s): code %v (%v), want %v", r.URL, e.Code, err, code)
	}
	if res == nil || e.Host == "" && code != BadAddress {
		t.Fatalf("response %v, error %+v", res, e)
	}
	return res, e
}

func TestPlainRequest(t *testing.T) {
	var got http.Header
	var line string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got, line = r.Header, r.Method+" "+r.RequestURI
		w.Header().Set("ETag", `W/"a,b"`)
		w.Header().Set("Last-Modified", "yesterday, about noon")
		w.Header().Set("Content-Type", "application/rss+xml; charset=koi8-r")
		w.Header().Set("Cache-Control", "public, max-age=600")
		w.Header().Set("Age", "60")
		w.Header().Set("Set-Cookie", "id=1")
		w.Header().Set("Date", epoch.Format(http.TimeFormat))
		_, _ = w.Write([]byte("<rss/>"))
	})
	c := client(t, Options{Version: "1.2", Website: "https://kairos.example"})
	address := s.URL + "/Feed%2Fx/?b=2&a=1"
	res := mustDo(t, c, Request{URL: address + "#top"})
	want := &Response{Status: 200, URL: address + "#top", Body: []byte("<rss/>"), ContentType: "application/rss+xml; charset=koi8-r",
		Validators: Validators{`W/"a,b"`, "yesterday, about noon"}, MaxAge: 9 * time.Minute, HasMaxAge: true, Bytes: 6, Date: epoch}
	if res.StartedAt.IsZero() || res.Took <= 0 {
		t.Errorf("at %v, took %v", res.StartedAt, res.Took)
	}
	res.StartedAt, res.Took = time.Time{}, 0
	if d := cmp.Diff(want, res); d != "" {
		t.Error(d)
	}
	if want := "GET /Feed%2Fx/?b=2&a=1"; line != want {
		t.Errorf("request %q, want %q", line, want)
	}
	wantHeader := http.Header{
		"User-Agent":      {"Kairos/1.2 (desktop feed reader; +https://kairos.example)"},
		"Accept":          {defaultAccept},
		"Accept-Encoding": {"gzip, br, zstd"},
	}
	if d := cmp.Diff(wantHeader, got); d != "" {
		t.Error("headers:", d)
	}

	mustDo(t, c, Request{URL: address, Accept: "image/*"})
	if got.Get("Cookie") != "" || got.Get("Accept") != "image/*" {
		t.Errorf("second request: %v", got)
	}
}

func TestUserAgentWithoutWebsite(t *testing.T) {
	if got, want := UserAgent("0.9", ""), "Kairos/0.9 (desktop feed reader)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestValidators(t *testing.T) {
	tests := map[string]struct {
		sent  Validators
		reply map[string]string
		want  Validators
	}{
		"both, odd but verbatim": {Validators{`W/"x\y" `[:7], "Sun, 6 Nov 94 8:49 +0000"}, nil, Validators{`W/"x\y" `[:7], "Sun, 6 Nov 94 8:49 +0000"}},
		"unquoted tag":           {Validators{ETag: "abc"}, nil, Validators{ETag: "abc"}},
		"renewed by the 304":     {Validators{`"1"`, "then"}, map[string]string{"ETag": `"2"`}, Validators{`"2"`, "then"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got http.Header
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				got = r.Header
				w.Header().Set("Cache-Control", "max-age=60")
				for k, v := range tt.reply {
					w.Header().Set(k, v)
				}
				w.WriteHeader(http.StatusNotModified)
			})
			res := mustDo(t, client(t, Options{}), Request{URL: s.URL, Validators: tt.sent})
			if sent := (Validators{got.Get("If-None-Match"), got.Get("If-Modified-Since")}); sent != tt.sent {
				t.Errorf("sent %+v, want %+v", sent, tt.sent)
			}
			if !res.NotModified || res.Status != 304 || res.Validators != tt.want || res.MaxAge != time.Minute {
				t.Errorf("got %+v", res)
			}
		})
	}
}

func TestInvalidValidatorsAreNotSent(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") != "" || r.Header.Get("If-Modified-Since") != "d" {
			w.WriteHeader(http.StatusTeapot)
		}
	})
	mustDo(t, client(t, Options{}), Request{URL: s.URL, Validators: Validators{"a\x01b", "d"}})
}

func TestMissingValidatorIsDropped(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Last-Modified", "new") })
	res := mustDo(t, client(t, Options{}), Request{URL: s.URL, Validators: Validators{`"old"`, "old"}})
	if want := (Validators{"", "new"}); res.Validators != want {
		t.Errorf("%+v, want %+v", res.Validators, want)
	}
}

func TestCredentials(t *testing.T) {
	tests := map[string]struct {
		prefix     string
		user, pass string
		want       string
	}{
		"none":             {"", "", "", "/ false"},
		"in the request":   {"", "ann", "s:1", "ann/s:1 true"},
		"in the address":   {"bob:p%40ss@", "", "", "bob/p@ss true"},
		"user only":        {"key@", "", "", "key/ true"},
		"request outranks": {"bob:x@", "ann", "y", "ann/y true"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				u, p, ok := r.BasicAuth()
				_, _ = w.Write([]byte(u + "/" + p + map[bool]string{true: " true", false: " false"}[ok]))
			})
			address := strings.Replace(s.URL, "http://", "http://"+tt.prefix, 1)
			res := mustDo(t, client(t, Options{}), Request{URL: address, User: tt.user, Password: tt.pass})
			if string(res.Body) != tt.want {
				t.Errorf("server saw %q, want %q", res.Body, tt.want)
			}
			if res.URL != s.URL {
				t.Errorf("address %q shows credentials", res.URL)
			}
		})
	}
}

func TestCancelWhileWaitingForHeaders(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	res, err := client(t, Options{}).Do(ctx, Request{URL: s.URL, Local: true})
	var e *Error
	if !errors.As(err, &e) || e.Code != Canceled || !errors.Is(err, context.Canceled) || !e.BlamesMachine() {
		t.Errorf("got %v", err)
	}
	if res.StartedAt.IsZero() {
		t.Error("the request was made, but has no instant")
	}
}

func TestHost(t *testing.T) {
	for address, want := range map[string]string{
		"http://Example.ORG/x":        "example.org",
		"https://example.org.:443/":   "example.org",
		"http://example.org:443/":     "example.org:443",
		"https://bücher.example/feed": "xn--bcher-kva.example",
		"http://under_score.example":  "under_score.example",
		"http://[::1]:8080/":          "[::1]:8080",
		"http://[::1]/":               "[::1]",
		"http://u:p@127.0.0.1:80/":    "127.0.0.1",
		"ftp://example.org/":          "",
		"example.org/feed":            "",
		"http:///feed":                "",
	} {
		if got := Host(address); got != want {
			t.Errorf("Host(%q) = %q, want %q", address, got, want)
		}
	}
}

func FuzzHost(f *testing.F) {
	for _, s := range []string{"http://Example.org:80/x", "https://u:p@[::1]:443/", "http://bücher.example", "http://büche.e..", "http://büche.e。", "://", "http://a_b:99999/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		host := Host(address)
		if host == "" {
			return
		}
		if again := Host("http://" + host + "/"); again != host && again+":80" != host {
			t.Errorf("%q: host %q is of host %q", address, host, again)
		}
	})
}
